"""Tell without opening a database that it knows nothing of a file: most files are such.

A Bloom filter beside the database: a bit per hash of each key. It may say yes where no is right,
never the other way, so that nothing has to be taken out of it.
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
_CHANGED = "<"  # stands before a path that sessions changed


def changed(path: str) -> str:
    return _CHANGED + path


def any_known(database: str, keys: Iterable[str]) -> bool:
    """Return whether the database may hold one of some keys."""
    try:
        bits = files.read_bounded(_path(database), _BYTES)
    except OSError:
        return True
    if len(bits) != _BYTES:
        return True
    return any(all(bits[at >> 3] >> (at & 7) & 1 for at in _places(key)) for key in keys)


def add(connection: Connection, keys: Iterable[str]) -> None:
    """Note keys that are about to be stored: before they are, so that no kill comes in between."""
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
            for at in _places(key):
                os.lseek(fd, at >> 3, os.SEEK_SET)
                byte = os.read(fd, 1)[0] | 1 << (at & 7)
                os.lseek(fd, at >> 3, os.SEEK_SET)
                os.write(fd, bytes((byte,)))


def _stored(connection: Connection) -> list[str]:
    globs = [row[0] for row in connection.execute("SELECT DISTINCT key FROM glob")]
    return globs + [
        changed(row[0]) for row in connection.execute("SELECT DISTINCT path FROM change")
    ]


def _path(database: str) -> str:
    return database + ".keys"


def _places(key: str) -> Iterator[int]:
    data = key.encode("utf-8", "replace")
    first, step = crc32(data), crc32(data[::-1]) | 1
    return ((first + n * step) % (_BYTES * 8) for n in range(_HASHES))
