"""Read Gemini CLI's transcript as records of Claude Code's form.

Each line is one JSON object. The client writes a reply when it has arrived and once more when its
tool calls are done, under the same id; `$set` lines are about the file, not the conversation.
"""

from __future__ import annotations

from hooklib import files, jsonio
from hooklib.hosts.gemini import tool_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Record = dict[str, Any]

_TAIL = 256_000
_RECORD = b'{"id":"'  # the other lines are about the file
_CONTEXTS = ("hook_context", "session_context")


def last_request(path: str) -> tuple[int, str]:
    """Return the tokens and the model of the last request, (0, '') if they are unknown."""
    try:
        tail = files.read_tail(path, _TAIL) if path else b""
    except OSError:
        return 0, ""
    for line in reversed(tail.split(b"\n")):
        if not line.startswith(_RECORD) or b'"tokens"' not in line:
            continue
        try:
            record = jsonio.loads(line)
        except (ValueError, RecursionError):
            continue  # an unfinished line
        tokens = record.get("tokens")
        count = tokens.get("input") if isinstance(tokens, dict) else None
        if isinstance(count, int):
            return count, str(record.get("model", ""))
    return 0, ""


def records(line: bytes, seen: set[str]) -> list[Record]:
    """Return the records of Claude Code's form in one line; seen has the ids of earlier calls."""
    if not line.startswith(_RECORD):
        return []
    try:
        record = jsonio.loads(line)
    except (ValueError, RecursionError):
        return []
    kind, content = record.get("type"), record.get("content")
    if kind == "user":
        text = _user_text(content)
        return [_record(record, "user", [{"type": "text", "text": text}])] if text else []
    if kind != "gemini":
        return []
    calls = record.get("toolCalls")
    new_calls = [call for call in calls if _is_new(call, seen)] if isinstance(calls, list) else []
    blocks: list[Record] = [{"type": "text", "text": tool_names.text_of(content)}]
    blocks += [_call(call) for call in new_calls]
    messages = [_record(record, "assistant", blocks)]
    messages[0]["message"]["model"] = record.get("model")
    return [*messages, *(_record(record, "user", [_result(call)]) for call in new_calls)]


def without_added_context(text: str) -> str:
    """Return text without the context that the client and hooks have added."""
    for name in _CONTEXTS:
        while "<%s>" % name in text:
            before, _, rest = text.partition("<%s>" % name)
            text = before + rest.partition("</%s>" % name)[2]
    return text.strip()


def _user_text(content: object) -> str:
    parts = content if isinstance(content, list) else [content]
    if any(isinstance(part, dict) and "functionResponse" in part for part in parts):
        return ""  # its call has the result too
    return without_added_context(tool_names.text_of(content))


def _record(record: Record, kind: str, blocks: list[Record]) -> Record:
    return {
        "type": kind,
        "timestamp": record.get("timestamp"),
        "message": {"role": kind, "content": blocks},
    }


def _is_new(call: Any, seen: set[str]) -> bool:
    call_id = call.get("id") if isinstance(call, dict) else None
    if not isinstance(call_id, str) or call_id in seen:
        return False
    seen.add(call_id)
    return isinstance(call.get("name"), str) and isinstance(call.get("args"), dict)


def _call(call: Record) -> Record:
    tool_input = tool_names.claude_input(call["name"], call["args"], "")
    display = call.get("resultDisplay")
    if isinstance(display, dict) and isinstance(display.get("filePath"), str):
        tool_input["file_path"] = display["filePath"]  # the model's path may be relative
    name = tool_names.claude_name(call["name"])
    return {"type": "tool_use", "id": call["id"], "name": name, "input": tool_input}


def _result(call: Record) -> Record:
    """Return the result of a call; the text of a failed one begins as in Claude Code."""
    function_response: Any = None
    for part in call["result"] if isinstance(call.get("result"), list) else ():
        answer = part.get("functionResponse") if isinstance(part, dict) else None
        function_response = (
            answer.get("response") if isinstance(answer, dict) else function_response
        )
    fields = function_response if isinstance(function_response, dict) else {}
    output = without_added_context(tool_names.text_of(fields.get("output")))
    name = tool_names.claude_name(call["name"])
    response = {"llmContent": output, "returnDisplay": call.get("resultDisplay")}
    error = tool_names.failure_text(name, {**response, "error": fields.get("error")})
    text = error or output
    failed = bool(error) or call.get("status") not in ("success", None)
    return {"type": "tool_result", "tool_use_id": call["id"], "content": text, "is_error": failed}
