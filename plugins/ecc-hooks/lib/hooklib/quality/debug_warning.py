"""Find debug statements on the lines that an edit added, or that differ from the last commit."""

from __future__ import annotations

import os

from hooklib.output import Output
from hooklib.quality import added_lines, edited_file, finding_text, line_diff, session_notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.event import Event
    from hooklib.process import Run
    from hooklib.quality.debugcode.scan import DebugStatement
    from hooklib.quality.edited_file import Edited


def run(event: Event, language: str, execute: Run) -> Output | None:
    """Warn of debug statements that this edit added; None where it added none."""
    file = edited_file.of(event, language)
    if file is None:
        return None
    remember(event, file)
    found = statements(event, file)
    if not found:
        return None
    lines = added_lines.added(event, file, execute)
    fresh = [finding_text.Problem(each.line, 0, each.what) for each in found if each.line in lines]
    return Output(context=finding_text.warnings(file.name, fresh)) if fresh else None


def statements(event: Event, file: Edited) -> list[DebugStatement]:
    """Return the debug statements in a file that no allow list names."""
    from hooklib.quality.debugcode import scan

    kind = scan.language(file.path)
    if not kind or not scan.may_contain(kind, file.text):
        return []
    allowed = event.settings.texts("allowDebug")
    globs = [entry for entry in allowed if "/" in entry or "*" in entry]
    if globs and _fits(file, globs):
        return []
    return scan.find(file.path, file.text, frozenset(allowed).difference(globs))


def _fits(file: Edited, globs: list[str]) -> bool:
    from hooklib.engine.regex.globs import path_glob

    name = file.name.replace(os.sep, "/")
    return any(path_glob(glob).match(name) for glob in globs)


def remember(event: Event, file: Edited) -> None:
    """Note that the session edited a file, and its lines before, where no repository has them."""
    if file.path in session_notes.read(event)["files"]:
        return
    before = None
    if not os.path.exists(os.path.join(file.root, ".git")):
        before = sorted(
            {mark(line) for line in line_diff.lines_of(added_lines.before(event) or "")}
        )
    session_notes.change(event, lambda book: book["files"].setdefault(file.path, before))


def mark(text: str) -> int:
    """Return a checksum: enough to know a line again, and no contents."""
    from binascii import crc32

    return crc32(text.encode("utf-8", "replace"))
