"""Run a program with a time limit for its whole process group."""

from __future__ import annotations

import os
import sys
import time

from hooklib import spawn

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from typing import BinaryIO, Callable

    Run = Callable[..., "Finished"]  # `run`, or what a test gives a hook in its place

TIMED_OUT = 124
MISSING = 127
OUTPUT_LIMIT = 1_000_000
_GRACE = 0.2  # between asking a process group to end and ending it


class Finished:
    """The result of a program: its exit code (124 timed out, 127 not found) and its output."""

    __slots__ = ("code", "stdout", "stderr", "whole")

    def __init__(
        self, code: int, stdout: bytes = b"", stderr: bytes = b"", whole: bool = True
    ) -> None:
        self.code = code
        self.stdout = stdout
        self.stderr = stderr
        self.whole = whole  # False: there was more on stdout


def run(
    args: list[str],
    stdin: bytes = b"",
    env: dict[str, str] | None = None,
    cwd: str = "",
    timeout: float = 10.0,
) -> Finished:
    """Run args without a shell for at most timeout seconds; drop output beyond OUTPUT_LIMIT."""
    try:
        if spawn.usable():
            exit_code, output, error_output, complete = spawn.run(
                args, stdin, env, cwd, timeout, OUTPUT_LIMIT
            )
            return Finished(
                TIMED_OUT if exit_code is None else exit_code, output, error_output, complete
            )
        program = _start(args, env, cwd)
    except (OSError, ValueError) as error:
        return Finished(MISSING, b"", str(error).encode("utf-8", "replace"))
    import threading

    chunks: list[bytes] = []
    error_chunks: list[bytes] = []
    threads = [
        threading.Thread(target=_feed, args=(program.stdin, stdin), daemon=True),
        threading.Thread(target=_collect, args=(program.stdout, chunks), daemon=True),
        threading.Thread(target=_collect, args=(program.stderr, error_chunks), daemon=True),
    ]
    for thread in threads:
        thread.start()
    code = _wait(program, timeout)
    # a child left in the background may hold the pipes open: do not wait for it
    deadline = time.monotonic() + 0.2
    for thread in threads[1:]:
        thread.join(max(0.0, deadline - time.monotonic()))
    output = b"".join(chunks)
    in_time = code != TIMED_OUT and not threads[1].is_alive()
    complete = in_time and len(output) < OUTPUT_LIMIT
    return Finished(code, output[:OUTPUT_LIMIT], b"".join(error_chunks)[:OUTPUT_LIMIT], complete)


def start_detached(
    args: list[str], stdin: bytes, env: dict[str, str] | None = None, cwd: str = ""
) -> bool:
    """Start a program that outlives this process; return whether it started."""
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
    """End the program and all processes that it started."""
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
