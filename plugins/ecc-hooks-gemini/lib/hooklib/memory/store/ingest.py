"""Apply the journals of sessions to the database, each record once."""

from __future__ import annotations

import os

from hooklib import checked, clock
from hooklib.memory.store import database, journal, memories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection
    from typing import Any

    from hooklib.memory.store.memory_folder import MemoryFolder

    Record = dict[str, Any]

_SESSIONS = 50  # sessions whose changes and notes are kept
_JOURNALS = 30  # journals that are kept: a resumed session must know what it was shown
_AT_ONCE = 5  # journals of other sessions
_APPLIED = "SELECT key, folded FROM session"


def apply_journal(folder: MemoryFolder, key: str, session_ended: bool = False) -> None:
    """Apply the new records of a session's journal."""
    data = journal.read(folder, key)
    if session_ended or _applied_sizes(folder).get(key, 0) != data.rfind(b"\n") + 1:
        database.write(folder, lambda c: _apply_new_records(c, folder, key, data, session_ended))


def _applied_sizes(folder: MemoryFolder) -> dict[str, int]:
    """Return how many bytes of each session's journal the database has."""
    return dict(database.read(folder, lambda c: c.execute(_APPLIED).fetchall()) or [])


def apply_other_journals(folder: MemoryFolder, key: str) -> None:
    """Apply what other sessions left, which run elsewhere or were killed; remove old journals."""
    applied = _applied_sizes(folder)
    others = [(other, size) for other, size in journal.sizes(folder) if other != key]
    unapplied = [other for other, size in others if applied.get(other, 0) != size]
    for other in unapplied[:_AT_ONCE]:
        apply_journal(folder, other)
    for other, size in others[_JOURNALS:]:
        if applied.get(other, 0) == size:
            os.unlink(journal.path_of(folder, other))


def apply_all_journals(folder: MemoryFolder) -> None:
    for key, _ in journal.sizes(folder):
        apply_journal(folder, key)


def _apply_new_records(
    connection: Connection, folder: MemoryFolder, key: str, data: bytes, session_ended: bool
) -> None:
    from hooklib.memory.learn import failures, permission_habits
    from hooklib.memory.store import bloom

    row = connection.execute("SELECT folded FROM session WHERE key = ?", (key,)).fetchone()
    applied = row[0] if row else 0
    if applied > len(data):  # this is another journal under the same name
        applied = 0
    records = list(journal.records(data))
    new_records = [record for end, record in records if end > applied]
    if not row:
        first = records[0][1] if records else {}
        sql = "INSERT INTO session (key, started) VALUES (?, ?)"
        connection.execute(sql, (key, journal.timestamp(first)))
    paths = {_text(record, "path") for record in new_records if record["is"] == "edit"}
    if paths:
        bloom.add(connection, map(bloom.changed_path_key, paths))
    for record in new_records:
        _apply_record(connection, folder, key, record)
    failures.add(connection, [(end > applied, record) for end, record in records])
    permission_habits.add(connection, [record for _, record in records], new_records)
    ended = clock.now() if session_ended else ""
    connection.execute(
        "UPDATE session SET folded = ?, ended = ? WHERE key = ?",
        (data.rfind(b"\n") + 1, ended, key),
    )
    if session_ended:
        temporary = memories.select(connection, "session = ?", (key,))
        memories.delete(connection, temporary)
        _prune(connection, {name for name, _ in journal.sizes(folder)})


def _apply_record(connection: Connection, folder: MemoryFolder, key: str, record: Record) -> None:
    kind, when = record["is"], journal.timestamp(record)
    if kind == "edit":
        sql = (
            "INSERT INTO change VALUES (?, ?, ?, ?, 1) ON CONFLICT DO UPDATE SET at = excluded.at,"
            " count = count + 1"
        )
        connection.execute(sql, (_text(record, "path"), when, key, _text(record, "agent")))
    elif kind == "prompt":
        sql = "UPDATE session SET about = ? WHERE key = ? AND about = ''"
        connection.execute(sql, (_text(record, "text"), key))
    elif kind == "note":
        row = (key, when, _text(record, "about"), _text(record, "text"))
        connection.execute("INSERT INTO note VALUES (?, ?, ?, ?)", row)
    elif kind == "told":
        for stamp in journal.shown_stamps(record):
            scope, _, id = stamp.partition(" ")[0].partition(":")
            if scope == folder.scope and id.isdigit():
                memories.count_use(connection, int(id), when)


def _prune(connection: Connection, with_journal: set[str]) -> None:
    """Remove the changes and notes of old sessions; memories stay."""
    order = "SELECT key FROM session ORDER BY started DESC LIMIT -1 OFFSET %d" % _SESSIONS
    for (key,) in connection.execute(order).fetchall():
        if key not in with_journal:  # its journal would be applied again
            for table, column in (("change", "session"), ("note", "session"), ("session", "key")):
                connection.execute("DELETE FROM %s WHERE %s = ?" % (table, column), (key,))


def _text(record: Record, name: str) -> str:
    return checked.text(record.get(name), 1_000)
