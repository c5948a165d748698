"""Learn what resolves a failure: changes after which the same command succeeds."""

from __future__ import annotations

from hooklib.checked import text
from hooklib.memory.store import journal, memories
from hooklib.memory.store.entry import Memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from sqlite3 import Connection
    from typing import Any

    Record = dict[str, Any]

SOURCE = "failure"
_FILES, _COMMANDS = 8, 4
_LINES = 200  # records between a failure and its solution
_TITLE = 120
_LOOKING = ("git status", "git diff", "git log", "git show", "git blame", "git grep", "git branch")


def add(connection: Connection, records: Sequence[tuple[bool, Record]]) -> None:
    """Count the failures and store the solutions in a journal's records, those marked as new.

    A failure of the main agent may also be resolved by the changes of a subagent.
    """
    waiting: dict[tuple[str, str], list[Record]] = {}
    for is_new, record in records:
        shape, agent = text(record.get("shape")), text(record.get("agent"))
        if record["is"] == "failed" and text(record.get("signature")):
            if is_new:
                _count_failure(connection, record)
            if shape:
                waiting.setdefault((shape, agent), []).append(record)
        elif record["is"] in ("edit", "ran"):
            if record["is"] == "ran" and (shape, agent) in waiting:
                resolved = _resolved_failures(waiting[shape, agent], record)
                if resolved is not None:
                    del waiting[shape, agent]
                for failure, changes in resolved or () if is_new else ():
                    _store_solution(connection, failure, changes, record)
            for (_, other), later_records in waiting.items():
                if other in ("", agent):
                    later_records.append(record)
                    del later_records[_LINES:]


def _resolved_failures(
    records: list[Record], success: Record
) -> list[tuple[Record, list[Record]]] | None:
    """Return the failures that a success resolves, each with the changes in between.

    Without changes there are none: [] if the very same call succeeded by luck, and None if it was
    another call, which proves nothing.
    """
    shape = text(success.get("shape"))
    resolved: dict[str, tuple[Record, list[Record]]] = {}
    for number, record in enumerate(records):
        changes = [later for later in records[number:] if _may_have_helped(later, shape)]
        if record["is"] == "failed" and changes:
            resolved.setdefault(text(record.get("signature")), (record, changes))
    if not resolved and records[0].get("call") != success.get("call"):
        return None
    return list(resolved.values())


def _may_have_helped(record: Record, shape: str) -> bool:
    """Return whether a record is a change that may resolve a failure of the command shape."""
    return record["is"] == "edit" or (
        record["is"] == "ran" and text(record.get("shape")) not in (shape, *_LOOKING)
    )


def find_solution(
    connection: Connection, signature: str, shape: str
) -> tuple[Memory, int, int] | None:
    """Return a failure's solution, the number of failures and of successes with it, or None.

    If the command has no solution, one for the same error of another command is returned.
    """
    sql = (
        "SELECT solution, count, held FROM failure WHERE signature = ? AND solution != ''"
        " ORDER BY shape = ? DESC, held DESC, last DESC LIMIT 1"
    )
    row = connection.execute(sql, (signature, shape)).fetchone()
    memory = memories.get(connection, row[0]) if row else None
    return (memory, row[1], row[2]) if memory and not memory.superseded else None


def _count_failure(connection: Connection, record: Record) -> None:
    at = journal.timestamp(record)
    sql = (
        "INSERT INTO failure (signature, shape, tool, first, last, count) VALUES (?, ?, ?, ?, ?, 1)"
        " ON CONFLICT DO UPDATE SET last = excluded.last, count = count + 1"
    )
    names = ("signature", "shape", "tool")
    connection.execute(sql, (*(text(record.get(name)) for name in names), at, at))


def _store_solution(
    connection: Connection, failure: Record, changes: list[Record], success: Record
) -> None:
    """Store the changes between a failure and the success of the same command as a memory."""
    shape, signature = text(failure.get("shape")), text(failure.get("signature"))
    files = list(dict.fromkeys(text(c.get("path")) for c in changes if c["is"] == "edit"))
    runs = [change for change in changes if change["is"] == "ran"]
    names = dict.fromkeys(text(run.get("command")) or text(run.get("shape")) for run in runs)
    commands = [name for name in names if name]
    if not files and not commands:
        return
    first = signature.splitlines()[0]
    parts = ["`%s` failed with: %s" % (shape, signature.replace("\n", "; "))]
    if files:
        more = " and %d more" % (len(files) - _FILES) if len(files) > _FILES else ""
        parts.append("changed: %s%s" % (", ".join(files[-_FILES:]), more))
    if commands:
        parts.append("ran: " + "; ".join(commands[-_COMMANDS:]))
    parts.append("then worked: %s" % (text(success.get("command")) or shape))
    title = "%s: %s" % (shape, first[:_TITLE])
    memory = Memory("solution", title, "\n".join(parts), (), files[-_FILES:], 4, SOURCE, 0.8)
    row = connection.execute(
        "SELECT solution FROM failure WHERE signature = ? AND shape = ?", (signature, shape)
    ).fetchone()
    old = memories.get(connection, row[0]) if row and row[0] else None
    if old is not None and old.source != SOURCE:  # never replace what a person saved
        uri = old.uri
    else:
        if old is not None:
            memories.replace(connection, old, memory)
        else:
            memories.add(connection, memory)
        uri = memory.uri
    connection.execute(
        "UPDATE failure SET solution = ?, held = held + 1 WHERE signature = ? AND shape = ?",
        (uri, signature, shape),
    )
