"""The record of a session: what happened, a line each, written without opening the database.

Lines are added up in the database later (ingest.py): at the end, before a compaction, or by the
next session where this one was killed. What a session was told stands here too: it is told once.
"""

from __future__ import annotations

import os
import time

from hooklib import checked, clock, files, jsonio

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, Callable

    from hooklib.event import Event
    from hooklib.memory.store.memory_folder import Place

_CAP = 1_000_000  # of operations; what was told, asked and saved is noted all the same
_LIMIT = 8_000_000
_OPERATIONS = (b'{"is":"edit"', b'{"is":"ran"')
_RECENT_SECONDS = 24 * 3600


def path_of(place: Place, key: str) -> str:
    return os.path.join(place.records, key + ".jsonl")


def append(place: Place, key: str, kind: str, **fields: Any) -> None:
    """Add a line; lines of parallel hooks do not mix."""
    path = path_of(place, key)
    try:
        fd = files.open_end(path)
    except FileNotFoundError:
        _make(place)
        fd = files.open_end(path)
    try:
        if kind not in ("edit", "ran") or os.fstat(fd).st_size < _CAP:
            # "is" stands first: what only counts lines need not read them
            line = {"is": kind, "at": int(time.time()), **fields}
            os.write(fd, jsonio.dumps(line).encode("ascii") + b"\n")
    finally:
        os.close(fd)


def _make(place: Place) -> None:
    place.make()
    files.make_private_dir(place.records)


def note(event: Event, kind: str, **fields: Any) -> None:
    """Add a line to the record of an event's session."""
    from hooklib.memory.store import memory_folder

    if event.agent_id:
        fields["agent"] = event.agent_id[:100]
    append(memory_folder.of(event), event.session_key, kind, **fields)


def read(place: Place, key: str) -> bytes:
    try:
        return files.read_bounded(path_of(place, key), _LIMIT)
    except OSError:
        return b""


def lines(data: bytes) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the whole lines of a record, each with where it ends."""
    at = 0
    for line in data.splitlines(keepends=True):
        at += len(line)
        if not line.endswith(b"\n"):
            return
        try:
            value = jsonio.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and isinstance(value.get("is"), str):
            yield at, value


def since(data: bytes, kind: str) -> bytes:
    """Return what stands behind the last line of a kind; all where there is none."""
    at = data.rfind(b'{"is":"%s"' % kind.encode("ascii"))
    return data if at < 0 else data[data.find(b"\n", at) + 1 :]


def asks(data: bytes) -> bool:
    """Return whether a permission was asked for since the last turn ended."""
    return b'{"is":"asked"' in since(data, "turn")


def unsaved(data: bytes) -> int:
    """Return how many operations no saved memory covers."""
    rest = since(data, "saved")
    return sum(rest.count(start) for start in _OPERATIONS)


def covered(place: Place, key: str) -> None:
    """Note that a memory was saved: in this session, or where that is not known in all recent."""
    if key:
        append(place, key, "saved")
        return
    oldest = time.time() - _RECENT_SECONDS
    for modified, each, _ in _listed(place):
        if modified > oldest:
            append(place, each, "saved")


def sizes(place: Place) -> list[tuple[str, int]]:
    """Return the sessions that have a record and how long each is, the latest first."""
    return [(name, size) for _, name, size in _listed(place)]


def _listed(place: Place) -> list[tuple[float, str, int]]:
    found = []
    try:
        with os.scandir(place.records) as entries:
            for entry in entries:
                if entry.name.endswith(".jsonl") and not entry.is_symlink():
                    about = entry.stat()
                    found.append((about.st_mtime, entry.name[: -len(".jsonl")], about.st_size))
    except OSError:
        return []
    return sorted(found, reverse=True)


def stamps(line: dict[str, Any]) -> list[str]:
    """Return what a line says was told."""
    return checked.texts(line.get("what"))


def when(line: dict[str, Any]) -> str:
    at = line.get("at")
    return clock.stamp(at if isinstance(at, int) and 0 < at < 1 << 40 else time.time())


def tell(event: Event, wanted: Iterable[str], choose: Callable[[list[str]], list[str]]) -> None:
    """Let `choose` tell some of what this context was not told yet, and note what it did tell.

    A compaction makes a context forget; a subagent has one of its own.
    """
    from hooklib.memory.store import memory_folder

    where, agent = memory_folder.of(event), event.agent_id[:100]
    if not os.path.isdir(where.records):
        _make(where)
    with files.Lock(path_of(where, event.session_key)):
        told: set[str] = set()
        for _, line in lines(since(read(where, event.session_key), "compacted")):
            if line["is"] == "told" and line.get("agent", "") == agent:
                told.update(stamps(line))
        new = [stamp for stamp in dict.fromkeys(wanted) if stamp not in told]
        done = choose(new) if new else []
        if done:
            note(event, "told", what=done)
