"""Gemini CLI's tools in Claude Code's terms: names, inputs and results."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Values = dict[str, Any]

# the client's name: ours, and the fields that have another name with us
TOOLS: dict[str, tuple[str, dict[str, str]]] = {
    "write_file": ("Write", {}),
    "replace": ("Edit", {"allow_multiple": "replace_all"}),
    "run_shell_command": ("Bash", {"is_background": "run_in_background"}),
    "read_file": ("Read", {"start_line": "offset"}),
    "glob": ("Glob", {"dir_path": "path"}),
    "grep_search": ("Grep", {"dir_path": "path", "include_pattern": "glob"}),
    "list_directory": ("LS", {"dir_path": "path"}),
    "web_fetch": ("WebFetch", {}),
    "google_web_search": ("WebSearch", {}),
    "write_todos": ("TodoWrite", {}),
    "invoke_agent": ("Agent", {"agent_name": "subagent_type"}),
    "activate_skill": ("Skill", {"name": "skill"}),
}
_PATHS = ("file_path", "path")
_OPEN, _CLOSE = "<untrusted_context>", "</untrusted_context>"
_OUTPUT = "Output: "
_TOO_LONG = "Command was automatically cancelled"
_ERROR = 20_000


def name(theirs: str, context: object = None) -> str:
    """Return our name of a tool; context is what the client says of an MCP server's tool."""
    if theirs in TOOLS:
        return TOOLS[theirs][0]
    if isinstance(context, dict):
        server, tool = context.get("server_name"), context.get("tool_name")
        if isinstance(server, str) and isinstance(tool, str):
            return "mcp__%s__%s" % (server, tool)
    return theirs


def arguments(theirs: str, given: Values, cwd: str) -> Values:
    """Return a tool's input with our names for its fields, and paths from the root.

    The client's own fields stay beside them: whoever rewrites the input gives all of it back.
    """
    fields = TOOLS[theirs][1] if theirs in TOOLS else {}
    made = {**given, **{ours: given[key] for key, ours in fields.items() if key in given}}
    for key in _PATHS if theirs in TOOLS else ():
        if isinstance(made.get(key), str) and cwd:
            made[key] = os.path.normpath(os.path.join(cwd, made[key]))
    if theirs == "read_file" and isinstance(given.get("end_line"), int):
        first = given.get("start_line")
        made["limit"] = given["end_line"] - (first if isinstance(first, int) else 1) + 1
    elif theirs == "write_todos" and isinstance(given.get("todos"), list):
        made["todos"] = [_todo(each) for each in given["todos"]]
    return made


def rewritten(theirs: str, made: Values) -> Values:
    """Return an input of ours as the client takes it: whole, with its own names alone."""
    fields = TOOLS[theirs][1] if theirs in TOOLS else {}
    given = {key: value for key, value in made.items() if key not in fields.values()}
    given.update({key: made[ours] for key, ours in fields.items() if ours in made})
    limit = given.pop("limit", None) if theirs == "read_file" else None
    if isinstance(limit, int):
        first = given.get("start_line")
        given["end_line"] = (first if isinstance(first, int) else 1) + limit - 1
    return given


def _todo(each: object) -> object:
    return {**each, "content": each.get("description")} if isinstance(each, dict) else each


def failure(tool: str, response: Values) -> str:
    """Return why a call failed, in Claude Code's words; '' where it did not.

    A command that ends with an error is no failed call to the client: only its text tells.
    """
    told = text_of(response.get("llmContent"))
    error = response.get("error")
    if error:
        message = error.get("message") if isinstance(error, dict) else error
        return (message if isinstance(message, str) else told)[:_ERROR] or "failed"
    printed, how = _command(told, response) if tool == "Bash" else ("", "")
    return (how + "\n" + printed).strip()[:_ERROR] if how else ""


def result(tool: str, response: Values) -> Values:
    """Return a call's result in the shape that Claude Code gives it."""
    told = text_of(response.get("llmContent"))
    if tool == "Bash":
        return {"stdout": _command(told, response)[0], "stderr": "", "interrupted": False}
    display = response.get("returnDisplay")
    if tool in ("Write", "Edit") and isinstance(display, dict):
        created = display.get("isNewFile") is True
        return {
            "type": "create" if created else "update",
            "filePath": display.get("filePath"),
            "originalFile": display.get("originalContent"),
        }
    return {"content": told}


def _command(told: str, response: Values) -> tuple[str, str]:
    """Return what a command printed, and how it failed ('' where it did not).

    The client writes lines of its own behind the output, in this order from the end. What it shows
    to the user is the output alone: a line of the command's own that looks like them is in there.
    """
    shown = response.get("returnDisplay")
    text = told.strip()
    if text.startswith(_OPEN) and text.endswith(_CLOSE):
        text = text[len(_OPEN) : -len(_CLOSE)].strip()
    if text.startswith(_TOO_LONG):
        return "", "Command timed out"
    if not text.startswith(_OUTPUT):
        return text, ""
    how = ""
    for mark in ("Process Group PGID: ", "Background PIDs: ", "Signal: ", "Exit Code: "):
        rest, _, last = text.rpartition("\n")
        if not last.startswith(mark) or text == _OUTPUT + str(shown).strip():
            continue
        text = rest
        if mark == "Exit Code: ":
            how = "Exit code " + last[len(mark) :]
        elif mark == "Signal: ":
            how = "Exit code: killed by signal " + last[len(mark) :]
    text = text[len(_OUTPUT) :]
    return "" if text == "(empty)" else text, how


def text_of(content: object) -> str:
    """Return the text of what the client tells its model: text, or parts with text."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [content]
    texts = [part.get("text") if isinstance(part, dict) else part for part in parts]
    return "\n".join(text for text in texts if isinstance(text, str))
