"""How to call each checker for files of one root, and how to read its output about a file."""

from __future__ import annotations

import os

from hooklib.quality import config_text, find_tool, tool_cache
from hooklib.quality.finding_text import Finding

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
    """A checker for a file: the folder it runs in, and its arguments."""

    __slots__ = ("name", "folder", "command", "takes_files")

    def __init__(self, name: str, folder: str, command: list[str], takes_files: bool) -> None:
        self.name = name
        self.folder = folder
        self.command = command
        self.takes_files = takes_files  # False: it checks its whole configuration

    @property
    def key(self) -> str:
        """A key that is equal for files that one run can check."""
        return "\0".join([self.name, self.folder, *self.command])

    def args(self, paths: list[str]) -> list[str]:
        return [*self.command, *(["--", *paths] if self.takes_files else [])]

    def findings(self, output: str, path: str) -> list[Finding]:
        """Return the findings in output about the file at path, and no other."""
        if self.name == "tsc":
            shown_path = os.path.relpath(path, self.folder).replace(os.sep, "/")
            return _tsc(output, shown_path)
        return _colons(output, path, self.name == "mypy")


def find(event: Event, edited: Edited, name: str, run: Run) -> Checker | None:
    """Return the checker for a file, None if the project does not use it."""
    return {"mypy": _find_mypy, "tsc": _find_tsc, "phpstan": _find_phpstan}[name](
        event, edited, run
    )


def _find_mypy(event: Event, edited: Edited, run: Run) -> Checker | None:
    from hooklib.quality import mypy_config

    folder, is_left_out = mypy_config.configuration(edited)
    program = None if is_left_out else find_tool.find(event, edited, "python", "mypy", run)
    # a mypy that the project neither configures nor has would complain of missing packages
    if program is None or not (folder or program.own):
        return None
    folder = folder or edited.root
    command = [program.path, *mypy_config.OPTIONS]
    if not program.own:
        python = find_tool.find(event, edited, "python", "python", run)
        if python is not None and python.own:  # where the project's packages are
            command += ["--python-executable", python.path]
    if not os.path.isdir(os.path.join(folder, ".mypy_cache")):  # leave no folder in the project
        command += ["--cache-dir", tool_cache.cache_path("mypy", folder)]
    return Checker("mypy", folder, command, True)


def _find_tsc(event: Event, edited: Edited, run: Run) -> Checker | None:
    folder = edited.nearest(lambda _, names: "tsconfig.json" in names)
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
    command += ["--incremental", "--tsBuildInfoFile", tool_cache.cache_path("tsc", config)]
    return Checker("tsc", folder, command, False)


def _sources(folder: str, text: str) -> str:
    """Return the configuration of the sources if tsconfig.json only lists projects, else ''."""
    if "references" not in text or '"files":[]' not in "".join(text.split()):
        return ""
    app = os.path.join(folder, "tsconfig.app.json")
    return app if os.path.isfile(app) else ""


def _find_phpstan(event: Event, edited: Edited, run: Run) -> Checker | None:
    folder = edited.nearest(lambda _, names: not names.isdisjoint(_PHPSTAN))
    program = find_tool.find(event, edited, "php", "phpstan", run)
    if program is None or not (folder or program.own):
        return None
    command = [program.path, "analyse", "--error-format=raw", "--no-progress"]
    command += ["--no-interaction", "--no-ansi"]
    return Checker("phpstan", folder or edited.root, command, True)


def _colons(output: str, path: str, has_columns: bool) -> list[Finding]:
    """Read `path:line:column: error: text` (mypy) or `path:line:text` (PHPStan)."""
    findings = []
    for line_text in ("\n" + output).split("\n" + path + ":")[1:]:
        line_number, _, text = line_text.partition("\n")[0].partition(":")
        column = ""
        if has_columns:
            head, _, text = text.partition(" error: ")
            column = head.partition(":")[0]
            if not text:  # a note
                continue
        if line_number.isdigit():
            findings.append(Finding(int(line_number), int(column) if column.isdigit() else 0, text))
    return findings


def _tsc(output: str, shown_path: str) -> list[Finding]:
    """Read `path(line,column): error TS1: text`; ignore the indented lines that explain it."""
    findings = []
    for line_text in ("\n" + output.replace("\r\n", "\n")).split("\n" + shown_path + "(")[1:]:
        position, _, text = line_text.partition("\n")[0].partition("): error ")
        line_number, _, column = position.partition(",")
        if text and line_number.isdigit() and column.isdigit():
            findings.append(Finding(int(line_number), int(column), text))
    return findings
