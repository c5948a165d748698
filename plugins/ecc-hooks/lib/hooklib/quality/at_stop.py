"""At the end of a turn: run deferred checks, find debug statements in changed lines."""

from __future__ import annotations

import os
import time

from hooklib import checked, limits, stop_budget
from hooklib.output import Output
from hooklib.quality import (
    check_file,
    debug_warning,
    edited_file,
    finding_text,
    git_diff,
    line_diff,
    session_notes,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator
    from typing import Callable

    from hooklib.event import Event
    from hooklib.process import Run
    from hooklib.quality.checkers import Checker
    from hooklib.quality.edited_file import Edited

    Changed = Callable[[list[str]], Container[int]]

_ENDINGS = tuple(ending for endings in edited_file.LANGUAGES.values() for ending in endings)
_FILES = 300  # examined
_BYTES = 20_000_000
_SECONDS = 8.0  # with the late checks, below the limit of the whole event in hooks.json
_SHOWN = 3  # findings in the user's one line


def late_checks(event: Event, execute: Run) -> Output | None:
    """Run the deferred checks, each tool once per root; return the errors for the model."""
    late_paths = session_notes.read(event)["late"]
    if not late_paths or stop_budget.is_silent(event) or not stop_budget.may_continue(event):
        return None
    session_notes.change(event, lambda notes: notes["late"].clear())
    deadline = time.monotonic() + limits.scaled(check_file.LATE_SECONDS)
    texts, unfinished = [], []
    for checker, checked_files in _groups(event, late_paths, execute):
        seconds_left = max(0.1, deadline - time.monotonic())
        output = check_file.run_checker(
            event, checker, [file.path for file in checked_files], seconds_left, execute
        )
        if output is None:
            unfinished.append(checker.name)
        else:
            texts += [
                check_file.describe_findings(event, checker, file, output, late=True)
                for file in checked_files
            ]
    message = "%s took too long and was skipped" % ", ".join(unfinished) if unfinished else ""
    context = "\n".join(filter(None, texts))
    return Output(context=context, message=message) if context or message else None


def _groups(
    event: Event, late_paths: dict[str, object], execute: Run
) -> Iterable[tuple[Checker, list[Edited]]]:
    """Return each checker with the files to check."""
    from hooklib.quality import checkers

    groups: dict[str, tuple[Checker, list[Edited]]] = {}
    for tool, paths in late_paths.items():
        if tool not in checkers.LANGUAGE or checkers.HOOKS[tool] in event.settings.disabled:
            continue
        for path in checked.texts(paths):
            file = edited_file.load(path, event.project_root)
            checker = checkers.find(event, file, tool, execute) if file is not None else None
            if file is not None and checker is not None:
                groups.setdefault(checker.key, (checker, []))[1].append(file)
    return groups.values()


def debug_code(event: Event, execute: Run) -> Output | None:
    """Report each debug statement in changed lines once, to the user or as a block to the model."""
    if stop_budget.is_silent(event):
        return None
    findings = list(_findings(event, execute))
    if not findings:
        stop_budget.clear(event)
    reported = session_notes.read(event)["debug"]
    new_places = [place for place, checksum in findings if checksum not in reported]
    if not new_places:
        return None

    def write(notes: session_notes.Notes) -> None:
        notes["debug"] += [checksum for _, checksum in findings if checksum not in notes["debug"]]

    if not session_notes.change(event, write):  # it would be reported again and again
        return None
    if event.settings.profile != "strict" or not stop_budget.may_block(event):
        return Output(message="debug code in changed lines: " + _joined_places(new_places, _SHOWN))
    request = "Debug code in changed lines: %s. Remove it, or tell the user what stays and why."
    places = _joined_places(new_places, finding_text.ERRORS)
    return Output(decision="block", reason=request % places)


def _findings(event: Event, execute: Run) -> Iterator[tuple[str, int]]:
    """Yield each debug statement in a changed line: its place, and a checksum to recognise it."""
    root = os.path.realpath(event.project_root)
    changed_files = _changed_files(event, root, execute)
    bytes_read, deadline = 0, time.monotonic() + limits.scaled(_SECONDS)
    for path in [path for path in changed_files if path.endswith(_ENDINGS)][:_FILES]:
        file = edited_file.load(path, root)
        if file is None or time.monotonic() > deadline:
            continue
        bytes_read += len(file.data)
        statements = debug_warning.statements(event, file) if bytes_read < _BYTES else []
        lines = line_diff.lines_of(file.text) if statements else []
        changed_lines = changed_files[path](lines) if statements else ()
        for statement in statements:
            if statement.line in changed_lines:
                line = "".join(lines[statement.line - 1 : statement.line]).strip()
                place = "%s:%d %s" % (finding_text.plain(file.name), statement.line, statement.what)
                identity = "%s\0%s\0%s" % (file.name, statement.what, line)
                yield place, debug_warning.checksum(identity)


def _changed_files(event: Event, root: str, execute: Run) -> dict[str, Changed]:
    """Return the files to examine, the session's first: path -> function for its changed lines."""
    session_files = session_notes.read(event)["files"]
    if not os.path.exists(os.path.join(root, ".git")):
        return {path: _changed_since(before) for path, before in session_files.items()}
    names = git_diff.changed_files(root, execute)
    edited_paths = [path for path in session_files if path in names]
    paths = [*edited_paths, *names]
    return {path: _changed_since_commit(root, names[path], execute) for path in paths}


def _changed_since(before: object) -> Changed:
    """Return a function for the lines that a file did not have before the session edited it."""
    old_checksums = set(checked.items(before))
    return lambda lines: {
        n for n, line in enumerate(lines, 1) if debug_warning.checksum(line) not in old_checksums
    }


def _changed_since_commit(root: str, names: list[str], execute: Run) -> Changed:
    return lambda lines: git_diff.changed_lines(root, names, execute)


def _joined_places(places: list[str], most: int) -> str:
    more = ["and %d more" % (len(places) - most)] if len(places) > most else []
    return ", ".join([*places[:most], *more])
