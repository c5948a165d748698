#!/usr/bin/env python3
"""Print what an event costs, as ratios to the bare interpreter measured in the same run."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any, NamedTuple

from wiring import SHELL, Event, Plugin, command, load_plugins, wired

REPO = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RATIO, PROCESSES = 2.0, 3  # the budgets of an event with nothing to say
WARM_UP, COUNTED = 2, 10
# A version manager's shim: shell after shell that looks for the program, then the program.
SHIM = """#!%s
look='IFS=:; for folder in $PATH; do [ -x "$folder/$1" ] && echo "$folder"; done'
for step in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
  found=$(%s -c "$look" - "${0##*/}")
done
exec "%s" "$@"
"""


class Row(NamedTuple):
    """One line of the table: what to start, and what it may cost (None: whatever it does)."""

    name: str
    argv: list[str]
    env: dict[str, str]
    stdin: str = os.devnull
    ratio: float | None = None
    processes: int | None = None
    against: str = ""  # the row that it is a ratio to, where that is not the floor


class Lab:
    """A throw-away home and project, and two folders for PATH: the real Python, a shim of it."""

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
        return {"PATH": path, "HOME": self.path("home")}

    def row(self, name: str, plugin: Plugin, event: Event, first: str = "plain") -> Row:
        """Return the row of a plugin on an event, as wired; the launcher where it is not."""
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
        given = {"session_id": "bench", "transcript_path": "", "cwd": self.path("project")}
        return {**given, "hook_event_name": name, **fields}


def all_rows(lab: Lab, plugins: list[Plugin]) -> list[Row]:
    """Return the table's rows, the floor first."""
    bare = ["-I", "-S", "-c", "pass"]
    text = "a line of text that is being edited\n" * 20
    given = {"file_path": lab.path("project", "a.txt"), "old_string": text, "new_string": text}
    tool = {"tool_name": "Edit", "tool_input": given, "tool_use_id": "toolu_1"}
    rows = [
        Row("python3 -I -S -c pass (the floor)", [lab.python, *bare], lab.env()),
        Row("the floor, python3 is a shim", [lab.path("shim", "python3"), *bare], lab.env("shim")),
    ]
    for name in ("PreToolUse", "PostToolUse"):
        event = lab.event(name, **tool)
        for one in [plugin for plugin in plugins if wired(plugin, event)] or plugins[:1]:
            label = "%s Edit, %s, silent" % (name, one.name)
            note = "" if wired(one, event) else " (not wired yet)"
            rows.append(lab.row(label + note, one, event))
            if name == "PreToolUse":
                rows.append(lab.row(label + ", python3 is a shim", one, event, "shim"))
    for one in plugins:
        starts = [lab.event("SessionStart", source=source) for source in ("startup", "compact")]
        for event in [event for event in starts if wired(one, event)][:1]:
            name = "SessionStart %s, %s, silent" % (event["source"], one.name)
            rows.append(lab.row(name, one, event))
    return rows + rule_rows(lab, plugins)


def rule_rows(lab: Lab, plugins: list[Plugin]) -> list[Row]:
    """Return what rules of the user's cost that do not match: one, and a hundred of all kinds."""
    event = lab.event("PreToolUse", tool_name="Bash", tool_input={"command": "ls -la src"})
    rows: list[Row] = []
    for plugin in [plugin for plugin in plugins if plugin.name == "custom-hooks"]:
        for count in (1, 100):
            name = "PreToolUse Bash, custom-hooks, %d rules, none matches" % count
            row = lab.row(name, plugin, event)
            config = lab.path("config %d" % count)
            os.mkdir(config)
            with open(os.path.join(config, "settings.json"), "w", encoding="utf-8") as file:
                json.dump({"customHooks": {"hooks": {"PreToolUse": rules(count)}}}, file)
            row = row._replace(env={**row.env, "CLAUDE_CONFIG_DIR": config})
            rows.append(row._replace(ratio=1.5, against=rows[0].name) if rows else row)
    return rows


def rules(count: int) -> list[dict[str, Any]]:
    """Return rules with every form of matcher in turn."""
    forms: list[Any] = [
        'tool == "Bash" && tool_input.command matches "git push*"',
        "Edit|Write",
        "mcp__.*__(read|write)",
        {"tools": "Bash", "commands": "rm -rf .*|git reset --hard"},
        {"paths": "src/**/*.{ts,tsx}"},
    ]
    hooks = [{"type": "command", "command": "true"}]
    return [{"matcher": forms[n % len(forms)], "hooks": hooks} for n in range(count)]


def once(row: Row, out: str) -> float:
    """Start a row's command, wait for it and return the milliseconds; RuntimeError if it failed."""
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, row.stdin, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    started = time.perf_counter()
    pid = os.posix_spawn(row.argv[0], row.argv, row.env, file_actions=actions)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    ms = (time.perf_counter() - started) * 1000
    if code or os.path.getsize(out):
        raise RuntimeError("%s: exit %d, or not silent" % (row.name, code))
    return ms


def warm_up(row: Row, out: str) -> None:
    """Let the launcher find Python and compile; RuntimeError where that failed, be it silently."""
    for _ in range(WARM_UP):
        once(row, out)
    data = row.env.get("CLAUDE_PLUGIN_DATA")
    if data and not os.path.isdir(os.path.join(data, "pycache")):
        raise RuntimeError("%s: the library was never started" % row.name)
    if data and os.path.exists(os.path.join(data, "hooks.log")):
        with open(os.path.join(data, "hooks.log"), encoding="ascii") as file:
            for line in file:
                if json.loads(line)["outcome"].startswith(("error", "interpreter")):
                    raise RuntimeError("%s: %s" % (row.name, line.strip()))


def forks() -> int:
    """Return how many processes the system has started, 0 where it does not tell."""
    try:
        with open("/proc/stat", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("processes "))
    except (OSError, StopIteration):
        return 0


def count_processes(row: Row, out: str) -> int | None:
    """Return how many processes a row takes: the least of some runs, as others start some too."""
    counts = []
    for _ in range(COUNTED):
        before = forks()
        once(row, out)
        counts.append(forks() - before)
    return min(counts) or None


def measure(rows: list[Row], out: str, rounds: int) -> list[dict[str, Any]]:
    """Return the table: each row once per round, so that a busy moment hits all alike."""
    for row in rows:
        warm_up(row, out)
    times: list[list[float]] = [[] for _ in rows]
    for _ in range(rounds):
        for row, column in zip(rows, times):
            column.append(once(row, out))
    medians = {row.name: statistics.median(column) for row, column in zip(rows, times)}
    table = []
    for row in rows:
        ms = medians[row.name]
        ratio, processes = ms / medians[row.against or rows[0].name], count_processes(row, out)
        over = (row.ratio is not None and ratio > row.ratio) or (
            row.processes is not None and processes is not None and processes > row.processes
        )
        table.append({
            "row": row.name, "ms": round(ms, 2), "ratio": round(ratio, 2), "budget": row.ratio,
            "processes": processes, "processes_budget": row.processes, "over": over,
        })  # fmt: skip
    return table


def show(table: list[dict[str, Any]]) -> None:
    form = "%-54s %6s %6s %6s %9s %6s  %s"
    print(form % ("", "ms", "ratio", "budget", "processes", "budget", ""))
    for line in table:
        cells = ["-" if value is None else value for value in line.values()]
        cells[1:3] = ["%.1f" % line["ms"], "%.2f" % line["ratio"]]
        print(form % (*cells[:-1], "over" if line["over"] else ""))


def real_python(given: str) -> str:
    """Return the binary behind a name, a link or a shim."""
    tell = "import os, sys; print(os.path.realpath(sys.executable))"
    done = subprocess.run([given, "-I", "-S", "-c", tell], capture_output=True, check=True)
    return os.fsdecode(done.stdout).strip()


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="bench.py", description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=40, help="how often each row runs (40)")
    parser.add_argument("--python", default=sys.executable, help="the interpreter to measure with")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args(argv)
    if given.rounds < 1:
        parser.error("--rounds must be 1 or more")
    try:
        python = real_python(given.python)
        with tempfile.TemporaryDirectory(prefix="custom-skills bench ") as base:
            lab = Lab(os.path.realpath(base), python)
            table = measure(all_rows(lab, load_plugins()), lab.path("out"), given.rounds)
    except (OSError, ValueError, RuntimeError, subprocess.CalledProcessError) as error:
        print("bench: %s" % error, file=sys.stderr)
        return 1
    if given.json:
        print(json.dumps({"python": python, "rounds": given.rounds, "rows": table}, indent=2))
    else:
        print("medians of %d interleaved rounds, %s\n" % (given.rounds, python))
        show(table)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
