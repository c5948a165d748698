"""Export memories to a file to commit, and import it: sorted JSON lines, which git can merge.

The file of a cloned repository is untrusted: its text is bounded, checked and cleaned.
"""

from __future__ import annotations

import os
import time

from hooklib import checked, clock, files, jsonio
from hooklib.memory.store import memories
from hooklib.memory.store.entry import SCHEME, Memory, is_uri

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection
    from typing import Any

    from hooklib.memory.store.memory_folder import MemoryFolder

SOURCE = "export"
_LIMIT = 8_000_000
_LINE = 64_000
_MOST = 20_000
_PARTS = ("kind", "title", "body", "tags", "globs", "priority", "confidence", "created", "updated")


class ImportResult:
    """Counts of what an import did."""

    __slots__ = ("added", "changed", "removed", "same", "bad", "whole")

    def __init__(self) -> None:
        self.added = self.changed = self.removed = self.same = self.bad = 0
        self.whole = True  # False if the time ran out

    def __str__(self) -> str:
        text = "%d added, %d changed, %d removed" % (self.added, self.changed, self.removed)
        return text + (", %d lines are no memories" % self.bad if self.bad else "")


def lines(connection: Connection) -> list[str]:
    """Return the lasting, current memories as JSON lines, sorted by URI."""
    import json

    lines_by_uri = {}
    for memory in memories.select(connection, "superseded = '' AND session = ''"):
        parts: dict[str, Any] = {name: getattr(memory, name) for name in _PARTS}
        parts["uri"] = memory.uri
        lines_by_uri[memory.uri] = json.dumps(parts, ensure_ascii=False, sort_keys=True)
    return [lines_by_uri[uri] for uri in sorted(lines_by_uri)]


def write(path: str, texts: list[str]) -> None:
    data = "".join(text + "\n" for text in texts).encode("utf-8", "replace")
    files.write_atomic(path, data, 0o644)  # git keeps no other mode


def remove_uris(path: str, uris: set[str]) -> int:
    """Remove memories from a file; return how many it held."""
    try:
        texts = files.read_bounded(path, _LIMIT).decode("utf-8", "replace").splitlines()
    except OSError:
        return 0
    remaining = [text for text in texts if (_parse(text) or {}).get("uri") not in uris]
    if len(remaining) < len(texts):
        write(path, remaining)
    return len(texts) - len(remaining)


def stamp(path: str) -> str:
    """Return a value that changes with the file, or '' if there is no file."""
    try:
        status = os.stat(path)
    except OSError:
        return ""
    return "%d %d %d" % (status.st_mtime_ns, status.st_size, status.st_ino)


def import_file(
    connection: Connection, folder: MemoryFolder, path: str, seconds: float = 60.0
) -> ImportResult:
    """Import a file; of two versions of a memory keep the newer one.

    Memories that an earlier import added and that the file no longer holds are removed.
    """
    imported = ImportResult()
    texts = files.read_bounded(path, _LIMIT).decode("utf-8", "replace").splitlines()
    end = time.monotonic() + seconds
    seen_uris = set()
    for text in texts[:_MOST]:
        parts = _parse(text)
        if parts is None:
            imported.bad += bool(text.strip())
            continue
        uri = SCHEME + folder.scope + "/" + str(parts["uri"])[len(SCHEME) :].partition("/")[2]
        seen_uris.add(uri)
        if time.monotonic() > end:
            imported.whole = False
        else:
            _import_one(connection, uri, parts, imported)
    if imported.whole and path == folder.export:
        earlier = memories.select(connection, "source = ?", (SOURCE,))
        removed = [memory for memory in earlier if memory.uri not in seen_uris]
        memories.delete(connection, removed)
        imported.removed = len(removed)
    return imported


def _import_one(
    connection: Connection, uri: str, parts: dict[str, Any], imported: ImportResult
) -> None:
    old = memories.get(connection, uri)
    if old is not None and all(getattr(old, name) == parts.get(name) for name in _PARTS[:6]):
        imported.same += 1
        return
    try:
        memory = Memory(
            parts["kind"],
            parts["title"],
            parts["body"],
            parts["tags"],
            parts["globs"],
            parts["priority"],
            SOURCE,
            parts["confidence"],
        )
    except ValueError:
        imported.bad += 1
        return
    memory.created, memory.updated = (
        _not_in_future(parts[name]) for name in ("created", "updated")
    )
    if old is None:
        memories.add(connection, memory, uri=uri)
        imported.added += 1
    elif memory.updated > old.updated and memory.content != old.content:
        memories.replace(connection, old, memory)
        imported.changed += 1
    else:
        imported.same += 1


def _parse(text: str) -> dict[str, Any] | None:
    """Return the fields of a line with their proper types, or None if it is not a memory."""
    if not text.startswith("{") or len(text) > _LINE:
        return None
    try:
        data = jsonio.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or not is_uri(str(data.get("uri"))) or len(data["uri"]) > 200:
        return None
    data = {"body": "", "created": "", "updated": "", **data}
    if not all(
        isinstance(data.get(k), str) for k in ("kind", "title", "body", "created", "updated")
    ):
        return None
    for name in ("tags", "globs"):
        data[name] = checked.texts(data.get(name))
    if type(data.get("priority")) is not int:
        data["priority"] = None
    if not isinstance(data.get("confidence"), (int, float)):
        data["confidence"] = 1.0
    return data


def _not_in_future(moment: str) -> str:
    """Return moment, or now if it is later: a future date would win over every other version."""
    is_moment = len(moment) == 20 and moment[:4].isdigit() and moment[-1] == "Z"
    return min(moment, clock.now()) if is_moment else clock.now()
