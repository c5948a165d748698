"""What the host's transcript tells, without reading all of it: its size must not matter."""

from __future__ import annotations

import os

from hooklib import files, jsonio

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO

_TAIL = 256_000
_FIRST = 1_000_000  # of a file that was never read before, or replaced
_MOST = 4_000_000  # of what is new since the last time; one long turn can be that long
_SUMMED = 256
GEMINI = b'{"id":"'  # Gemini CLI's records begin like this, none of Claude Code's does
_HEAD = 700  # where a record of the conversation names its message
_PARTS = (
    "input_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "output_tokens",
)


def context_tokens(path: str) -> int:
    """Return the tokens that the main conversation held at its last reply; 0 if unknown."""
    if not path:
        return 0
    try:
        tail = files.read_tail(path, _TAIL)
    except OSError:
        return 0
    for line in reversed(tail.split(b"\n")):
        if line.startswith(GEMINI):
            from hooklib.hosts.gemini import chat_transcript

            return chat_transcript.size(path)[0]
        if b'"usage"' not in line:
            continue
        try:
            record = jsonio.loads(line)
        except (ValueError, RecursionError):
            continue  # cut in the middle, or not finished yet
        tokens = _tokens(record)
        if tokens:
            return tokens
    return 0


def _tokens(record: object) -> int:
    if not isinstance(record, dict) or record.get("isSidechain"):  # a subagent has its own context
        return 0
    message = record.get("message")
    usage = message.get("usage") if isinstance(message, dict) else None
    if not isinstance(usage, dict):
        return 0
    return sum(n for n in (usage.get(part) for part in _PARTS) if isinstance(n, int) and n > 0)


class Cursor:
    """How far a transcript has been read: its offset, and a sum of what stands before it."""

    __slots__ = ("offset", "sum")

    def __init__(self, offset: int = 0, sum: int = -1) -> None:
        self.offset = offset
        self.sum = sum  # -1: nothing was read yet


def news(path: str, cursor: Cursor) -> tuple[list[dict[str, Any]], Cursor, bool]:
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
        return _records(data[:whole]), Cursor(end, _sum_before(file, end)), fits


def _from_next_line(start: int, data: bytes) -> tuple[int, bytes]:
    skipped = data.find(b"\n") + 1
    return start + skipped, data[skipped:] if skipped else b""


def _sum_before(file: BinaryIO, offset: int) -> int:
    from binascii import crc32

    length = min(offset, _SUMMED)
    file.seek(offset - length)
    return crc32(file.read(length))


def _records(data: bytes) -> list[dict[str, Any]]:
    """Parse the lines of a conversation; most of a transcript's bytes are something else."""
    found: list[dict[str, Any]] = []
    seen: set[str] = set()
    for line in data.split(b"\n"):
        if line.startswith(GEMINI):
            from hooklib.hosts.gemini import chat_transcript

            found += chat_transcript.records(line, seen)
            continue
        if line.find(b'"message"', 0, _HEAD) < 0:
            continue
        try:
            record = jsonio.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict) and isinstance(record.get("message"), dict):
            found.append(record)
    return found
