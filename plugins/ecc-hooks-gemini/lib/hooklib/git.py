"""Run git without starting hooks, monitors, pagers or diff programs of the repository."""

from __future__ import annotations

import os

from hooklib import limits, process

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.process import Finished, Run

DIFF = ["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=all"]
STATUS = ["status", "--porcelain", "--ignore-submodules=all"]
_GIT = ["git", "--no-pager", "--literal-pathspecs", "-c", "core.fsmonitor=false"]
_GIT += ["-c", "core.hooksPath=" + os.devnull]
_ELSEWHERE = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_EXTERNAL_DIFF")


def ask(root: str, args: list[str], seconds: float, run: Run = process.run) -> Finished:
    """Run one git command in root, for at most so many seconds."""
    env = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE}
    env.update(GIT_OPTIONAL_LOCKS="0", GIT_TERMINAL_PROMPT="0", LC_ALL="C")
    return run([*_GIT, *args], env=env, cwd=root, timeout=limits.scaled(seconds))
