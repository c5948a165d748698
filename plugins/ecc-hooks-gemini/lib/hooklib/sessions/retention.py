"""Which sessions of a project are worth keeping: a list beside them, so that none need be looked
through to find the latest, however many there are."""

from __future__ import annotations

import itertools
import os
import time

from hooklib import checked, files, state
from hooklib.event import file_name
from hooklib.sessions import session_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hooklib.sessions.state_folder import Place

KEEP = 10
_LISTED = 100
_LOOKED_AT = 200  # state files to read where the list itself is lost
_SCANNED = 2_000  # files that one pruning looks at
_EMPTY_SECONDS = 24 * 3600  # how long a session with nothing in it stays
_OURS = b'{"schema":'
_TORN_SECONDS = 3600
INDEX = "sessions.index"  # no session's key holds a dot


def set_up(place: Place) -> None:
    """Make sure that there is a list; the caller holds the folder's lock."""
    if not os.path.exists(place.path(INDEX)):
        _write(place, _look_through(place))


def put(place: Place, key: str) -> None:
    """List a session; the caller holds the folder's lock."""
    keys = _read(place)
    if keys is None:
        keys = _look_through(place)
    elif key in keys:
        return
    _write(place, [*(each for each in keys if each != key), key][-_LISTED:])


def latest(place: Place) -> list[str]:
    """Return the listed sessions, the one that was active last first."""
    keys = _read(place)
    if keys is None:
        keys = _look_through(place)
    times = {key: _modified(place.path(key)) for key in keys}
    return sorted((key for key in keys if times[key]), key=lambda key: -times[key])


def drop(place: Place, keys: Iterable[str]) -> None:
    """Remove sessions and their place in the list; the caller holds the folder's lock."""
    gone = set(keys)
    left = [key for key in _read(place) or [] if key not in gone]
    _write(place, left)
    for key in gone:
        _remove(place.path(key))


def prune(place: Place, spared: Iterable[str]) -> None:
    """Keep the newest of the listed sessions and those spared; the caller holds the lock."""
    order = latest(place)
    extra = set(order[KEEP:]) - set(spared)
    if extra:
        drop(place, extra)


def sweep(place: Place, spared: Iterable[str]) -> None:
    """Remove what is not listed and old: sessions with nothing in them, torn temporary files."""
    kept = {*latest(place), *spared}
    now = time.time()
    empty = []
    with os.scandir(place.folder) as entries:
        for entry in itertools.islice(entries, _SCANNED):
            if entry.name.endswith(".tmp") and _modified(entry.path) < now - _TORN_SECONDS:
                _remove(entry.path)
            elif _key(entry.name) and _key(entry.name) not in kept:
                empty.append((_modified(entry.path), entry.path))
    for number, (modified, path) in enumerate(sorted(empty, reverse=True)):
        if (number >= KEEP or modified < now - _EMPTY_SECONDS) and _is_ours(path):
            _remove(path)


def _look_through(place: Place) -> list[str]:
    """Return the sessions worth keeping, oldest first, from the files themselves."""
    found = []
    try:
        with os.scandir(place.folder) as entries:
            for entry in entries:
                if _key(entry.name):
                    found.append((_modified(entry.path), _key(entry.name)))
    except OSError:
        return []
    newest = [name for _, name in sorted(found)[-_LOOKED_AT:]]
    held = [(name, session_state.load(place, name)) for name in newest]
    return [name for name, one in held if one is not None and session_state.is_real(one)]


def _read(place: Place) -> list[str] | None:
    """Return the listed keys; None where there is no list."""
    keys = checked.mapping(state.read_json(place.path(INDEX))).get("sessions")
    if not isinstance(keys, list):
        return None
    return [key for key in checked.texts(keys) if file_name(key) == key]


def _write(place: Place, keys: list[str]) -> None:
    state.write_json(place.path(INDEX), {"sessions": keys})


def _key(name: str) -> str:
    """Return the session whose state a file holds by its name, '' where that is none."""
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
