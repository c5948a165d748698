"""A scripted stand-in for an OpenAI-compatible API on loopback; it records every request.

A script is a list of turns, one per request of the client to the model. A turn is one of
    "some text"                             the assistant says it and ends its turn
    {"tool": "bash", "input": {...}}        a tool call
    [turn, turn, ...]                       several of these in one message
    {"blocks": turn, "tokens": 19000,       the same; reported tokens of the request; seconds to
     "delay": 0.5}                          wait
Requests without tools (titles, summaries) take no turn: the answer is SIDE. When nothing is left
the answer is DEFAULT. Every other address answers 404, so it also stands in for a registry.
"""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Turn = Any  # see above
DEFAULT = "Done."
SIDE = "A title."


class Request:
    """One request that the client made: everything the model would have seen."""

    def __init__(self, body: dict[str, Any]) -> None:
        self.body = body
        self.when = time.monotonic()
        self.has_tools = bool(body.get("tools"))
        self.messages: list[dict[str, Any]] = body.get("messages") or []

    @property
    def text(self) -> str:
        """All text of the request: system prompt, messages, tool results."""
        return "\n".join(text_of(message.get("content")) for message in self.messages)

    @property
    def system(self) -> str:
        return "\n".join(self._texts("system"))

    @property
    def tool_results(self) -> list[str]:
        """The results of all tool calls so far, in order."""
        return self._texts("tool")

    def _texts(self, role: str) -> list[str]:
        found = [message for message in self.messages if message.get("role") == role]
        return [text_of(message.get("content")) for message in found]


def text_of(content: Any) -> str:
    """Return the text of a message's content: a string, or parts."""
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content or [] if part.get("type") == "text")


class FakeOpenAI:
    """The server; use it with `with`. `requests` grows as they arrive, `script` shrinks."""

    def __init__(self, script: list[Turn]) -> None:
        self.script = list(script)
        self.requests: list[Request] = []
        self.strangers: list[str] = []  # what else was asked for
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.daemon_threads = True
        self._server.model = self  # type: ignore[attr-defined]
        self.url = "http://127.0.0.1:%d" % self._server.server_address[1]

    def __enter__(self) -> FakeOpenAI:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, body: dict[str, Any]) -> str:
        """Record a request and return the stream of events that answers it."""
        request = Request(body)
        with self._lock:
            self.requests.append(request)
            number = len(self.requests)
            turn: Turn = SIDE
            if request.has_tools:
                turn = self.script.pop(0) if self.script else DEFAULT
        tokens = 50
        if isinstance(turn, dict) and "blocks" in turn:
            time.sleep(turn.get("delay", 0))
            tokens, turn = turn.get("tokens", tokens), turn["blocks"]
        return _stream(turn if isinstance(turn, list) else [turn], body, number, tokens)


def _stream(blocks: list[Turn], body: dict[str, Any], number: int, tokens: int) -> str:
    chunk = {"id": "c%d" % number, "object": "chat.completion.chunk", "created": 1}
    chunk["model"] = body.get("model", "fake")
    chunks = []
    calls = 0
    for block in blocks:
        delta: dict[str, Any] = {"role": "assistant"}
        if isinstance(block, str):
            delta["content"] = block
        else:
            function = {"name": block["tool"], "arguments": json.dumps(block["input"])}
            call = {"index": calls, "id": "call_%d_%d" % (number, calls), "type": "function"}
            delta["tool_calls"] = [{**call, "function": function}]
            calls += 1
        chunks.append({**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    end = {"index": 0, "delta": {}, "finish_reason": "tool_calls" if calls else "stop"}
    usage = {"prompt_tokens": tokens, "completion_tokens": 5, "total_tokens": tokens + 5}
    chunks.append({**chunk, "choices": [end], "usage": usage})
    return "".join("data: %s\n\n" % json.dumps(one) for one in chunks) + "data: [DONE]\n\n"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def do_GET(self) -> None:
        self.server.model.strangers.append(self.path)  # type: ignore[attr-defined]
        self._send(404, "application/json", "{}")

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.path.endswith("/chat/completions"):
            text = self.server.model.answer(json.loads(raw))  # type: ignore[attr-defined]
            self._send(200, "text/event-stream", text)
        else:
            self.do_GET()

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
