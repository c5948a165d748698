"""What a prompt brings up, and what is noted of it."""

from __future__ import annotations

from hooklib.memory import place as places
from hooklib.memory import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.event import Event

_ABOUT = 160  # bytes of the first prompt: what the session is about


def told(event: Event, prompt: str) -> str:
    """Return the memories that a prompt is about; a command of the host's is about none."""
    from hooklib.session import words

    place = places.of(event)
    text = words.prompt(prompt)
    if not text or text.startswith("/"):
        return ""
    data = record.read(place, event.session_key)
    if b'{"is":"prompt"' not in data:
        record.note(event, "prompt", text=words.kept(text, _ABOUT))
    elif record.asks(data):  # what was asked for in the last turn and did not run
        record.note(event, "turn")
    if not places.any_there(event):
        return ""
    from hooklib.memory import recall

    return recall.for_prompt(event, text)
