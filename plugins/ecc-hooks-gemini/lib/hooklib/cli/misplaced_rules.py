"""Find rules for which Claude Code leaves out a whole settings file.

Seen with 2.1.326: a PreToolUse or PermissionRequest rule under any key but `hooks`, or a rule of an
event that it does not know, could be a guard that was put in the wrong place; so nothing of the
file counts, its permissions, plugins and variables included. The list form of rules is no trouble.
"""

from __future__ import annotations

from hooklib.cli import wiring_check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

REASON = "Claude Code leaves out this whole file; write customHooks.rules: [{event, matcher, run}]"
_GUARDS = ("PreToolUse", "PermissionRequest")
_DEPTH = 20


def find(settings: dict[str, Any]) -> str:
    """Return the path of the first such rule, '' where there is none."""
    for key, value in settings.items():
        if key == "hooks":
            continue
        found = _in(value, str(key), key in _GUARDS, 0)
        if found:
            return found
    return ""


def _in(value: Any, path: str, guard: bool, depth: int) -> str:
    if depth > _DEPTH:
        return ""
    if isinstance(value, list):
        if guard and value:
            return path
        parts = [("%s[%d]" % (path, number), "", part) for number, part in enumerate(value)]
    elif isinstance(value, dict):
        handlers = value.get("hooks")
        if isinstance(handlers, list) and any(isinstance(each, dict) for each in handlers):
            return path
        parts = [("%s.%s" % (path, key), str(key), part) for key, part in value.items()]
    else:
        return ""
    for place, key, part in parts:
        harmless = key in wiring_check.EVENTS and key not in _GUARDS
        found = "" if harmless else _in(part, place, key in _GUARDS, depth + 1)
        if found:
            return found
    return ""
