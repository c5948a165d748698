"""The real Gemini CLI in a home of its own, against a scripted model on loopback.

Nothing of the caller's home, configuration, environment or credentials is used, and all paths
hold what a careless shell command would trip over.
"""

from __future__ import annotations

import dataclasses
import glob
import json
import os
import shutil
import signal
import subprocess
import tempfile
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
