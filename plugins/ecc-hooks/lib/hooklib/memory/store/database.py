"""Open a memory database, for a moment: one reading or one transaction, and what may go wrong."""

from __future__ import annotations

import os

from hooklib import files, limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection
    from typing import Callable, TypeVar

    from hooklib.memory.store.memory_folder import Place

    Found = TypeVar("Found")

SECONDS = 5.0  # how long to wait for other writers
READ_SECONDS = 0.5  # a reader waits for nobody, but for the moment in which a log is recovered
_MODE = 0o600
_PAGES = 256  # of the write-ahead log, before it is written back
_BROKEN = ("malformed", "not a database", "file is encrypted")
SMALL = 2_000_000  # a file that is checked whole at the start of a session


class Unusable(OSError):
    """A database that cannot be used now: locked, read-only, full, newer than this version."""

    def __init__(self, reason: str) -> None:
        super().__init__(0, reason)


def read(place: Place, work: Callable[[Connection], Found]) -> Found | None:
    """Return what work finds in the database, None where there is none to look into."""
    if not os.path.exists(place.database):  # before the import: most projects have no memories
        return None
    return _used(place, lambda: _read(place.database, work), lambda: None)


def write(place: Place, work: Callable[[Connection], Found], seconds: float = SECONDS) -> Found:
    """Return what work did, all of it or nothing, in a database that is made where there is none.

    A broken one is set aside and the work done in a new one.
    """

    def attempt() -> Found:
        return _write(place, work, seconds)

    return _used(place, attempt, attempt)


def _used(place: Place, attempt: Callable[[], Found], otherwise: Callable[[], Found]) -> Found:
    """Return the attempt's result; where the database is broken it is first put out of the way."""
    from hooklib.memory.store.schema import Newer
    from hooklib.memory.store.sqlite import DatabaseError, OperationalError

    try:
        return attempt()
    except Newer:
        raise Unusable("made by a newer version") from None
    except DatabaseError as error:
        reason = str(error)
        if not any(sign in reason for sign in _BROKEN):
            if isinstance(error, OperationalError):  # these messages hold nothing of the content
                raise Unusable(reason) from None
            raise
    if not set_aside(place.database):
        _doubt_fts(place.database)
    return otherwise()


def _doubt_fts(path: str) -> None:
    """Have the full text index made anew by the next writer: the tables themselves are sound.

    Or another process has just put a new database in the place of a broken one.
    """
    from hooklib.memory.store import schema

    connection = _connect(path, SECONDS)
    try:
        if schema.version(connection) == schema.VERSION:
            connection.execute("REPLACE INTO meta VALUES ('fts', 'stale')")
    finally:
        connection.close()


def _read(path: str, work: Callable[[Connection], Found]) -> Found | None:
    from hooklib.memory.store import schema

    connection = _connect(path, READ_SECONDS)
    try:
        if schema.version(connection) != schema.VERSION:  # the next writer brings it up to date
            return None
        return work(connection)
    finally:
        connection.close()


def _write(place: Place, work: Callable[[Connection], Found], seconds: float) -> Found:
    from hooklib.memory.store import schema

    place.make()
    path = place.database
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
        done = work(connection)
        connection.execute("COMMIT")
        return done
    finally:
        connection.close()  # what was not committed is undone


def _connect(path: str, seconds: float) -> Connection:
    from hooklib.memory.store.sqlite import connect

    if os.path.islink(path):  # a cloned repository may hold anything
        raise Unusable("the database is a link")
    seconds = limits.scaled(seconds)
    # never made here: SQLite would let others read it
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


def rewrite(place: Place) -> bool:
    """Leave no byte of what was deleted in the files; False where another process holds them."""
    from hooklib.memory.store import schema
    from hooklib.memory.store.sqlite import OperationalError

    connection = _connect(place.database, SECONDS)
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
    """Return whether SQLite finds nothing wrong with a database."""
    from hooklib.memory.store.sqlite import DatabaseError, OperationalError

    try:
        connection = _connect(path, READ_SECONDS)
        try:
            return bool(connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
        finally:
            connection.close()
    except OperationalError:  # locked, or no right to read it: that is not what it looks like
        return True
    except DatabaseError:
        return False


def set_aside(path: str, why: str = "corrupt") -> str:
    """Move a broken database out of the way and return its new name; '' where it is sound.

    Of many that find it broken, one moves it.
    """
    with files.Lock(path + ".lock"):
        if not os.path.exists(path) or (why == "corrupt" and is_sound(path)):
            return ""
        import time

        from hooklib import log

        aside = "%s.%s-%s" % (path, why, time.strftime("%Y%m%dT%H%M%SZ", time.gmtime()))
        if os.path.exists(aside):  # twice in a second
            aside += "-%d" % time.monotonic_ns()
        for ending in ("", "-wal", "-shm"):
            if os.path.exists(path + ending):
                os.replace(path + ending, aside + ending)
        log.write(
            "",
            "memory",
            "%s database set aside" % ("broken" if why == "corrupt" else why),
            file=os.path.basename(aside),
        )
        return aside
