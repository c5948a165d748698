"""What the adapter for Gemini CLI remembers of a session from one event to the next.

The client repeats itself (two SessionEnd, PreCompress before every request), never ends a turn that
a hook keeps going, and has events on which nothing can be told to the model.
"""

from __future__ import annotations

import os

from hooklib import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    from hooklib.event import Event

ALL_BLOCKS = 8  # in a row, of any hook: as many as Claude Code allows; the client has no limit
_CONTEXT = 20_000
_LIMIT = 1_048_576  # tokens; the client's own table knows no other number but Gemma's
_GEMMA = 256_000
_THRESHOLD = 0.5


def begin(event: Event) -> None:
    """Forget what a session that now begins anew left behind."""
    try:
        os.unlink(_path(event))
    except OSError:
        pass


def first_end(event: Event) -> bool:
    """Return whether this is the first time that the session ends; two ends may run at once."""
    return not _swap(event, "ended", True)


def hold(event: Event, context: str) -> None:
    """Keep context for the next event that can tell it to the model."""
    if not context:
        return

    def add(held: dict[str, Any]) -> dict[str, Any]:
        texts = [text for text in (_text(held, "context"), context) if text]
        return {**held, "context": "\n\n".join(texts)[-_CONTEXT:]}

    _change(event, add)


def take(event: Event) -> str:
    """Return the context that was kept, once."""
    held = _held(event).get("context") and _swap(event, "context", "")
    return held if isinstance(held, str) else ""


def blocked(event: Event) -> int:
    """Return how often in a row hooks have kept the present turn going."""
    count = _held(event).get("blocks")
    return count if isinstance(count, int) else 0


def block(event: Event, reason: str) -> bool:
    """Note that a hook keeps the turn going; False where it has done so too often."""
    if blocked(event) >= ALL_BLOCKS:
        return False
    count = blocked(event) + 1
    _change(event, lambda held: {**held, "blocks": count, "reason": reason})
    return True


def continues(event: Event) -> bool:
    """Return whether a prompt is the reason with which a hook kept the turn going.

    Any other prompt is the user's and begins a new turn.
    """
    held = _held(event)
    if not held.get("blocks"):
        return False
    from hooklib.hosts.gemini.chat_transcript import bare

    if event.data.get("prompt") == bare(_text(held, "reason")):
        return True
    _change(event, lambda held: {**held, "blocks": 0, "reason": ""})
    return False


def compresses(event: Event) -> bool:
    """Return whether a PreCompress is the one before a compression; once for each."""
    if event.text("trigger") == "manual":
        return True
    full = _is_full(event)
    if full == bool(_held(event).get("full")):
        return False
    return not _swap(event, "full", full) and full


def _is_full(event: Event) -> bool:
    """Return whether the context is as large as the client lets it become."""
    from hooklib.hosts.gemini import chat_transcript

    tokens, model = chat_transcript.size(event.transcript_path)
    limit = _GEMMA if model.startswith("gemma") else _LIMIT
    return tokens > 0 and tokens >= _threshold(event) * limit


def _threshold(event: Event) -> float:
    """Return the share of the limit at which the client compresses: its settings, else its own."""
    found = _THRESHOLD
    home = os.environ.get("GEMINI_CLI_HOME") or os.path.expanduser("~")
    for folder in (home, event.start_dir):
        settings = state.read_json(os.path.join(folder, ".gemini", "settings.json"), {})
        model = settings.get("model") if isinstance(settings, dict) else None
        value = model.get("compressionThreshold") if isinstance(model, dict) else None
        if isinstance(value, (int, float)) and 0 < value <= 1:
            found = float(value)
    return found


def _path(event: Event) -> str:
    return state.session_file(event.session_key, "gemini.json")


def _held(event: Event) -> dict[str, Any]:
    held = state.read_json(_path(event), {})
    return held if isinstance(held, dict) else {}


def _change(event: Event, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    state.update_json(_path(event), lambda held: change(held if isinstance(held, dict) else {}))


def _swap(event: Event, key: str, value: Any) -> Any:
    """Set a value and return the one before; of parallel callers only one gets that."""
    before = []

    def swap(held: dict[str, Any]) -> dict[str, Any]:
        before.append(held.get(key))
        return {**held, key: value}

    _change(event, swap)
    return before[0]


def _text(held: dict[str, Any], key: str) -> str:
    value = held.get(key)
    return value if isinstance(value, str) else ""
