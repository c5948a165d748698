"""Run a program with posix_spawn and poll: importing subprocess costs more than the interpreter.

Only for a process without threads, on a system that has both. process.run decides.
"""

from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

TERM, KILL, PIPE = 15, 9, 13  # the signal module brings enum along
_GRACE = 0.2  # between asking a process group to end and ending it; for pipes that are held open
_LOOK = 0.05  # how often to see whether the program has ended while its pipes are open


def usable() -> bool:
    """Return whether this way is open: it changes the working directory for a moment."""
    if not hasattr(os, "posix_spawnp") or "threading" in sys.modules:
        return False
    try:
        return all(os.fstat(fd) for fd in (0, 1, 2))
    except OSError:  # a closed one: our pipes would get its number
        return False


def run(
    args: list[str], stdin: bytes, env: dict[str, str] | None, cwd: str, timeout: float, limit: int
) -> tuple[int | None, bytes, bytes]:
    """Return (exit code, None where time ran out; stdout; stderr); OSError where none starts."""
    ours, theirs = [], []
    try:
        for number in (0, 1, 2):
            read, write = os.pipe()
            theirs.append(write if number else read)
            ours.append(read if number else write)
        pid = _start(args, env, cwd, theirs)
    except (OSError, ValueError):
        for fd in ours:
            os.close(fd)
        raise
    finally:
        for fd in theirs:
            os.close(fd)
    feed, out, err = ours
    told = {out: [b""], err: [b""]}
    end = time.monotonic() + timeout
    code = _talk(feed, memoryview(stdin), told, lambda: _status(pid), end, limit)
    if code is None:
        code = _wait(pid, end)
    if code is None:
        _end_group(pid)
    return code, b"".join(told[out])[:limit], b"".join(told[err])[:limit]


def _start(args: list[str], env: dict[str, str] | None, cwd: str, fds: list[int]) -> int:
    """Start the program in a process group of its own, in cwd where that is a folder."""
    actions = [(os.POSIX_SPAWN_DUP2, fd, number) for number, fd in enumerate(fds)]
    back = -1
    if os.path.isdir(cwd):
        back = os.open(".", os.O_RDONLY)
        os.chdir(cwd)
    try:
        return os.posix_spawnp(
            args[0],
            args,
            os.environ if env is None else env,
            file_actions=actions,
            setpgroup=0,
            setsigdef=[PIPE],  # Python ignores that signal; a program ends when nobody reads it
        )
    finally:
        if back >= 0:
            os.fchdir(back)
            os.close(back)


def _talk(
    feed: int,
    left: memoryview,
    told: dict[int, list[bytes]],
    status: Callable[[], int | None],
    end: float,
    limit: int,
) -> int | None:
    """Feed and listen until all is said, time is out or the program is long gone; its exit code.

    A child of the program that stays in the background may hold the pipes open.
    """
    import select

    poll = select.poll()
    open_fds = {feed, *told}
    os.set_blocking(feed, False)
    poll.register(feed, select.POLLOUT)
    for fd in told:
        poll.register(fd, select.POLLIN)
    sizes = dict.fromkeys(told, 0)
    code = None
    while open_fds - {feed}:
        now = time.monotonic()
        if now >= end:
            break
        ready = poll.poll(max(1.0, min(_LOOK, end - now) * 1000))
        for fd, _ in ready:
            if fd == feed:
                left = _write(feed, left)
                done = not left
            else:
                data = os.read(fd, 65536)
                if sizes[fd] < limit:  # the rest is read and dropped: it must not be held up
                    told[fd].append(data)
                    sizes[fd] += len(data)
                done = not data
            if done:
                poll.unregister(fd)
                os.close(fd)
                open_fds.discard(fd)
        if not ready and code is None:
            code = status()
            if code is not None:
                end = min(end, now + _GRACE)
    for fd in open_fds:
        os.close(fd)
    return code


def _write(fd: int, left: memoryview) -> memoryview:
    try:
        return left[os.write(fd, left[:65536]) :] if left else left
    except BlockingIOError:
        return left
    except OSError:
        return left[:0]  # it does not want to read


def _wait(pid: int, end: float) -> int | None:
    """Return the exit code, None where the program still runs at the end."""
    pause = 0.0005
    while True:
        code = _status(pid)
        if code is not None or time.monotonic() >= end:
            return code
        time.sleep(pause)
        pause = min(pause * 2, 0.02)


def _end_group(pid: int) -> None:
    """End the program and everything it started."""
    ended = False
    for number in (TERM, KILL):
        try:
            os.killpg(pid, number)
        except (ProcessLookupError, PermissionError):
            break
        ended = ended or _wait(pid, time.monotonic() + _GRACE) is not None


def _status(pid: int) -> int | None:
    """Return the exit code, negative for a signal; None while it runs."""
    found, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if found else None
