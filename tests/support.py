"""What the tests share: a throw-away home and project, and hooks started as a host starts them."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from collections.abc import Callable
from typing import Any

REPO = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLUGINS = os.path.join(REPO, "plugins")
LIB = os.path.join(PLUGINS, "ecc-hooks", "lib")
PYTHON = os.path.realpath(sys.executable)

SESSION = "86fdd279-6a75-4aa1-9398-3b07ed98755c"
HANGS = 600.0  # seconds after which a program hangs, however busy the machine is
# the limits of the library, so many times over: only a test about a limit itself takes "1"
os.environ["CUSTOM_SKILLS_TIME_SCALE"] = TIME_SCALE = "30"


def _compiled() -> str:
    """Return the folder of this run's compiled code: tests/run.py makes one for all its files."""
    folder = os.environ.get("CUSTOM_SKILLS_TESTS_COMPILED", "")
    if not folder:
        folder = tempfile.mkdtemp(prefix="custom skills compiled ")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


COMPILED = _compiled()


def event(name: str, **fields: object) -> dict[str, Any]:
    """Return an event as Claude Code 2.1.326 sends it, with fields laid over it."""
    data: dict[str, Any] = {
        "session_id": SESSION,
        "transcript_path": "",
        "cwd": "/nowhere",
        "hook_event_name": name,
    }
    if "ToolUse" in name:
        data.update(permission_mode="default", tool_use_id="toolu_001")
    data.update(fields)
    return data


def edit(**fields: object) -> dict[str, Any]:
    given = {"file_path": "/nowhere/a.txt", "old_string": "one", "new_string": "two"}
    return event("PreToolUse", tool_name="Edit", tool_input=given, **fields)


class Done:
    """What the host sees of a finished hook."""

    def __init__(self, code: int, stdout: str, stderr: str) -> None:
        self.code, self.stdout, self.stderr = code, stdout, stderr

    @property
    def answer(self) -> dict[str, Any]:
        """The one JSON document on stdout, {} where there is nothing."""
        return json.loads(self.stdout) if self.stdout else {}

    @property
    def context(self) -> str:
        text: str = self.answer.get("hookSpecificOutput", {}).get("additionalContext", "")
        return text


class HookTestCase(unittest.TestCase):
    """A home, a project and a data folder of its own per test, all with a space in their names."""

    plugin = "ecc-hooks"
    first_start = False  # whether the data folder is empty, as before the first event of all

    def setUp(self) -> None:
        self.base = os.path.realpath(tempfile.mkdtemp(prefix="custom skills "))
        self.addCleanup(shutil.rmtree, self.base, ignore_errors=True)
        self.home = self.folder("home")
        self.project = self.folder("my project")
        self.data = self.folder("plugin data")
        self.root = os.path.join(PLUGINS, self.plugin)

    def folder(self, *names: str) -> str:
        path = os.path.join(self.base, *names)
        os.makedirs(path, exist_ok=True)
        return path

    def write(self, path: str, content: object) -> str:
        """Write text, or anything else as JSON, under the test's folder; return the path."""
        path = os.path.join(self.base, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
        return path

    def warm_up(self) -> None:
        """Leave in the data folder what all events but the first find: Python, compiled code."""
        compiled = os.path.join(self.data, "pycache")
        if self.first_start or os.name == "nt" or os.path.lexists(compiled):
            return
        if os.path.isdir(self.data):
            self.write(os.path.join(self.data, "python"), PYTHON + "\n")
            with contextlib.suppress(FileExistsError):  # of two events at once
                os.symlink(COMPILED, compiled)

    def env(self, **more: str) -> dict[str, str]:
        """The environment a host gives a plugin's hook, built from nothing."""
        self.warm_up()
        env = {
            "PATH": os.path.dirname(PYTHON) + os.pathsep + "/usr/bin" + os.pathsep + "/bin",
            "HOME": self.home,
            "CLAUDE_PLUGIN_ROOT": self.root,
            "CLAUDE_PLUGIN_DATA": self.data,
            "CLAUDE_PROJECT_DIR": self.project,
            "CUSTOM_SKILLS_TIME_SCALE": TIME_SCALE,
        }
        env.update(more)
        return {key: value for key, value in env.items() if value}

    def run_event(self, given: object, **env: str) -> Done:
        """Send an event through the plugin's hooks/run; given is a dict, text or bytes."""
        name = given.get("hook_event_name", "") if isinstance(given, dict) else "PreToolUse"
        return self.start(["sh", os.path.join(self.root, "hooks", "run"), name], given, **env)

    def run_script(self, script: str, given: object, *args: str, **env: str) -> Done:
        """Run one script of the plugin by itself, without what site-packages would start."""
        path = os.path.join(self.root, "scripts", *script.split("/"))
        return self.start([PYTHON, "-S", path, *args], given, **env)

    def start(self, command: list[str], given: object, cwd: str = "", **env: str) -> Done:
        if not isinstance(given, bytes):
            given = (given if isinstance(given, str) else json.dumps(given)).encode("utf-8")
        done = subprocess.run(
            command,
            input=given,
            env=self.env(**env),
            cwd=cwd or self.project,
            capture_output=True,
            timeout=HANGS,
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    def wait_until(self, condition: Callable[[], bool]) -> None:
        """Wait for what comes in its own time; what never comes is a failure."""
        end = time.monotonic() + HANGS
        while not condition():
            self.assertLess(time.monotonic(), end, "waited in vain")
            time.sleep(0.02)

    def log(self) -> list[dict[str, Any]]:
        """The lines of the plugin's log."""
        try:
            with open(os.path.join(self.data, "hooks.log"), encoding="ascii") as file:
                return [json.loads(line) for line in file]
        except FileNotFoundError:
            return []

    def assert_silent(self, done: Done) -> None:
        self.assertEqual((done.code, done.stdout, done.stderr), (0, "", ""))
