"""Find rules that make Claude Code ignore a whole settings file.

Seen with 2.1.326: Claude Code takes a PreToolUse or PermissionRequest rule under any key but
`hooks`, or a rule of an unknown event, for a misplaced guard. It then ignores the whole file,
including its permissions, plugins and variables. The list form of rules has no such effect.
"""

from __future__ import annotations

from hooklib.cli import wiring_check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

REASON = "Claude Code ignores this whole file; write customHooks.rules: [{event, matcher, run}]"
_GUARDS = ("PreToolUse", "PermissionRequest")
_DEPTH = 20


def find(settings: dict[str, Any]) -> str:
    """Return the path of the first such rule, or ''."""
    for key, value in settings.items():
        if key == "hooks":
            continue
        path = _search(value, str(key), key in _GUARDS, 0)
        if path:
            return path
    return ""


def _search(value: Any, path: str, guard: bool, depth: int) -> str:
    if depth > _DEPTH:
        return ""
    if isinstance(value, list):
        if guard and value:
            return path
        parts = [("%s[%d]" % (path, number), "", part) for number, part in enumerate(value)]
    elif isinstance(value, dict):
        handlers = value.get("hooks")
        if isinstance(handlers, list) and any(isinstance(handler, dict) for handler in handlers):
            return path
        parts = [("%s.%s" % (path, key), str(key), part) for key, part in value.items()]
    else:
        return ""
    for inner, key, part in parts:
        harmless = key in wiring_check.EVENTS and key not in _GUARDS
        rule = "" if harmless else _search(part, inner, key in _GUARDS, depth + 1)
        if rule:
            return rule
    return ""
