"""What the user allows and refuses when asked, counted by the rule that would say so."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from sqlite3 import Connection
    from typing import Any

    Line = dict[str, Any]

_OFTEN = 3  # answers, all the same, that make a habit


def add(connection: Connection, lines: Sequence[Line], fresh: Sequence[Line]) -> None:
    """Count the answers: what was asked for and then ran was allowed.

    What did not run before the next prompt or the end of the turn was refused.
    """
    waiting: dict[int, str] = {}
    new = set(map(id, fresh))
    for line in lines:
        kind, counts = line["is"], id(line) in new
        if kind == "asked" and _text(line, "rule"):
            waiting[_number(line, "call")] = _text(line, "rule")
        elif kind in ("edit", "ran", "did", "failed") and _number(line, "call") in waiting:
            rule = waiting.pop(_number(line, "call"))
            if counts:
                _count(connection, rule, "allowed", line)
        elif kind == "denied" and _text(line, "rule"):
            waiting.pop(_number(line, "call"), None)
            if counts:
                _count(connection, _text(line, "rule"), "refused", line)
        elif kind in ("turn", "end", "prompt"):
            for rule in waiting.values() if counts else ():
                _count(connection, rule, "refused", line)
            waiting.clear()


def rows(connection: Connection) -> list[tuple[str, int, int, int, str]]:
    sql = "SELECT rule, asked, allowed, refused, last FROM preference ORDER BY asked DESC, rule"
    return connection.execute(sql).fetchall()


def told(rows: Sequence[tuple[str, int, int, int, str]]) -> tuple[list[dict[str, Any]], list[str]]:
    """Return what to print: the habits with the entry of settings.json that would say so."""
    from hooklib.cli import terminal

    data = []
    for rule, asked, allowed, refused, last in rows:
        habit = ""
        if max(allowed, refused) >= _OFTEN and not min(allowed, refused):
            habit = "allow" if allowed else "deny"
        entry = {"permissions": {habit: [rule]}} if habit else None
        data.append({
            "rule": rule, "asked": asked, "allowed": allowed, "refused": refused, "last": last,
            "always": habit, "settings": entry,
        })  # fmt: skip
    if not data:
        return [], ["no answers are recorded yet"]
    lines = terminal.table([
        ("ASKED", "ALLOWED", "REFUSED", "RULE"),
        *((d["asked"], d["allowed"], d["refused"], d["rule"]) for d in data),
    ])  # fmt: skip
    for habit in ("allow", "deny"):
        always = [d["rule"] for d in data if d["always"] == habit]
        if always:
            import json

            lines += ["", "always %s, in settings.json this would say so:" % _SAID[habit]]
            lines.append("  " + json.dumps({"permissions": {habit: always}}, ensure_ascii=False))
    return data, lines


_SAID = {"allow": "allowed", "deny": "refused"}


def _count(connection: Connection, rule: str, answer: str, line: Line) -> None:
    from hooklib.memory.store.ingest import when

    yes, no = int(answer == "allowed"), int(answer == "refused")
    sql = (
        "INSERT INTO preference VALUES (?, 1, ?, ?, ?) ON CONFLICT DO UPDATE SET asked = asked + 1,"
        " allowed = allowed + ?, refused = refused + ?, last = excluded.last"
    )
    connection.execute(sql, (rule, yes, no, when(line), yes, no))


def _text(line: Line, name: str) -> str:
    value = line.get(name)
    return value[:300] if isinstance(value, str) else ""


def _number(line: Line, name: str) -> int:
    value = line.get(name)
    return value if isinstance(value, int) else 0
