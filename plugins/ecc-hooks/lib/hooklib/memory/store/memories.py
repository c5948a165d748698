"""Add, find by name, change and remove memories in an open database."""

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
    """Store a memory and set its URI; return False if an identical one is stored.

    A memory of the same kind and title is an older version, which the new one supersedes.
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
    """Store a memory under its own URI, and index its words and globs."""
    values = [getattr(memory, name) for name in Memory.__slots__]
    values[0] = id
    values[5], values[6] = "\n".join(memory.tags), "\n".join(memory.globs)
    marks = ",".join("?" * len(values))
    sql = "INSERT INTO memory (%s) VALUES (%s)" % (_COLUMNS, marks)
    memory.id = int(connection.execute(sql, values).lastrowid or 0)
    if not memory.superseded:
        _index(connection, memory)


def supersede(connection: Connection, old: Memory, by: str) -> None:
    """Exclude an old memory from recall; it can still be looked at."""
    uri = old.uri
    if uri == by:  # the new memory takes over its URI
        for number in range(1, _VERSIONS):
            uri = "%s~%d" % (by, number)
            if get(connection, uri) is None:
                break
    connection.execute("UPDATE memory SET uri = ?, superseded = ? WHERE id = ?", (uri, by, old.id))
    _drop_index(connection, old.id)


def replace(connection: Connection, old: Memory, memory: Memory) -> None:
    """Replace the content of an old memory, keeping its URI and its use count."""
    memory.uri, memory.created, memory.superseded = old.uri, old.created, old.superseded
    memory.used, memory.uses = old.used, old.uses
    memory.updated = memory.updated or clock.now()
    _remove(connection, old)
    insert(connection, memory, old.id)


def delete(connection: Connection, memories: Iterable[Memory]) -> None:
    """Remove memories from every table; `database.rewrite` erases the bytes."""
    for memory in memories:
        _remove(connection, memory)
        connection.execute("DELETE FROM failure WHERE solution = ?", (memory.uri,))


def get(connection: Connection, uri: str) -> Memory | None:
    memories = select(connection, "uri = ?", (uri,))
    return memories[0] if memories else None


def versions(connection: Connection, uri: str) -> list[Memory]:
    """Return the older versions of a memory, which it supersedes under its own URI."""
    return select(connection, "superseded = ? AND uri GLOB ?", (uri, _literal(uri) + "~*"))


def by_ids(connection: Connection, ids: Sequence[int]) -> list[Memory]:
    """Return memories in the order of ids, without those that no longer exist."""
    marks = ",".join("?" * len(ids))
    memories = {memory.id: memory for memory in select(connection, "id IN (%s)" % marks, ids)}
    return [memories[id] for id in ids if id in memories]


def select(
    connection: Connection, where: str, values: Sequence[Any] = (), limit: int = 100_000
) -> list[Memory]:
    """Return the memories for which the SQL condition holds; values are bound, not inserted."""
    sql = "SELECT %s FROM memory WHERE %s LIMIT %d" % (_COLUMNS, where, limit)
    return [_memory(row) for row in connection.execute(sql, tuple(values))]


def count_use(connection: Connection, id: int, when: str) -> None:
    """Record that a memory was shown."""
    sql = "UPDATE memory SET uses = uses + 1, used = max(used, ?) WHERE id = ?"
    connection.execute(sql, (when, id))


def meta(connection: Connection, name: str) -> str:
    row = connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return str(row[0]) if row else ""


def set_meta(connection: Connection, name: str, value: str) -> None:
    connection.execute("REPLACE INTO meta VALUES (?, ?)", (name, value))


def _memory(row: tuple[Any, ...]) -> Memory:
    """Return a row as a memory without checking it again."""
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
    body = " ".join([memory.body, *memory.globs])  # folders are shared, so they weigh like a body
    parts = (memory.title, " ".join(memory.tags), body)
    terms = (memory.id, *(_spaced(words(part)) for part in parts))
    has_index = schema.make_fts(connection)
    connection.execute("INSERT INTO terms VALUES (?, ?, ?, ?)", terms)
    if has_index:
        connection.execute("INSERT INTO fts(rowid, title, tags, body) VALUES (?, ?, ?, ?)", terms)


def _remove(connection: Connection, memory: Memory) -> None:
    _drop_index(connection, memory.id)
    connection.execute("DELETE FROM memory WHERE id = ?", (memory.id,))


def _drop_index(connection: Connection, id: int) -> None:
    connection.execute("DELETE FROM glob WHERE memory = ?", (id,))
    has_index = schema.make_fts(connection)
    row = connection.execute("SELECT * FROM terms WHERE id = ?", (id,)).fetchone()
    if row and has_index:
        connection.execute(
            "INSERT INTO fts(fts, rowid, title, tags, body) VALUES ('delete', ?, ?, ?, ?)", row
        )
    connection.execute("DELETE FROM terms WHERE id = ?", (id,))


def _spaced(words: Iterable[str]) -> str:
    """Return words with spaces around them, so that LIKE finds whole words."""
    return " %s " % " ".join(words)


def _literal(text: str) -> str:
    """Return a GLOB pattern that matches text literally."""
    return "".join("[%s]" % char if char in "*?[" else char for char in text)
