"""The tables of a memory database: create them and upgrade them step by step."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection

# Each step upgrades from one version to the next and never changes once released.
_STEPS = (
    """
    CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE memory (
        id INTEGER PRIMARY KEY,
        uri TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        title TEXT NOT NULL,
        body TEXT NOT NULL,
        tags TEXT NOT NULL,
        globs TEXT NOT NULL,
        priority INTEGER NOT NULL,
        source TEXT NOT NULL,
        created TEXT NOT NULL,
        updated TEXT NOT NULL,
        used TEXT NOT NULL DEFAULT '',
        uses INTEGER NOT NULL DEFAULT 0,
        superseded TEXT NOT NULL DEFAULT '');
    CREATE INDEX memory_by_priority ON memory (priority, id DESC) WHERE superseded = '';
    CREATE TABLE glob (
        key TEXT NOT NULL,
        priority INTEGER NOT NULL,
        memory INTEGER NOT NULL,
        pattern TEXT NOT NULL,
        PRIMARY KEY (key, priority, memory, pattern)) WITHOUT ROWID;
    CREATE INDEX glob_by_memory ON glob (memory);
    CREATE TABLE terms (
        id INTEGER PRIMARY KEY,
        title TEXT NOT NULL,
        tags TEXT NOT NULL,
        body TEXT NOT NULL);
    """,
    """
    ALTER TABLE memory ADD COLUMN confidence REAL NOT NULL DEFAULT 1.0;
    ALTER TABLE memory ADD COLUMN session TEXT NOT NULL DEFAULT '';
    CREATE INDEX memory_by_session ON memory (session) WHERE session != '';
    CREATE TABLE session (
        key TEXT PRIMARY KEY,
        started TEXT NOT NULL,
        ended TEXT NOT NULL DEFAULT '',
        about TEXT NOT NULL DEFAULT '',
        folded INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
    CREATE TABLE note (session TEXT NOT NULL, at TEXT NOT NULL, kind TEXT NOT NULL,
        text TEXT NOT NULL);
    CREATE INDEX note_by_session ON note (session);
    CREATE TABLE change (
        path TEXT NOT NULL,
        at TEXT NOT NULL,
        session TEXT NOT NULL,
        agent TEXT NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (path, session, agent)) WITHOUT ROWID;
    CREATE INDEX change_by_session ON change (session);
    CREATE TABLE failure (
        signature TEXT NOT NULL,
        shape TEXT NOT NULL,
        tool TEXT NOT NULL,
        first TEXT NOT NULL,
        last TEXT NOT NULL,
        count INTEGER NOT NULL,
        held INTEGER NOT NULL DEFAULT 0,
        solution TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (signature, shape)) WITHOUT ROWID;
    CREATE TABLE preference (
        rule TEXT PRIMARY KEY,
        asked INTEGER NOT NULL,
        allowed INTEGER NOT NULL,
        refused INTEGER NOT NULL,
        last TEXT NOT NULL) WITHOUT ROWID;
    """,
)
VERSION = len(_STEPS)
_FTS = "CREATE VIRTUAL TABLE fts USING fts5(title, tags, body, content='terms', content_rowid='id')"


class Newer(Exception):
    """A later version of these hooks made the database, so that this one must not change it."""


def version(connection: Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def bring_up_to_date(connection: Connection) -> None:
    """Run the missing steps in the transaction that the caller has begun."""
    current_version = version(connection)
    if current_version > VERSION:
        raise Newer
    if current_version == VERSION:
        return
    for step in _STEPS[current_version:]:
        for statement in step.split(";"):
            if statement.strip():
                connection.execute(statement)
    connection.execute("PRAGMA user_version = %d" % VERSION)


def fts_wanted() -> bool:
    """Return whether full text search may be used; the tests switch it off."""
    return os.environ.get("CUSTOM_SKILLS_MEMORY_FTS") != "0"


def has_fts(connection: Connection) -> bool:
    """Return whether the full text index exists, is up to date and usable by this build."""
    if not fts_wanted():
        return False
    from hooklib.memory.store.sqlite import DatabaseError

    row = connection.execute("SELECT value FROM meta WHERE name = 'fts'").fetchone()
    if row != ("good",):
        return False
    try:
        connection.execute("SELECT rowid FROM fts LIMIT 0")
    except DatabaseError:  # no such module, or broken
        return False
    return True


def make_fts(connection: Connection) -> bool:
    """Make sure that writes reach a full text index; return False if this build has none.

    A build without FTS5 marks the index as stale, and the next build with it rebuilds the index.
    """
    if has_fts(connection):
        return True
    from hooklib.memory.store.sqlite import DatabaseError

    usable = fts_wanted()
    if usable:
        try:
            if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'fts'").fetchone():
                connection.execute("DROP TABLE fts")
            connection.execute(_FTS)
            connection.execute("INSERT INTO fts(fts) VALUES ('rebuild')")
        except DatabaseError:
            usable = False
    connection.execute("REPLACE INTO meta VALUES ('fts', ?)", ("good" if usable else "stale",))
    return usable
