"""A scripted stand-in for the Gemini API on loopback; it records every request.

A script is a list of turns, one per request of the client's conversation. A turn is one of
    "some text"                                 the model says it and ends its turn
    {"tool": "write_file", "input": {...}}      a tool call
    [turn, turn, ...]                           several of these; each is a chunk of the stream
    {"parts": turn, "tokens": 900000}           the same, with a reported size of the request
When nothing is left the answer is DEFAULT. Requests outside of the conversation (summaries) get
SIDE.
"""

from __future__ import annotations

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Turn = Any  # see above
DEFAULT = "Done."
SIDE = "<state_snapshot>A summary.</state_snapshot>"


class Request:
    """One request that the client made: everything the model would have seen."""

    def __init__(self, body: dict[str, Any]) -> None:
        self.body = body
        self.contents: list[dict[str, Any]] = body.get("contents") or []

    @property
    def text(self) -> str:
        """All text of the request: system prompt, messages, results of tools."""
        system = (self.body.get("systemInstruction") or {}).get("parts") or []
        parts = [*system, *(part for content in self.contents for part in content["parts"])]
        return "\n".join(map(text_of, parts))

    @property
    def newest(self) -> str:
        """The text of the newest message: the prompt, or results of tools."""
        return "\n".join(map(text_of, self.contents[-1]["parts"])) if self.contents else ""

    @property
    def results(self) -> list[dict[str, Any]]:
        """What the newest message tells of tool calls: {"output": ...} or {"error": ...} each."""
        parts = self.contents[-1]["parts"] if self.contents else []
        return [
            part["functionResponse"]["response"] for part in parts if "functionResponse" in part
        ]


def text_of(part: dict[str, Any]) -> str:
    """Return the text of one part, a tool's result among them."""
    if "functionResponse" in part:
        return "\n".join(map(str, part["functionResponse"]["response"].values()))
    return str(part.get("text", ""))


class FakeGemini:
    """The server; use it with `with`. `requests` grows as they arrive, `script` shrinks."""

    def __init__(self, script: list[Turn]) -> None:
        self.script = list(script)
        self.requests: list[Request] = []
        self.side_requests: list[Request] = []
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.daemon_threads = True
        self._server.model = self  # type: ignore[attr-defined]
        self.url = "http://127.0.0.1:%d" % self._server.server_address[1]

    def __enter__(self) -> FakeGemini:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, method: str, body: dict[str, Any]) -> tuple[str, str]:
        """Record a request and return (content type, text) of the answer to it."""
        if method == "countTokens":
            return "application/json", '{"totalTokens": 10}'
        if method == "generateContent":
            self.side_requests.append(Request(body))
            return "application/json", json.dumps(_chunks(SIDE)[-1])
        with self._lock:
            self.requests.append(Request(body))
            turn = self.script.pop(0) if self.script else DEFAULT
        events = ["data: %s\r\n\r\n" % json.dumps(chunk) for chunk in _chunks(turn)]
        return "text/event-stream", "".join(events)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else every answer waits 40 ms for a delayed ACK
    wbufsize = -1  # headers and body in one write

    def do_GET(self) -> None:
        self._send(404, "application/json", "{}")

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        found = re.match(r"/[^/]+/models/[^:]+:(\w+)", self.path)
        if found:
            model: FakeGemini = self.server.model  # type: ignore[attr-defined]
            self._send(200, *model.answer(found[1], json.loads(raw)))
        else:
            self._send(404, "application/json", "{}")

    def _send(self, status: int, kind: str, text: str) -> None:
        data = text.encode("utf-8")
        try:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the client went away, as it does when it is ended in the middle

    def log_message(self, *_: object) -> None:
        """Say nothing: the tests' output is not the place."""


def _chunks(turn: Turn) -> list[dict[str, Any]]:
    """Return a turn as the objects that the API streams."""
    tokens = 100
    if isinstance(turn, dict) and "parts" in turn:
        tokens, turn = turn.get("tokens", tokens), turn["parts"]
    usage = {"promptTokenCount": tokens, "candidatesTokenCount": 5, "totalTokenCount": tokens + 5}
    chunks: list[dict[str, Any]] = []
    for part in turn if isinstance(turn, list) else [turn]:
        if isinstance(part, str):
            told: dict[str, Any] = {"text": part}
        else:
            told = {"functionCall": {"name": part["tool"], "args": part["input"]}}
        candidate = {"content": {"role": "model", "parts": [told]}, "index": 0}
        chunks.append({"candidates": [candidate], "usageMetadata": usage, "modelVersion": "fake"})
    chunks[-1]["candidates"][0]["finishReason"] = "STOP"
    return chunks
