"""What the user allows and refuses when asked, counted by the rule that would say so."""

from __future__ import annotations

from hooklib.checked import number, text
from hooklib.memory.store import journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from sqlite3 import Connection
    from typing import Any

    Line = dict[str, Any]

_RULE = 300  # characters
_OFTEN = 3  # answers, all the same, that make a habit


def add(connection: Connection, lines: Sequence[Line], fresh: Sequence[Line]) -> None:
    """Count the answers: what was asked for and then ran was allowed.

    What did not run before the next prompt or the end of the turn was refused.
    """
    waiting: dict[int, str] = {}
    new = set(map(id, fresh))
    for line in lines:
        kind, counts = line["is"], id(line) in new
        if kind == "asked" and text(line.get("rule"), _RULE):
            waiting[number(line.get("call"))] = text(line.get("rule"), _RULE)
        elif kind in ("edit", "ran", "did", "failed") and number(line.get("call")) in waiting:
            rule = waiting.pop(number(line.get("call")))
            if counts:
                _count(connection, rule, "allowed", line)
        elif kind == "denied" and text(line.get("rule"), _RULE):
            waiting.pop(number(line.get("call")), None)
            if counts:
                _count(connection, text(line.get("rule"), _RULE), "refused", line)
        elif kind in ("turn", "end", "prompt"):
            for rule in waiting.values() if counts else ():
                _count(connection, rule, "refused", line)
            waiting.clear()


def rows(connection: Connection) -> list[tuple[str, int, int, int, str]]:
    sql = "SELECT rule, asked, allowed, refused, last FROM preference ORDER BY asked DESC, rule"
    return connection.execute(sql).fetchall()


def rule_kind(allowed: int, refused: int) -> str:
    """Return the kind of rule that gives the user's constant answer: allow, deny, '' for none."""
    if max(allowed, refused) < _OFTEN or min(allowed, refused):
        return ""
    return "allow" if allowed else "deny"


def _count(connection: Connection, rule: str, answer: str, line: Line) -> None:
    yes, no = int(answer == "allowed"), int(answer == "refused")
    sql = (
        "INSERT INTO preference VALUES (?, 1, ?, ?, ?) ON CONFLICT DO UPDATE SET asked = asked + 1,"
        " allowed = allowed + ?, refused = refused + ?, last = excluded.last"
    )
    connection.execute(sql, (rule, yes, no, journal.when(line), yes, no))
