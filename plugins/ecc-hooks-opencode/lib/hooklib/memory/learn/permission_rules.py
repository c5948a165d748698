"""Suggest a permission rule for settings.json that answers as the user keeps answering."""

from __future__ import annotations

from hooklib.checked import text
from hooklib.event import EDIT_TOOLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Claude Code only checks Edit(path) and Read(path); it accepts Write(path) but never uses it.
_PATHS = {
    **dict.fromkeys(EDIT_TOOLS, "Edit"),
    **dict.fromkeys(("Read", "NotebookRead", "Glob", "Grep", "LS"), "Read"),
}
_FIELDS = ("file_path", "notebook_path", "path")
_SPECIAL = frozenset("*?[]{}!()\\#,\n\r\t")  # characters with a meaning in rules
_DOMAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789.-")
_LONGEST = 300


def rule_for(tool_name: str, tool_input: dict[str, Any], root: str = "", home: str = "") -> str:
    """Return the narrowest rule that covers calls like this one, or '' if none is safe."""
    if tool_name == "Bash":
        return _command(text(tool_input.get("command")))
    if tool_name in _PATHS:
        path = next((text(tool_input.get(field)) for field in _FIELDS if field in tool_input), "")
        return _path(_PATHS[tool_name], path, tool_name in ("Glob", "Grep", "LS"), root, home)
    if tool_name == "WebFetch":
        domain = _domain(text(tool_input.get("url")))
        return "WebFetch(domain:%s)" % domain if domain else ""
    for tool, field in (("Agent", "subagent_type"), ("Task", "subagent_type"), ("Skill", "skill")):
        if tool_name == tool:
            name = text(tool_input.get(field))
            return "%s(%s)" % (tool, name) if _is_name(name.replace(":", "")) else ""
    return tool_name if _is_name(tool_name) else ""


def _command(command: str) -> str:
    from hooklib.shell.command_shape import prefix

    start = prefix(command)
    return "Bash(%s:*)" % start if start and _SPECIAL.isdisjoint(start) else ""


def _path(rule: str, path: str, is_folder: bool, root: str, home: str) -> str:
    path = path.replace("\\", "/")
    root, home = root.replace("\\", "/").rstrip("/"), home.replace("\\", "/").rstrip("/")
    parts = path.split("/")
    if not path or ".." in parts or len(path) > _LONGEST:
        return ""
    if root and (path + "/").startswith(root + "/"):
        start, inside = "", path[len(root) + 1 :]
    elif home and path.startswith(home + "/"):
        start, inside = "~/", path[len(home) + 1 :]
    elif path.startswith("/"):
        start, inside = "//", path[1:]
    else:
        start, inside = "", path
    return _pattern(rule, start, inside.strip("/"), is_folder)


def _pattern(rule: str, start: str, inside: str, is_folder: bool) -> str:
    folders = [part for part in inside.split("/") if part not in ("", ".")]
    name = "" if is_folder or not folders else folders.pop()
    if not _SPECIAL.isdisjoint("".join(folders)):
        return ""
    if folders:
        return "%s(%s%s/**)" % (rule, start, "/".join(folders))
    if name and _SPECIAL.isdisjoint(name):
        return "%s(%s%s)" % (rule, start or "/", name)  # without the slash: in every folder
    return ""


def _domain(url: str) -> str:
    scheme, _, rest = url.strip().partition("://")
    host = rest if scheme.lower() in ("http", "https") else ""
    for mark in "/?#":
        host = host.partition(mark)[0]
    host = host.rpartition("@")[2].partition(":")[0].lower()
    return host if "." in host.strip(".") and _DOMAIN.issuperset(host) else ""


def _is_name(name: str) -> bool:
    return 0 < len(name) <= 200 and name.isascii() and name.replace("-", "").isidentifier()
