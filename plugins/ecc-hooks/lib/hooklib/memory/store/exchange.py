"""Memories as a file to commit: one JSON line each, sorted, so that git can merge them.

A cloned repository's file is anybody's text: it is bounded, checked and cleaned like any other.
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

    from hooklib.memory.store.memory_folder import Place

SOURCE = "export"
_LIMIT = 8_000_000
_LINE = 64_000
_MOST = 20_000
_PARTS = ("kind", "title", "body", "tags", "globs", "priority", "confidence", "created", "updated")


class Imported:
    """What came of reading a file."""

    __slots__ = ("added", "changed", "removed", "same", "bad", "whole")

    def __init__(self) -> None:
        self.added = self.changed = self.removed = self.same = self.bad = 0
        self.whole = True  # False where time ran out

    def __str__(self) -> str:
        told = "%d added, %d changed, %d removed" % (self.added, self.changed, self.removed)
        return told + (", %d lines are no memories" % self.bad if self.bad else "")


def lines(connection: Connection) -> list[str]:
    """Return the memories that stay, as sorted lines."""
    import json

    found = {}
    for memory in memories.select(connection, "superseded = '' AND session = ''"):
        parts: dict[str, Any] = {name: getattr(memory, name) for name in _PARTS}
        parts["uri"] = memory.uri
        found[memory.uri] = json.dumps(parts, ensure_ascii=False, sort_keys=True)
    return [found[uri] for uri in sorted(found)]


def write(path: str, texts: list[str]) -> None:
    data = "".join(text + "\n" for text in texts).encode("utf-8", "replace")
    files.write_atomic(path, data, 0o644)  # git keeps no other mode


def without(path: str, uris: set[str]) -> int:
    """Take memories out of a file, and return how many were there."""
    try:
        texts = files.read_bounded(path, _LIMIT).decode("utf-8", "replace").splitlines()
    except OSError:
        return 0
    left = [text for text in texts if (_parts(text) or {}).get("uri") not in uris]
    if len(left) < len(texts):
        write(path, left)
    return len(texts) - len(left)


def stamp(path: str) -> str:
    """Return a value that differs once a file has changed, '' where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return ""
    return "%d %d %d" % (found.st_mtime_ns, found.st_size, found.st_ino)


def take(connection: Connection, place: Place, path: str, seconds: float = 60.0) -> Imported:
    """Add what is new in a file; of two versions of a memory the newer one stays.

    What an earlier reading brought and the file no longer holds is removed.
    """
    done = Imported()
    texts = files.read_bounded(path, _LIMIT).decode("utf-8", "replace").splitlines()
    end = time.monotonic() + seconds
    seen = set()
    for text in texts[:_MOST]:
        parts = _parts(text)
        if parts is None:
            done.bad += bool(text.strip())
            continue
        uri = SCHEME + place.scope + "/" + str(parts["uri"])[len(SCHEME) :].partition("/")[2]
        seen.add(uri)
        if time.monotonic() > end:
            done.whole = False
        else:
            _take_one(connection, uri, parts, done)
    if done.whole and path == place.export:
        gone = [
            m for m in memories.select(connection, "source = ?", (SOURCE,)) if m.uri not in seen
        ]
        memories.delete(connection, gone)
        done.removed = len(gone)
    return done


def _take_one(connection: Connection, uri: str, parts: dict[str, Any], done: Imported) -> None:
    old = memories.get(connection, uri)
    if old is not None and all(getattr(old, name) == parts.get(name) for name in _PARTS[:6]):
        done.same += 1
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
        done.bad += 1
        return
    memory.created, memory.updated = (_past(parts[name]) for name in ("created", "updated"))
    if old is None:
        memories.add(connection, memory, uri=uri)
        done.added += 1
    elif memory.updated > old.updated and memory.content != old.content:
        memories.replace(connection, old, memory)
        done.changed += 1
    else:
        done.same += 1


def _parts(text: str) -> dict[str, Any] | None:
    """Return a line's parts with the types they must have; None where it is no memory."""
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


def _past(moment: str) -> str:
    """Return a moment that was; a file must not win for ever by naming a later one."""
    good = len(moment) == 20 and moment[:4].isdigit() and moment[-1] == "Z"
    return min(moment, clock.now()) if good else clock.now()
