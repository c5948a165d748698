"""Record a prompt and return the memories that it is about."""

from __future__ import annotations

from hooklib.memory.store import journal, memory_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.event import Event

_ABOUT = 160  # bytes of the first prompt, which says what the session is about


def memories_for_prompt(event: Event, prompt: str) -> str:
    """Return the memories that a prompt is about, or ''; the host's commands have none."""
    from hooklib import sanitize

    folder = memory_folder.for_event(event)
    text = sanitize.prompt(prompt)
    if not text or text.startswith("/"):
        return ""
    data = journal.read(folder, event.session_key)
    if b'{"is":"prompt"' not in data:
        journal.record(event, "prompt", text=sanitize.clean(text, _ABOUT))
    elif journal.has_pending_permission(data):  # asked for in the last turn, and refused
        journal.record(event, "turn")
    if not memory_folder.any_database(event):
        return ""
    from hooklib.memory.search import recall

    return recall.for_prompt(event, text)
