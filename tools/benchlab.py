"""The rows of the benchmark, and the temporary home of their events."""

from __future__ import annotations

import json
import os
from typing import Callable, NamedTuple

from wiring import SHELL, Event, Plugin, command, wired

RATIO, PROCESSES = 2.0, 3  # the budgets of a silent event
# A version manager's shim: shell after shell that looks for the program, then the program.
SHIM = """#!%s
look='IFS=:; for folder in $PATH; do [ -x "$folder/$1" ] && echo "$folder"; done'
for step in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
  found=$(%s -c "$look" - "${0##*/}")
done
exec "%s" "$@"
"""


class Row(NamedTuple):
    """One line of the table: what to start, and what it may cost (None: no limit)."""

    name: str
    argv: list[str]
    env: dict[str, str]
    stdin: str = os.devnull
    ratio: float | None = None
    processes: int | None = None
    against: str = ""  # the row that it is compared with, if not the floor
    over: float | None = None  # floors on top of the row that it is compared with
    ms: float | None = None
    memory: float | None = None  # MB
    prepare: Callable[[], None] | None = None  # called before each run, not measured
    speaks: bool = False  # True: it must print something; False: nothing


class Lab:
    """A temporary home and project, and two folders for PATH: the real Python, a shim of it."""

    def __init__(self, base: str, python: str) -> None:
        self.base, self.python, self.rows = base, python, 0
        for name in ("home", "project", "plain", "shim"):
            os.mkdir(os.path.join(base, name))
        os.symlink(python, self.path("plain", "python3"))
        with open(self.path("shim", "python3"), "w", encoding="utf-8") as file:
            file.write(SHIM % (SHELL, SHELL, python))
        os.chmod(self.path("shim", "python3"), 0o700)

    def path(self, *names: str) -> str:
        return os.path.join(self.base, *names)

    def env(self, first: str = "plain") -> dict[str, str]:
        path = self.path(first) + os.pathsep + os.environ.get("PATH", os.defpath)
        scale = os.environ.get("CUSTOM_SKILLS_TIME_SCALE", "")  # of the tests: see limits.py
        return {"PATH": path, "HOME": self.path("home"), "CUSTOM_SKILLS_TIME_SCALE": scale}

    def row(self, name: str, plugin: Plugin, event: Event, first: str = "plain") -> Row:
        """Return the row of a plugin on an event: its wired handler, else the launcher."""
        self.rows += 1
        data, stdin = self.path("data %d" % self.rows), self.path("event %d" % self.rows)
        os.mkdir(data)
        with open(stdin, "w", encoding="utf-8") as file:
            json.dump(event, file)
        env = {**self.env(first), "CLAUDE_PLUGIN_ROOT": plugin.root, "CLAUDE_PLUGIN_DATA": data}
        env.update(CLAUDE_PROJECT_DIR=self.path("project"), COMPACT_THRESHOLD="1000000")  # silent
        launcher = 'exec sh "$CLAUDE_PLUGIN_ROOT/hooks/run" ' + event["hook_event_name"]
        handlers = wired(plugin, event) or [{"command": launcher}]
        return Row(name, command(handlers[0], env), env, stdin, RATIO, PROCESSES)

    def event(self, name: str, **fields: object) -> Event:
        common = {"session_id": "bench", "transcript_path": "", "cwd": self.path("project")}
        return {**common, "hook_event_name": name, **fields}
