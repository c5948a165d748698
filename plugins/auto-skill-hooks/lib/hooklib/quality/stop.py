"""At the end of a turn: checks that were put off, debug statements left in changed lines."""

from __future__ import annotations

import os
import time

from hooklib.output import Output
from hooklib.quality import checking, debugging, edited, history, ledger, linediff, telling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hooklib.event import Event
    from hooklib.process import Run
    from hooklib.quality.edited import Edited

_FILES = 300  # looked at
_BYTES = 20_000_000
_SHOWN = 3  # findings in the user's one line
_BLOCKS = 2  # turns in a row that may be kept from ending


def is_silent(event: Event) -> bool:
    """Return whether this is no moment to speak: we just did, or the turn is not over yet."""
    return bool(event.data.get("stop_hook_active") or event.data.get("background_tasks"))


def late_checks(event: Event, execute: Run) -> Output | None:
    """Run the checks that were put off, each tool once per root; the model is told of errors."""
    from hooklib.quality import checkers

    late = ledger.read(event)["late"]
    if not late or is_silent(event):
        return None
    ledger.change(event, lambda book: book["late"].clear())
    end = time.monotonic() + checking.LATE_SECONDS
    groups: dict[str, tuple[checkers.Checker, list[Edited]]] = {}
    for tool, path in [(name, path) for name in late for path in _texts(late[name])]:
        file = edited.load(path, event.project_root) if tool in checkers.LANGUAGE else None
        if file is None or checkers.HOOKS[tool] in event.settings.disabled:
            continue
        checker = checkers.find(event, file, tool, execute)
        if checker is not None:
            groups.setdefault(checker.key, (checker, []))[1].append(file)
    texts, lost = [], []
    for checker, some in groups.values():
        left = max(0.1, end - time.monotonic())
        output = checking.start(event, checker, [file.path for file in some], left, execute)
        if output is None:
            lost.append(checker.name)
        else:
            texts += [checking.news(event, checker, file, output, late=True) for file in some]
    message = "%s did not finish in time and was left out" % ", ".join(lost) if lost else ""
    context = "\n".join(filter(None, texts))
    return Output(context=context, message=message) if context or message else None


def debug_code(event: Event, execute: Run) -> Output | None:
    """Tell of debug statements in changed lines: each once, to the user, or asking the model."""
    if is_silent(event):
        return None
    found = list(_findings(event, execute))
    book = ledger.read(event)
    fresh = [place for place, mark in found if mark not in book["debug"]]
    if not found and book["blocks"]:
        ledger.change(event, lambda book: book.update(blocks=0))
    if not fresh:
        return None
    strict = event.settings.profile == "strict" and book["blocks"] < _BLOCKS

    def write(book: ledger.Book) -> None:
        book["debug"] += [mark for _, mark in found if mark not in book["debug"]]
        book["blocks"] += strict

    ledger.change(event, write)
    if not strict:
        return Output(message="debug code in changed lines: " + _listed(fresh, _SHOWN))
    asked = (
        "Debug code is left in changed lines: %s. Remove it; what is meant to stay, name to the"
        " user and end the turn." % _listed(fresh, telling.ERRORS)
    )
    return Output(decision="block", reason=asked)


def _findings(event: Event, execute: Run) -> Iterator[tuple[str, int]]:
    """Yield each debug statement in a changed line: where it is, and a mark of what it is."""
    from binascii import crc32

    root = os.path.realpath(event.project_root)
    known = history.changed_files(root, execute)
    before = ledger.read(event)["files"]
    is_repository = os.path.exists(os.path.join(root, ".git"))
    candidates = known if is_repository else before
    size = 0
    for path in list(dict.fromkeys([*before, *candidates]))[-_FILES:]:
        file = edited.load(path, root) if path.endswith(_ENDINGS) else None
        size += len(file.data) if file is not None else 0
        if file is None or size > _BYTES:
            continue
        found = debugging.statements(event, file)
        if not found:
            continue
        lines = linediff.lines_of(file.text)
        if is_repository:
            changed = history.changed_lines(root, known[path], execute) if path in known else ()
        else:
            old = before.get(path)
            marks = set(old) if isinstance(old, list) else set()
            changed = {n for n, line in enumerate(lines, 1) if not debugging.marks(line) & marks}
        for each in found:
            if each.line in changed:
                line = "".join(lines[each.line - 1 : each.line]).strip()
                words = "%s\0%s\0%s" % (file.name, each.what, line)
                place = "%s:%d %s" % (telling.plain(file.name), each.line, each.what)
                yield place, crc32(words.encode("utf-8", "replace"))


_ENDINGS = tuple(ending for endings in edited.LANGUAGES.values() for ending in endings)


def _listed(places: list[str], most: int) -> str:
    more = ["and %d more" % (len(places) - most)] if len(places) > most else []
    return ", ".join([*places[:most], *more])


def _texts(value: object) -> list[str]:
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []
