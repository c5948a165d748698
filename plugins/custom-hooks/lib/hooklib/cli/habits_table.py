"""What the user always allows or refuses, as `hookctl memory preferences` prints it."""

from __future__ import annotations

from hooklib.cli import terminal
from hooklib.memory.learn import permission_habits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_SAID = {"allow": "allowed", "deny": "refused"}


def reply(rows: Sequence[tuple[str, int, int, int, str]]) -> terminal.Reply:
    """Return the habits with the entry of settings.json that would say so."""
    data: list[dict[str, Any]] = []
    for rule, asked, allowed, refused, last in rows:
        habit = permission_habits.rule_kind(allowed, refused)
        entry = {"permissions": {habit: [rule]}} if habit else None
        data.append({
            "rule": rule, "asked": asked, "allowed": allowed, "refused": refused, "last": last,
            "always": habit, "settings": entry,
        })  # fmt: skip
    if not data:
        return terminal.Reply([], ["no answers are recorded yet"])
    lines = terminal.table([
        ("ASKED", "ALLOWED", "REFUSED", "RULE"),
        *((d["asked"], d["allowed"], d["refused"], d["rule"]) for d in data),
    ])  # fmt: skip
    for habit in _SAID:
        rules = [each["rule"] for each in data if each["always"] == habit]
        if rules:
            import json

            lines += ["", "always %s, in settings.json this would say so:" % _SAID[habit]]
            lines.append("  " + json.dumps({"permissions": {habit: rules}}, ensure_ascii=False))
    return terminal.Reply(data, lines)
