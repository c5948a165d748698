"""What a subagent is told when it starts, and what is kept of it when it ends."""

from __future__ import annotations

import os

from hooklib import checked, state
from hooklib.memory.store import journal, memory_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.event import Event

_TASK = 4_000
_WAITING = 20  # tasks of subagents that were refused stay
_RESULT = 600


def briefing(event: Event) -> str:
    """Return the memories for a subagent's task."""
    from hooklib.memory.search import recall

    return recall.for_task(event, _task(event)) if memory_folder.any_there(event) else ""


def called(event: Event) -> None:
    """Keep what the subagent is called for until it starts: the transcript may come too late."""
    kind, prompt = (event.tool_input.get(key) for key in ("subagent_type", "prompt"))
    if not isinstance(prompt, str) or not memory_folder.any_there(event):
        return
    from hooklib.sanitize import kept

    new = [checked.text(kind, 100), kept(prompt, _TASK)]
    state.update_json(_tasks(event), lambda waiting: [*checked.items(waiting), new][-_WAITING:])


def ended(event: Event) -> None:
    """Keep the result, shortened."""
    from hooklib.sanitize import kept

    result = kept(event.text("last_assistant_message", _TASK), _RESULT)
    if result:
        name = kept(event.agent_type, 100)
        journal.note(event, "note", about="subagent", text="%s: %s" % (name, result))


def _task(event: Event) -> str:
    """Return what the subagent was started for: the first task for its type that none has taken."""
    path = _tasks(event)
    if not os.path.exists(path):
        return ""
    taken: list[str] = []

    def take(waiting: Any) -> list[Any]:
        left = list(checked.items(waiting))
        for pair in left:
            if isinstance(pair, list) and len(pair) == 2 and pair[0] in ("", event.agent_type):
                left.remove(pair)
                taken.append(str(pair[1]))
                break
        return left

    state.update_json(path, take)
    return taken[0] if taken else ""


def _tasks(event: Event) -> str:
    return state.session_file(event.session_key, "tasks")
