"""The journal of a session: one JSON line per record, written without opening the database.

ingest.py applies the records to the database later: after a failure, at the end of the session, or
in the next session if this one was killed. The journal also notes what the model was shown, so that
nothing is shown twice.
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
    from hooklib.memory.store.memory_folder import MemoryFolder

_CAP = 1_000_000  # bytes at which operations are no longer recorded; other records still are
_LIMIT = 8_000_000
_OPERATIONS = (b'{"is":"edit"', b'{"is":"ran"')
_RECENT_SECONDS = 24 * 3600


def path_of(folder: MemoryFolder, key: str) -> str:
    return os.path.join(folder.journals, key + ".jsonl")


def append(folder: MemoryFolder, key: str, kind: str, **fields: Any) -> None:
    """Append a record; those of parallel hooks do not mix."""
    path = path_of(folder, key)
    try:
        fd = files.open_end(path)
    except FileNotFoundError:
        _make_folders(folder)
        fd = files.open_end(path)
    try:
        if kind not in ("edit", "ran") or os.fstat(fd).st_size < _CAP:
            # "is" comes first: counting records of a kind need not parse them
            line = {"is": kind, "at": int(time.time()), **fields}
            os.write(fd, jsonio.dumps(line).encode("ascii") + b"\n")
    finally:
        os.close(fd)


def _make_folders(folder: MemoryFolder) -> None:
    folder.make()
    files.make_private_dir(folder.journals)


def record(event: Event, kind: str, **fields: Any) -> None:
    """Append a record to the journal of the event's session."""
    from hooklib.memory.store import memory_folder

    if event.agent_id:
        fields["agent"] = event.agent_id[:100]
    append(memory_folder.for_event(event), event.session_key, kind, **fields)


def read(folder: MemoryFolder, key: str) -> bytes:
    try:
        return files.read_bounded(path_of(folder, key), _LIMIT)
    except OSError:
        return b""


def records(data: bytes) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the complete records of a journal, each with the offset of its end."""
    end = 0
    for line in data.splitlines(keepends=True):
        end += len(line)
        if not line.endswith(b"\n"):
            return
        try:
            value = jsonio.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and isinstance(value.get("is"), str):
            yield end, value


def after_last(data: bytes, kind: str) -> bytes:
    """Return the records after the last one of a kind, or all if there is none."""
    start = data.rfind(b'{"is":"%s"' % kind.encode("ascii"))
    return data if start < 0 else data[data.find(b"\n", start) + 1 :]


def has_pending_permission(data: bytes) -> bool:
    """Return whether a permission was asked for since the last turn ended."""
    return b'{"is":"asked"' in after_last(data, "turn")


def unsaved_operations(data: bytes) -> int:
    """Return the number of operations since the last saved memory."""
    unsaved = after_last(data, "saved")
    return sum(unsaved.count(start) for start in _OPERATIONS)


def mark_saved(folder: MemoryFolder, key: str) -> None:
    """Record that a memory was saved: in session key, or in all recent sessions if key is ''."""
    if key:
        append(folder, key, "saved")
        return
    oldest = time.time() - _RECENT_SECONDS
    for modified, other, _ in _scan_journals(folder):
        if modified > oldest:
            append(folder, other, "saved")


def sizes(folder: MemoryFolder) -> list[tuple[str, int]]:
    """Return the keys of the sessions with a journal and its size, the latest first."""
    return [(key, size) for _, key, size in _scan_journals(folder)]


def _scan_journals(folder: MemoryFolder) -> list[tuple[float, str, int]]:
    journals = []
    try:
        with os.scandir(folder.journals) as entries:
            for entry in entries:
                if entry.name.endswith(".jsonl") and not entry.is_symlink():
                    info = entry.stat()
                    journals.append((info.st_mtime, entry.name[: -len(".jsonl")], info.st_size))
    except OSError:
        return []
    return sorted(journals, reverse=True)


def shown_stamps(record: dict[str, Any]) -> list[str]:
    """Return the stamps of the items that a record marks as shown."""
    return checked.texts(record.get("what"))


def timestamp(record: dict[str, Any]) -> str:
    """Return when a record was written; now if it does not say so."""
    at = record.get("at")
    return clock.stamp(at if isinstance(at, int) and 0 < at < 1 << 40 else time.time())


def mark_shown(
    event: Event, stamps: Iterable[str], choose: Callable[[list[str]], list[str]]
) -> None:
    """Pass the stamps not yet shown in this context to `choose`; record those that it returns.

    After a compaction everything counts as not shown; a subagent has a context of its own.
    """
    from hooklib.memory.store import memory_folder

    folder, agent = memory_folder.for_event(event), event.agent_id[:100]
    if not os.path.isdir(folder.journals):
        _make_folders(folder)
    with files.Lock(path_of(folder, event.session_key)):
        shown: set[str] = set()
        for _, entry in records(after_last(read(folder, event.session_key), "compacted")):
            if entry["is"] == "told" and entry.get("agent", "") == agent:
                shown.update(shown_stamps(entry))
        new = [stamp for stamp in dict.fromkeys(stamps) if stamp not in shown]
        chosen = choose(new) if new else []
        if chosen:
            record(event, "told", what=chosen)
