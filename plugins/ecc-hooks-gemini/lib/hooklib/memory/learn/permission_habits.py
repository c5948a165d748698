"""Count which permissions the user allows and refuses, by the rule that would answer the same."""

from __future__ import annotations

from hooklib.checked import number, text
from hooklib.memory.store import journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from sqlite3 import Connection
    from typing import Any

    Record = dict[str, Any]

_RULE = 300  # characters
_OFTEN = 3  # answers, all the same, that make a habit


def add(connection: Connection, records: Sequence[Record], new_records: Sequence[Record]) -> None:
    """Count the answers in the new records of a journal.

    A call that ran after the question was allowed. One that did not run before the next prompt or
    the end of the turn was refused.
    """
    pending: dict[int, str] = {}
    new_ids = set(map(id, new_records))
    for record in records:
        kind, is_new = record["is"], id(record) in new_ids
        if kind == "asked" and text(record.get("rule"), _RULE):
            pending[number(record.get("call"))] = text(record.get("rule"), _RULE)
        elif kind in ("edit", "ran", "did", "failed") and number(record.get("call")) in pending:
            rule = pending.pop(number(record.get("call")))
            if is_new:
                _count(connection, rule, "allowed", record)
        elif kind == "denied" and text(record.get("rule"), _RULE):
            pending.pop(number(record.get("call")), None)
            if is_new:
                _count(connection, text(record.get("rule"), _RULE), "refused", record)
        elif kind in ("turn", "end", "prompt"):
            for rule in pending.values() if is_new else ():
                _count(connection, rule, "refused", record)
            pending.clear()


def rows(connection: Connection) -> list[tuple[str, int, int, int, str]]:
    sql = "SELECT rule, asked, allowed, refused, last FROM preference ORDER BY asked DESC, rule"
    return connection.execute(sql).fetchall()


def rule_kind(allowed: int, refused: int) -> str:
    """Return the rule for the user's constant answer, `allow` or `deny`, or '' if it varies."""
    if max(allowed, refused) < _OFTEN or min(allowed, refused):
        return ""
    return "allow" if allowed else "deny"


def _count(connection: Connection, rule: str, answer: str, record: Record) -> None:
    yes, no = int(answer == "allowed"), int(answer == "refused")
    sql = (
        "INSERT INTO preference VALUES (?, 1, ?, ?, ?) ON CONFLICT DO UPDATE SET asked = asked + 1,"
        " allowed = allowed + ?, refused = refused + ?, last = excluded.last"
    )
    connection.execute(sql, (rule, yes, no, journal.timestamp(record), yes, no))
