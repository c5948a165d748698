"""Translate the names, inputs and results of Gemini CLI's tools to Claude Code's, and back."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Values = dict[str, Any]

# client's name -> Claude Code's name, and the fields with other names: client's -> Claude Code's
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


def claude_name(client_tool: str, context: object = None) -> str:
    """Return Claude Code's name of a tool; context describes a tool of an MCP server."""
    if client_tool in TOOLS:
        return TOOLS[client_tool][0]
    if isinstance(context, dict):
        server, tool = context.get("server_name"), context.get("tool_name")
        if isinstance(server, str) and isinstance(tool, str):
            return "mcp__%s__%s" % (server, tool)
    return client_tool


def claude_input(client_tool: str, client_fields: Values, cwd: str) -> Values:
    """Return a tool's input with Claude Code's field names and absolute paths.

    The client's own fields stay beside them, as a rule that rewrites the input returns all of it.
    """
    fields = TOOLS[client_tool][1] if client_tool in TOOLS else {}
    tool_input = {
        **client_fields,
        **{ours: client_fields[key] for key, ours in fields.items() if key in client_fields},
    }
    for key in _PATHS if client_tool in TOOLS else ():
        if isinstance(tool_input.get(key), str) and cwd:
            tool_input[key] = os.path.normpath(os.path.join(cwd, tool_input[key]))
    if client_tool == "read_file" and isinstance(client_fields.get("end_line"), int):
        first_line = client_fields.get("start_line")
        tool_input["limit"] = (
            client_fields["end_line"] - (first_line if isinstance(first_line, int) else 1) + 1
        )
    elif client_tool == "write_todos" and isinstance(client_fields.get("todos"), list):
        tool_input["todos"] = [_todo(todo) for todo in client_fields["todos"]]
    return tool_input


def client_input(client_tool: str, tool_input: Values) -> Values:
    """Return the whole input with the client's field names only."""
    fields = TOOLS[client_tool][1] if client_tool in TOOLS else {}
    client_fields = {key: value for key, value in tool_input.items() if key not in fields.values()}
    client_fields.update(
        {key: tool_input[ours] for key, ours in fields.items() if ours in tool_input}
    )
    limit = client_fields.pop("limit", None) if client_tool == "read_file" else None
    if isinstance(limit, int):
        first_line = client_fields.get("start_line")
        client_fields["end_line"] = (first_line if isinstance(first_line, int) else 1) + limit - 1
    return client_fields


def _todo(item: object) -> object:
    return {**item, "content": item.get("description")} if isinstance(item, dict) else item


def failure_text(tool: str, response: Values) -> str:
    """Return why a call failed, in Claude Code's words; '' if it did not fail.

    To the client a command with a bad exit code is no failed call: only its text shows the code.
    """
    text = text_of(response.get("llmContent"))
    error = response.get("error")
    if error:
        message = error.get("message") if isinstance(error, dict) else error
        return (message if isinstance(message, str) else text)[:_ERROR] or "failed"
    output, failure = _command(text, response) if tool == "Bash" else ("", "")
    return (failure + "\n" + output).strip()[:_ERROR] if failure else ""


def claude_result(tool: str, response: Values) -> Values:
    """Return a call's result in Claude Code's form."""
    text = text_of(response.get("llmContent"))
    if tool == "Bash":
        return {"stdout": _command(text, response)[0], "stderr": "", "interrupted": False}
    display = response.get("returnDisplay")
    if tool in ("Write", "Edit") and isinstance(display, dict):
        created = display.get("isNewFile") is True
        return {
            "type": "create" if created else "update",
            "filePath": display.get("filePath"),
            "originalFile": display.get("originalContent"),
        }
    return {"content": text}


def _command(message: str, response: Values) -> tuple[str, str]:
    """Return the output of a command, and how it failed ('' if it did not).

    The client appends lines of its own to the output, in this order from the end. It shows the user
    the output alone, so a line of the command itself that looks like these is part of that.
    """
    display = response.get("returnDisplay")
    text = message.strip()
    if text.startswith(_OPEN) and text.endswith(_CLOSE):
        text = text[len(_OPEN) : -len(_CLOSE)].strip()
    if text.startswith(_TOO_LONG):
        return "", "Command timed out"
    if not text.startswith(_OUTPUT):
        return text, ""
    failure = ""
    for mark in ("Process Group PGID: ", "Background PIDs: ", "Signal: ", "Exit Code: "):
        rest, _, last = text.rpartition("\n")
        if not last.startswith(mark) or text == _OUTPUT + str(display).strip():
            continue
        text = rest
        if mark == "Exit Code: ":
            failure = "Exit code " + last[len(mark) :]
        elif mark == "Signal: ":
            failure = "Exit code: killed by signal " + last[len(mark) :]
    text = text[len(_OUTPUT) :]
    return "" if text == "(empty)" else text, failure


def text_of(content: object) -> str:
    """Return the text of a message to the model, which is a text or a list of parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [content]
    texts = [part.get("text") if isinstance(part, dict) else part for part in parts]
    return "\n".join(text for text in texts if isinstance(text, str))
