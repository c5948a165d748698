"""Small state that outlives a process: exact counters and JSON files, safe under parallel hooks."""

from __future__ import annotations

import os
import time

from hooklib import files, jsonio, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

_WIDTH = 20  # a counter is always this many digits: written over in place, never a part of a number
_KEEP_SECONDS = 30 * 24 * 3600
_JSON_LIMIT = 16_000_000


def increment(key: str, name: str) -> int:
    """Add one to a counter and return it; of parallel callers each gets a number of its own."""
    count = _change(key, name, lambda old: old + 1)
    if count == 1:
        remove_old(_folder())
    return count


def reset(key: str, name: str) -> None:
    """Set a counter back to zero; one that never counted is left unmade."""
    if os.path.exists(_counter(key, name)):
        _change(key, name, lambda old: 0)


def read_json(path: str, default: Any = None) -> Any:
    """Return the value in a JSON file; default where it is missing, broken or not a plain file."""
    try:
        return jsonio.loads(files.read_bounded(path, _JSON_LIMIT))
    except (OSError, ValueError, RecursionError):
        return default


def write_json(path: str, value: Any) -> None:
    """Replace a JSON file atomically, private to the user."""
    files.make_private_dir(os.path.dirname(path))
    files.write_atomic(path, jsonio.dumps(value).encode("ascii") + b"\n")


def update_json(path: str, change: Callable[[Any], Any], default: Any = None) -> Any:
    """Read, change and replace a JSON file while no other hook does; return the new value."""
    files.make_private_dir(os.path.dirname(path))
    with files.Lock(path + ".lock"):
        value = change(read_json(path, default))
        write_json(path, value)
    return value


def session_file(key: str, name: str) -> str:
    """Return the path of a small file about a session, removed when the session is long gone."""
    return _counter(key, name)


def _folder() -> str:
    return os.path.join(paths.data_dir(), "counters")


def _counter(key: str, name: str) -> str:
    return os.path.join(_folder(), key + "." + name)


def _change(key: str, name: str, step: Callable[[int], int]) -> int:
    path = _counter(key, name)
    try:
        lock = files.Lock(path)
        fd = lock.__enter__()
    except FileNotFoundError:
        files.make_private_dir(_folder())
        fd = lock.__enter__()
    try:
        os.lseek(fd, 0, os.SEEK_SET)
        text = os.read(fd, _WIDTH)
        count = step(int(text) if text.isdigit() else 0)
        os.lseek(fd, 0, os.SEEK_SET)
        os.write(fd, b"%0*d" % (_WIDTH, count))
    finally:
        lock.__exit__(None, None, None)
    return count


def remove_old(folder: str) -> None:
    """Drop files not written for 30 days; called once per new file, so it costs nothing."""
    oldest = time.time() - _KEEP_SECONDS
    for entry in os.scandir(folder):
        try:
            if entry.stat().st_mtime < oldest:
                os.unlink(entry.path)
        except OSError:
            pass
