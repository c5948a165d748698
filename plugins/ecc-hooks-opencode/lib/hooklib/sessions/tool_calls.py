"""Record tool calls in a session's state: changed files, tasks, failed commands, answers."""

from __future__ import annotations

from hooklib import checked, sanitize
from hooklib.event import EDIT_TOOLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.sessions.session_state import SessionState
    from hooklib.sessions.state_folder import StateFolder

    Block = dict[str, Any]

_EDITS = {**dict.fromkeys(EDIT_TOOLS, "edited"), "Write": "rewritten"}
_PENDING, _TOOLS, _FILES, _FAILED, _TASKS = 50, 60, 200, 10, 50
_NAME, _PATH, _COMMAND, _ERROR, _SUBJECT = 100, 400, 300, 200, 200
_RAW = 8_000  # characters of a call's input before it is redacted
_ENDED = ("completed", "deleted", "cancelled")


def note_call(state: SessionState, block: Block) -> None:
    """Record a call; note_result adds its result, which may not be written yet."""
    name, tool_input = block.get("name"), block.get("input")
    if not isinstance(name, str) or not isinstance(tool_input, dict):
        return
    name = name[:_NAME]
    if name in state["tools"] or len(state["tools"]) < _TOOLS:
        state["tools"][name] = state["tools"].get(name, 0) + 1
    detail = ""
    if name in _EDITS:
        detail = _first_text(tool_input, "file_path", "notebook_path")
    elif name == "Bash":
        detail = _first_text(tool_input, "command")
    elif name == "TodoWrite":
        _replace_tasks(state, tool_input.get("todos"))
        return
    elif name == "TaskUpdate":
        status, task_id = (_first_text(tool_input, key)[:_NAME] for key in ("status", "taskId"))
        detail = status + " " + task_id
    elif name == "ExitPlanMode":
        detail = _first_text(tool_input, "plan")
    elif name not in ("TaskCreate", "AskUserQuestion"):
        return
    if isinstance(block.get("id"), str):
        state["pending"][block["id"][:_NAME]] = [name, detail[:_RAW]]
        while len(state["pending"]) > _PENDING:
            del state["pending"][next(iter(state["pending"]))]


def shorten_pending(state: SessionState) -> None:
    """Redact and shorten the calls without a result before the state is written."""
    for call in state["pending"].values():
        call[1:] = [sanitize.clean(str(detail), _PATH) for detail in call[1:2]]


def note_result(
    state: SessionState, folder: StateFolder, block: Block, record: Block, agent: str
) -> list[str]:
    """Record the result of a call; return the decisions that the user made by it."""
    call = state["pending"].pop(str(block.get("tool_use_id"))[:_NAME], None)
    if call is None or len(call) != 2 or not all(isinstance(part, str) for part in call):
        return []
    name, detail = call
    text, result = _text(block.get("content")), record.get("toolUseResult")
    if name == "Bash":
        failed = bool(block.get("is_error"))
        if failed or state["failed"]:
            _note_command(state, sanitize.clean(detail, _COMMAND), text if failed else "")
    elif block.get("is_error"):
        return []
    elif name in _EDITS:
        how = "created" if "created" in text[:40] else _EDITS[name]
        _note_change(state, folder.relative(detail), how, agent or "main")
    elif name == "TaskCreate":
        _create_task(state, result)
    elif name == "TaskUpdate":
        _update_task(state, *detail.split(" ", 1))
    elif name == "ExitPlanMode":
        return ["plan approved: " + detail]
    elif name == "AskUserQuestion" and isinstance(result, dict):
        pairs = checked.mapping(result.get("answers")).items()
        return ["%s -> %s" % (question, answer) for question, answer in pairs][:_PENDING]
    return []


def open_tasks(state: SessionState) -> list[dict[str, str]]:
    return [task for task in state["tasks"] if _is_task(task) and task["status"] not in _ENDED]


def _note_change(state: SessionState, path: str, how: str, by: str) -> None:
    path = sanitize.clean(path, _PATH)
    if not path:
        return
    old = state["files"].pop(path, {})  # the latest change comes last
    authors = checked.items(old.get("by"))
    if by[:_NAME] not in authors:
        authors = [*authors, by[:_NAME]]
    if old.get("how") == "created":
        how = "created"
    state["files"][path] = {
        "how": how,
        "count": checked.number(old.get("count")) + 1,
        "by": authors,
    }
    if len(state["files"]) > _FILES:
        del state["files"][next(iter(state["files"]))]


def _note_command(state: SessionState, command: str, error: str) -> None:
    """Record a failed command; forget it when the same command succeeds."""
    state["failed"] = [entry for entry in state["failed"] if entry.get("command") != command]
    lines = [line for line in error.splitlines() if line.strip()]
    if not lines or not lines[0].startswith(("Exit code", "Command timed out")):
        return  # it succeeded, or the user refused it
    if lines == ["Exit code 1"]:
        return  # e.g. a search that found nothing or a comparison: not a failure
    message = lines[0] if len(lines) == 1 else lines[0] + ": " + lines[-1].strip()
    state["failed"].append({"command": command, "error": sanitize.clean(message, _ERROR)})
    del state["failed"][:-_FAILED]


def _replace_tasks(state: SessionState, todos: object) -> None:
    if not isinstance(todos, list):
        return
    state["tasks"] = []
    for number, todo in enumerate(todos[:_TASKS], 1):
        if isinstance(todo, dict):
            _set_task(state, str(number), todo.get("content"), todo.get("status"))


def _create_task(state: SessionState, result: object) -> None:
    task = checked.mapping(result).get("task")
    if isinstance(task, dict):
        _set_task(state, str(task.get("id"))[:_NAME], task.get("subject"), "pending")


def _update_task(state: SessionState, status: str, name: str) -> None:
    for task in state["tasks"]:
        if _is_task(task) and task["id"] == name and status:
            task["status"] = status


def _set_task(state: SessionState, name: str, subject: object, status: object) -> None:
    if isinstance(subject, str) and isinstance(status, str):
        task = {
            "id": name,
            "subject": sanitize.clean(subject, _SUBJECT),
            "status": sanitize.clean(status, _NAME),
        }
        state["tasks"] = [t for t in state["tasks"] if _is_task(t) and t["id"] != name] + [task]
        while len(state["tasks"]) > _TASKS:
            ended = (n for n, t in enumerate(state["tasks"]) if t["status"] in _ENDED)
            del state["tasks"][next(ended, 0)]


def _is_task(task: object) -> bool:
    return isinstance(task, dict) and all(
        isinstance(task.get(key), str) for key in ("id", "subject", "status")
    )


def _first_text(tool_input: Block, *keys: str) -> str:
    return next((tool_input[key] for key in keys if isinstance(tool_input.get(key), str)), "")


def _text(content: object) -> str:
    if isinstance(content, list):
        texts = [block.get("text") for block in content if isinstance(block, dict)]
        content = "\n".join(checked.texts(texts))
    return checked.text(content, 20_000)
