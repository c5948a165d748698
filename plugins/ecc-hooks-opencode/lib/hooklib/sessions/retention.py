"""Choose which sessions of a project to keep.

An index file beside the states lists those worth keeping: finding the latest need not read all.
"""

from __future__ import annotations

import itertools
import os
import time

from hooklib import checked, files
from hooklib.event import file_name
from hooklib.sessions import session_state
from hooklib.state import read_json, write_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hooklib.sessions.state_folder import StateFolder

KEEP = 10
_LISTED = 100
_LOOKED_AT = 200  # state files to read if the index is lost
_SCANNED = 2_000  # files that one sweep looks at
_EMPTY_SECONDS = 24 * 3600  # how long an empty session stays
_OURS = b'{"schema":'
_TORN_SECONDS = 3600
INDEX = "sessions.index"  # no session's key holds a dot


def ensure_index(folder: StateFolder) -> None:
    """Create the index if it is missing; the caller holds the folder's lock."""
    if not os.path.exists(folder.file_of(INDEX)):
        _write(folder, _scan_folder(folder))


def add(folder: StateFolder, key: str) -> None:
    """Add a session to the index; the caller holds the folder's lock."""
    keys = _read(folder)
    if keys is None:
        keys = _scan_folder(folder)
    elif key in keys:
        return
    _write(folder, [*(other for other in keys if other != key), key][-_LISTED:])


def latest(folder: StateFolder) -> list[str]:
    """Return the keys of the indexed sessions, the last active first."""
    keys = _read(folder)
    if keys is None:
        keys = _scan_folder(folder)
    times = {key: _modified(folder.file_of(key)) for key in keys}
    return sorted((key for key in keys if times[key]), key=lambda key: -times[key])


def drop(folder: StateFolder, keys: Iterable[str]) -> None:
    """Remove sessions from the index and the folder; the caller holds the folder's lock."""
    dropped = set(keys)
    _write(folder, [key for key in _read(folder) or [] if key not in dropped])
    for key in dropped:
        _remove(folder.file_of(key))


def prune(folder: StateFolder, protected: Iterable[str]) -> None:
    """Drop indexed sessions but the newest and the protected; the caller holds the lock."""
    old = set(latest(folder)[KEEP:]) - set(protected)
    if old:
        drop(folder, old)


def sweep(folder: StateFolder, protected: Iterable[str]) -> None:
    """Remove old files that the index does not list: empty sessions and torn temporary files."""
    kept_keys = {*latest(folder), *protected}
    now = time.time()
    empty = []
    with os.scandir(folder.path) as entries:
        for entry in itertools.islice(entries, _SCANNED):
            if entry.name.endswith(".tmp") and _modified(entry.path) < now - _TORN_SECONDS:
                _remove(entry.path)
            elif _key(entry.name) and _key(entry.name) not in kept_keys:
                empty.append((_modified(entry.path), entry.path))
    for number, (modified, path) in enumerate(sorted(empty, reverse=True)):
        if (number >= KEEP or modified < now - _EMPTY_SECONDS) and _is_ours(path):
            _remove(path)


def _scan_folder(folder: StateFolder) -> list[str]:
    """Return the keys of the sessions worth keeping, oldest first, by reading the states."""
    dated_keys = []
    try:
        with os.scandir(folder.path) as entries:
            for entry in entries:
                if _key(entry.name):
                    dated_keys.append((_modified(entry.path), _key(entry.name)))
    except OSError:
        return []
    newest = [key for _, key in sorted(dated_keys)[-_LOOKED_AT:]]
    states = [(key, session_state.load(folder, key)) for key in newest]
    return [key for key, state in states if state is not None and session_state.is_real(state)]


def _read(folder: StateFolder) -> list[str] | None:
    """Return the keys in the index, or None if there is no index."""
    keys = checked.mapping(read_json(folder.file_of(INDEX))).get("sessions")
    if not isinstance(keys, list):
        return None
    return [key for key in checked.texts(keys) if file_name(key) == key]


def _write(folder: StateFolder, keys: list[str]) -> None:
    write_json(folder.file_of(INDEX), {"sessions": keys})


def _key(name: str) -> str:
    """Return the key of the session whose state a file holds, by the file's name, or ''."""
    key, kind = os.path.splitext(name)
    return key if kind == ".json" and "." not in key else ""


def _is_ours(path: str) -> bool:
    try:
        with files.open_regular(path) as file:
            return file.read(len(_OURS)) == _OURS
    except OSError:
        return False


def _modified(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass
