"""What a prompt brings up, and what is noted of it."""

from __future__ import annotations

from hooklib.memory.store import journal, memory_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.event import Event

_ABOUT = 160  # bytes of the first prompt: what the session is about


def told(event: Event, prompt: str) -> str:
    """Return the memories that a prompt is about; a command of the host's is about none."""
    from hooklib import sanitize

    place = memory_folder.of(event)
    text = sanitize.prompt(prompt)
    if not text or text.startswith("/"):
        return ""
    data = journal.read(place, event.session_key)
    if b'{"is":"prompt"' not in data:
        journal.note(event, "prompt", text=sanitize.kept(text, _ABOUT))
    elif journal.asks(data):  # what was asked for in the last turn and did not run
        journal.note(event, "turn")
    if not memory_folder.any_there(event):
        return ""
    from hooklib.memory.search import recall

    return recall.for_prompt(event, text)
