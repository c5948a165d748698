"""A home, a configuration and a project for a real client; each client has a subclass.

Nothing of the caller's home, configuration, environment or credentials is used, and all paths
hold what a careless shell command would trip over. The model is a script on loopback.
"""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import signal
import subprocess
import tempfile
from typing import Any, Generic, TypeVar

from fake_server import FakeServer, R, Turn

from support import PYTHON

NOWHERE = "http://127.0.0.1:9"  # for a client that is not to ask a model
_IDENTITY = ("-c", "user.name=lab", "-c", "user.email=lab@localhost")
L = TypeVar("L", bound="Lab")


@dataclasses.dataclass
class Run(Generic[R]):
    """What one run of a client did."""

    code: int
    stdout: str
    stderr: str
    requests: list[R]  # what the model was sent in the conversation
    side_requests: list[R]  # titles, summaries
    strangers: list[str]  # what else was asked of the model's server
    unused: list[Turn]  # what is left of the script

    def counts(self, needle: str) -> list[int]:
        """How often the model was shown needle, by request."""
        return [request.text.count(needle) for request in self.requests]

    def sent(self, needle: str) -> bool:
        return any(self.counts(needle))


class Lab:
    """Use it with `with`. A client adds its command, its variables and how it is run."""

    seconds = 60  # a client that takes longer hangs

    def __init__(self, command: list[str], prefix: str = "lab's $(x) ") -> None:
        self.command = command
        self.root = os.path.realpath(tempfile.mkdtemp(prefix=prefix))
        self.home = self.folder("home")
        self.config = self.folder("home", "claude config")
        self.project = self.folder("my project")
        self.folder("tmp")
        self.write(self.path("README.md"), "A project.\n")
        commit(self.project)

    def __enter__(self: L) -> L:
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

    def client_env(self, url: str) -> dict[str, str]:
        """Return what the client wants in its environment; url is where it finds the model."""
        raise NotImplementedError

    def env(self, url: str = NOWHERE, **more: str) -> dict[str, str]:
        """Return the client's environment, built from nothing."""
        git = os.path.dirname(shutil.which("git") or "")
        folders = dict.fromkeys(
            (os.path.dirname(PYTHON), git, "/usr/local/bin", "/usr/bin", "/bin")
        )
        env = {
            "PATH": os.pathsep.join(folder for folder in folders if folder),
            "HOME": self.home,
            "TMPDIR": os.path.join(self.root, "tmp"),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "SHELL": "/bin/sh",
            "NO_PROXY": "127.0.0.1",
        }
        return {**env, **self.client_env(url), **more}

    def cli(self, *args: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run a sub-command of the client, such as `plugin list`; one that fails raises."""
        return self.call([*self.command, *args], check)

    def call(self, command: list[str], check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run any program in the lab's environment, in the project."""
        done = subprocess.run(
            command,
            cwd=self.project,
            env=self.env(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=self.seconds,
        )
        if check and done.returncode:
            raise RuntimeError("%s -> %d\n%s" % (command, done.returncode, done.stdout))
        return done

    def play(self, model: FakeServer[R], command: list[str], cwd: str = "", **env: str) -> Run[R]:
        """Run a program to its end; the model answers from its script."""
        with model:
            process = subprocess.Popen(
                command,
                cwd=cwd or self.project,
                env=self.env(model.url, **env),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
            try:
                stdout, stderr = process.communicate(timeout=self.seconds)
            except subprocess.TimeoutExpired:
                kill(process)
                process.communicate()
                raise
        seen = (model.requests, model.side_requests, model.strangers)
        return Run(process.returncode, stdout, stderr, *seen, model.script)

    def hook_log(self) -> list[dict[str, Any]]:
        """Return what the plugins' own logs hold."""
        lines: list[dict[str, Any]] = []
        for folder, _, names in os.walk(self.home):
            if "hooks.log" in names:
                with open(os.path.join(folder, "hooks.log"), encoding="utf-8") as file:
                    lines += [json.loads(line) for line in file]
        return lines


def kill(process: subprocess.Popen[Any]) -> None:
    """End a client that was started in a session of its own, and all that it started."""
    os.killpg(process.pid, signal.SIGKILL)


def commit(folder: str) -> None:
    """Make folder a git repository with everything in it committed, ignored files too."""
    env = {"PATH": os.environ["PATH"], "HOME": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    for args in (["init", "-q", "-b", "main"], ["add", "-A", "-f"], ["commit", "-q", "-m", "lab"]):
        subprocess.run(["git", *_IDENTITY, *args], cwd=folder, env=env, check=True)
