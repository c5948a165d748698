"""Access to files that several hooks use at once: bounded reads, atomic writes, a lock."""

from __future__ import annotations

import os
import stat
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import BinaryIO

_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_OPEN = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)  # a cloned repository may hold a link in a file's place
_LOCK = _OPEN | _NO_LINK
_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0) | _NO_LINK
LOCK_SECONDS = 2.0


def read_bounded(path: str, limit: int) -> bytes:
    """Return the bytes of a regular file; raise OSError if it has more than limit bytes."""
    with open_regular(path) as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise OSError("larger than %d bytes" % limit)
    return data


def read_head(path: str, size: int) -> bytes:
    """Return the first size bytes of a regular file; raise OSError for anything else."""
    with open_regular(path) as file:
        return file.read(size)


def read_tail(path: str, size: int) -> bytes:
    """Return the last size bytes of a regular file; raise OSError for anything else."""
    with open_regular(path) as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - size))
        return file.read(size)


def open_regular(path: str) -> BinaryIO:
    """Open a regular file for reading; raise OSError for a pipe or a device, which may hang."""
    try:
        fd = os.open(path, _READ)
    except ValueError:  # a NUL in the path
        raise OSError("not a path") from None
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError("not a regular file")
    return open(fd, "rb")


def size(path: str) -> int:
    """Return the size of a file, -1 if it does not exist."""
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return -1


def make_private_dir(path: str) -> None:
    os.makedirs(path, mode=0o700, exist_ok=True)


def open_end(path: str) -> int:
    """Open a private file for appending; with one write per line, lines do not mix."""
    return os.open(path, _APPEND, 0o600)


def write_atomic(path: str, data: bytes, mode: int = 0o600) -> None:
    """Replace the contents of path; nobody sees half of them, even if the process is killed."""
    temporary = "%s.%d.%d.tmp" % (path, os.getpid(), time.monotonic_ns())
    try:
        fd = os.open(temporary, _OPEN | os.O_EXCL, mode)
        with open(fd, "wb") as file:
            file.write(data)
        _replace(temporary, path)
    except BaseException:
        try:
            os.unlink(temporary)
        except OSError:
            pass
        raise


def _replace(source: str, target: str) -> None:
    for pause in (0.01, 0.05, 0.2):
        try:
            os.replace(source, target)
            return
        except PermissionError:  # Windows, while another process reads the target
            if os.name != "nt":
                raise
            time.sleep(pause)
    os.replace(source, target)


class Lock:
    """Exclusive use of a small file among processes; freed by the system when its holder dies.

    `with Lock(path) as fd:` waits some seconds, then raises TimeoutError: a stopped holder must not
    hang a hook.
    """

    def __init__(self, path: str, seconds: float = LOCK_SECONDS) -> None:
        self.path = path
        self.seconds = seconds

    def __enter__(self) -> int:
        self.fd = os.open(self.path, _LOCK, 0o600)
        if not _try_lock(self.fd):
            self._wait()
        return self.fd

    def _wait(self) -> None:
        from hooklib.limits import scaled

        deadline = time.monotonic() + scaled(self.seconds)
        pause = 0.001
        while not _try_lock(self.fd):
            if time.monotonic() > deadline:
                os.close(self.fd)
                raise TimeoutError("lock is held by another process")
            time.sleep(pause)
            pause = min(pause * 1.5, 0.02)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if sys.platform == "win32":
            _unlock_windows(self.fd)
        os.close(self.fd)


if sys.platform == "win32":
    import msvcrt

    _LOCKED_BYTE = 1 << 30  # far behind the content: Windows locks also keep readers out

    def _try_lock(fd: int) -> bool:
        os.lseek(fd, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock_windows(fd: int) -> None:
        os.lseek(fd, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(fd, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(fd: int) -> bool:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
