"""How each checker is called for some files of one root, and what its output says of a file."""

from __future__ import annotations

import os

from hooklib.quality import config_text, find_tool, tool_cache
from hooklib.quality.finding_text import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.event import Event
    from hooklib.process import Run
    from hooklib.quality.edited_file import Edited

LANGUAGE = {"mypy": "python", "tsc": "js", "phpstan": "php"}
HOOKS = {"mypy": "check-mypy", "tsc": "check-typescript", "phpstan": "check-phpstan"}
_PHPSTAN = ("phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon")
_TYPED = (".ts", ".tsx", ".mts", ".cts")


class Checker:
    """A checker that was found for a file: the folder it runs in, and its arguments."""

    __slots__ = ("name", "folder", "command", "takes_files")

    def __init__(self, name: str, folder: str, command: list[str], takes_files: bool) -> None:
        self.name = name
        self.folder = folder
        self.command = command
        self.takes_files = takes_files  # False: it checks its whole configuration

    @property
    def key(self) -> str:
        """The same for files that are checked together."""
        return "\0".join([self.name, self.folder, *self.command])

    def args(self, paths: list[str]) -> list[str]:
        return [*self.command, *(["--", *paths] if self.takes_files else [])]

    def problems(self, output: str, path: str) -> list[Problem]:
        """Return what the output says of the file at path, and of no other."""
        if self.name == "tsc":
            shown = os.path.relpath(path, self.folder).replace(os.sep, "/")
            return _tsc(output, shown)
        return _colons(output, path, self.name == "mypy")


def find(event: Event, edited: Edited, name: str, run: Run) -> Checker | None:
    """Return the checker for a file, None where the project does not use it."""
    return {"mypy": _find_mypy, "tsc": _find_tsc, "phpstan": _find_phpstan}[name](
        event, edited, run
    )


def _find_mypy(event: Event, edited: Edited, run: Run) -> Checker | None:
    from hooklib.quality import mypy_config

    folder, is_left_out = mypy_config.configuration(edited)
    program = None if is_left_out else find_tool.find(event, edited, "python", "mypy", run)
    # one that the project neither configures nor has itself would complain of missing packages
    if program is None or not (folder or program.own):
        return None
    folder = folder or edited.root
    command = [program.path, *mypy_config.OPTIONS]
    if not program.own:
        python = find_tool.find(event, edited, "python", "python", run)
        if python is not None and python.own:  # where the project's packages are
            command += ["--python-executable", python.path]
    if not os.path.isdir(os.path.join(folder, ".mypy_cache")):  # leave no folder in the project
        command += ["--cache-dir", tool_cache.place("mypy", folder)]
    return Checker("mypy", folder, command, True)


def _find_tsc(event: Event, edited: Edited, run: Run) -> Checker | None:
    folder = edited.nearest(lambda _, there: "tsconfig.json" in there)
    if not folder or edited.path.endswith((".vue", ".svelte")):
        return None
    config = os.path.join(folder, "tsconfig.json")
    text = config_text.read(config)
    if not edited.path.endswith(_TYPED) and "checkJs" not in text:
        return None
    program = find_tool.find(event, edited, "js", "tsc", run)
    if program is None:
        return None
    config = _sources(folder, text) or config
    command = [program.path, "--noEmit", "--pretty", "false", "--project", config]
    command += ["--incremental", "--tsBuildInfoFile", tool_cache.place("tsc", config)]
    return Checker("tsc", folder, command, False)


def _sources(folder: str, text: str) -> str:
    """Return the configuration of the sources where tsconfig.json is only a list of projects."""
    if "references" not in text or '"files":[]' not in "".join(text.split()):
        return ""
    app = os.path.join(folder, "tsconfig.app.json")
    return app if os.path.isfile(app) else ""


def _find_phpstan(event: Event, edited: Edited, run: Run) -> Checker | None:
    folder = edited.nearest(lambda _, there: not there.isdisjoint(_PHPSTAN))
    program = find_tool.find(event, edited, "php", "phpstan", run)
    if program is None or not (folder or program.own):
        return None
    command = [program.path, "analyse", "--error-format=raw", "--no-progress"]
    command += ["--no-interaction", "--no-ansi"]
    return Checker("phpstan", folder or edited.root, command, True)


def _colons(output: str, path: str, marked: bool) -> list[Problem]:
    """Read `path:line:column: error: text` (mypy) or `path:line:text` (PHPStan)."""
    found = []
    for rest in ("\n" + output).split("\n" + path + ":")[1:]:
        line, _, text = rest.partition("\n")[0].partition(":")
        column = ""
        if marked:
            head, _, text = text.partition(" error: ")
            column = head.partition(":")[0]
            if not text:  # a note
                continue
        if line.isdigit():
            found.append(Problem(int(line), int(column) if column.isdigit() else 0, text))
    return found


def _tsc(output: str, shown: str) -> list[Problem]:
    """Read `path(line,column): error TS1: text`, whose indented lines that follow explain it."""
    found = []
    for rest in ("\n" + output.replace("\r\n", "\n")).split("\n" + shown + "(")[1:]:
        place, _, text = rest.partition("\n")[0].partition("): error ")
        line, _, column = place.partition(",")
        if text and line.isdigit() and column.isdigit():
            found.append(Problem(int(line), int(column), text))
    return found
