"""Start a program and come back in time: a limit for the whole process group."""

from __future__ import annotations

import os
import sys
import time

from hooklib import spawn

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from typing import BinaryIO, Callable

    Run = Callable[..., "Finished"]  # what a hook that starts programs takes as its way to do so

TIMED_OUT = 124
MISSING = 127
OUTPUT_LIMIT = 1_000_000
_GRACE = 0.2  # between asking a process group to end and ending it


class Finished:
    """What became of a program: its exit code (124 timed out, 127 not found) and its output."""

    __slots__ = ("code", "stdout", "stderr")

    def __init__(self, code: int, stdout: bytes = b"", stderr: bytes = b"") -> None:
        self.code = code
        self.stdout = stdout
        self.stderr = stderr


def run(
    args: list[str],
    stdin: bytes = b"",
    env: dict[str, str] | None = None,
    cwd: str = "",
    timeout: float = 10.0,
) -> Finished:
    """Run args, with no shell, for at most timeout seconds; too much output is dropped."""
    try:
        if spawn.usable():
            ended, told, complaint = spawn.run(args, stdin, env, cwd, timeout, OUTPUT_LIMIT)
            return Finished(TIMED_OUT if ended is None else ended, told, complaint)
        program = _start(args, env, cwd)
    except (OSError, ValueError) as error:
        return Finished(MISSING, b"", str(error).encode("utf-8", "replace"))
    import threading

    out: list[bytes] = []
    err: list[bytes] = []
    threads = [
        threading.Thread(target=_feed, args=(program.stdin, stdin), daemon=True),
        threading.Thread(target=_collect, args=(program.stdout, out), daemon=True),
        threading.Thread(target=_collect, args=(program.stderr, err), daemon=True),
    ]
    for thread in threads:
        thread.start()
    code = _wait(program, timeout)
    # a child left in the background may hold the pipes open: that is not waited for
    patience = time.monotonic() + 0.2
    for thread in threads[1:]:
        thread.join(max(0.0, patience - time.monotonic()))
    return Finished(code, b"".join(out)[:OUTPUT_LIMIT], b"".join(err)[:OUTPUT_LIMIT])


def start_detached(
    args: list[str], stdin: bytes, env: dict[str, str] | None = None, cwd: str = ""
) -> bool:
    """Start a program that outlives us and that nobody waits for; False where it does not start."""
    import tempfile

    with tempfile.TemporaryFile() as file:  # a pipe would have to be fed while it reads
        file.write(stdin)
        file.seek(0)
        try:
            _start(args, env, cwd, file)
        except (OSError, ValueError):
            return False
    return True


def _start(
    args: list[str], env: dict[str, str] | None, cwd: str, source: BinaryIO | None = None
) -> subprocess.Popen[bytes]:
    import subprocess

    talk = subprocess.DEVNULL if source else subprocess.PIPE
    flags = 0x00000200 if sys.platform == "win32" else 0  # CREATE_NEW_PROCESS_GROUP
    return subprocess.Popen(
        args,
        stdin=source or subprocess.PIPE,
        stdout=talk,
        stderr=talk,
        env=env,
        cwd=cwd if os.path.isdir(cwd) else None,
        start_new_session=True,
        creationflags=flags,
    )


def _wait(program: subprocess.Popen[bytes], timeout: float) -> int:
    import subprocess

    try:
        return program.wait(timeout)
    except subprocess.TimeoutExpired:
        _end(program)
        return TIMED_OUT


def _end(program: subprocess.Popen[bytes]) -> None:
    """End the program and everything it started."""
    import subprocess

    if sys.platform == "win32":
        subprocess.run(["taskkill", "/T", "/F", "/PID", str(program.pid)], capture_output=True)
        return
    import signal

    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(program.pid, number)
        except ProcessLookupError:
            break
        try:
            program.wait(_GRACE)
        except subprocess.TimeoutExpired:
            pass


def _feed(pipe: BinaryIO, data: bytes) -> None:
    try:
        pipe.write(data)
        pipe.close()
    except OSError:
        pass  # it did not want to read


def _collect(pipe: BinaryIO, into: list[bytes]) -> None:
    size = 0
    while True:
        try:
            data = pipe.read1(65536)  # type: ignore[attr-defined]
        except (OSError, ValueError):
            return
        if not data:
            pipe.close()
            return
        if size < OUTPUT_LIMIT:  # the rest is read and dropped, so that the program is not held up
            into.append(data)
            size += len(data)
