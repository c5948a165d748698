"""The real OpenCode in a home of its own, against a scripted model on loopback.

Nothing of the caller's home, configuration, environment or credentials is used, and all paths
hold what a careless shell command would trip over.
"""

from __future__ import annotations

import contextlib
import dataclasses
import glob
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from typing import Any, Callable

from claude_lab import commit
from clients import cache_dir, opencode_bin
from fake_openai import FakeOpenAI, Request, Turn

from support import PYTHON, REPO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

Ask = Callable[..., Any]
SECONDS = 120  # a client that takes longer hangs
MODEL, GPT = "m", "gpt-5"  # GPT models get the tool apply_patch instead of edit and write


@dataclasses.dataclass
class Run:
    """What one `opencode run` did."""

    code: int
    stdout: str
    stderr: str
    requests: list[Request]  # what the model was sent in the conversation
    side_requests: list[Request]  # titles, summaries
    strangers: list[str]  # what was asked of the registry
    unused: list[Turn]  # what is left of the script

    def counts(self, needle: str) -> list[int]:
        """How often the model was shown needle, by request."""
        return [request.text.count(needle) for request in self.requests]

    def sent(self, needle: str) -> bool:
        return any(self.counts(needle))


class OpenCodeLab:
    """A home, a configuration and a project for the client; use it with `with`."""

    def __init__(self, prefix: str = "lab's $(x) ") -> None:
        self.bin = opencode_bin(cache_dir())
        self.root = os.path.realpath(tempfile.mkdtemp(prefix=prefix))
        self.home = self.folder("home")
        self.config = self.folder("home", "claude config")
        self.project = self.folder("my project")
        self.folder("tmp")
        self.write(os.path.join(self.project, "README.md"), "A project.\n")
        commit(self.project)
        self.pretend_installed(self.folder("home", ".config", "opencode"))

    def __enter__(self) -> OpenCodeLab:
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

    def pretend_installed(self, folder: str) -> None:
        """Let the client believe that npm was here: else it asks a registry at every start."""
        self.write(os.path.join(folder, "node_modules", ".keep"), "")
        root = {"dependencies": {"@opencode-ai/plugin": "*"}}
        lock = {"name": "lab", "lockfileVersion": 3, "packages": {"": root}}
        self.write(os.path.join(folder, "package-lock.json"), lock)

    def env(self, url: str, **more: str) -> dict[str, str]:
        """The client's environment, built from nothing; url is where it finds the model."""
        git = os.path.dirname(shutil.which("git") or "")
        folders = dict.fromkeys(
            (os.path.dirname(PYTHON), git, "/usr/local/bin", "/usr/bin", "/bin")
        )
        env = {
            "PATH": os.pathsep.join(folder for folder in folders if folder),
            "HOME": self.home,
            "CLAUDE_CONFIG_DIR": self.config,
            "TMPDIR": os.path.join(self.root, "tmp"),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "SHELL": "/bin/sh",
            "NO_PROXY": "127.0.0.1",
            "npm_config_registry": url + "/npm",
            "OPENCODE_MODELS_URL": url + "/models",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        }
        env.update(more)
        return env

    def install(self, *args: str) -> str:
        """Run the installer as `make install-opencode` does; return what it said."""
        command = [sys.executable, os.path.join(REPO, "tools", "install_opencode.py"), *args]
        done = subprocess.run(
            command,
            env={"PATH": os.environ["PATH"], "HOME": self.home},
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise RuntimeError(done.stderr)
        return done.stdout

    def configure(self, url: str, model: str, context: int, **more: object) -> None:
        limit = {"context": context, "output": 4000}
        models = {name: {"name": name, "tool_call": True, "limit": limit} for name in (MODEL, GPT)}
        options = {"baseURL": url + "/v1", "apiKey": "sk-test"}
        provider = {"npm": "@ai-sdk/openai-compatible", "name": "Fake", "options": options}
        which = {"model": "fake/" + model, "small_model": "fake/" + MODEL}
        shared = {"autoupdate": False, "share": "disabled", **which}
        config = {**shared, **more, "provider": {"fake": {**provider, "models": models}}}
        self.write(os.path.join(self.home, ".config", "opencode", "opencode.json"), config)

    def run(
        self,
        script: list[Turn],
        prompt: str = "go",
        options: tuple[str, ...] = (),
        model: str = MODEL,
        context: int = 100_000,
        **env: str,
    ) -> Run:
        """Run one `opencode run` to its end; the model answers from script."""
        command = [self.bin, "run", "--auto", *options, "--", prompt]
        with FakeOpenAI(script) as server:
            self.configure(server.url, model, context)
            process = subprocess.Popen(
                command,
                cwd=self.project,
                env=self.env(server.url, **env),
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
        talk = [request for request in server.requests if request.has_tools]
        side = [request for request in server.requests if not request.has_tools]
        done = (process.returncode, stdout, stderr)
        return Run(*done, talk, side, server.strangers, server.script)

    @contextlib.contextmanager
    def serve(self, model: FakeOpenAI, **config: object) -> Iterator[Ask]:
        """Run `opencode serve` against model; yields ask(method, path, body)."""
        self.configure(model.url, MODEL, 100_000, **config)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        process = subprocess.Popen(
            [self.bin, "serve", "--hostname", "127.0.0.1", "--port", str(port)],
            cwd=self.project,
            env=self.env(model.url),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

        def ask(method: str, path: str, body: object = None, seconds: float = SECONDS) -> Any:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)
            with contextlib.closing(connection):
                headers = {"content-type": "application/json"}
                data = None if body is None else json.dumps(body)
                connection.request(method, path, data, headers)
                return json.loads(connection.getresponse().read() or b"null")

        try:
            until = time.monotonic() + SECONDS
            while True:  # a request that comes too early is refused, or never answered
                try:
                    ask("GET", "/config", seconds=3)
                    break
                except OSError:
                    if time.monotonic() > until:
                        raise
                    time.sleep(0.2)
            yield ask
        finally:
            os.killpg(process.pid, signal.SIGKILL)  # its own group, just started
            process.wait()

    def hook_log(self) -> list[dict[str, Any]]:
        """Return what the plugin's own log holds."""
        lines: list[dict[str, Any]] = []
        data = os.path.join(glob.escape(self.config), "plugins", "data")
        for path in glob.glob(os.path.join(data, "*", "hooks.log")):
            with open(path, encoding="utf-8") as file:
                lines += [json.loads(line) for line in file]
        return lines
