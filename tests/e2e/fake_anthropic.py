"""A scripted stand-in for the Anthropic Messages API; the script is fake_server.py's.

A turn may also hold "usage", which is laid over the reported one.
"""

from __future__ import annotations

import json
from typing import Any

import fake_server
from fake_server import Block, Document, FakeServer, Reply, Turn

__all__ = ["FakeAnthropic", "Request", "Turn", "text_of"]


class Request(fake_server.Request):
    def __init__(self, body: Document) -> None:
        super().__init__(body)
        self.messages: list[Document] = body.get("messages") or []

    @property
    def text(self) -> str:
        parts = [text_of(self.body.get("system"))]
        parts += [text_of(message.get("content")) for message in self.messages]
        return "\n".join(parts)

    @property
    def newest(self) -> str:
        return text_of(self.messages[-1].get("content")) if self.messages else ""

    @property
    def tool_results(self) -> list[Document]:
        """The results of all tool calls so far, in order."""
        found = []
        for message in self.messages:
            content = message.get("content")
            for block in content if isinstance(content, list) else []:
                if block.get("type") == "tool_result":
                    found.append(block)
        return found


def text_of(content: Any) -> str:
    """Return the text of a message's content: a string, or blocks, tool results among them."""
    if isinstance(content, str):
        return content
    parts = []
    for block in content or []:
        if block.get("type") == "text":
            parts.append(block["text"])
        elif block.get("type") == "tool_result":
            parts.append(text_of(block.get("content")))
    return "\n".join(parts)


class FakeAnthropic(FakeServer[Request]):
    def answer(self, path: str, body: Document) -> Document | str | None:
        if path.endswith("/count_tokens"):
            return {"input_tokens": 100}
        if not path.endswith("/messages"):
            return None
        request = Request(body)
        reply = self.reply(request, side=not request.has_tools)
        message = _message(reply, str(body.get("model", "fake")))
        if not body.get("stream"):
            return message
        events = _events(message)
        return "".join("event: %s\ndata: %s\n\n" % (e["type"], json.dumps(e)) for e in events)


def _message(reply: Reply, model: str) -> Document:
    """Return a reply as the API's message."""
    blocks = [_block(block, reply.number, n) for n, block in enumerate(reply.blocks)]
    usage = {"input_tokens": 10, "output_tokens": 5}
    usage.update(cache_creation_input_tokens=0, cache_read_input_tokens=0)
    usage.update(reply.options.get("usage", {}))
    calls = any(block["type"] == "tool_use" for block in blocks)
    return {
        "id": "msg_fake_%03d" % reply.number,
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": blocks,
        "stop_reason": "tool_use" if calls else "end_turn",
        "stop_sequence": None,
        "usage": usage,
    }


def _block(block: Block, number: int, place: int) -> Document:
    if isinstance(block, str):
        return {"type": "text", "text": block}
    name = "toolu_fake_%03d_%d" % (number, place)
    return {"type": "tool_use", "id": name, "name": block["tool"], "input": block["input"]}


def _events(message: Document) -> list[Document]:
    """Return the events in which the API would send the message."""
    begun = dict(message, content=[], stop_reason=None)
    events: list[Document] = [{"type": "message_start", "message": begun}]
    for index, block in enumerate(message["content"]):
        if block["type"] == "tool_use":
            start = dict(block, input={})
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        else:
            start = {"type": "text", "text": ""}
            delta = {"type": "text_delta", "text": block["text"]}
        events += [
            {"type": "content_block_start", "index": index, "content_block": start},
            {"type": "content_block_delta", "index": index, "delta": delta},
            {"type": "content_block_stop", "index": index},
        ]
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    events.append({"type": "message_delta", "delta": end, "usage": message["usage"]})
    events.append({"type": "message_stop"})
    return events
