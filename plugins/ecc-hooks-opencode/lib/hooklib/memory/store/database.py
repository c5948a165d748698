"""Open a memory database for one read or one transaction, and handle broken and locked ones."""

from __future__ import annotations

import os

from hooklib import files, limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection
    from typing import Callable, TypeVar

    from hooklib.memory.store.memory_folder import MemoryFolder

    Result = TypeVar("Result")

SECONDS = 5.0  # how long to wait for other writers
READ_SECONDS = 0.5  # readers wait only while SQLite recovers the write-ahead log
_MODE = 0o600
_PAGES = 256  # size of the write-ahead log at which it is written back
_BROKEN = ("malformed", "not a database", "file is encrypted")
SMALL = 2_000_000  # bytes up to which a database is checked at the start of a session


class Unusable(OSError):
    """The database cannot be used now: it is locked, read-only, full or of a newer version."""

    def __init__(self, reason: str) -> None:
        super().__init__(0, reason)


def read(folder: MemoryFolder, work: Callable[[Connection], Result]) -> Result | None:
    """Return the result of work on an open database, or None if there is no database."""
    if not os.path.exists(folder.database):  # before the import: most projects have no memories
        return None
    return _with_recovery(folder, lambda: _read(folder.database, work), lambda: None)


def write(
    folder: MemoryFolder, work: Callable[[Connection], Result], seconds: float = SECONDS
) -> Result:
    """Run work in one transaction and return its result; create the database if it is missing.

    A broken database is set aside and the work done in a new one.
    """

    def attempt() -> Result:
        return _write(folder, work, seconds)

    return _with_recovery(folder, attempt, attempt)


def _with_recovery(
    folder: MemoryFolder, attempt: Callable[[], Result], retry: Callable[[], Result]
) -> Result:
    """Return attempt's result; if the database is broken, set it aside and return retry's."""
    from hooklib.memory.store.schema import Newer
    from hooklib.memory.store.sqlite import DatabaseError, OperationalError

    try:
        return attempt()
    except Newer:
        raise Unusable("made by a newer version") from None
    except DatabaseError as error:
        reason = str(error)
        if not any(sign in reason for sign in _BROKEN):
            if isinstance(error, OperationalError):  # its messages quote no stored text
                raise Unusable(reason) from None
            raise
    if not set_aside(folder.database):
        _doubt_fts(folder.database)
    return retry()


def _doubt_fts(path: str) -> None:
    """Let the next writer rebuild the full text index, as the tables themselves are sound.

    Or another process has just replaced a broken database, and a rebuild does no harm.
    """
    from hooklib.memory.store import schema

    connection = _connect(path, SECONDS)
    try:
        if schema.version(connection) == schema.VERSION:
            connection.execute("REPLACE INTO meta VALUES ('fts', 'stale')")
    finally:
        connection.close()


def _read(path: str, work: Callable[[Connection], Result]) -> Result | None:
    from hooklib.memory.store import schema

    connection = _connect(path, READ_SECONDS)
    try:
        if schema.version(connection) != schema.VERSION:  # the next writer brings it up to date
            return None
        return work(connection)
    finally:
        connection.close()


def _write(folder: MemoryFolder, work: Callable[[Connection], Result], seconds: float) -> Result:
    from hooklib.memory.store import schema

    folder.make()
    path = folder.database
    try:  # SQLite gives its other files the same mode
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, _MODE))
    except FileExistsError:
        pass
    connection = _connect(path, seconds)
    try:
        if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
            connection.execute("PRAGMA journal_mode = wal")
        connection.execute("PRAGMA synchronous = normal")
        connection.execute("PRAGMA secure_delete = on")
        connection.execute("PRAGMA wal_autocheckpoint = %d" % _PAGES)
        connection.execute("BEGIN IMMEDIATE")
        schema.bring_up_to_date(connection)
        result = work(connection)
        connection.execute("COMMIT")
        return result
    finally:
        connection.close()  # undoes what was not committed


def _connect(path: str, seconds: float) -> Connection:
    from hooklib.memory.store.sqlite import connect

    if os.path.islink(path):  # a cloned repository may hold anything
        raise Unusable("the database is a link")
    seconds = limits.scaled(seconds)
    # SQLite must not create the file: other users could read it
    connection = connect(_address(path), timeout=seconds, isolation_level=None, uri=True)
    connection.execute("PRAGMA busy_timeout = %d" % (1000 * seconds))
    connection.execute("PRAGMA trusted_schema = off")
    return connection


def _address(path: str) -> str:
    for char in "%?#":
        path = path.replace(char, "%%%02x" % ord(char))
    if os.name == "nt":
        path = "///" + path.replace("\\", "/")
    return "file:%s?mode=rw" % path


def rewrite(folder: MemoryFolder) -> bool:
    """Erase deleted text from the files; return False if another process uses them."""
    from hooklib.memory.store import schema
    from hooklib.memory.store.sqlite import OperationalError

    connection = _connect(folder.database, SECONDS)
    try:
        if schema.has_fts(connection):
            connection.execute("INSERT INTO fts(fts) VALUES ('optimize')")
        connection.execute("VACUUM")
        return bool(connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0)
    except OperationalError:
        return False
    finally:
        connection.close()


def is_sound(path: str) -> bool:
    """Return whether SQLite finds no error in a database."""
    from hooklib.memory.store.sqlite import DatabaseError, OperationalError

    try:
        connection = _connect(path, READ_SECONDS)
        try:
            return bool(connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
        finally:
            connection.close()
    except OperationalError:  # locked or not readable, which does not mean broken
        return True
    except DatabaseError:
        return False


def set_aside(path: str, reason: str = "corrupt") -> str:
    """Rename a broken database and return its new name, or '' if it is sound.

    If several processes find it broken, one of them renames it.
    """
    with files.Lock(path + ".lock"):
        if not os.path.exists(path) or (reason == "corrupt" and is_sound(path)):
            return ""
        import time

        from hooklib import log

        aside = "%s.%s-%s" % (path, reason, time.strftime("%Y%m%dT%H%M%SZ", time.gmtime()))
        if os.path.exists(aside):  # the second one in this second
            aside += "-%d" % time.monotonic_ns()
        for ending in ("", "-wal", "-shm"):
            if os.path.exists(path + ending):
                os.replace(path + ending, aside + ending)
        log.write(
            "",
            "memory",
            "%s database set aside" % ("broken" if reason == "corrupt" else reason),
            file=os.path.basename(aside),
        )
        return aside
