"""State that outlives a process: counters and JSON files that parallel hooks may change."""

from __future__ import annotations

import os
import time

from hooklib import files, jsonio, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

_WIDTH = 20  # digits of every counter, so that a write in place always replaces the whole number
_KEEP_SECONDS = 30 * 24 * 3600
_JSON_LIMIT = 16_000_000


def increment(key: str, name: str) -> int:
    """Add one to a counter and return it; parallel callers get different numbers."""
    count = _change(key, name, lambda old: old + 1)
    if count == 1:
        remove_old(_folder())
    return count


def reset(key: str, name: str) -> None:
    """Set a counter back to zero; do not create one that does not exist."""
    if os.path.exists(_counter(key, name)):
        _change(key, name, lambda old: 0)


def read_json(path: str, default: Any = None) -> Any:
    """Return the value in a JSON file; default if it is missing, broken or not a plain file."""
    try:
        return jsonio.loads(files.read_bounded(path, _JSON_LIMIT))
    except (OSError, ValueError, RecursionError):
        return default


def write_json(path: str, value: Any) -> None:
    """Replace a JSON file atomically, private to the user."""
    files.make_private_dir(os.path.dirname(path))
    files.write_atomic(path, jsonio.dumps(value).encode("ascii") + b"\n")


def update_json(path: str, change: Callable[[Any], Any], default: Any = None) -> Any:
    """Change a JSON file under its lock; return the new value."""
    files.make_private_dir(os.path.dirname(path))
    with files.Lock(path + ".lock"):
        value = change(read_json(path, default))
        write_json(path, value)
    return value


def session_file(key: str, name: str) -> str:
    """Return the path of a small file about a session, which is removed after 30 days."""
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
    """Remove files not written for 30 days; called only when a file is new, so it costs little."""
    oldest = time.time() - _KEEP_SECONDS
    for entry in os.scandir(folder):
        try:
            if entry.stat().st_mtime < oldest:
                os.unlink(entry.path)
        except OSError:
            pass
