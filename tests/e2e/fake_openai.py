"""A scripted stand-in for OpenAI's chat completions; the script is fake_server.py's."""

from __future__ import annotations

import json
from typing import Any

import fake_server
from fake_server import Block, Document, FakeServer, Reply, Turn

__all__ = ["FakeOpenAI", "Request", "Turn"]


class Request(fake_server.Request):
    def __init__(self, body: Document) -> None:
        super().__init__(body)
        self.messages: list[Document] = body.get("messages") or []

    @property
    def text(self) -> str:
        return "\n".join(_text(message.get("content")) for message in self.messages)

    @property
    def newest(self) -> str:
        return _text(self.messages[-1].get("content")) if self.messages else ""

    @property
    def system(self) -> str:
        return "\n".join(self._texts("system"))

    @property
    def tool_results(self) -> list[str]:
        """The results of all tool calls so far, in order."""
        return self._texts("tool")

    def _texts(self, role: str) -> list[str]:
        found = [message for message in self.messages if message.get("role") == role]
        return [_text(message.get("content")) for message in found]


def _text(content: Any) -> str:
    """Return the text of a message's content: a string, or parts."""
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content or [] if part.get("type") == "text")


class FakeOpenAI(FakeServer[Request]):
    SIDE = "A title."

    def answer(self, path: str, body: Document) -> Document | str | None:
        if not path.endswith("/chat/completions"):
            return None
        request = Request(body)
        reply = self.reply(request, side=not request.has_tools)
        head = {"id": "c%d" % reply.number, "created": 1, "model": body.get("model", "fake")}
        chunks = [{**head, **chunk} for chunk in _chunks(reply)]
        return "".join("data: %s\n\n" % json.dumps(one) for one in chunks) + "data: [DONE]\n\n"


def _chunks(reply: Reply) -> list[Document]:
    """Return a reply as the objects that the API streams, without what is in each of them."""
    kind = {"object": "chat.completion.chunk"}
    chunks: list[Document] = []
    calls = 0
    for block in reply.blocks:
        delta: Document = {"role": "assistant"}
        if isinstance(block, str):
            delta["content"] = block
        else:
            delta["tool_calls"] = [_call(block, reply.number, calls)]
            calls += 1
        choice = {"index": 0, "delta": delta, "finish_reason": None}
        chunks.append({**kind, "choices": [choice]})
    end = {"index": 0, "delta": {}, "finish_reason": "tool_calls" if calls else "stop"}
    tokens = reply.tokens
    usage = {"prompt_tokens": tokens, "completion_tokens": 5, "total_tokens": tokens + 5}
    chunks.append({**kind, "choices": [end], "usage": usage})
    return chunks


def _call(block: Block, number: int, place: int) -> Document:
    function = {"name": block["tool"], "arguments": json.dumps(block["input"])}
    name = "call_%d_%d" % (number, place)
    return {"index": place, "id": name, "type": "function", "function": function}
