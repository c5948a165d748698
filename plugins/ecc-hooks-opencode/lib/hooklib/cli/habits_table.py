"""Print what the user always allows or refuses, for `hookctl memory preferences`."""

from __future__ import annotations

from hooklib.cli import terminal
from hooklib.memory.learn import permission_habits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_PAST_TENSE = {"allow": "allowed", "deny": "refused"}


def reply(rows: Sequence[tuple[str, int, int, int, str]]) -> terminal.Reply:
    """Return the habits, each with the settings.json entry that would set it."""
    data: list[dict[str, Any]] = []
    for rule, asked, allowed, refused, last in rows:
        habit = permission_habits.rule_kind(allowed, refused)
        entry = {"permissions": {habit: [rule]}} if habit else None
        data.append({
            "rule": rule, "asked": asked, "allowed": allowed, "refused": refused, "last": last,
            "always": habit, "settings": entry,
        })  # fmt: skip
    if not data:
        return terminal.Reply([], ["no answers recorded yet"])
    lines = terminal.table([
        ("ASKED", "ALLOWED", "REFUSED", "RULE"),
        *((row["asked"], row["allowed"], row["refused"], row["rule"]) for row in data),
    ])  # fmt: skip
    for habit in _PAST_TENSE:
        rules = [row["rule"] for row in data if row["always"] == habit]
        if rules:
            import json

            lines += ["", "always %s; the same as a rule in settings.json:" % _PAST_TENSE[habit]]
            lines.append("  " + json.dumps({"permissions": {habit: rules}}, ensure_ascii=False))
    return terminal.Reply(data, lines)
