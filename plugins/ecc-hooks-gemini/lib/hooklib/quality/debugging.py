"""Find debug statements on the lines that an edit added, or that differ from the last commit."""

from __future__ import annotations

import os

from hooklib.output import Output
from hooklib.quality import edited, ledger, linediff, patch, telling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.debugcode.scan import Found
    from hooklib.event import Event
    from hooklib.process import Run
    from hooklib.quality.edited import Edited


def run(event: Event, language: str, execute: Run) -> Output | None:
    """Warn of debug statements that this edit added; None where it added none."""
    file = edited.of(event, language)
    if file is None:
        return None
    remember(event, file)
    found = statements(event, file)
    if not found:
        return None
    lines = patch.added(event, file, execute)
    fresh = [telling.Problem(each.line, 0, each.what) for each in found if each.line in lines]
    return Output(context=telling.warnings(file.name, fresh)) if fresh else None


def statements(event: Event, file: Edited) -> list[Found]:
    """Return the debug statements in a file that no allow list names."""
    from hooklib.debugcode import scan

    kind = scan.language(file.path)
    if not kind or not scan.may_hold(kind, file.text):
        return []
    allowed = event.settings.texts("allowDebug")
    globs = [entry for entry in allowed if "/" in entry or "*" in entry]
    if globs and _fits(file, globs):
        return []
    return scan.find(file.path, file.text, frozenset(allowed).difference(globs))


def _fits(file: Edited, globs: list[str]) -> bool:
    from hooklib.engine import pattern

    name = file.name.replace(os.sep, "/")
    return any(pattern.path_glob(glob).match(name) for glob in globs)


def remember(event: Event, file: Edited) -> None:
    """Note that the session edited a file, and its lines before, where no repository has them."""
    if file.path in ledger.read(event)["files"]:
        return
    before = None
    if not os.path.exists(os.path.join(file.root, ".git")):
        before = sorted(marks(patch.before(event) or ""))
    ledger.change(event, lambda book: book["files"].setdefault(file.path, before))


def marks(text: str) -> set[int]:
    """Return a checksum for each line: enough to know it again, and no contents."""
    from binascii import crc32

    return {crc32(line.encode("utf-8", "replace")) for line in linediff.lines_of(text)}
