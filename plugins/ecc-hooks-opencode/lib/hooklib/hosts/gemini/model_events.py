"""The events around the model's call: the request, the response, the choice of tools."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.event import Event

    Values = dict[str, Any]

_TAKES = {
    "BeforeModel": ("llm_request", "llm_response"),
    "AfterModel": ("llm_response",),
    "BeforeToolSelection": ("toolConfig",),
}


def put(event: Event, fields: Values, document: Values, specific: Values) -> list[str]:
    """Put what a rule said where the client reads it; return what this event does not take."""
    lost = []
    for key, value in fields.items():
        if key not in _TAKES.get(event.name, ()) or not _has_room(event):
            lost.append(key)
        else:
            specific[key] = _response(event, value) if key == "llm_response" else value
    if event.name == "BeforeModel" and "llm_response" in specific:
        document.setdefault("decision", "deny")  # without it the client asks the model all the same
        document.setdefault("reason", "answered by a hook")
    return lost


def _has_room(event: Event) -> bool:
    """False for a chunk without text: it may hold tool calls, which hooks are not shown."""
    if event.name != "AfterModel":
        return True
    given = event.data.get("llm_response")
    return isinstance(given, dict) and bool(given.get("text"))


def _response(event: Event, value: Values) -> Values:
    """Return a response that the client takes; a text alone is enough for a rule."""
    if "candidates" in value or not isinstance(value.get("text"), str):
        return value
    candidate: Values = {"content": {"role": "model", "parts": [value["text"]]}}
    given = event.data.get("llm_response")
    if event.name == "BeforeModel":
        candidate["finishReason"] = "STOP"
    elif isinstance(given, dict) and isinstance(given.get("candidates"), list):
        first = given["candidates"][:1]  # a chunk in the middle must not end the stream
        candidate = {**(first[0] if first and isinstance(first[0], dict) else {}), **candidate}
    return {**value, "candidates": [candidate]}
