"""The interactive Claude Code in tmux: type, wait, read the screen."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import time

from claude_lab import KEY, MODEL, ClaudeLab
from clients import MissingError
from fake_anthropic import FakeAnthropic, Turn

SIZE = ("120", "60")


class Tui:
    """One session on a screen; use it with `with`."""

    def __init__(self, lab: ClaudeLab, script: list[Turn], **env: str) -> None:
        tmux = shutil.which("tmux")
        if not tmux:
            raise MissingError("tmux is missing: install it with your system's package manager")
        # a server, a socket and a configuration of its own: the user's tmux is not touched
        self._tmux = [tmux, "-S", os.path.join(lab.root, "tmux"), "-f", os.devnull]
        self._lab = lab
        self._env = env
        self._pid = 0
        self.model = FakeAnthropic(script)

    def __enter__(self) -> Tui:
        self._skip_dialogs()
        self.model.__enter__()
        env = self._lab.env(self.model.url, TERM="screen-256color", **self._env)
        start = ["env", "-i", *("%s=%s" % pair for pair in env.items()), self._lab.bin]
        start += ["--model", MODEL, "--permission-mode", "acceptEdits"]
        command = "exec " + " ".join(map(shlex.quote, start))
        self._call(
            "new-session", "-d", "-x", SIZE[0], "-y", SIZE[1], "-c", self._lab.project, command
        )
        self._pid = int(self._call("display-message", "-p", "#{pane_pid}"))
        try:
            self.wait("❯")
        except AssertionError:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._call("kill-server")  # the one on our own socket
        self._wait_for_the_end()
        self.model.__exit__()

    def screen(self) -> str:
        return self._call("capture-pane", "-p")

    def type(self, text: str) -> None:
        """Type a line as a person does; the client takes text and Enter in one go for a paste."""
        self._call("send-keys", "-l", text)
        self.wait(text)
        self._call("send-keys", "Enter")

    def wait(self, needle: str, seconds: float = 15) -> str:
        """Return the screen once it shows needle."""
        end = time.time() + seconds
        while time.time() < end:
            screen = self.screen()
            if needle in screen:
                return screen
            time.sleep(0.1)
        raise AssertionError("never on the screen: %r\n%s" % (needle, self.screen()))

    def _call(self, *args: str) -> str:
        env = {"PATH": self._lab.env()["PATH"], "LANG": "C.UTF-8", "SHELL": "/bin/sh"}
        done = subprocess.run([*self._tmux, *args], env=env, capture_output=True, text=True)
        return done.stdout

    def _skip_dialogs(self) -> None:
        """Answer beforehand what the client asks a new user: theme, key, trust in the folder."""
        path = os.path.join(self._lab.config, ".claude.json")
        try:
            with open(path, encoding="utf-8") as file:
                known = json.load(file)
        except FileNotFoundError:
            known = {}
        known.update(hasCompletedOnboarding=True, theme="dark")
        known["customApiKeyResponses"] = {"approved": [KEY], "rejected": []}
        answers = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        known.setdefault("projects", {})[self._lab.project] = answers
        self._lab.write(path, known)

    def _wait_for_the_end(self) -> None:
        """Give the client time to write its last files, which would outlive the lab's folder."""
        for _ in range(50):
            try:
                os.kill(self._pid, 0)
            except ProcessLookupError:
                return
            time.sleep(0.1)
