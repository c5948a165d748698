"""A scripted stand-in for the Gemini API; the script is fake_server.py's.

Each block of a turn is a chunk of the stream. What is not streamed is a side request (a summary).
"""

from __future__ import annotations

import json
import re

import fake_server
from fake_server import Document, FakeServer, Reply, Turn

__all__ = ["FakeGemini", "Request", "Turn"]


class Request(fake_server.Request):
    def __init__(self, body: Document) -> None:
        super().__init__(body)
        self.contents: list[Document] = body.get("contents") or []

    @property
    def text(self) -> str:
        system = (self.body.get("systemInstruction") or {}).get("parts") or []
        parts = [*system, *(part for content in self.contents for part in content["parts"])]
        return "\n".join(map(_text, parts))

    @property
    def newest(self) -> str:
        return "\n".join(map(_text, self._newest_parts()))

    @property
    def results(self) -> list[Document]:
        """What the newest message says of tool calls: {"output": ...} or {"error": ...} each."""
        parts = self._newest_parts()
        return [
            part["functionResponse"]["response"] for part in parts if "functionResponse" in part
        ]

    def _newest_parts(self) -> list[Document]:
        parts: list[Document] = self.contents[-1]["parts"] if self.contents else []
        return parts


def _text(part: Document) -> str:
    """Return the text of one part, a tool's result among them."""
    if "functionResponse" in part:
        return "\n".join(map(str, part["functionResponse"]["response"].values()))
    return str(part.get("text", ""))


class FakeGemini(FakeServer[Request]):
    SIDE = "<state_snapshot>A summary.</state_snapshot>"

    def answer(self, path: str, body: Document) -> Document | str | None:
        found = re.match(r"/[^/]+/models/[^:]+:(\w+)", path)
        if not found:
            return None
        if found[1] == "countTokens":
            return {"totalTokens": 10}
        side = found[1] == "generateContent"
        chunks = _chunks(self.reply(Request(body), side))
        if side:
            return chunks[-1]
        return "".join("data: %s\r\n\r\n" % json.dumps(chunk) for chunk in chunks)


def _chunks(reply: Reply) -> list[Document]:
    """Return a reply as the objects that the API streams."""
    tokens = reply.tokens
    usage = {"promptTokenCount": tokens, "candidatesTokenCount": 5, "totalTokenCount": tokens + 5}
    chunks: list[Document] = []
    for block in reply.blocks:
        if isinstance(block, str):
            part: Document = {"text": block}
        else:
            part = {"functionCall": {"name": block["tool"], "args": block["input"]}}
        candidate = {"content": {"role": "model", "parts": [part]}, "index": 0}
        chunks.append({"candidates": [candidate], "usageMetadata": usage, "modelVersion": "fake"})
    chunks[-1]["candidates"][0]["finishReason"] = "STOP"
    return chunks
