"""The real Claude Code in a home of its own, against a scripted model on loopback.

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

from clients import cache_dir, claude_bin
from fake_anthropic import FakeAnthropic, Request, Turn, text_of

from support import PYTHON

KEY = "sk-test"
MODEL = "claude-sonnet-4-5"
SECONDS = 60  # a client that takes longer hangs
MARKETPLACE_URL = "https://marketplace.invalid/custom-skills.git"
_IDENTITY = ("-c", "user.name=lab", "-c", "user.email=lab@localhost")


@dataclasses.dataclass
class Run:
    """What one `claude -p` did."""

    code: int
    events: list[dict[str, Any]]  # what the client printed, one JSON object per line
    stderr: str
    debug: str  # its debug log
    requests: list[Request]  # what the model was sent; titles and the like, without tools, left out
    unused: list[Turn]  # what is left of the script

    @property
    def session_id(self) -> str:
        return str(self.events[0]["session_id"])

    @property
    def result(self) -> str:
        """The answer that the caller gets."""
        return str(self.events[-1].get("result"))

    def counts(self, needle: str) -> list[int]:
        """How often the model was shown needle, by request."""
        return [request.text.count(needle) for request in self.requests]

    def sent(self, needle: str) -> bool:
        return any(self.counts(needle))

    @property
    def failed_calls(self) -> list[str]:
        """The results of tool calls, the subagents' too, that the model was told are errors."""
        results = [block for request in self.requests for block in request.tool_results]
        failed = {block["tool_use_id"]: block for block in results if block.get("is_error")}
        return [text_of(block["content"]) for block in failed.values()]


class Lab:
    """A home, a configuration and a project for the client; use it with `with`."""

    def __init__(self, prefix: str = "lab's $(x) ") -> None:
        self.bin = claude_bin(cache_dir())
        self.root = os.path.realpath(tempfile.mkdtemp(prefix=prefix))
        self.home = self.folder("home")
        self.config = self.folder("home", "claude config")
        self.project = self.folder("my project")
        self.folder("tmp")
        self._runs = 0
        self.write(os.path.join(self.project, "README.md"), "A project.\n")
        commit(self.project)

    def __enter__(self) -> Lab:
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

    def env(self, url: str = "http://127.0.0.1:9", **more: str) -> dict[str, str]:
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
            "IS_SANDBOX": "1",  # lets root run without permission prompts
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": KEY,
            "NO_PROXY": "127.0.0.1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        }
        env.update(more)
        return env

    def cli(self, *args: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run a sub-command such as `claude plugin list`; one that fails raises."""
        return self.call([self.bin, *args], check)

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
            timeout=SECONDS,
        )
        if check and done.returncode:
            raise RuntimeError("%s -> %d\n%s" % (command, done.returncode, done.stdout))
        return done

    def add_marketplace(self, repository: str) -> None:
        """Add a local repository as a *git* marketplace; git turns the address into its path.

        A directory marketplace would run the plugins in place; this one runs the copy in the
        client's cache, as for a real user, where nothing outside a plugin's folder exists.
        """
        config = '[url "file://%s"]\n\tinsteadOf = %s\n[protocol "file"]\n\tallow = always\n'
        self.write(os.path.join(self.home, ".gitconfig"), config % (repository, MARKETPLACE_URL))
        self.cli("plugin", "marketplace", "add", MARKETPLACE_URL)

    def install(self, *plugins: str) -> None:
        for plugin in plugins:
            self.cli("plugin", "install", plugin + "@custom-skills")

    def cached(self, plugin: str) -> str:
        """Return the one folder from which the client runs a plugin."""
        versions = os.path.join(self.config, "plugins", "cache", "custom-skills", plugin)
        (version,) = os.listdir(versions)
        return os.path.join(versions, version)

    def hook_log(self) -> list[dict[str, Any]]:
        """Return what the plugins' own logs hold."""
        lines: list[dict[str, Any]] = []
        data = os.path.join(glob.escape(self.config), "plugins", "data")
        for path in glob.glob(os.path.join(data, "*", "hooks.log")):
            with open(path, encoding="utf-8") as file:
                lines += [json.loads(line) for line in file]
        return lines

    def run(
        self,
        script: list[Turn],
        prompt: str = "go",
        resume: str = "",
        mode: str = "bypassPermissions",
        options: tuple[str, ...] = (),
        **env: str,
    ) -> Run:
        """Run one `claude -p` to its end; the model answers from script."""
        self._runs += 1
        debug = os.path.join(self.root, "debug-%d.log" % self._runs)
        command = [self.bin, "-p", "--output-format", "stream-json", "--verbose"]
        command += ["--include-hook-events", "--debug-file", debug]
        command += ["--model", MODEL, "--permission-mode", mode]
        command += ["--resume", resume] if resume else []
        command += options
        with FakeAnthropic(script) as model:
            process = subprocess.Popen(
                [*command, "--", prompt],
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
        with open(debug, encoding="utf-8", errors="replace") as file:
            log = file.read()
        events = [json.loads(line) for line in stdout.splitlines() if line.startswith("{")]
        requests = [request for request in model.requests if request.has_tools]
        return Run(process.returncode, events, stderr, log, requests, model.script)


def commit(folder: str) -> None:
    """Make folder a git repository with everything in it committed, ignored files too."""
    env = {"PATH": os.environ["PATH"], "HOME": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    for args in (["init", "-q", "-b", "main"], ["add", "-A", "-f"], ["commit", "-q", "-m", "lab"]):
        subprocess.run(["git", *_IDENTITY, *args], cwd=folder, env=env, check=True)
