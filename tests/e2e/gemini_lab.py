"""The real Gemini CLI in a lab."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time
from collections.abc import Iterator

import lab
from clients import cache_dir, gemini_js, node
from fake_gemini import FakeGemini, Request, Turn

from support import PLUGINS

EXTENSION = "ecc-hooks-gemini"
MODEL = "gemini-2.5-flash"
Run = lab.Run[Request]  # what one `gemini -p` did
_SETTINGS = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
}


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
        return self._process.wait(GeminiLab.seconds)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._fd], [], [], GeminiLab.seconds)
        try:
            data = os.read(self._fd, 65536) if ready else b""
        except OSError:  # the other end is closed
            data = b""
        self._shown += data
        return bool(data)


class GeminiLab(lab.Lab):
    seconds = 120

    def __init__(self, prefix: str = "lab's $(x) ") -> None:
        super().__init__([node(), gemini_js(cache_dir())], prefix)
        self.settings()

    def settings(self, **more: object) -> None:
        """Write the client's own settings."""
        self.write(os.path.join(self.home, ".gemini", "settings.json"), {**_SETTINGS, **more})

    def client_env(self, url: str) -> dict[str, str]:
        return {
            "TERM": "xterm-256color",
            "NO_COLOR": "1",
            "GEMINI_API_KEY": "test-key",
            "GEMINI_CLI_NO_RELAUNCH": "true",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
            "GOOGLE_GEMINI_BASE_URL": url,
        }

    def link(self, root: str = "") -> None:
        """Link the extension, as its README says; the client runs it in place."""
        root = root or os.path.join(PLUGINS, EXTENSION)
        done = self.cli("extensions", "link", root, "--consent")
        if EXTENSION not in done.stdout:  # the client ends with 0 even where it linked nothing
            raise RuntimeError("not linked:\n" + done.stdout)

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
                    lab.kill(process)
                process.wait()
                os.close(main)

    def run(self, script: list[Turn], prompt: str = "go", *options: str, **env: str) -> Run:
        """Run one `gemini -p` to its end; the model answers from script."""
        command = [*self.command, "-m", MODEL, "--approval-mode", "yolo", *options, "-p", prompt]
        return self.play(FakeGemini(script), command, **env)
