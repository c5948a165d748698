"""Put memories into an open database, find them by name, change and remove them."""

from __future__ import annotations

from hooklib import clock
from hooklib.memory.store import schema
from hooklib.memory.store.entry import SCHEME, Memory, slug

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from sqlite3 import Connection
    from typing import Any

_COLUMNS = (
    "id, uri, kind, title, body, tags, globs, priority, source, created, updated, used, uses,"
    " superseded, confidence, session"
)
_VERSIONS = 1_000  # of one memory


def add(connection: Connection, memory: Memory, scope: str = "project", uri: str = "") -> bool:
    """Store a memory and give it its URI; False where the very same is there.

    One of the same kind and title is the same memory: the new one supersedes it.
    """
    memory.uri = uri or "%s%s/%s/%s" % (SCHEME, scope, memory.kind, slug(memory.title))
    memory.updated = memory.updated or clock.now()
    memory.created = memory.created or memory.updated
    old = get(connection, memory.uri)
    if old is not None:
        if old.content == memory.content:
            return False
        memory.created = old.created
        supersede(connection, old, memory.uri)
    insert(connection, memory)
    return True


def insert(connection: Connection, memory: Memory, id: int | None = None) -> None:
    """Store a memory that has a URI of its own, and file it under its words and globs."""
    values = [getattr(memory, name) for name in Memory.__slots__]
    values[0] = id
    values[5], values[6] = "\n".join(memory.tags), "\n".join(memory.globs)
    marks = ",".join("?" * len(values))
    sql = "INSERT INTO memory (%s) VALUES (%s)" % (_COLUMNS, marks)
    memory.id = int(connection.execute(sql, values).lastrowid or 0)
    if not memory.superseded:
        _index(connection, memory)


def supersede(connection: Connection, old: Memory, by: str) -> None:
    """Keep an old memory out of all recalls; it stays to be looked at."""
    uri = old.uri
    if uri == by:  # its name goes to the new one
        for number in range(1, _VERSIONS):
            uri = "%s~%d" % (by, number)
            if get(connection, uri) is None:
                break
    connection.execute("UPDATE memory SET uri = ?, superseded = ? WHERE id = ?", (uri, by, old.id))
    _drop_index(connection, old.id)


def replace(connection: Connection, old: Memory, memory: Memory) -> None:
    """Store changed parts under the old URI."""
    memory.uri, memory.created, memory.superseded = old.uri, old.created, old.superseded
    memory.used, memory.uses = old.used, old.uses
    memory.updated = memory.updated or clock.now()
    _remove(connection, old)
    insert(connection, memory, old.id)


def delete(connection: Connection, memories: Iterable[Memory]) -> None:
    """Remove memories from every table; `database.rewrite` removes the bytes."""
    for memory in memories:
        _remove(connection, memory)
        connection.execute("DELETE FROM failure WHERE solution = ?", (memory.uri,))


def get(connection: Connection, uri: str) -> Memory | None:
    found = select(connection, "uri = ?", (uri,))
    return found[0] if found else None


def versions(connection: Connection, uri: str) -> list[Memory]:
    """Return the older ones that a memory supersedes under its own name."""
    return select(connection, "superseded = ? AND uri GLOB ?", (uri, _literal(uri) + "~*"))


def by_ids(connection: Connection, ids: Sequence[int]) -> list[Memory]:
    """Return memories in the order of their ids; those that are gone are left out."""
    marks = ",".join("?" * len(ids))
    found = {each.id: each for each in select(connection, "id IN (%s)" % marks, ids)}
    return [found[each] for each in ids if each in found]


def select(
    connection: Connection, where: str, values: Sequence[Any] = (), limit: int = 100_000
) -> list[Memory]:
    """Return the memories for which a condition holds; values never become part of it."""
    sql = "SELECT %s FROM memory WHERE %s LIMIT %d" % (_COLUMNS, where, limit)
    return [_memory(row) for row in connection.execute(sql, tuple(values))]


def used(connection: Connection, id: int, when: str) -> None:
    """Note that a memory was told."""
    sql = "UPDATE memory SET uses = uses + 1, used = max(used, ?) WHERE id = ?"
    connection.execute(sql, (when, id))


def meta(connection: Connection, name: str) -> str:
    found = connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return str(found[0]) if found else ""


def set_meta(connection: Connection, name: str, value: str) -> None:
    connection.execute("REPLACE INTO meta VALUES (?, ?)", (name, value))


def _memory(row: tuple[Any, ...]) -> Memory:
    """Return a row as a memory; it was checked when it was stored."""
    memory: Memory = Memory.__new__(Memory)
    for name, value in zip(Memory.__slots__, row):
        setattr(memory, name, value)
    memory.tags = [tag for tag in str(row[5]).split("\n") if tag]
    memory.globs = [glob for glob in str(row[6]).split("\n") if glob]
    return memory


def _index(connection: Connection, memory: Memory) -> None:
    from hooklib.memory.search.tokens import words
    from hooklib.memory.store import bloom
    from hooklib.memory.store.file_globs import key_of

    rows = [(key_of(glob), memory.priority, memory.id, glob) for glob in memory.globs]
    if rows:
        bloom.add(connection, [row[0] for row in rows])
        connection.executemany("INSERT OR IGNORE INTO glob VALUES (?, ?, ?, ?)", rows)
    body = " ".join([memory.body, *memory.globs])  # many share a folder: it tells less than a tag
    parts = (memory.title, " ".join(memory.tags), body)
    terms = (memory.id, *(_spaced(words(part)) for part in parts))
    good = schema.make_fts(connection)
    connection.execute("INSERT INTO terms VALUES (?, ?, ?, ?)", terms)
    if good:
        connection.execute("INSERT INTO fts(rowid, title, tags, body) VALUES (?, ?, ?, ?)", terms)


def _remove(connection: Connection, memory: Memory) -> None:
    _drop_index(connection, memory.id)
    connection.execute("DELETE FROM memory WHERE id = ?", (memory.id,))


def _drop_index(connection: Connection, id: int) -> None:
    connection.execute("DELETE FROM glob WHERE memory = ?", (id,))
    good = schema.make_fts(connection)
    row = connection.execute("SELECT * FROM terms WHERE id = ?", (id,)).fetchone()
    if row and good:
        connection.execute(
            "INSERT INTO fts(fts, rowid, title, tags, body) VALUES ('delete', ?, ?, ?, ?)", row
        )
    connection.execute("DELETE FROM terms WHERE id = ?", (id,))


def _spaced(words: Iterable[str]) -> str:
    """Return words with a space around each, so that LIKE finds whole ones."""
    return " %s " % " ".join(words)


def _literal(text: str) -> str:
    """Return text for GLOB, in which nothing is wild."""
    return "".join("[%s]" % char if char in "*?[" else char for char in text)
