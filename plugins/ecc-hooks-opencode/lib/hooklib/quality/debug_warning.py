"""Find debug statements in a file, and warn of those on lines that an edit added."""

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
    """Warn of the debug statements that this edit added; return None if there are none."""
    file = edited_file.for_event(event, language)
    if file is None:
        return None
    note_edit(event, file)
    debug_statements = statements(event, file)
    if not debug_statements:
        return None
    lines = added_lines.added(event, file, execute)
    added_findings = [
        finding_text.Finding(statement.line, 0, statement.what)
        for statement in debug_statements
        if statement.line in lines
    ]
    if not added_findings:
        return None
    return Output(context=finding_text.warnings(file.name, added_findings))


def statements(event: Event, file: Edited) -> list[DebugStatement]:
    """Return the debug statements in a file that the settings do not allow."""
    from hooklib.quality.debugcode import scan

    kind = scan.language(file.path)
    if not kind or not scan.may_contain(kind, file.text):
        return []
    allowed = event.settings.texts("allowDebug")
    globs = [entry for entry in allowed if "/" in entry or "*" in entry]
    if globs and _is_allowed(file, globs):
        return []
    return scan.find(file.path, file.text, frozenset(allowed).difference(globs))


def _is_allowed(file: Edited, globs: list[str]) -> bool:
    from hooklib.engine.regex.globs import path_glob

    name = file.name.replace(os.sep, "/")
    return any(path_glob(glob).match(name) for glob in globs)


def note_edit(event: Event, file: Edited) -> None:
    """Note that the session edits a file, with its old lines if no repository has them."""
    if file.path in session_notes.read(event)["files"]:
        return
    old_checksums = None
    if not os.path.exists(os.path.join(file.root, ".git")):
        old_checksums = sorted(
            {checksum(line) for line in line_diff.lines_of(added_lines.text_before(event) or "")}
        )
    session_notes.change(event, lambda notes: notes["files"].setdefault(file.path, old_checksums))


def checksum(text: str) -> int:
    """Return a checksum that recognises a line without storing its contents."""
    from binascii import crc32

    return crc32(text.encode("utf-8", "replace"))
