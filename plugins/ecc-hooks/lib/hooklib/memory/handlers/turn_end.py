"""The end of a turn and of a session: apply the journal, and remind the model to save memories."""

from __future__ import annotations

import os

from hooklib.memory.store import journal, memory_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.event import Event

THRESHOLD = 30
_ENTRIES = ("edit", "ran", "failed", "told", "note", "asked", "denied")
_ASK = (
    "[memory] %d operations since the last saved memory. Save what a later session should "
    "know, or just end; asked once per session.\n"
    "  hookctl memory add --kind decision|pattern|solution|structure|preference --title "
    '"..." --body "why" --file "src/**"'
)


def end_turn(event: Event) -> str:
    """Record the end of a turn; return a reminder to save memories, usually ''."""
    folder, key = memory_folder.for_event(event), event.session_key
    data = journal.read(folder, key)
    if not data:
        return ""
    if journal.has_pending_permission(data):
        journal.record(event, "turn")
    if b'{"is":"failed"' in data and b'{"is":"ran"' in journal.after_last(data, "folded"):
        from hooklib.memory.store import ingest

        ingest.apply_journal(folder, key)
        journal.record(event, "folded")
    return _reminder(event, data)


def _reminder(event: Event, data: bytes) -> str:
    from hooklib import stop_budget

    if b'{"is":"reminded"' in data or stop_budget.is_silent(event):
        return ""
    threshold = event.settings.count("unsavedThreshold", THRESHOLD)
    count = journal.unsaved_operations(data)
    if not threshold or count <= threshold:
        return ""
    if not stop_budget.may_block(event):
        return ""
    journal.record(event, "reminded")
    return _ASK % count


def end_session(event: Event) -> None:
    """Apply the journal; remove that of a session in which nothing happened."""
    folder, key = memory_folder.for_event(event), event.session_key
    data = journal.read(folder, key)
    has_records = any(b'{"is":"%s"' % name.encode("ascii") in data for name in _ENTRIES)
    if has_records or os.path.exists(folder.database):
        from hooklib.memory.store import ingest

        if data:
            journal.record(event, "end")
        ingest.apply_journal(folder, key, session_ended=True)
    elif data:
        os.unlink(journal.path_of(folder, key))
