"""Gemini CLI's transcript in Claude Code's form: what was asked, said, called and came back.

Each line is one JSON object. A reply is written when it has arrived and once more when its tool
calls are done, under the same id; `$set` lines are about the file, not the conversation.
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


def size(path: str) -> tuple[int, str]:
    """Return the tokens of the last request, and its model; (0, '') where that is unknown."""
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
            continue  # not finished yet
        tokens = record.get("tokens")
        count = tokens.get("input") if isinstance(tokens, dict) else None
        if isinstance(count, int):
            return count, str(record.get("model", ""))
    return 0, ""


def records(line: bytes, seen: set[str]) -> list[Record]:
    """Return what one line tells, as records of Claude Code; seen holds the calls told before."""
    if not line.startswith(_RECORD):
        return []
    try:
        record = jsonio.loads(line)
    except (ValueError, RecursionError):
        return []
    kind, content = record.get("type"), record.get("content")
    if kind == "user":
        text = _asked(content)
        return [_record(record, "user", [{"type": "text", "text": text}])] if text else []
    if kind != "gemini":
        return []
    calls = record.get("toolCalls")
    new = [each for each in calls if _is_new(each, seen)] if isinstance(calls, list) else []
    blocks: list[Record] = [{"type": "text", "text": tool_names.text_of(content)}]
    blocks += [_call(each) for each in new]
    told = [_record(record, "assistant", blocks)]
    told[0]["message"]["model"] = record.get("model")
    return [*told, *(_record(record, "user", [_result(each)]) for each in new)]


def bare(text: str) -> str:
    """Return what the user typed or a tool told, without what the client and hooks have added."""
    for name in _CONTEXTS:
        while "<%s>" % name in text:
            before, _, rest = text.partition("<%s>" % name)
            text = before + rest.partition("</%s>" % name)[2]
    return text.strip()


def _asked(content: object) -> str:
    parts = content if isinstance(content, list) else [content]
    if any(isinstance(part, dict) and "functionResponse" in part for part in parts):
        return ""  # told with the call it belongs to
    return bare(tool_names.text_of(content))


def _record(record: Record, kind: str, blocks: list[Record]) -> Record:
    return {
        "type": kind,
        "timestamp": record.get("timestamp"),
        "message": {"role": kind, "content": blocks},
    }


def _is_new(call: Any, seen: set[str]) -> bool:
    name = call.get("id") if isinstance(call, dict) else None
    if not isinstance(name, str) or name in seen:
        return False
    seen.add(name)
    return isinstance(call.get("name"), str) and isinstance(call.get("args"), dict)


def _call(call: Record) -> Record:
    given = tool_names.arguments(call["name"], call["args"], "")
    shown = call.get("resultDisplay")
    if isinstance(shown, dict) and isinstance(shown.get("filePath"), str):
        given["file_path"] = shown["filePath"]  # what the model wrote may be relative
    name = tool_names.name(call["name"])
    return {"type": "tool_use", "id": call["id"], "name": name, "input": given}


def _result(call: Record) -> Record:
    """Return a call's result; one that failed begins as Claude Code's would."""
    told: Any = None
    for part in call["result"] if isinstance(call.get("result"), list) else ():
        answer = part.get("functionResponse") if isinstance(part, dict) else None
        told = answer.get("response") if isinstance(answer, dict) else told
    told = told if isinstance(told, dict) else {}
    output = bare(tool_names.text_of(told.get("output")))
    name = tool_names.name(call["name"])
    response = {"llmContent": output, "returnDisplay": call.get("resultDisplay")}
    error = tool_names.failure(name, {**response, "error": told.get("error")})
    text = error or output
    failed = bool(error) or call.get("status") not in ("success", None)
    return {"type": "tool_result", "tool_use_id": call["id"], "content": text, "is_error": failed}
