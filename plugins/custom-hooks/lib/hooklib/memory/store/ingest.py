"""Add up the records of sessions in the database, each line once."""

from __future__ import annotations

import os

from hooklib import checked, clock
from hooklib.memory.store import database, journal, memories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection
    from typing import Any

    from hooklib.memory.store.memory_folder import Place

    Line = dict[str, Any]

_SESSIONS = 50  # whose changes and notes are kept
_RECORDS = 30  # of these: a session that is resumed must know what it was told
_AT_ONCE = 5
_FOLDED = "SELECT key, folded FROM session"


def fold(place: Place, key: str, end: bool = False) -> None:
    """Add up what is new in a session's record."""
    data = journal.read(place, key)
    if end or _folded(place).get(key, 0) != data.rfind(b"\n") + 1:
        database.write(place, lambda connection: _add(connection, place, key, data, end))


def _folded(place: Place) -> dict[str, int]:
    """Return how much of each record is added up."""
    return dict(database.read(place, lambda c: c.execute(_FOLDED).fetchall()) or [])


def fold_others(place: Place, key: str) -> None:
    """Add up what other sessions left: they go on elsewhere, or were killed."""
    done = _folded(place)
    others = [(name, size) for name, size in journal.sizes(place) if name != key]
    for name, _ in [each for each in others if done.get(each[0], 0) != each[1]][:_AT_ONCE]:
        fold(place, name)
    for name, size in others[_RECORDS:]:
        if done.get(name, 0) == size:
            os.unlink(journal.path_of(place, name))


def fold_all(place: Place) -> None:
    for key, _ in journal.sizes(place):
        fold(place, key)


def _add(connection: Connection, place: Place, key: str, data: bytes, end: bool) -> None:
    from hooklib.memory.learn import failures, permission_habits
    from hooklib.memory.store import bloom

    found = connection.execute("SELECT folded FROM session WHERE key = ?", (key,)).fetchone()
    done = found[0] if found else 0
    if done > len(data):  # another record under the same name
        done = 0
    everything = list(journal.lines(data))
    fresh = [line for at, line in everything if at > done]
    if not found:
        first = everything[0][1] if everything else {}
        sql = "INSERT INTO session (key, started) VALUES (?, ?)"
        connection.execute(sql, (key, journal.when(first)))
    paths = {_text(line, "path") for line in fresh if line["is"] == "edit"}
    if paths:
        bloom.add(connection, map(bloom.changed, paths))
    for line in fresh:
        _add_line(connection, place, key, line)
    failures.add(connection, [(at > done, line) for at, line in everything])
    permission_habits.add(connection, [line for _, line in everything], fresh)
    ended = clock.now() if end else ""
    connection.execute(
        "UPDATE session SET folded = ?, ended = ? WHERE key = ?",
        (data.rfind(b"\n") + 1, ended, key),
    )
    if end:
        temporary = memories.select(connection, "session = ?", (key,))
        memories.delete(connection, temporary)
        _prune(connection, {name for name, _ in journal.sizes(place)})


def _add_line(connection: Connection, place: Place, key: str, line: Line) -> None:
    kind, at = line["is"], journal.when(line)
    if kind == "edit":
        sql = (
            "INSERT INTO change VALUES (?, ?, ?, ?, 1) ON CONFLICT DO UPDATE SET at = excluded.at,"
            " count = count + 1"
        )
        connection.execute(sql, (_text(line, "path"), at, key, _text(line, "agent")))
    elif kind == "prompt":
        sql = "UPDATE session SET about = ? WHERE key = ? AND about = ''"
        connection.execute(sql, (_text(line, "text"), key))
    elif kind == "note":
        row = (key, at, _text(line, "about"), _text(line, "text"))
        connection.execute("INSERT INTO note VALUES (?, ?, ?, ?)", row)
    elif kind == "told":
        for name in journal.stamps(line):
            scope, _, id = name.partition(" ")[0].partition(":")
            if scope == place.scope and id.isdigit():
                memories.used(connection, int(id), at)


def _prune(connection: Connection, recorded: set[str]) -> None:
    """Keep what the latest sessions did; their memories stay in any case."""
    order = "SELECT key FROM session ORDER BY started DESC LIMIT -1 OFFSET %d" % _SESSIONS
    for (key,) in connection.execute(order).fetchall():
        if key not in recorded:  # else it would be added up again
            for table, column in (("change", "session"), ("note", "session"), ("session", "key")):
                connection.execute("DELETE FROM %s WHERE %s = ?" % (table, column), (key,))


def _text(line: Line, name: str) -> str:
    return checked.text(line.get(name), 1_000)
