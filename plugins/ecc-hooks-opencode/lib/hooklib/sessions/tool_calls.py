"""What tool calls tell of a session: files changed, tasks, commands that failed, answers."""

from __future__ import annotations

from hooklib import checked, sanitize
from hooklib.event import EDIT_TOOLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.sessions.session_state import State
    from hooklib.sessions.state_folder import Place

    Block = dict[str, Any]

_EDITS = {**dict.fromkeys(EDIT_TOOLS, "edited"), "Write": "rewritten"}
_PENDING, _TOOLS, _FILES, _FAILED, _TASKS = 50, 60, 200, 10, 50
_NAME, _PATH, _COMMAND, _ERROR, _SUBJECT = 100, 400, 300, 200, 200
_RAW = 8_000  # of a call's input, until it is redacted
_ENDED = ("completed", "deleted", "cancelled")


def called(held: State, block: Block) -> None:
    """Note a call; what came of it is in a later record, or not there yet: see settle."""
    name, given = block.get("name"), block.get("input")
    if not isinstance(name, str) or not isinstance(given, dict):
        return
    name = name[:_NAME]
    if name in held["tools"] or len(held["tools"]) < _TOOLS:
        held["tools"][name] = held["tools"].get(name, 0) + 1
    detail = ""
    if name in _EDITS:
        detail = _first_text(given, "file_path", "notebook_path")
    elif name == "Bash":
        detail = _first_text(given, "command")
    elif name == "TodoWrite":
        _replace_tasks(held, given.get("todos"))
        return
    elif name == "TaskUpdate":
        detail = _first_text(given, "status")[:_NAME] + " " + _first_text(given, "taskId")[:_NAME]
    elif name == "ExitPlanMode":
        detail = _first_text(given, "plan")
    elif name not in ("TaskCreate", "AskUserQuestion"):
        return
    if isinstance(block.get("id"), str):
        held["pending"][block["id"][:_NAME]] = [name, detail[:_RAW]]
        while len(held["pending"]) > _PENDING:
            del held["pending"][next(iter(held["pending"]))]


def settle(held: State) -> None:
    """Make the calls that still wait for their results fit to be written."""
    for waiting in held["pending"].values():
        waiting[1:] = [sanitize.kept(str(detail), _PATH) for detail in waiting[1:2]]


def returned(held: State, place: Place, block: Block, record: Block, agent: str) -> list[str]:
    """Note what came of a call; return the decisions that the user made by it."""
    call = held["pending"].pop(str(block.get("tool_use_id"))[:_NAME], None)
    if call is None or len(call) != 2 or not all(isinstance(part, str) for part in call):
        return []
    name, detail = call
    text, result = _text(block.get("content")), record.get("toolUseResult")
    if name == "Bash":
        failed = bool(block.get("is_error"))
        if failed or held["failed"]:
            _ran(held, sanitize.kept(detail, _COMMAND), text if failed else "")
    elif block.get("is_error"):
        return []
    elif name in _EDITS:
        how = "created" if "created" in text[:40] else _EDITS[name]
        _changed(held, place.relative(detail), how, agent or "main")
    elif name == "TaskCreate":
        _task_made(held, result)
    elif name == "TaskUpdate":
        _task_updated(held, *detail.split(" ", 1))
    elif name == "ExitPlanMode":
        return ["plan approved: " + detail]
    elif name == "AskUserQuestion" and isinstance(result, dict):
        pairs = checked.mapping(result.get("answers")).items()
        return ["%s -> %s" % (question, answer) for question, answer in pairs][:_PENDING]
    return []


def open_tasks(held: State) -> list[dict[str, str]]:
    return [task for task in held["tasks"] if _is_task(task) and task["status"] not in _ENDED]


def _changed(held: State, path: str, how: str, by: str) -> None:
    path = sanitize.kept(path, _PATH)
    if not path:
        return
    old = held["files"].pop(path, {})  # the latest stand last
    people = checked.items(old.get("by"))
    if by[:_NAME] not in people:
        people = [*people, by[:_NAME]]
    if old.get("how") == "created":
        how = "created"
    held["files"][path] = {"how": how, "count": checked.number(old.get("count")) + 1, "by": people}
    if len(held["files"]) > _FILES:
        del held["files"][next(iter(held["files"]))]


def _ran(held: State, command: str, error: str) -> None:
    """Note a command that failed, until the same one succeeds."""
    held["failed"] = [each for each in held["failed"] if each.get("command") != command]
    lines = [line for line in error.splitlines() if line.strip()]
    if not lines or not lines[0].startswith(("Exit code", "Command timed out")):
        return  # it succeeded, or the user did not let it run
    if lines == ["Exit code 1"]:
        return  # a search that found nothing, a comparison: no failure to speak of
    told = lines[0] if len(lines) == 1 else lines[0] + ": " + lines[-1].strip()
    held["failed"].append({"command": command, "error": sanitize.kept(told, _ERROR)})
    del held["failed"][:-_FAILED]


def _replace_tasks(held: State, todos: object) -> None:
    if not isinstance(todos, list):
        return
    held["tasks"] = []
    for number, todo in enumerate(todos[:_TASKS], 1):
        if isinstance(todo, dict):
            _set_task(held, str(number), todo.get("content"), todo.get("status"))


def _task_made(held: State, result: object) -> None:
    task = checked.mapping(result).get("task")
    if isinstance(task, dict):
        _set_task(held, str(task.get("id"))[:_NAME], task.get("subject"), "pending")


def _task_updated(held: State, status: str, name: str) -> None:
    for task in held["tasks"]:
        if _is_task(task) and task["id"] == name and status:
            task["status"] = status


def _set_task(held: State, name: str, subject: object, status: object) -> None:
    if isinstance(subject, str) and isinstance(status, str):
        task = {
            "id": name,
            "subject": sanitize.kept(subject, _SUBJECT),
            "status": sanitize.kept(status, _NAME),
        }
        held["tasks"] = [t for t in held["tasks"] if _is_task(t) and t["id"] != name] + [task]
        while len(held["tasks"]) > _TASKS:
            ended = (n for n, t in enumerate(held["tasks"]) if t["status"] in _ENDED)
            del held["tasks"][next(ended, 0)]


def _is_task(task: object) -> bool:
    return isinstance(task, dict) and all(
        isinstance(task.get(key), str) for key in ("id", "subject", "status")
    )


def _first_text(given: Block, *keys: str) -> str:
    return next((given[key] for key in keys if isinstance(given.get(key), str)), "")


def _text(content: object) -> str:
    if isinstance(content, list):
        texts = [block.get("text") for block in content if isinstance(block, dict)]
        content = "\n".join(checked.texts(texts))
    return checked.text(content, 20_000)
