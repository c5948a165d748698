"""Gemini CLI: other names for events, tools and fields, and fewer channels.

Its own words for the events are the ones that hooks.json wires; the rest of the tree sees ours.
"""

from __future__ import annotations

from hooklib import jsonio
from hooklib.engine import event_names
from hooklib.event import Event
from hooklib.hosts import reachable
from hooklib.hosts.gemini import carry_over, tool_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.output import Output

USER_RULES = True  # the host has no second plugin for them
MESSAGES = event_names.EVENTS  # systemMessage is shown on every event
_TOOL_EVENTS = ("PreToolUse", "PostToolUse")
_CONTEXT = frozenset("SessionStart UserPromptSubmit PostToolUse PostToolUseFailure".split())
_REFUSE = frozenset("PreToolUse UserPromptSubmit BeforeModel AfterModel".split())
_STOP = frozenset("PreToolUse PostToolUse PostToolUseFailure UserPromptSubmit Stop".split())
_THEIRS = {ours: theirs for theirs, ours in event_names.ALIASES.items() if theirs != "Compaction"}


def attended() -> bool:
    """Return False: the client gives hooks no sign of a person, so no answer is put at risk."""
    return False


def decode(name: str, raw: bytes) -> Event:
    """Return the event in Claude Code's terms; name is the client's own."""
    event = Event.from_json(event_names.ALIASES.get(name, name), raw, "gemini")
    data = event.data
    if event.name in _TOOL_EVENTS and not event.odd_fields:
        event = _about_a_tool(event)
    elif event.name == "UserPromptSubmit" and isinstance(data.get("prompt"), str):
        from hooklib.hosts.gemini.chat_transcript import bare

        data["prompt"] = bare(data["prompt"])
    elif event.name == "Stop":
        data["last_assistant_message"] = data.get("prompt_response")
    event.compact_command = "/compress"
    data["hook_event_name"] = event.name
    return event


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
    return Event(name, data, "gemini")


def expand(event: Event) -> list[Event]:
    """Return the events that this one stands for: none where the client repeats itself."""
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
        return [event, Event("SessionStart", {**event.data, **begins}, "gemini")]
    elif name == "Stop":
        event.data["stop_hook_active"] = carry_over.blocked(event) > 0
    return [event]


def complete(event: Event, output: Output | None) -> Output | None:
    """Add what earlier events could not tell the model."""
    if event.name not in _CONTEXT or _after_compaction(event):
        return output
    context = carry_over.take(event)
    if not context:
        return output
    from hooklib.engine.aggregator import merge
    from hooklib.output import Output

    return merge([Output(context=context), *([output] if output else [])])


def encode(event: Event, output: Output) -> tuple[str, list[str]]:
    """Return what to print ('' for nothing) and what this event has no channel for."""
    if _after_compaction(event):  # told by us, not by the client, which expects no answer to it
        if output.context:
            carry_over.hold(event, output.context)
        return "", []
    output.context, output.reason = reachable(output.context), reachable(output.reason)
    document: dict[str, Any] = {}
    specific: dict[str, Any] = {}
    lost: list[str] = []
    context = output.context
    if output.message:
        document["systemMessage"] = output.message
    if output.decision or (context and event.name == "Stop"):
        context = _decide(event, output, document, lost)
    if context:
        if event.name in _CONTEXT:
            specific["additionalContext"] = context
        elif event.name == "PreToolUse":
            carry_over.hold(event, context)  # for the tool's result
        elif event.name != "PreCompact":  # which is followed by what the compaction may lose
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
        document["hookSpecificOutput"] = dict(hookEventName=_THEIRS.get(theirs, theirs), **specific)
    return (jsonio.dumps(document) + "\n" if document else ""), lost


def _decide(event: Event, output: Output, document: dict[str, Any], lost: list[str]) -> str:
    """Put the decision where the client reads it; return the context that is still to be told."""
    decision, reason, context = output.decision, output.reason, output.context
    refused = decision in ("deny", "block")
    if event.name == "Stop":
        reason = _joined(reason, context) or "a hook asks you to go on"
        if not carry_over.block(event, reason):
            lost.append("decision: hooks have kept this turn going too often")
        else:
            document.update(decision="deny", reason=reason)
        return ""
    if event.name == "PreToolUse" and decision == "ask" and not _someone_is_there():
        refused, reason = True, "this needs the user's consent: " + reason
    if refused and event.name in _REFUSE:
        alone = event.name == "PreToolUse"  # there is no result to tell the context with
        document.update(decision="deny", reason=_joined(reason, context) if alone else reason)
        return "" if alone else context
    if refused and event.name in _CONTEXT:  # `deny` would put the reason in place of the result
        return _joined(reason, context)
    if event.name == "PreToolUse" and decision in ("ask", "allow"):
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
