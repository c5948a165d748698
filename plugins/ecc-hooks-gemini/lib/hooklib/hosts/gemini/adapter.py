"""Gemini CLI: other names for events, tools and fields, and fewer channels.

Its own words for the events are the ones that hooks.json wires; the rest of the tree sees ours.
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
_THEIRS = {ours: theirs for theirs, ours in event_names.ALIASES.items() if theirs != "Compaction"}


class GeminiCli(Host):
    name = "gemini"
    messages = event_names.EVENTS  # systemMessage is shown on every event
    user_rules = True  # the host has no second plugin for them
    compact_command = "/compress"

    def attended(self) -> bool:
        """Return False: the client gives hooks no sign of a person, so no answer is put at risk."""
        return False

    def decode(self, name: str, raw: bytes) -> Event:
        event = Event.from_json(event_names.ALIASES.get(name, name), raw, self.name)
        data = event.data
        if event.name in _TOOL_EVENTS and not event.odd_fields:
            event = _about_a_tool(event)
        elif event.name == "UserPromptSubmit" and isinstance(data.get("prompt"), str):
            from hooklib.hosts.gemini.chat_transcript import bare

            data["prompt"] = bare(data["prompt"])
        elif event.name == "Stop":
            data["last_assistant_message"] = data.get("prompt_response")
        data["hook_event_name"] = event.name
        return event

    def expand(self, event: Event) -> list[Event]:
        name = event.name
        if name == "SessionStart":
            carry_over.begin(event)
        elif name == "SessionEnd":
            return [event] if carry_over.first_end(event) else []
        elif name == "UserPromptSubmit":
            return [] if carry_over.continues(event) else [event]
        elif name == "PreCompact":
            if not carry_over.compresses(event):
                return []
            begins = {"hook_event_name": "SessionStart", "source": "compact"}
            return [event, Event("SessionStart", {**event.data, **begins}, self.name)]
        elif name == "Stop":
            event.data["stop_hook_active"] = carry_over.blocked(event) > 0
        return [event]

    def carry(self, event: Event, output: Output | None) -> Output | None:
        """Keep what the client takes no context with, until an event on which it does."""
        if _after_compaction(event):  # our own event: the client expects no answer to it
            if output is not None:
                carry_over.hold(event, output.context)
            return None
        waiting = carry_over.take(event) if event.name in _CONTEXT else ""
        if waiting:
            from hooklib.engine.aggregator import merge
            from hooklib.output import Output

            output = merge([Output(context=waiting), *([output] if output else [])])
        if output is not None and event.name == "PreToolUse":
            return _before_tool(event, output)
        if output is not None and event.name == "Stop":
            return _at_turn_end(event, output)
        return output

    def encode(self, event: Event, output: Output) -> tuple[str, list[str]]:
        document: dict[str, Any] = {}
        specific: dict[str, Any] = {}
        lost: list[str] = []
        context = output.context
        if output.message:
            document["systemMessage"] = output.message
        if output.decision:
            context = _decide(event.name, output, document, lost)
        if context and event.name in _CONTEXT:
            specific["additionalContext"] = context
        elif context and event.name != "PreCompact":  # `expand` tells then what may get lost
            lost.append("context")
        if output.updated_input is not None:
            if event.name == "PreToolUse":
                theirs = event.text("gemini_tool")
                specific["tool_input"] = tool_names.rewritten(theirs, output.updated_input)
            else:
                lost.append("updated_input")
        if output.updated_output is not None:
            _replace_result(event, output.updated_output, document, lost)
        if output.fields:
            from hooklib.hosts.gemini import model_events

            lost += model_events.put(event, output.fields, document, specific)
        if output.stop:
            if event.name in _STOP:
                document.update({"continue": False, "stopReason": output.stop})
            else:
                lost.append("stop")
        if specific:
            theirs = "AfterTool" if event.name == "PostToolUseFailure" else event.name
            theirs = _THEIRS.get(theirs, theirs)
            document["hookSpecificOutput"] = dict(hookEventName=theirs, **specific)
        return (jsonio.dumps(document) + "\n" if document else ""), lost

    def read_line(self, line: bytes, calls: set[str]) -> list[dict[str, Any]]:
        from hooklib.hosts.gemini import chat_transcript

        return chat_transcript.records(line, calls)

    def context_tokens(self, transcript: str) -> int:
        from hooklib.hosts.gemini import chat_transcript

        return chat_transcript.size(transcript)[0]


def _about_a_tool(event: Event) -> Event:
    data, name = event.data, event.name
    theirs = event.tool_name
    given = tool_names.arguments(theirs, event.tool_input, event.cwd)
    tool = tool_names.name(theirs, data.get("mcp_context"))
    data.update(tool_name=tool, tool_input=given, gemini_tool=theirs)
    response = data.get("tool_response")
    if name == "PostToolUse" and isinstance(response, dict):
        error = tool_names.failure(tool, response)
        if error:
            name = "PostToolUseFailure"
            data["error"] = error
            del data["tool_response"]
        else:
            data["tool_response"] = tool_names.result(tool, response)
    return Event(name, data, event.host)


def _before_tool(event: Event, output: Output) -> Output:
    """Return a refusal with its context, which no result follows; other context waits for it."""
    decision, reason = output.decision, output.reason
    if decision == "ask" and not _someone_is_there():
        decision, reason = "deny", "this needs the user's consent: " + reason
    if decision in ("deny", "block"):
        reason = _joined(reason, output.context)
    else:
        carry_over.hold(event, output.context)
    return output.replace(decision=decision, reason=reason, context="")


def _at_turn_end(event: Event, output: Output) -> Output:
    """Return an output that keeps the turn going, unless hooks have done so too often."""
    if not output.decision and not output.context:
        return output
    reason = _joined(output.reason, output.context) or "a hook asks you to go on"
    if carry_over.block(event, reason):
        return output.replace(decision="block", reason=reason, context="")
    log.write(
        event.name, "", "cannot be delivered: decision: hooks have kept this turn going too often"
    )
    return output.replace(decision="", reason="", context="")


def _decide(name: str, output: Output, document: dict[str, Any], lost: list[str]) -> str:
    """Put the decision where the client reads it; return the context that is still to be told."""
    decision, reason, context = output.decision, output.reason, output.context
    refused = decision in ("deny", "block")
    if refused and name in _REFUSE:
        document.update(decision="deny", reason=reason)
    elif refused and name in _CONTEXT:  # `deny` would put the reason in place of the result
        return _joined(reason, context)
    elif name == "PreToolUse" and decision in ("ask", "allow"):
        document["decision"] = decision
        if reason:
            document["reason"] = reason
    else:
        lost.append("decision")
    return context


def _joined(*texts: str) -> str:
    return "\n\n".join(text for text in texts if text)


def _replace_result(event: Event, result: Any, document: dict[str, Any], lost: list[str]) -> None:
    """The one way to keep a result from the model is to call it an error."""
    if event.name not in ("PostToolUse", "PostToolUseFailure"):
        lost.append("updated_output")
        return
    if isinstance(result, dict) and isinstance(result.get("stdout"), str):
        result = result["stdout"]
    text = result if isinstance(result, str) else jsonio.dumps(result)
    document.update(decision="deny", reason=text)


def _after_compaction(event: Event) -> bool:
    return event.name == "SessionStart" and event.text("source") == "compact"


def _someone_is_there() -> bool:
    """Return whether a question can reach a person: without a terminal the client just ends."""
    import os

    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return os.name == "nt"
    return True


HOST: Host = GeminiCli()
