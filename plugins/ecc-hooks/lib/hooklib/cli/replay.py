"""hookctl replay: send recorded events, or a transcript's, through the hooks."""

from __future__ import annotations

from hooklib import files, jsonio
from hooklib.cli import overview, sandbox, sandbox_report, terminal
from hooklib.engine import event_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from typing import Any

_LIMIT = 256_000_000


def declare(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("file", help="JSON lines, a JSON array or a Claude Code transcript")
    sandbox.declare(parser)


def run(options: argparse.Namespace) -> terminal.Reply:
    records = _read(options.file)
    recorded = list(events(records))
    if not recorded:
        raise terminal.Problem("%s: no events and no transcript in it" % options.file)
    setup = overview.Setup()
    data, lines, code = [], [], 0
    with sandbox.Sandbox(setup, options) as hooks:
        for number, event in enumerate(recorded, 1):
            name = event_names.ALIASES.get(event["hook_event_name"], event["hook_event_name"])
            answers = hooks.send(name, event)
            about = _about(event)
            data.append({"number": number, "event": name, "about": about, "plugins": answers})
            lines += _lines(number, name, about, answers)
            code = 1 if any(map(sandbox_report.went_wrong, answers)) else code
    lines.append("%d events, %d answered" % (len(data), sum(map(_answered, data))))
    if setup.off_by:
        lines.append(terminal.clean("everything is switched off by %s: no hook ran" % setup.off_by))
    return terminal.Reply(data, lines, code)


def _read(path: str) -> list[Any]:
    """Return the records of a JSON array or of JSON lines, without broken lines."""
    try:
        raw = files.read_bounded(path, _LIMIT)
    except OSError as error:
        raise terminal.Problem("%s: %s" % (path, error.strerror or error)) from None
    if raw.lstrip()[:1] == b"[":
        try:
            value = jsonio.loads(raw)
        except (ValueError, RecursionError) as error:
            raise terminal.Problem("%s: not JSON: %s" % (path, error)) from None
        return value if isinstance(value, list) else []
    records = []
    for line in raw.split(b"\n"):
        try:
            records.append(jsonio.loads(line))
        except (ValueError, RecursionError):
            continue
    return records


def events(records: list[Any]) -> Iterator[dict[str, Any]]:
    """Yield the events in records, or events made from the messages of a transcript.

    If records hold both, as a recorded session does, only the events count.
    """
    objects = [record for record in records if isinstance(record, dict)]
    recorded = [r for r in objects if isinstance(r.get("hook_event_name"), str)]
    if recorded:
        names = event_names.EVENTS | frozenset(event_names.ALIASES)
        yield from (event for event in recorded if event["hook_event_name"] in names)
        return
    turn = _Turn()
    for record in objects:
        message = record.get("message")
        if record.get("type") in ("user", "assistant") and isinstance(message, dict):
            yield from turn.read(record, message)
    yield from turn.end()


class _Turn:
    """Makes events from a transcript's records, in order."""

    def __init__(self) -> None:
        self.base: dict[str, Any] = {}
        self.calls: dict[str, dict[str, Any]] = {}  # tool calls without a result so far
        self.last_message = ""
        self.open = False

    def read(self, record: dict[str, Any], message: dict[str, Any]) -> Iterator[dict[str, Any]]:
        fields = {"session_id": record.get("sessionId"), "cwd": record.get("cwd")}
        self.base = {key: value for key, value in fields.items() if isinstance(value, str)}
        self.base["transcript_path"] = ""
        inside = {}
        if record.get("isSidechain"):  # a subagent's record is neither a user's prompt nor a Stop
            inside = {"agent_id": str(record.get("agentId") or "agent"), "agent_type": ""}
        content = message.get("content")
        blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
        for block in (b for b in blocks if isinstance(b, dict)):
            kind = block.get("type")
            if kind == "tool_use" and record["type"] == "assistant":
                yield self.call(block, inside)
            elif kind == "tool_result":
                yield from self.result(block, record.get("toolUseResult"), inside)
            elif kind == "text" and isinstance(block.get("text"), str) and not inside:
                if record["type"] == "assistant":
                    self.last_message = block["text"]
                elif not record.get("isMeta") and not record.get("isCompactSummary"):
                    yield from self.end()
                    self.open = True
                    yield self.event("UserPromptSubmit", prompt=block["text"])

    def call(self, block: dict[str, Any], inside: dict[str, Any]) -> dict[str, Any]:
        tool_input = block.get("input")
        call: dict[str, Any] = {
            "tool_name": str(block.get("name") or ""),
            "tool_input": tool_input if isinstance(tool_input, dict) else {},
            "tool_use_id": str(block.get("id") or ""),
        }
        self.calls[call["tool_use_id"]] = call
        return self.event("PreToolUse", **call, **inside)

    def result(
        self, block: dict[str, Any], response: Any, inside: dict[str, Any]
    ) -> Iterator[dict[str, Any]]:
        call = self.calls.pop(str(block.get("tool_use_id") or ""), None)
        if call is None:
            return
        if block.get("is_error"):
            error = jsonio.dumps(block.get("content"))
            if isinstance(block.get("content"), str):
                error = block["content"]
            yield self.event("PostToolUseFailure", error=error, **call, **inside)
        else:
            response = block.get("content") if response is None else response
            yield self.event("PostToolUse", tool_response=response, **call, **inside)

    def end(self) -> Iterator[dict[str, Any]]:
        if self.open:
            self.open = False
            yield self.event(
                "Stop", stop_hook_active=False, last_assistant_message=self.last_message
            )

    def event(self, name: str, **fields: Any) -> dict[str, Any]:
        return {**self.base, "hook_event_name": name, **fields}


def _about(event: dict[str, Any]) -> str:
    tool_input = event.get("tool_input")
    tool_input = tool_input if isinstance(tool_input, dict) else {}
    for value in (tool_input.get("file_path"), tool_input.get("command"), event.get("prompt")):
        if isinstance(value, str) and value:
            return (str(event.get("tool_name") or "") + " " + value).strip()
    return str(event.get("tool_name") or event.get("source") or event.get("trigger") or "")


def _answered(entry: dict[str, Any]) -> bool:
    return any(plugin["answer"] is not None for plugin in entry["plugins"])


def _lines(number: int, name: str, about: str, answers: list[dict[str, Any]]) -> list[str]:
    about = terminal.clean(about)
    lines = ["%4d  %s  %s" % (number, name, about[:100] + ("..." if about[100:] else ""))]
    for answer in answers:
        spoken = sandbox_report.spoken_lines(answer)
        lines += ["      " + terminal.clean(answer["plugin"]), *spoken] if spoken else []
    return [line.rstrip() for line in lines]
