"""Read the new part of a host's transcript; its size must not matter."""

from __future__ import annotations

import os

from hooklib import files, hosts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO

_FIRST = 1_000_000  # bytes read of a file that is new to us or was replaced
_MOST = 4_000_000  # bytes read of what was added since the last time; one turn can be that long
_SUMMED = 256


class Cursor:
    """How far a transcript was read: an offset, and a checksum of the bytes before it."""

    __slots__ = ("offset", "sum")

    def __init__(self, offset: int = 0, sum: int = -1) -> None:
        self.offset = offset
        self.sum = sum  # -1: nothing has been read yet


def new_records(path: str, cursor: Cursor, host: str) -> tuple[list[dict[str, Any]], Cursor, bool]:
    """Return the records after cursor, the cursor after them, and whether cursor fits the file.

    It does not fit if the file was cut or replaced: then its last part is read, as of a new file.
    Raise OSError if the file cannot be read.
    """
    with files.open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        fits = cursor.sum != -1 and cursor.offset <= size
        fits = fits and _sum_before(file, cursor.offset) == cursor.sum
        most = _MOST if fits else _FIRST
        start = max(cursor.offset if fits else 0, size - most)
        file.seek(start)
        data = file.read(size - start)
        if start and not (fits and start == cursor.offset):  # most likely inside a line
            start, data = _from_next_line(start, data)
        complete = data.rfind(b"\n") + 1  # the last line may be unfinished
        if not complete:
            return [], cursor if fits else Cursor(), fits
        end = start + complete
        read_line = hosts.adapter(host).read_line
        calls: set[str] = set()
        records = [
            record for line in data[:complete].split(b"\n") for record in read_line(line, calls)
        ]
        return records, Cursor(end, _sum_before(file, end)), fits


def _from_next_line(start: int, data: bytes) -> tuple[int, bytes]:
    skipped = data.find(b"\n") + 1
    return start + skipped, data[skipped:] if skipped else b""


def _sum_before(file: BinaryIO, offset: int) -> int:
    from binascii import crc32

    length = min(offset, _SUMMED)
    file.seek(offset - length)
    return crc32(file.read(length))
