"""At the end of a turn: checks that were put off, debug statements left in changed lines."""

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
_FILES = 300  # looked at
_BYTES = 20_000_000
_SECONDS = 8.0  # with the late checks, less than the limit of the whole event in hooks.json
_SHOWN = 3  # findings in the user's one line


def late_checks(event: Event, execute: Run) -> Output | None:
    """Run the checks that were put off, each tool once per root; the model is told of errors."""
    late = session_notes.read(event)["late"]
    if not late or stop_budget.is_silent(event) or not stop_budget.may_continue(event):
        return None
    session_notes.change(event, lambda book: book["late"].clear())
    end = time.monotonic() + limits.scaled(check_file.LATE_SECONDS)
    texts, lost = [], []
    for checker, some in _groups(event, late, execute):
        left = max(0.1, end - time.monotonic())
        output = check_file.start(event, checker, [file.path for file in some], left, execute)
        if output is None:
            lost.append(checker.name)
        else:
            texts += [check_file.news(event, checker, file, output, late=True) for file in some]
    message = "%s did not finish in time and was left out" % ", ".join(lost) if lost else ""
    context = "\n".join(filter(None, texts))
    return Output(context=context, message=message) if context or message else None


def _groups(
    event: Event, late: dict[str, object], execute: Run
) -> Iterable[tuple[Checker, list[Edited]]]:
    """Return the files to be checked, by checker."""
    from hooklib.quality import checkers

    groups: dict[str, tuple[Checker, list[Edited]]] = {}
    for tool, paths in late.items():
        if tool not in checkers.LANGUAGE or checkers.HOOKS[tool] in event.settings.disabled:
            continue
        for path in checked.texts(paths):
            file = edited_file.load(path, event.project_root)
            checker = checkers.find(event, file, tool, execute) if file is not None else None
            if file is not None and checker is not None:
                groups.setdefault(checker.key, (checker, []))[1].append(file)
    return groups.values()


def debug_code(event: Event, execute: Run) -> Output | None:
    """Tell of debug statements in changed lines: each once, to the user, or asking the model."""
    if stop_budget.is_silent(event):
        return None
    found = list(_findings(event, execute))
    if not found:
        stop_budget.clear(event)
    told = session_notes.read(event)["debug"]
    fresh = [place for place, mark in found if mark not in told]
    if not fresh:
        return None

    def write(book: session_notes.Book) -> None:
        book["debug"] += [mark for _, mark in found if mark not in book["debug"]]

    if not session_notes.change(event, write):  # it would be said again and again
        return None
    if event.settings.profile != "strict" or not stop_budget.may_block(event):
        return Output(message="debug code in changed lines: " + _listed(fresh, _SHOWN))
    asked = (
        "Debug code is left in changed lines: %s. Remove it; what is meant to stay, name to the"
        " user and end the turn." % _listed(fresh, finding_text.ERRORS)
    )
    return Output(decision="block", reason=asked)


def _findings(event: Event, execute: Run) -> Iterator[tuple[str, int]]:
    """Yield each debug statement in a changed line: where it is, and a mark of what it is."""
    root = os.path.realpath(event.project_root)
    known = _changed_files(event, root, execute)
    size, end = 0, time.monotonic() + limits.scaled(_SECONDS)
    for path in [path for path in known if path.endswith(_ENDINGS)][:_FILES]:
        file = edited_file.load(path, root)
        if file is None or time.monotonic() > end:
            continue
        size += len(file.data)
        found = debug_warning.statements(event, file) if size < _BYTES else []
        lines = line_diff.lines_of(file.text) if found else []
        changed = known[path](lines) if found else ()
        for each in found:
            if each.line in changed:
                line = "".join(lines[each.line - 1 : each.line]).strip()
                place = "%s:%d %s" % (finding_text.plain(file.name), each.line, each.what)
                yield place, debug_warning.mark("%s\0%s\0%s" % (file.name, each.what, line))


def _changed_files(event: Event, root: str, execute: Run) -> dict[str, Changed]:
    """Return the files to look at, the session's first: path -> which of its lines changed."""
    session = session_notes.read(event)["files"]
    if not os.path.exists(os.path.join(root, ".git")):
        return {path: _unlike(before) for path, before in session.items()}
    names = git_diff.changed_files(root, execute)
    first = [path for path in session if path in names]
    return {path: _unlike_commit(root, names[path], execute) for path in [*first, *names]}


def _unlike(before: object) -> Changed:
    """Lines that the file did not have when the session first edited it."""
    marks = set(checked.items(before))
    return lambda lines: {
        n for n, line in enumerate(lines, 1) if debug_warning.mark(line) not in marks
    }


def _unlike_commit(root: str, names: list[str], execute: Run) -> Changed:
    return lambda lines: git_diff.changed_lines(root, names, execute)


def _listed(places: list[str], most: int) -> str:
    more = ["and %d more" % (len(places) - most)] if len(places) > most else []
    return ", ".join([*places[:most], *more])
