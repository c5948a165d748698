"""What a subagent is told when it starts, and what is kept of it when it ends."""

from __future__ import annotations

from hooklib import files, jsonio
from hooklib.memory import place as places
from hooklib.memory import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.event import Event

_TAIL = 256_000
_TASK = 20_000
_RESULT = 600


def briefing(event: Event) -> str:
    """Return the memories for a subagent's task."""
    from hooklib.memory import recall

    return recall.for_task(event, _task(event)) if places.any_there(event) else ""


def ended(event: Event) -> None:
    """Keep the result, shortened."""
    from hooklib.session.words import kept

    result = kept(event.text("last_assistant_message", _TASK), _RESULT)
    if result:
        name = event.agent_type[:100]
        record.note(event, "note", about="subagent", text="%s: %s" % (name, result))


def _task(event: Event) -> str:
    """Return what the subagent was started for: the latest such call in the transcript."""
    try:
        tail = files.read_tail(event.transcript_path, _TAIL) if event.transcript_path else b""
    except OSError:
        return ""
    for line in reversed(tail.split(b"\n")):
        if b'"tool_use"' not in line:
            continue
        try:
            found = _prompt(jsonio.loads(line), event.agent_type)
        except (ValueError, RecursionError):
            continue  # cut in the middle
        if found:
            return found[:_TASK]
    return ""


def _prompt(line: Any, agent_type: str) -> str:
    message = line.get("message") if isinstance(line, dict) else None
    content = message.get("content") if isinstance(message, dict) else None
    for block in content if isinstance(content, list) else ():
        if not isinstance(block, dict) or block.get("name") not in ("Agent", "Task"):
            continue
        given = block.get("input")
        if isinstance(given, dict) and given.get("subagent_type", agent_type) == agent_type:
            prompt = given.get("prompt")
            return prompt if isinstance(prompt, str) else ""
    return ""
