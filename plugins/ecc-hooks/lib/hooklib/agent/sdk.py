"""The Claude Agent SDK for Python: callbacks that take the host's dict and return another.

The SDK is imported only if it is installed and its own classes are needed.
"""

from __future__ import annotations

from hooklib import hosts, jsonio, log
from hooklib.boundary import guarded
from hooklib.engine import event_names
from hooklib.event import Event
from hooklib.hosts import claude
from hooklib.hosts.claude import ClaudeCode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    from hooklib.agent.manager import HookManager
    from hooklib.hosts.base import Host
    from hooklib.output import Output

    Answer = Callable[[dict[str, Any], str], dict[str, Any]]

__all__ = ["callback", "event_callback", "matchers", "plain_answer"]
# Before a tool the SDK treats a callback that is late as a refusal. Our own limits must end first,
# also those of rules that change during the session.
TIMEOUT = 600.0
_MARGIN = 10.0


class AgentSdk(ClaudeCode):
    name = "sdk"

    def attended(self) -> bool:
        """Return False: a program waits for the answer."""
        return False

    def encode(self, event: Event, output: Output) -> tuple[str, list[str]]:
        """Return a callback's answer as text, and the fields that this event cannot deliver."""
        answer, undelivered = document(event, output)
        return (jsonio.dumps(answer) + "\n" if answer else ""), undelivered


def from_callback(name: str, input_data: dict[str, Any], tool_use_id: str = "") -> Event:
    """Return the event in the arguments of a callback."""
    data = dict(input_data)
    if "tool_name" in data and tool_use_id:  # PermissionRequest has the id only as an argument
        data.setdefault("tool_use_id", tool_use_id)
    return Event(name, data, AgentSdk.name)


def document(event: Event, output: Output) -> tuple[dict[str, Any], list[str]]:
    """Return the answer of a callback, and the fields that this event cannot deliver."""
    answer, undelivered = _as_claude(event, output)
    if "continue" in answer:
        stop = answer.pop("continue")
        if event.name == "PreToolUse":  # the turn would end, but the tool would still run
            _refuse(answer, answer.pop("stopReason"))
        else:
            answer["continue_"] = stop
    return answer, undelivered


def _as_claude(event: Event, output: Output) -> tuple[dict[str, Any], list[str]]:
    text, undelivered = claude.HOST.encode(event, output)
    if event.name == "PreCompact" and output.decision != "block":
        return {}, [*undelivered, *(["context"] if text else [])]  # a callback cannot return text
    return (jsonio.loads(text) if text else {}), undelivered


def _refuse(answer: dict[str, Any], reason: str) -> None:
    specific = answer.setdefault("hookSpecificOutput", {"hookEventName": "PreToolUse"})
    specific.pop("updatedInput", None)
    if specific.get("permissionDecision") != "deny":
        specific.update(permissionDecision="deny", permissionDecisionReason=reason)


def plain_answer(event: Event, output: Output | None) -> dict[str, Any]:
    """Return one hook's output in Claude Code's form, with its message and block on any event."""
    if output is None:
        return {"continue": True}
    answer, _ = _as_claude(event, output)
    if output.message:
        answer["systemMessage"] = output.message
    if output.decision in ("deny", "block"):
        answer.update(decision="block", reason=output.reason)
        return answer
    return {"continue": True, **answer}


def matchers(
    manager: HookManager, refresh: Callable[[], None] | None = None
) -> dict[str, list[Any]]:
    """Return one matcher per event; matching, order and merging are left to the engine.

    They are HookMatcher objects if the SDK is installed, else dicts with the same fields.
    """
    try:
        from claude_agent_sdk import HookMatcher as matcher_class  # type: ignore[import-not-found]
    except ImportError:
        matcher_class = dict
    event_matchers = {}
    for event in manager.get_hook_counts():
        if event in hosts.SILENT_ON["sdk"]:
            log.write(event, "", "the Agent SDK does not call hooks of this event at every time")
        if event not in event_names.MODEL_EVENTS:
            limit = max(TIMEOUT, manager.time_limit(event) + _MARGIN)
            call = event_callback(manager, event, refresh)
            event_matchers[event] = [matcher_class(matcher=None, hooks=[call], timeout=limit)]
    return event_matchers


def event_callback(
    manager: HookManager, name: str, refresh: Callable[[], None] | None = None
) -> Callable[..., Any]:
    """Return an async callback that runs all rules for an event."""

    def answer(input_data: dict[str, Any], tool_use_id: str) -> dict[str, Any]:
        if refresh is not None:
            refresh()
        event = from_callback(event_names.ALIASES.get(name, name), input_data, tool_use_id)
        output = manager.run(event.name, event.data).output
        if output is None:
            return {}
        reply, undelivered = document(event, output)
        if undelivered:
            log.write(event.name, "", "cannot be delivered: " + ", ".join(undelivered))
        return reply

    return callback(answer)


def callback(answer: Answer) -> Callable[..., Any]:
    """Return answer as a callback of the SDK, which never raises and never blocks the loop."""

    def safe(input_data: Any, tool_use_id: Any) -> dict[str, Any]:
        reply, error = guarded(
            answer, input_data, tool_use_id if isinstance(tool_use_id, str) else ""
        )
        if error is not None:
            log.failure("", "sdk callback", error)
        return reply or {}

    async def call(input_data: Any, tool_use_id: Any = None, context: Any = None) -> dict[str, Any]:
        from hooklib.agent.aio import in_thread

        return await in_thread(lambda: safe(input_data, tool_use_id))

    return call


HOST: Host = AgentSdk()
