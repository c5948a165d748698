"""What git says of the working tree: several short questions at once, each with its own limit."""

from __future__ import annotations

import os
import threading
import time

from hooklib import git, limits, process, sanitize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SECONDS = 0.4  # for each question; all are asked at the same time
_ALL_SECONDS = 0.8  # ending one that does not want to end takes longer
_LINE = 200
_FAILURES = (
    (b"not a git repository", "not a repository"),
    (b"bad revision 'head'", "no commit yet"),
    (b"does not have any commits yet", "no commit yet"),
)
_STATUS = [*git.STATUS, "--untracked-files=normal"]


def before_compaction(root: str) -> dict[str, Any]:
    """Return the changed files and the size of the changes, at most 20 lines of each."""
    asked = {"status": _STATUS, "diff": _stat(18)}
    told = _ask(root, asked)
    return {name: _lines(told[name], 20) for name in asked}


def at_the_end(root: str, commit: str, started: str) -> dict[str, Any]:
    """Return what the session left: changed files, size of the changes, commits, clean or not."""
    since = [commit + "..HEAD"] if commit else ["--since=" + started]
    log = ["log", "--oneline", "--no-color", "--no-decorate", "--max-count=20", *since, "--"]
    told = _ask(root, {"changed": _STATUS, "diff": _stat(48), "commits": log})
    changed = told["changed"]
    return {
        "diff": _lines(told["diff"], 50),
        "changed": _lines(changed, 50),
        "commits": _lines(told["commits"], 20),
        "clean": None if isinstance(changed, str) else not changed,
    }


def _stat(files: int) -> list[str]:
    """The question for the size of the changes; two more lines tell of the rest and of the sum."""
    return [*git.DIFF, "--stat=100", "--stat-count=%d" % files, "HEAD", "--"]


def _ask(root: str, questions: dict[str, list[str]]) -> dict[str, list[str] | str]:
    """Return the lines of each answer, or in its place why there is none."""
    if not os.path.exists(os.path.join(root, ".git")):
        return dict.fromkeys(questions, "not a repository")
    told: dict[str, list[str] | str] = dict.fromkeys(questions, "timed out")

    def work(name: str, args: list[str]) -> None:
        told[name] = _answer(root, args)

    threads = [threading.Thread(target=work, args=each, daemon=True) for each in questions.items()]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + limits.scaled(_ALL_SECONDS)
    for thread in threads:
        thread.join(max(0.0, deadline - time.monotonic()))
    return dict(told)


def _answer(root: str, args: list[str]) -> list[str] | str:
    done = git.ask(root, args, SECONDS)
    if done.code == process.TIMED_OUT:
        return "timed out"
    if done.code == process.MISSING:
        return "git not installed"
    if done.code:
        known = (why for sign, why in _FAILURES if sign in done.stderr.lower())
        return next(known, "git ended with %d" % done.code)
    return done.stdout.decode("utf-8", "replace").splitlines()


def _lines(told: list[str] | str, most: int) -> list[str] | str:
    if isinstance(told, str):
        return told
    shown = told if len(told) <= most else told[: most - 1]
    lines = [line[: len(line) - len(line.lstrip())] + sanitize.kept(line, _LINE) for line in shown]
    return lines if shown is told else [*lines, "... and %d more" % (len(told) - len(shown))]
