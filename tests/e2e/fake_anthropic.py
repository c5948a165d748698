"""A scripted stand-in for the Anthropic Messages API on loopback; it records every request.

A script is a list of turns, one per request of the client to the model. A turn is one of
    "some text"                            the assistant says it and ends its turn
    {"tool": "Bash", "input": {...}}       a tool call
    [turn, turn, ...]                      several of these in one message
    {"blocks": turn, "match": "text",      the same, only for a request whose newest user message
     "usage": {...}, "delay": 0.5}         holds the text; reported tokens; seconds to wait
    {"error": 529, "message": "..."}       an HTTP error
Turns with a match are tried first, each once; the others follow in order. Requests without tools
(titles, summaries) take only turns with a match. When nothing is left the answer is DEFAULT.
"""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Turn = Any  # see above
Block = dict[str, Any]
DEFAULT = "Done."


class Request:
    """One request that the client made: everything the model would have seen."""

    def __init__(self, body: dict[str, Any]) -> None:
        self.body = body
        self.has_tools = bool(body.get("tools"))
        self.messages: list[dict[str, Any]] = body.get("messages") or []

    @property
    def text(self) -> str:
        """All text of the request: system prompt, messages, tool results."""
        parts = [text_of(self.body.get("system"))]
        parts += [text_of(message.get("content")) for message in self.messages]
        return "\n".join(parts)

    @property
    def newest(self) -> str:
        """The text of the newest message: the prompt, or tool results and reminders."""
        return text_of(self.messages[-1].get("content")) if self.messages else ""

    @property
    def tool_results(self) -> list[Block]:
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


class FakeAnthropic:
    """The server; use it with `with`. `requests` grows as they arrive, `script` shrinks."""

    def __init__(self, script: list[Turn]) -> None:
        self.script = list(script)
        self.requests: list[Request] = []
        self._lock = threading.Lock()
        self._replies = 0
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.daemon_threads = True
        self._server.model = self  # type: ignore[attr-defined]
        self.url = "http://127.0.0.1:%d" % self._server.server_address[1]

    def __enter__(self) -> FakeAnthropic:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, body: dict[str, Any]) -> tuple[int, str, str]:
        """Record a request and return (status, content type, text) of the answer to it."""
        request = Request(body)
        with self._lock:
            self.requests.append(request)
            turn = self._next(request)
            self._replies += 1
            number = self._replies
        if isinstance(turn, dict) and turn.get("delay"):
            time.sleep(turn["delay"])
        if isinstance(turn, dict) and "error" in turn:
            error = {"type": "api_error", "message": turn.get("message", "scripted error")}
            return turn["error"], "application/json", json.dumps({"type": "error", "error": error})
        message = _message(turn, body, number)
        if not body.get("stream"):
            return 200, "application/json", json.dumps(message)
        events = "".join(
            "event: %s\ndata: %s\n\n" % (event["type"], json.dumps(event))
            for event in _stream(message)
        )
        return 200, "text/event-stream", events

    def _next(self, request: Request) -> Turn:
        matching = [turn for turn in self.script if _match(turn) and _match(turn) in request.newest]
        plain = [turn for turn in self.script if not _match(turn)] if request.has_tools else []
        for turn in matching + plain:
            self.script.remove(turn)
            return turn
        return DEFAULT


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else every answer waits 40 ms for a delayed ACK
    wbufsize = -1  # headers and body in one write

    def do_HEAD(self) -> None:
        self._send(200, "text/plain", "")

    def do_GET(self) -> None:
        self._send(404, "application/json", '{"type": "error"}')

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        path = self.path.partition("?")[0]
        if path.endswith("/count_tokens"):
            self._send(200, "application/json", '{"input_tokens": 100}')
        elif path.endswith("/messages"):
            self._send(*self.server.model.answer(json.loads(raw)))  # type: ignore[attr-defined]
        else:
            self._send(404, "application/json", '{"type": "error"}')

    def _send(self, status: int, kind: str, text: str) -> None:
        data = text.encode("utf-8")
        try:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the client went away, as it does when it is ended in the middle

    def log_message(self, *_: object) -> None:
        """Say nothing: the tests' output is not the place."""


def _match(turn: Turn) -> str:
    return turn.get("match", "") if isinstance(turn, dict) else ""


def _message(turn: Turn, body: dict[str, Any], number: int) -> dict[str, Any]:
    """Return a turn as the API's message."""
    blocks = _blocks(turn, number)
    usage = {"input_tokens": 10, "output_tokens": 5}
    usage.update(cache_creation_input_tokens=0, cache_read_input_tokens=0)
    if isinstance(turn, dict):
        usage.update(turn.get("usage", {}))
    calls = any(block["type"] == "tool_use" for block in blocks)
    return {
        "id": "msg_fake_%03d" % number,
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "fake"),
        "content": blocks,
        "stop_reason": "tool_use" if calls else "end_turn",
        "stop_sequence": None,
        "usage": usage,
    }


def _blocks(turn: Turn, number: int) -> list[Block]:
    if isinstance(turn, dict) and "blocks" in turn:
        turn = turn["blocks"]
    blocks: list[Block] = []
    for part in turn if isinstance(turn, list) else [turn]:
        if isinstance(part, str):
            blocks.append({"type": "text", "text": part})
        else:
            name = "toolu_fake_%03d_%d" % (number, len(blocks))
            blocks.append(
                {"type": "tool_use", "id": name, "name": part["tool"], "input": part["input"]}
            )
    return blocks


def _stream(message: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the events in which the API would send the message."""
    begun = dict(message, content=[], stop_reason=None)
    events: list[dict[str, Any]] = [{"type": "message_start", "message": begun}]
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
