"""The state that the adapter for Gemini CLI keeps about a session from one event to the next.

The client repeats events (two SessionEnd, PreCompress before every request), never ends a turn that
a hook keeps going, and has events whose hooks cannot reach the model.
"""

from __future__ import annotations

import os

from hooklib import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    from hooklib.event import Event

ALL_BLOCKS = 8  # in a row, by all hooks: as in Claude Code; the client has no limit
_CONTEXT = 20_000
_LIMIT = 1_048_576  # tokens; for all models but Gemma, as in the client's own table
_GEMMA = 256_000
_THRESHOLD = 0.5


def forget(event: Event) -> None:
    """Remove the state of a session that starts anew."""
    try:
        os.unlink(_path(event))
    except OSError:
        pass


def is_first_end(event: Event) -> bool:
    """Return whether this is the session's first SessionEnd; two of them may run at once."""
    return not _swap(event, "ended", True)


def hold_context(event: Event, context: str) -> None:
    """Hold context for the next event on which the model can get it."""
    if not context:
        return

    def add(session_state: dict[str, Any]) -> dict[str, Any]:
        texts = [text for text in (_text(session_state, "context"), context) if text]
        return {**session_state, "context": "\n\n".join(texts)[-_CONTEXT:]}

    _change(event, add)


def take_context(event: Event) -> str:
    """Return the held context once, and remove it."""
    context = _read_state(event).get("context") and _swap(event, "context", "")
    return context if isinstance(context, str) else ""


def block_count(event: Event) -> int:
    """Return how many times in a row hooks have kept this turn going."""
    count = _read_state(event).get("blocks")
    return count if isinstance(count, int) else 0


def note_block(event: Event, reason: str) -> bool:
    """Count a block of this turn's end; return False if there were too many."""
    if block_count(event) >= ALL_BLOCKS:
        return False
    count = block_count(event) + 1
    _change(event, lambda session_state: {**session_state, "blocks": count, "reason": reason})
    return True


def is_continuation(event: Event) -> bool:
    """Return whether a prompt is the reason of a hook that kept the turn going.

    Any other prompt comes from the user and begins a new turn.
    """
    session_state = _read_state(event)
    if not session_state.get("blocks"):
        return False
    from hooklib.hosts.gemini.chat_transcript import without_added_context

    if event.data.get("prompt") == without_added_context(_text(session_state, "reason")):
        return True
    _change(event, lambda session_state: {**session_state, "blocks": 0, "reason": ""})
    return False


def will_compress(event: Event) -> bool:
    """Return whether a compression follows this PreCompress; True once per compression."""
    if event.text("trigger") == "manual":
        return True
    full = _is_full(event)
    if full == bool(_read_state(event).get("full")):
        return False
    return not _swap(event, "full", full) and full


def _is_full(event: Event) -> bool:
    """Return whether the context has reached the size at which the client compresses it."""
    from hooklib.hosts.gemini import chat_transcript

    tokens, model = chat_transcript.last_request(event.transcript_path)
    limit = _GEMMA if model.startswith("gemma") else _LIMIT
    return tokens > 0 and tokens >= _threshold(event) * limit


def _threshold(event: Event) -> float:
    """Return the share of the limit at which the client compresses, from its settings."""
    threshold = _THRESHOLD
    home = os.environ.get("GEMINI_CLI_HOME") or os.path.expanduser("~")
    for folder in (home, event.start_dir):
        settings = state.read_json(os.path.join(folder, ".gemini", "settings.json"), {})
        model = settings.get("model") if isinstance(settings, dict) else None
        value = model.get("compressionThreshold") if isinstance(model, dict) else None
        if isinstance(value, (int, float)) and 0 < value <= 1:
            threshold = float(value)
    return threshold


def _path(event: Event) -> str:
    return state.session_file(event.session_key, "gemini.json")


def _read_state(event: Event) -> dict[str, Any]:
    session_state = state.read_json(_path(event), {})
    return session_state if isinstance(session_state, dict) else {}


def _change(event: Event, step: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    state.update_json(
        _path(event),
        lambda session_state: step(session_state if isinstance(session_state, dict) else {}),
    )


def _swap(event: Event, key: str, value: Any) -> Any:
    """Set a value and return the old one; of parallel callers only one gets the old one."""
    old_values = []

    def swap(session_state: dict[str, Any]) -> dict[str, Any]:
        old_values.append(session_state.get(key))
        return {**session_state, key: value}

    _change(event, swap)
    return old_values[0]


def _text(session_state: dict[str, Any], key: str) -> str:
    value = session_state.get(key)
    return value if isinstance(value, str) else ""
