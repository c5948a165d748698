"""The real Gemini CLI in a home of its own, against a scripted model on loopback.

Nothing of the caller's home, configuration, environment or credentials is used, and all paths
hold what a careless shell command would trip over.
"""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import glob
import json
import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import time
from collections.abc import Iterator
from typing import Any

from claude_lab import commit
from clients import cache_dir, gemini_js, node
from fake_gemini import FakeGemini, Request, Turn

from support import PLUGINS, PYTHON

EXTENSION = "ecc-hooks-gemini"
MODEL = "gemini-2.5-flash"
SECONDS = 120  # a client that takes longer hangs
_SETTINGS = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
}


@dataclasses.dataclass
class Run:
    """What one `gemini -p` did."""

    code: int
    stdout: str
    stderr: str
    requests: list[Request]  # what the model was sent in the conversation
    side_requests: list[Request]  # summaries and the like
    unused: list[Turn]  # what is left of the script

    def counts(self, needle: str) -> list[int]:
        """How often the model was shown needle, by request."""
        return [request.text.count(needle) for request in self.requests]

    def sent(self, needle: str) -> bool:
        return any(self.counts(needle))


class Screen:
    """A terminal with the client on it."""

    def __init__(self, fd: int, process: subprocess.Popen[bytes]) -> None:
        self._fd, self._process = fd, process
        self._shown = b""

    def wait(self, needle: str) -> None:
        """Read until needle has been shown; it is then forgotten."""
        while needle.encode() not in self._shown:
            if not self._read():
                raise AssertionError("never shown: %s\n%r" % (needle, self._shown[-3000:]))
        self._shown = self._shown.partition(needle.encode())[2]

    def type(self, text: str) -> None:
        """Type a line as a person does; the client takes text and Enter in one go for a paste."""
        os.write(self._fd, text.encode())
        self.wait(text)
        time.sleep(0.5)
        os.write(self._fd, b"\r")

    def end(self) -> int:
        """Wait for the client to end by itself."""
        while self._read():
            pass
        return self._process.wait(SECONDS)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._fd], [], [], SECONDS)
        try:
            data = os.read(self._fd, 65536) if ready else b""
        except OSError:  # the other end is closed
            data = b""
        self._shown += data
        return bool(data)


class GeminiLab:
    """A home, a configuration and a project for the client; use it with `with`."""

    def __init__(self, prefix: str = "lab's $(x) ") -> None:
        self.command = [node(), gemini_js(cache_dir())]
        self.root = os.path.realpath(tempfile.mkdtemp(prefix=prefix))
        self.home = self.folder("home")
        self.project = self.folder("my project")
        self.folder("tmp")
        self.settings()
        self.write(os.path.join(self.project, "README.md"), "A project.\n")
        commit(self.project)

    def __enter__(self) -> GeminiLab:
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.root, ignore_errors=True)

    def folder(self, *names: str) -> str:
        path = os.path.join(self.root, *names)
        os.makedirs(path, exist_ok=True)
        return path

    def path(self, *names: str) -> str:
        """Return a path in the project."""
        return os.path.join(self.project, *names)

    def write(self, path: str, content: object) -> str:
        """Write text, or anything else as JSON; return the path."""
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
        return path

    def read(self, *names: str) -> str:
        """Return the text of a file in the project, '' where there is none."""
        try:
            with open(self.path(*names), encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def settings(self, **more: object) -> None:
        """Write the client's own settings."""
        self.write(os.path.join(self.home, ".gemini", "settings.json"), {**_SETTINGS, **more})

    def env(self, url: str = "http://127.0.0.1:9", **more: str) -> dict[str, str]:
        """The client's environment, built from nothing; url is where it finds the model."""
        git = os.path.dirname(shutil.which("git") or "")
        folders = dict.fromkeys(
            (os.path.dirname(PYTHON), git, "/usr/local/bin", "/usr/bin", "/bin")
        )
        env = {
            "PATH": os.pathsep.join(folder for folder in folders if folder),
            "HOME": self.home,
            "TMPDIR": os.path.join(self.root, "tmp"),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "NO_COLOR": "1",
            "NO_PROXY": "127.0.0.1",
            "GEMINI_API_KEY": "test-key",
            "GEMINI_CLI_NO_RELAUNCH": "true",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
            "GOOGLE_GEMINI_BASE_URL": url,
        }
        env.update(more)
        return env

    def link(self, root: str = "") -> None:
        """Link the extension, as its README says; the client runs it in place."""
        root = root or os.path.join(PLUGINS, EXTENSION)
        done = self.cli("extensions", "link", root, "--consent")
        if EXTENSION not in done.stdout:  # the client ends with 0 even where it linked nothing
            raise RuntimeError("not linked:\n" + done.stdout)

    def cli(self, *args: str) -> subprocess.CompletedProcess[str]:
        """Run a sub-command such as `gemini extensions list`."""
        return subprocess.run(
            [*self.command, *args],
            cwd=self.project,
            env=self.env(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
            check=True,
        )

    def hook_log(self) -> list[dict[str, Any]]:
        """Return what the extension's own log holds."""
        lines: list[dict[str, Any]] = []
        for path in glob.glob(
            os.path.join(glob.escape(self.home), ".*", "**", "hooks.log"), recursive=True
        ):
            with open(path, encoding="utf-8") as file:
                lines += [json.loads(line) for line in file]
        return lines

    @contextlib.contextmanager
    def screen(self, script: list[Turn], **env: str) -> Iterator[Screen]:
        """The interactive client on a terminal of its own."""
        with FakeGemini(script) as model:
            main, other = pty.openpty()
            fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 120, 0, 0))
            process = subprocess.Popen(
                [*self.command, "-m", MODEL, "--approval-mode", "yolo"],
                cwd=self.project,
                env=self.env(model.url, **env),
                stdin=other,
                stdout=other,
                stderr=other,
                start_new_session=True,
            )
            os.close(other)
            try:
                yield Screen(main, process)
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)  # its own group, just started
                process.wait()
                os.close(main)

    def run(self, script: list[Turn], prompt: str = "go", *options: str, **env: str) -> Run:
        """Run one `gemini -p` to its end; the model answers from script."""
        command = [*self.command, "-m", MODEL, "--approval-mode", "yolo", *options, "-p", prompt]
        with FakeGemini(script) as model:
            process = subprocess.Popen(
                command,
                cwd=self.project,
                env=self.env(model.url, **env),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
            try:
                stdout, stderr = process.communicate(timeout=SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)  # its own group, just started
                process.communicate()
                raise
        return Run(
            process.returncode,
            stdout,
            stderr,
            model.requests,
            model.side_requests,
            model.script,
        )
