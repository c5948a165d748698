"""Claude Code: stdin is the event itself; the channels of an answer differ by event."""

from __future__ import annotations

import os

from hooklib import jsonio
from hooklib.event import Event
from hooklib.hosts.base import Host

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.output import Output

CONTEXT_LIMIT = 9_900  # Claude Code puts longer context into a file and shows a preview

# additionalContext reaches the model on these; on Stop and SubagentStop it also continues the turn.
_CONTEXT = frozenset(
    "SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure PostToolBatch"
    " SubagentStart Stop SubagentStop".split()
)
_BLOCK = frozenset(
    "UserPromptSubmit PostToolUse PostToolUseFailure PostToolBatch Stop SubagentStop".split()
)
_STOP = frozenset("UserPromptSubmit PreToolUse PostToolUse Stop".split())
_TAIL = 256_000
_HEAD = 700  # a record of the conversation names its message within these bytes
_USAGE = (
    "input_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "output_tokens",
)


class ClaudeCode(Host):
    name = "claude"
    # systemMessage is shown to the user on these; on PreCompact it would go to the model, raw.
    messages = frozenset(
        "SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure Stop".split()
    )
    hookctl_on_path = True

    def attended(self) -> bool:
        """Return whether a person follows the session; not under `claude -p` and the SDK."""
        attended = os.environ.get("CLAUDE_CODE_SESSION_ATTENDED", "")
        if attended:
            return attended != "0"
        return not os.environ.get("CLAUDE_CODE_ENTRYPOINT", "").startswith("sdk")

    def decode(self, name: str, raw: bytes) -> Event:
        return Event.from_json(name, raw, self.name)

    def encode(self, event: Event, output: Output) -> tuple[str, list[str]]:
        if event.name == "PreCompact":
            return _before_compaction(output)
        document: dict[str, Any] = {}
        specific: dict[str, Any] = {}
        undelivered = ["fields"] if output.fields else []
        if output.context:
            if event.name in _CONTEXT:
                specific["additionalContext"] = _cut(output.context)
            else:
                undelivered.append("context")
        if output.message:
            if event.name in self.messages:
                document["systemMessage"] = output.message
            else:
                undelivered.append("message")
        if output.decision and not _decide(event.name, output, document, specific):
            undelivered.append("decision")
        if output.updated_input is not None:
            if event.name == "PreToolUse":
                specific["updatedInput"] = output.updated_input
            elif event.name != "PermissionRequest":
                undelivered.append("updated_input")
        if output.updated_output is not None:
            if event.name == "PostToolUse":
                specific["updatedToolOutput"] = output.updated_output
            else:
                undelivered.append("updated_output")
        if output.stop:
            if event.name in _STOP:
                document.update({"continue": False, "stopReason": output.stop})
            else:
                undelivered.append("stop")
        if specific:
            document["hookSpecificOutput"] = dict(hookEventName=event.name, **specific)
        if not document:
            return "", undelivered
        return jsonio.dumps(document) + "\n", undelivered

    def read_line(self, line: bytes, calls: set[str]) -> list[dict[str, Any]]:
        if line.find(b'"message"', 0, _HEAD) < 0:  # most lines of a transcript have none
            return []
        record = _parsed(line)
        return [record] if isinstance(record.get("message"), dict) else []

    def context_tokens(self, transcript: str) -> int:
        from hooklib import files

        try:
            tail = files.read_tail(transcript, _TAIL) if transcript else b""
        except OSError:
            return 0
        usages = (line for line in reversed(tail.split(b"\n")) if b'"usage"' in line)
        return next(filter(None, (_tokens(_parsed(line)) for line in usages)), 0)


def _decide(name: str, output: Output, document: dict[str, Any], specific: dict[str, Any]) -> bool:
    """Put the decision where this event reads it; return False if it reads none."""
    decision, reason = output.decision, output.reason
    if name == "PreToolUse":
        specific["permissionDecision"] = "deny" if decision == "block" else decision
        if reason:
            specific["permissionDecisionReason"] = reason
        return True
    if name == "PermissionRequest":
        if decision not in ("allow", "deny", "block"):
            return decision == "ask"  # without an answer the host asks
        answer: dict[str, Any] = {"behavior": "allow" if decision == "allow" else "deny"}
        if output.updated_input is not None and decision == "allow":
            answer["updatedInput"] = output.updated_input
        if reason and decision != "allow":
            answer["message"] = reason
        specific["decision"] = answer
        return True
    if name in _BLOCK and decision in ("block", "deny"):
        document.update({"decision": "block", "reason": reason})
    return name in _BLOCK


def _before_compaction(output: Output) -> tuple[str, list[str]]:
    """Return the answer to PreCompact: text is instructions, only a block is read as JSON."""
    undelivered = [name for name in ("message", "updated_input", "stop") if getattr(output, name)]
    if output.decision != "block":
        return _cut(output.context), undelivered
    return jsonio.dumps({"decision": "block", "reason": output.reason}) + "\n", undelivered


def _cut(context: str) -> str:
    if len(context) * 2 <= CONTEXT_LIMIT:  # short enough in any script: avoid the import
        return context
    from hooklib.text import cut_lines

    return cut_lines(context, CONTEXT_LIMIT)


def _parsed(line: bytes) -> dict[str, Any]:
    """Return the record in a line; {} if the line is cut off or unfinished."""
    try:
        record = jsonio.loads(line)
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


def _tokens(record: dict[str, Any]) -> int:
    if record.get("isSidechain"):  # a subagent has its own context
        return 0
    message = record.get("message")
    usage = message.get("usage") if isinstance(message, dict) else None
    if not isinstance(usage, dict):
        return 0
    return sum(n for n in (usage.get(part) for part in _USAGE) if isinstance(n, int) and n > 0)


HOST: Host = ClaudeCode()
