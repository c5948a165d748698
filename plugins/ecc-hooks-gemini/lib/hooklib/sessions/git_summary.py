"""Ask git about the working tree: several short commands at once, each with its own time limit."""

from __future__ import annotations

import os
import threading
import time

from hooklib import git, limits, process, sanitize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SECONDS = 0.4  # for each command; all run at the same time
_ALL_SECONDS = 0.8  # killing a command that does not end takes longer
_LINE = 200
_FAILURES = (
    (b"not a git repository", "not a repository"),
    (b"bad revision 'head'", "no commit yet"),
    (b"does not have any commits yet", "no commit yet"),
)
_STATUS = [*git.STATUS, "--untracked-files=normal"]


def before_compaction(root: str) -> dict[str, Any]:
    """Return the changed files and the size of the changes, at most 20 lines of each."""
    answers = _ask(root, {"status": _STATUS, "diff": _stat(18)})
    return {name: _lines(answer, 20) for name, answer in answers.items()}


def at_the_end(root: str, commit: str, started: str) -> dict[str, Any]:
    """Return what the session left: changed files, size of the changes, commits, is it clean."""
    since = [commit + "..HEAD"] if commit else ["--since=" + started]
    log = ["log", "--oneline", "--no-color", "--no-decorate", "--max-count=20", *since, "--"]
    answers = _ask(root, {"changed": _STATUS, "diff": _stat(48), "commits": log})
    changed = answers["changed"]
    return {
        "diff": _lines(answers["diff"], 50),
        "changed": _lines(changed, 50),
        "commits": _lines(answers["commits"], 20),
        "clean": None if isinstance(changed, str) else not changed,
    }


def _stat(files: int) -> list[str]:
    """Return the arguments for a diffstat; it adds two lines, for further files and the total."""
    return [*git.DIFF, "--stat=100", "--stat-count=%d" % files, "HEAD", "--"]


def _ask(root: str, questions: dict[str, list[str]]) -> dict[str, list[str] | str]:
    """Return the lines of each answer, or the reason why there is no answer."""
    if not os.path.exists(os.path.join(root, ".git")):
        return dict.fromkeys(questions, "not a repository")
    answers: dict[str, list[str] | str] = dict.fromkeys(questions, "timed out")

    def work(name: str, args: list[str]) -> None:
        answers[name] = _answer(root, args)

    threads = [threading.Thread(target=work, args=item, daemon=True) for item in questions.items()]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + limits.scaled(_ALL_SECONDS)
    for thread in threads:
        thread.join(max(0.0, deadline - time.monotonic()))
    return dict(answers)


def _answer(root: str, args: list[str]) -> list[str] | str:
    result = git.ask(root, args, SECONDS)
    if result.code == process.TIMED_OUT:
        return "timed out"
    if result.code == process.MISSING:
        return "git not installed"
    if result.code:
        reasons = (reason for sign, reason in _FAILURES if sign in result.stderr.lower())
        return next(reasons, "git ended with %d" % result.code)
    return result.stdout.decode("utf-8", "replace").splitlines()


def _lines(answer: list[str] | str, limit: int) -> list[str] | str:
    if isinstance(answer, str):
        return answer
    shown = answer if len(answer) <= limit else answer[: limit - 1]
    lines = [line[: len(line) - len(line.lstrip())] + sanitize.clean(line, _LINE) for line in shown]
    return lines if shown is answer else [*lines, "... and %d more" % (len(answer) - len(shown))]
