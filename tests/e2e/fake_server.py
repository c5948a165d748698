"""A scripted model on loopback that records every request; each API has a small subclass.

A script is a list of turns, one per request of the conversation. A turn is one of
    "some text"                            the model says it and ends its turn
    {"tool": "Bash", "input": {...}}       a tool call
    [turn, turn, ...]                      several of these in one message
    {"blocks": turn, "match": "text",      the same, only for a request whose newest message holds
     "tokens": 900, "delay": 0.5}          the text; reported size of the request; seconds to wait
    {"error": 529, "message": "..."}       an HTTP error
Turns with a match are tried first, each once; the others follow in order. When nothing is left
the answer is DEFAULT. Side requests (titles, summaries) take only turns with a match, else the
answer is the class's SIDE. Every other address answers 404, so it also stands in for a registry.
"""

from __future__ import annotations

import abc
import dataclasses
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Generic, TypeVar

Turn = Any  # see above
Block = Any  # a text, or a tool call as in a turn
Document = dict[str, Any]
DEFAULT = "Done."


class Request(abc.ABC):
    """One request that the client made: everything the model would have seen."""

    def __init__(self, body: Document) -> None:
        self.body = body
        self.when = time.monotonic()
        self.has_tools = bool(body.get("tools"))

    @property
    @abc.abstractmethod
    def text(self) -> str:
        """All text of the request: system prompt, messages, tool results."""

    @property
    @abc.abstractmethod
    def newest(self) -> str:
        """The text of the newest message: the prompt, or tool results and reminders."""


R = TypeVar("R", bound=Request)
S = TypeVar("S", bound="FakeServer[Any]")


@dataclasses.dataclass
class Reply:
    """The turn that answers a request."""

    number: int  # of the reply, from 1
    blocks: list[Block]
    options: Document  # what else the turn says: tokens and the like

    @property
    def tokens(self) -> int:
        return int(self.options.get("tokens", 50))


class ScriptedError(Exception):
    """The script has an HTTP error here."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class FakeServer(abc.ABC, Generic[R]):
    """The server; use it with `with`. Its lists of requests grow, `script` shrinks."""

    SIDE = DEFAULT  # the answer to a request outside of the conversation

    def __init__(self, script: list[Turn]) -> None:
        self.script = list(script)
        self.requests: list[R] = []  # of the conversation
        self.side_requests: list[R] = []
        self.strangers: list[str] = []  # the addresses of what else was asked for
        self._lock = threading.Lock()
        self._server = _Server(self)
        self.url = "http://127.0.0.1:%d" % self._server.server_address[1]

    def __enter__(self: S) -> S:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @abc.abstractmethod
    def answer(self, path: str, body: Document) -> Document | str | None:
        """Answer what was posted: a document, a stream's text, None for an unknown address."""

    def reply(self, request: R, side: bool) -> Reply:
        """Record a request and return what the script answers to it."""
        with self._lock:
            (self.side_requests if side else self.requests).append(request)
            turn = self._next_turn(request, side)
            number = len(self.requests) + len(self.side_requests)
        options = turn if isinstance(turn, dict) and "tool" not in turn else {}
        time.sleep(options.get("delay", 0))
        if "error" in options:
            raise ScriptedError(options["error"], options.get("message", "scripted error"))
        blocks = options.get("blocks", turn)
        return Reply(number, blocks if isinstance(blocks, list) else [blocks], options)

    def _next_turn(self, request: R, side: bool) -> Turn:
        newest = request.newest
        matching = [turn for turn in self.script if _match(turn) and _match(turn) in newest]
        in_order = [] if side else [turn for turn in self.script if not _match(turn)]
        for turn in matching + in_order:
            self.script.remove(turn)
            return turn
        return self.SIDE if side else DEFAULT


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, fake: FakeServer[Any]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.fake = fake


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else every answer waits 40 ms for a delayed ACK
    wbufsize = -1  # headers and body in one write

    def do_HEAD(self) -> None:
        self._send(200, "text/plain", "")

    def do_GET(self) -> None:
        self.server.fake.strangers.append(self.path)
        self._send(404, "application/json", "{}")

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            answer = self.server.fake.answer(self.path.partition("?")[0], _document(data))
        except ScriptedError as error:
            problem = {"type": "api_error", "message": str(error)}
            document = json.dumps({"type": "error", "error": problem})
            self._send(error.status, "application/json", document)
            return
        if answer is None:
            self.do_GET()
        elif isinstance(answer, str):
            self._send(200, "text/event-stream", answer)
        else:
            self._send(200, "application/json", json.dumps(answer))

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


def _document(data: bytes) -> Document:
    """Return a request's body; {} for one that is no JSON, as only strangers send."""
    try:
        body = json.loads(data)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _match(turn: Turn) -> str:
    return str(turn.get("match", "")) if isinstance(turn, dict) else ""
