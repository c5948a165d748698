"""Bloom filter: rule out files without memories before opening the database.

It lies beside the database and has a bit per hash of each key. It may answer yes for a missing key,
but never no for a stored one, so that keys need not be removed.
"""

from __future__ import annotations

import os
from binascii import crc32

from hooklib import files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from sqlite3 import Connection

_BYTES = 1 << 18  # for 100,000 keys one wrong yes in 300
_HASHES = 3
_CHANGED = "<"  # precedes the path of a file that sessions changed


def changed_path_key(path: str) -> str:
    return _CHANGED + path


def may_hold_any(database: str, keys: Iterable[str]) -> bool:
    """Return whether the database may hold any of the keys."""
    try:
        filter_bytes = files.read_bounded(_path(database), _BYTES)
    except OSError:
        return True
    if len(filter_bytes) != _BYTES:
        return True
    return any(
        all(filter_bytes[bit >> 3] >> (bit & 7) & 1 for bit in _bits_of(key)) for key in keys
    )


def add(connection: Connection, keys: Iterable[str]) -> None:
    """Add keys. Call this before storing them, so that a kill in between does no harm."""
    database = connection.execute("PRAGMA database_list").fetchone()[2]
    if not database:
        return
    path = _path(database)
    if not os.path.exists(path):
        keys = [*keys, *_stored(connection)]
    with files.Lock(path) as fd:
        if os.fstat(fd).st_size != _BYTES:
            os.ftruncate(fd, _BYTES)
        for key in keys:
            for bit in _bits_of(key):
                os.lseek(fd, bit >> 3, os.SEEK_SET)
                byte = os.read(fd, 1)[0] | 1 << (bit & 7)
                os.lseek(fd, bit >> 3, os.SEEK_SET)
                os.write(fd, bytes((byte,)))


def _stored(connection: Connection) -> list[str]:
    globs = [row[0] for row in connection.execute("SELECT DISTINCT key FROM glob")]
    return globs + [
        changed_path_key(row[0]) for row in connection.execute("SELECT DISTINCT path FROM change")
    ]


def _path(database: str) -> str:
    return database + ".keys"


def _bits_of(key: str) -> Iterator[int]:
    data = key.encode("utf-8", "replace")
    first, step = crc32(data), crc32(data[::-1]) | 1
    return ((first + n * step) % (_BYTES * 8) for n in range(_HASHES))
