"""Collect the hooks there are for an event, each checked when it is read."""

from __future__ import annotations

import os

from hooklib import config, files, jsonio

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LIMIT = 2_000_000


class Hook:
    """One hook of one rule: a script of this plugin, and when it runs."""

    __slots__ = ("id", "rule", "matcher", "script", "profile")

    def __init__(self, id: str, rule: str, matcher: str, script: str, profile: str) -> None:
        self.id = id
        self.rule = rule
        self.matcher = matcher
        self.script = script
        self.profile = profile  # the smallest profile that includes it


def load(path: str, event: str) -> tuple[list[Hook], list[str]]:
    """Return a pipeline file's hooks for event, and a warning for each entry left out."""
    try:
        data = jsonio.loads(files.read_bounded(path, _LIMIT))
    except (OSError, ValueError) as error:
        return [], ["%s: %s" % (os.path.basename(path), type(error).__name__)]
    hooks: list[Hook] = []
    warnings: list[str] = []
    events = data.get("hooks") if isinstance(data, dict) else None
    rules = events.get(event, []) if isinstance(events, dict) else None
    for number, rule in enumerate(rules if isinstance(rules, list) else []):
        where = "hooks.%s[%d]" % (event, number)
        entries = rule.get("hooks") if isinstance(rule, dict) else None
        if not isinstance(entries, list):
            warnings.append(where + ": no list of hooks")
            continue
        for index, entry in enumerate(entries):
            try:
                hooks.append(_hook(rule, entry))
            except ValueError as error:
                warnings.append("%s.hooks[%d]: %s" % (where, index, error))
    return hooks, warnings


def _hook(rule: dict[str, Any], entry: Any) -> Hook:
    if not isinstance(entry, dict):
        raise ValueError("not an object")
    matcher = rule.get("matcher", "")
    id, script, profile = entry.get("id"), entry.get("script"), entry.get("profile", "standard")
    if not isinstance(matcher, str):
        raise ValueError("matcher is no text")
    if not isinstance(id, str) or not id:
        raise ValueError("no id")
    if entry.get("type") != "script" or not isinstance(script, str):
        raise ValueError("type is not script, or no script is named")
    if profile not in config.PROFILES:
        raise ValueError("unknown profile")
    return Hook(id, str(rule.get("id", "")), matcher, script, profile)
