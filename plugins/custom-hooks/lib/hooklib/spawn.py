"""Run a program with posix_spawn and poll: importing subprocess costs more than Python's start.

This works in a process without threads, on systems that have both; process.run decides.
"""

from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

TERM, KILL, PIPE = 15, 9, 13  # the signal module brings enum along
_GRACE = 0.2  # between SIGTERM and SIGKILL; also how long to wait for pipes that stay open
_LOOK = 0.05  # how often to check whether the program has ended while its pipes are open


def usable() -> bool:
    """Return whether `run` works here; it changes the working directory for a moment."""
    if not hasattr(os, "posix_spawnp") or "threading" in sys.modules:
        return False
    try:
        return all(os.fstat(fd) for fd in (0, 1, 2))
    except OSError:  # one is closed: a pipe of ours would get its number
        return False


def run(
    args: list[str], stdin: bytes, env: dict[str, str] | None, cwd: str, timeout: float, limit: int
) -> tuple[int | None, bytes, bytes, bool]:
    """Return (exit code or None after the timeout, stdout, stderr, whether stdout is complete).

    Raise OSError if the program does not start.
    """
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
    stdin_fd, stdout_fd, stderr_fd = ours
    chunks: dict[int, list[bytes]] = {stdout_fd: [], stderr_fd: []}
    deadline = time.monotonic() + timeout
    code = _communicate(stdin_fd, memoryview(stdin), chunks, lambda: _status(pid), deadline, limit)
    if code is None:
        code = _wait(pid, deadline)
    if code is None:
        _end_group(pid)
    output = b"".join(chunks[stdout_fd])
    at_end = chunks[stdout_fd][-1:] == [b""]  # an empty chunk marks the end of the pipe
    complete = at_end and len(output) < limit
    return code, output[:limit], b"".join(chunks[stderr_fd])[:limit], complete


def _start(args: list[str], env: dict[str, str] | None, cwd: str, fds: list[int]) -> int:
    """Start the program in a new process group, in cwd if that is a folder."""
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
            setsigdef=[PIPE],  # Python ignores SIGPIPE; other programs end when nobody reads them
        )
    finally:
        if back >= 0:
            os.fchdir(back)
            os.close(back)


def _communicate(
    stdin_fd: int,
    unwritten: memoryview,
    chunks: dict[int, list[bytes]],
    status: Callable[[], int | None],
    deadline: float,
    limit: int,
) -> int | None:
    """Feed stdin and read the pipes until they close or time is up; return the exit code if known.

    After the program has ended this waits only a moment for the pipes, which a child of it that
    stays in the background may hold open.
    """
    import select

    poll = select.poll()
    open_fds = {stdin_fd, *chunks}
    os.set_blocking(stdin_fd, False)
    poll.register(stdin_fd, select.POLLOUT)
    for fd in chunks:
        poll.register(fd, select.POLLIN)
    sizes = dict.fromkeys(chunks, 0)
    code = None
    while open_fds - {stdin_fd}:
        now = time.monotonic()
        if now >= deadline:
            break
        ready = poll.poll(max(1.0, min(_LOOK, deadline - now) * 1000))
        for fd, _ in ready:
            if fd == stdin_fd:
                unwritten = _write(stdin_fd, unwritten)
                closed = not unwritten
            else:
                data = os.read(fd, 65536)
                if sizes[fd] < limit:  # read and drop the rest, so that the program does not block
                    chunks[fd].append(data)
                    sizes[fd] += len(data)
                closed = not data
            if closed:
                poll.unregister(fd)
                os.close(fd)
                open_fds.discard(fd)
        if not ready and code is None:
            code = status()
            if code is not None:
                deadline = min(deadline, now + _GRACE)
    for fd in open_fds:
        os.close(fd)
    return code


def _write(fd: int, unwritten: memoryview) -> memoryview:
    try:
        return unwritten[os.write(fd, unwritten[:65536]) :] if unwritten else unwritten
    except BlockingIOError:
        return unwritten
    except OSError:
        return unwritten[:0]  # the program does not read its stdin


def _wait(pid: int, deadline: float) -> int | None:
    """Return the exit code, None if the program still runs at the deadline."""
    pause = 0.0005
    while True:
        code = _status(pid)
        if code is not None or time.monotonic() >= deadline:
            return code
        time.sleep(pause)
        pause = min(pause * 2, 0.02)


def _end_group(pid: int) -> None:
    """End the program and all processes that it started."""
    ended = False
    for number in (TERM, KILL):
        try:
            os.killpg(pid, number)
        except (ProcessLookupError, PermissionError):
            break
        ended = ended or _wait(pid, time.monotonic() + _GRACE) is not None


def _status(pid: int) -> int | None:
    """Return the exit code, negative for a signal; None while the program runs."""
    ended_pid, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if ended_pid else None
