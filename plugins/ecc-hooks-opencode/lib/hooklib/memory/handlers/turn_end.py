"""The end of a turn and of a session: what was done is added up, what is worth it asked for."""

from __future__ import annotations

import os

from hooklib.memory.store import journal, memory_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.event import Event

THRESHOLD = 30
_ENTRIES = ("edit", "ran", "failed", "told", "note", "asked", "denied")
_ASK = (
    "[memory] %d operations of this session are covered by no saved memory. Before you end: is"
    " there a decision, a pattern, a solution or something about the structure that a later"
    " session should know? If so save it, one call each:\n"
    '  hookctl memory add --kind decision|pattern|solution|structure|preference --title "..."'
    ' --body "why, and what follows" --file "src/**" --tag word\n'
    "If nothing is worth keeping, just end. This is asked once per session."
)


def turn(event: Event) -> str:
    """Note that a turn has ended; return what to ask the model for, '' mostly."""
    place, key = memory_folder.of(event), event.session_key
    data = journal.read(place, key)
    if not data:
        return ""
    if journal.asks(data):
        journal.note(event, "turn")
    if b'{"is":"failed"' in data and b'{"is":"ran"' in journal.since(data, "folded"):
        from hooklib.memory.store import ingest

        ingest.fold(place, key)
        journal.note(event, "folded")
    return _reminder(event, data)


def _reminder(event: Event, data: bytes) -> str:
    from hooklib import stop_budget

    if b'{"is":"reminded"' in data or stop_budget.is_silent(event):
        return ""
    threshold = event.settings.count("unsavedThreshold", THRESHOLD)
    count = journal.unsaved(data)
    if not threshold or count <= threshold:
        return ""
    if not stop_budget.may_block(event):
        return ""
    journal.note(event, "reminded")
    return _ASK % count


def end(event: Event) -> None:
    """Add up the record; a session in which nothing happened leaves nothing."""
    place, key = memory_folder.of(event), event.session_key
    data = journal.read(place, key)
    worth = any(b'{"is":"%s"' % name.encode("ascii") in data for name in _ENTRIES)
    if worth or os.path.exists(place.database):
        from hooklib.memory.store import ingest

        if data:
            journal.note(event, "end")
        ingest.fold(place, key, end=True)
    elif data:
        os.unlink(journal.path_of(place, key))
