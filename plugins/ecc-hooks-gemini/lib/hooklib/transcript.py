"""What the host's transcript tells, without reading all of it: its size must not matter."""

from __future__ import annotations

import os

from hooklib import files, hosts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO

_FIRST = 1_000_000  # of a file that was never read before, or replaced
_MOST = 4_000_000  # of what is new since the last time; one long turn can be that long
_SUMMED = 256


class Cursor:
    """How far a transcript has been read: its offset, and a sum of what stands before it."""

    __slots__ = ("offset", "sum")

    def __init__(self, offset: int = 0, sum: int = -1) -> None:
        self.offset = offset
        self.sum = sum  # -1: nothing was read yet


def news(path: str, cursor: Cursor, host: str) -> tuple[list[dict[str, Any]], Cursor, bool]:
    """Return the records behind cursor, the cursor behind them, and whether cursor still fits.

    It does not fit a file that was cut or replaced: that one is read like one never seen, from its
    last part. OSError where the file cannot be read.
    """
    with files.open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        fits = cursor.sum != -1 and cursor.offset <= size
        fits = fits and _sum_before(file, cursor.offset) == cursor.sum
        most = _MOST if fits else _FIRST
        start = max(cursor.offset if fits else 0, size - most)
        file.seek(start)
        data = file.read(size - start)
        if start and not (fits and start == cursor.offset):  # most likely in the middle of a line
            start, data = _from_next_line(start, data)
        whole = data.rfind(b"\n") + 1  # the last line may not be finished yet
        if not whole:
            return [], cursor if fits else Cursor(), fits
        end = start + whole
        read_line = hosts.adapter(host).read_line
        calls: set[str] = set()
        records = [each for line in data[:whole].split(b"\n") for each in read_line(line, calls)]
        return records, Cursor(end, _sum_before(file, end)), fits


def _from_next_line(start: int, data: bytes) -> tuple[int, bytes]:
    skipped = data.find(b"\n") + 1
    return start + skipped, data[skipped:] if skipped else b""


def _sum_before(file: BinaryIO, offset: int) -> int:
    from binascii import crc32

    length = min(offset, _SUMMED)
    file.seek(offset - length)
    return crc32(file.read(length))
