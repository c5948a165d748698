"""The log: one JSON line per hook run. Logging never raises; the file has no contents and a cap."""

from __future__ import annotations

import os

from hooklib import clock, files, jsonio, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CAP = 1_000_000


def path() -> str:
    return os.path.join(paths.data_dir(), "hooks.log")


def write(event: str, hook: str, outcome: str, ms: float = 0.0, size: int = 0, **more: Any) -> None:
    """Append one line; size counts the bytes delivered. Do nothing if the log cannot be written."""
    line = {
        "time": clock.now(),
        "plugin": paths.plugin_name(),
        "event": event,
        "hook": hook,
        "ms": round(ms, 2),
        "outcome": outcome,
        "bytes": size,
    }
    line.update(more)
    try:
        _append(path(), (jsonio.dumps(line) + "\n").encode("ascii"))
    except OSError:
        pass


def failure(event: str, hook: str, error: BaseException, ms: float = 0.0) -> None:
    """Append the type and place of an error; not its message, which may quote the user's text."""
    description = type(error).__name__
    if isinstance(error, OSError) and error.strerror:
        description += ": " + error.strerror
    write(event, hook, "error", ms, error=description, at=_where(error))


def _where(error: BaseException) -> list[str]:
    places = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        file = os.path.basename(code.co_filename)
        places.append("%s:%d %s" % (file, trace.tb_lineno, code.co_name))
        trace = trace.tb_next
    return places[-5:]


def _append(path: str, line: bytes) -> None:
    try:
        fd = files.open_end(path)
    except FileNotFoundError:
        files.make_private_dir(os.path.dirname(path))
        fd = files.open_end(path)
    try:
        os.write(fd, line)  # one write in append mode: lines of parallel hooks do not mix
        full = os.fstat(fd).st_size > CAP
    finally:
        os.close(fd)
    if full:
        with files.Lock(path + ".lock"):  # if several find it full, one rotates it
            if os.stat(path).st_size > CAP:
                os.replace(path, path + ".1")
