"""Gemini CLI: it has other names for events, tools and fields, and fewer channels for answers.

hooks.json wires the client's own event names; all other code sees Claude Code's.
"""

from __future__ import annotations

from hooklib import jsonio, log
from hooklib.engine import event_names
from hooklib.event import Event
from hooklib.hosts.base import Host
from hooklib.hosts.gemini import carry_over, tool_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.output import Output

_TOOL_EVENTS = ("PreToolUse", "PostToolUse")
_CONTEXT = frozenset("SessionStart UserPromptSubmit PostToolUse PostToolUseFailure".split())
_REFUSE = frozenset("PreToolUse UserPromptSubmit Stop BeforeModel AfterModel".split())
_STOP = frozenset("PreToolUse PostToolUse PostToolUseFailure UserPromptSubmit Stop".split())
_CLIENT_NAMES = {
    name: alias for alias, name in event_names.ALIASES.items() if alias != "Compaction"
}


class GeminiCli(Host):
    name = "gemini"
    messages = event_names.EVENTS  # systemMessage is shown on every event
    user_rules = True  # the host has no second plugin for them
    compact_command = "/compress"

    def attended(self) -> bool:
        """Return False: the client gives hooks no sign of a person, so we risk no last message."""
        return False

    def decode(self, name: str, raw: bytes) -> Event:
        event = Event.from_json(event_names.ALIASES.get(name, name), raw, self.name)
        data = event.data
        if event.name in _TOOL_EVENTS and not event.odd_fields:
            event = _tool_event(event)
        elif event.name == "UserPromptSubmit" and isinstance(data.get("prompt"), str):
            from hooklib.hosts.gemini.chat_transcript import without_added_context

            data["prompt"] = without_added_context(data["prompt"])
        elif event.name == "Stop":
            data["last_assistant_message"] = data.get("prompt_response")
        data["hook_event_name"] = event.name
        return event

    def expand(self, event: Event) -> list[Event]:
        name = event.name
        if name == "SessionStart":
            carry_over.forget(event)
        elif name == "SessionEnd":
            return [event] if carry_over.is_first_end(event) else []
        elif name == "UserPromptSubmit":
            return [] if carry_over.is_continuation(event) else [event]
        elif name == "PreCompact":
            if not carry_over.will_compress(event):
                return []
            start_fields = {"hook_event_name": "SessionStart", "source": "compact"}
            return [event, Event("SessionStart", {**event.data, **start_fields}, self.name)]
        elif name == "Stop":
            event.data["stop_hook_active"] = carry_over.block_count(event) > 0
        return [event]

    def carry(self, event: Event, output: Output | None) -> Output | None:
        """Hold context back until an event on which the client accepts context."""
        if _after_compaction(event):  # an event of our own: the client expects no answer
            if output is not None:
                carry_over.hold_context(event, output.context)
            return None
        held_context = carry_over.take_context(event) if event.name in _CONTEXT else ""
        if held_context:
            from hooklib.engine.aggregator import merge
            from hooklib.output import Output

            output = merge([Output(context=held_context), *([output] if output else [])])
        if output is not None and event.name == "PreToolUse":
            return _before_tool(event, output)
        if output is not None and event.name == "Stop":
            return _at_turn_end(event, output)
        return output

    def encode(self, event: Event, output: Output) -> tuple[str, list[str]]:
        document: dict[str, Any] = {}
        specific: dict[str, Any] = {}
        undelivered: list[str] = []
        context = output.context
        if output.message:
            document["systemMessage"] = output.message
        if output.decision:
            context = _decide(event.name, output, document, undelivered)
        if context and event.name in _CONTEXT:
            specific["additionalContext"] = context
        elif context and event.name != "PreCompact":  # a SessionStart from `expand` follows it
            undelivered.append("context")
        if output.updated_input is not None:
            if event.name == "PreToolUse":
                tool = event.text("gemini_tool")
                specific["tool_input"] = tool_names.client_input(tool, output.updated_input)
            else:
                undelivered.append("updated_input")
        if output.updated_output is not None:
            _replace_result(event, output.updated_output, document, undelivered)
        if output.fields:
            from hooklib.hosts.gemini import model_events

            undelivered += model_events.put(event, output.fields, document, specific)
        if output.stop:
            if event.name in _STOP:
                document.update({"continue": False, "stopReason": output.stop})
            else:
                undelivered.append("stop")
        if specific:
            name = "AfterTool" if event.name == "PostToolUseFailure" else event.name
            name = _CLIENT_NAMES.get(name, name)
            document["hookSpecificOutput"] = dict(hookEventName=name, **specific)
        return (jsonio.dumps(document) + "\n" if document else ""), undelivered

    def read_line(self, line: bytes, calls: set[str]) -> list[dict[str, Any]]:
        from hooklib.hosts.gemini import chat_transcript

        return chat_transcript.records(line, calls)

    def context_tokens(self, transcript: str) -> int:
        from hooklib.hosts.gemini import chat_transcript

        return chat_transcript.last_request(transcript)[0]


def _tool_event(event: Event) -> Event:
    data, name = event.data, event.name
    client_tool = event.tool_name
    tool_input = tool_names.claude_input(client_tool, event.tool_input, event.cwd)
    tool_name = tool_names.claude_name(client_tool, data.get("mcp_context"))
    data.update(tool_name=tool_name, tool_input=tool_input, gemini_tool=client_tool)
    response = data.get("tool_response")
    if name == "PostToolUse" and isinstance(response, dict):
        error = tool_names.failure_text(tool_name, response)
        if error:
            name = "PostToolUseFailure"
            data["error"] = error
            del data["tool_response"]
        else:
            data["tool_response"] = tool_names.claude_result(tool_name, response)
    return Event(name, data, event.host)


def _before_tool(event: Event, output: Output) -> Output:
    """Put context into the reason of a refusal; else hold it back until the tool's result."""
    decision, reason = output.decision, output.reason
    if decision == "ask" and not _can_ask():
        decision, reason = "deny", "needs the user's consent: " + reason
    if decision in ("deny", "block"):
        reason = _joined(reason, output.context)
    else:
        carry_over.hold_context(event, output.context)
    return output.replace(decision=decision, reason=reason, context="")


def _at_turn_end(event: Event, output: Output) -> Output:
    """Turn context on Stop into a block; drop it if hooks have blocked this turn too often."""
    if not output.decision and not output.context:
        return output
    reason = _joined(output.reason, output.context) or "a hook asks you to go on"
    if carry_over.note_block(event, reason):
        return output.replace(decision="block", reason=reason, context="")
    log.write(
        event.name, "", "cannot be delivered: decision: hooks have kept this turn going too often"
    )
    return output.replace(decision="", reason="", context="")


def _decide(name: str, output: Output, document: dict[str, Any], undelivered: list[str]) -> str:
    """Put the decision where the client reads it; return the context that is still to deliver."""
    decision, reason, context = output.decision, output.reason, output.context
    refused = decision in ("deny", "block")
    if refused and name in _REFUSE:
        document.update(decision="deny", reason=reason)
    elif refused and name in _CONTEXT:  # `deny` would replace the result by the reason
        return _joined(reason, context)
    elif name == "PreToolUse" and decision in ("ask", "allow"):
        document["decision"] = decision
        if reason:
            document["reason"] = reason
    else:
        undelivered.append("decision")
    return context


def _joined(*texts: str) -> str:
    return "\n\n".join(text for text in texts if text)


def _replace_result(
    event: Event, result: Any, document: dict[str, Any], undelivered: list[str]
) -> None:
    """Replace a tool's result; the client does that only for an error, so we call it one."""
    if event.name not in ("PostToolUse", "PostToolUseFailure"):
        undelivered.append("updated_output")
        return
    if isinstance(result, dict) and isinstance(result.get("stdout"), str):
        result = result["stdout"]
    text = result if isinstance(result, str) else jsonio.dumps(result)
    document.update(decision="deny", reason=text)


def _after_compaction(event: Event) -> bool:
    return event.name == "SessionStart" and event.text("source") == "compact"


def _can_ask() -> bool:
    """Return whether a question can reach a person; without a terminal the client just ends."""
    import os

    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return os.name == "nt"
    return True


HOST: Host = GeminiCli()
