"""Encode answers to the events around a call of the model: request, response, choice of tools."""

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
    """Put a rule's fields where the client reads them; return those that the event cannot take."""
    undelivered = []
    for key, value in fields.items():
        if key not in _TAKES.get(event.name, ()) or not _has_room(event):
            undelivered.append(key)
        else:
            specific[key] = _response(event, value) if key == "llm_response" else value
    if event.name == "BeforeModel" and "llm_response" in specific:
        document.setdefault("decision", "deny")  # else the client asks the model nevertheless
        document.setdefault("reason", "answered by a hook")
    return undelivered


def _has_room(event: Event) -> bool:
    """Return False for a chunk without text: it may hold tool calls, which hooks do not see."""
    if event.name != "AfterModel":
        return True
    response = event.data.get("llm_response")
    return isinstance(response, dict) and bool(response.get("text"))


def _response(event: Event, value: Values) -> Values:
    """Return a response in the client's form; a rule may give only its text."""
    if "candidates" in value or not isinstance(value.get("text"), str):
        return value
    candidate: Values = {"content": {"role": "model", "parts": [value["text"]]}}
    old_response = event.data.get("llm_response")
    if event.name == "BeforeModel":
        candidate["finishReason"] = "STOP"
    elif isinstance(old_response, dict) and isinstance(old_response.get("candidates"), list):
        first = old_response["candidates"][:1]  # a chunk in the middle must not end the stream
        candidate = {**(first[0] if first and isinstance(first[0], dict) else {}), **candidate}
    return {**value, "candidates": [candidate]}
