"""The real OpenCode in a lab."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import socket
import subprocess
import sys
import time
from typing import Any, Callable

import lab
from clients import cache_dir, opencode_bin
from fake_openai import FakeOpenAI, Request, Turn

from support import REPO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

Ask = Callable[..., Any]
MODEL, GPT = "m", "gpt-5"  # GPT models get the tool apply_patch instead of edit and write
Run = lab.Run[Request]  # what one `opencode run` did


class OpenCodeLab(lab.Lab):
    seconds = 300

    def __init__(self, prefix: str = "lab's $(x) ") -> None:
        super().__init__([opencode_bin(cache_dir())], prefix)
        self.pretend_installed(self.folder("home", ".config", "opencode"))

    def pretend_installed(self, folder: str) -> None:
        """Let the client believe that npm was here: else it asks a registry at every start."""
        self.write(os.path.join(folder, "node_modules", ".keep"), "")
        root = {"dependencies": {"@opencode-ai/plugin": "*"}}
        lock = {"name": "lab", "lockfileVersion": 3, "packages": {"": root}}
        self.write(os.path.join(folder, "package-lock.json"), lock)

    def client_env(self, url: str) -> dict[str, str]:
        return {
            "CLAUDE_CONFIG_DIR": self.config,
            "npm_config_registry": url + "/npm",
            "OPENCODE_MODELS_URL": url + "/models",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        }

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
        command = [*self.command, "run", "--auto", *options, "--", prompt]
        server = FakeOpenAI(script)
        self.configure(server.url, model, context)
        return self.play(server, command, **env)

    @contextlib.contextmanager
    def serve(self, model: FakeOpenAI, **config: object) -> Iterator[Ask]:
        """Run `opencode serve` against model; yields ask(method, path, body)."""
        self.configure(model.url, MODEL, 100_000, **config)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        process = subprocess.Popen(
            [*self.command, "serve", "--hostname", "127.0.0.1", "--port", str(port)],
            cwd=self.project,
            env=self.env(model.url),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

        def ask(method: str, path: str, body: object = None, seconds: float = self.seconds) -> Any:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)
            with contextlib.closing(connection):
                headers = {"content-type": "application/json"}
                data = None if body is None else json.dumps(body)
                connection.request(method, path, data, headers)
                return json.loads(connection.getresponse().read() or b"null")

        try:
            until = time.monotonic() + self.seconds
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
            lab.kill(process)
            process.wait()
