"""Show memories to a subagent when it starts, and record its result when it ends."""

from __future__ import annotations

import os

from hooklib import checked, state
from hooklib.memory.store import journal, memory_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.event import Event

_TASK = 4_000
_WAITING = 20  # tasks; those of subagents that never started stay in the file
_RESULT = 600


def memories_for_subagent(event: Event) -> str:
    """Return the memories for a subagent's task."""
    from hooklib.memory.search import recall

    return recall.for_task(event, _task(event)) if memory_folder.any_database(event) else ""


def remember_task(event: Event) -> None:
    """Store a subagent's task until it starts, as the transcript may be written too late."""
    kind, prompt = (event.tool_input.get(key) for key in ("subagent_type", "prompt"))
    if not isinstance(prompt, str) or not memory_folder.any_database(event):
        return
    from hooklib.sanitize import clean

    new = [checked.text(kind, 100), clean(prompt, _TASK)]
    state.update_json(_tasks(event), lambda waiting: [*checked.items(waiting), new][-_WAITING:])


def record_result(event: Event) -> None:
    """Record the subagent's result, shortened."""
    from hooklib.sanitize import clean

    result = clean(event.text("last_assistant_message", _TASK), _RESULT)
    if result:
        name = clean(event.agent_type, 100)
        journal.record(event, "note", about="subagent", text="%s: %s" % (name, result))


def _task(event: Event) -> str:
    """Take and return the first waiting task for the subagent's type, or ''."""
    path = _tasks(event)
    if not os.path.exists(path):
        return ""
    chosen: list[str] = []

    def take(waiting: Any) -> list[Any]:
        remaining = list(checked.items(waiting))
        for pair in remaining:
            if isinstance(pair, list) and len(pair) == 2 and pair[0] in ("", event.agent_type):
                remaining.remove(pair)
                chosen.append(str(pair[1]))
                break
        return remaining

    state.update_json(path, take)
    return chosen[0] if chosen else ""


def _tasks(event: Event) -> str:
    return state.session_file(event.session_key, "tasks")
