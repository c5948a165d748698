"""Check the command of a native hook: missing files, exit codes that do not block."""

from __future__ import annotations

import os
import shlex

from hooklib import files, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_ENDINGS = (".py", ".sh", ".bash", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl")
_LIMIT = 500_000
_EXIT_1 = ("exit 1", "exit(1)")  # sh, Python's sys.exit and node's process.exit
_BLOCKS = ("exit 2", "exit(2)", "permissionDecision", '"decision"', "'decision'", "decision:")


def check(
    handler: dict[str, Any], event: str, plugin: str, project: str
) -> Iterator[tuple[str, str, str]]:
    """Yield (level, what, remedy) for each problem of a handler of type command."""
    words = _words(handler)
    guarded = "test -f" in handler["command"] or "[ -f" in handler["command"]
    for number, word in enumerate(words):
        path = _file(word, plugin, project)
        if not path or (number and words[number - 1] in ("-c", "-e", "-m")):
            continue
        if not os.path.exists(path):
            if not guarded:
                yield _missing(path, os.path.basename(words[0]) if number else "")
        elif event == "PreToolUse" and _means_to_block(path):
            what = "%s exits 1, which does not block the tool" % path
            yield "warn", what, "use exit 2, with the reason on stderr"


def _missing(path: str, program: str) -> tuple[str, str, str]:
    if program.startswith(("python", "py")):
        return "fail", "%s is missing: python then exits 2, which blocks" % path, "remove the hook"
    return "warn", "%s is missing" % path, "remove the hook or restore the file"


def _words(handler: dict[str, Any]) -> list[str]:
    args = handler.get("args")
    if isinstance(args, list):
        return [handler["command"], *(arg for arg in args if isinstance(arg, str))]
    try:
        return shlex.split(handler["command"])
    except ValueError:  # an unclosed quote
        return []


def _file(word: str, plugin: str, project: str) -> str:
    """Return the path of the script that a word of a command names, or '' if it is uncertain."""
    word = word.rstrip(";")
    values = {"CLAUDE_PLUGIN_ROOT": plugin, "CLAUDE_PROJECT_DIR": project, "HOME": "~"}
    for name, value in values.items():
        if value:
            word = word.replace("${%s}" % name, value).replace("$" + name, value)
    word = os.path.expanduser(word)
    if not word.endswith(_ENDINGS) or not set(word).isdisjoint("$*?`(){}<>|&;\n"):
        return ""
    if os.path.isabs(word):
        return word
    if "/" not in word or not project:  # a program on PATH, or an unknown folder
        return ""
    return os.path.join(project or paths.start_dir(), word)


def _means_to_block(path: str) -> bool:
    """Return whether a script exits with 1 and has nothing that blocks."""
    try:
        text = files.read_bounded(path, _LIMIT).decode("utf-8", "replace")
    except OSError:
        return False
    return any(sign in text for sign in _EXIT_1) and not any(sign in text for sign in _BLOCKS)
