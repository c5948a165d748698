#!/usr/bin/env python3
"""Print what an event costs, as ratios to the bare interpreter measured in the same run.

Rows come from bench_<topic>.py beside this file; `bench.py TOPIC ...` measures just these.
"""

from __future__ import annotations

import argparse
import glob
import importlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any, NamedTuple

from benchlab import Lab, Row
from wiring import Plugin, load_plugins

HERE = os.path.dirname(os.path.abspath(__file__))
WARM_UP, COUNTED = 2, 10


class Cost(NamedTuple):
    ms: float
    memory: float  # MB, of the largest of its processes


def topics() -> list[str]:
    """Return the topics that have rows, the engine first."""
    paths = glob.glob(os.path.join(glob.escape(HERE), "bench_*.py"))
    names = [os.path.basename(path)[len("bench_") : -len(".py")] for path in paths]
    return sorted(names, key=lambda name: (name != "engine", name))


def all_rows(lab: Lab, plugins: list[Plugin], names: list[str]) -> list[Row]:
    """Return the table's rows, the floor first."""
    bare = ["-I", "-S", "-c", "pass"]
    table = [
        Row("python3 -I -S -c pass (the floor)", [lab.python, *bare], lab.env()),
        Row("the floor, python3 is a shim", [lab.path("shim", "python3"), *bare], lab.env("shim")),
    ]
    for name in names:
        table += importlib.import_module("bench_" + name).rows(lab, plugins)
    return table


def run_once(row: Row, out: str) -> Cost:
    """Run a row's command; raise RuntimeError if it fails or prints against expectation."""
    if row.prepare:
        row.prepare()
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, row.stdin, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    started = time.perf_counter()
    pid = os.posix_spawn(row.argv[0], row.argv, row.env, file_actions=actions)
    _, status, used = os.wait4(pid, 0)
    ms = (time.perf_counter() - started) * 1000
    code = os.waitstatus_to_exitcode(status)
    if code or bool(os.path.getsize(out)) != row.speaks:
        problem = "silent" if row.speaks else "not silent"
        raise RuntimeError("%s: exit %d, or %s" % (row.name, code, problem))
    return Cost(ms, used.ru_maxrss / (1_000_000 if sys.platform == "darwin" else 1_000))


def warm_up(row: Row, out: str) -> None:
    """Let the launcher find Python and compile; raise RuntimeError if it failed silently."""
    for _ in range(WARM_UP):
        run_once(row, out)
    data = row.env.get("CLAUDE_PLUGIN_DATA")
    if data and not os.path.isdir(os.path.join(data, "pycache")):
        raise RuntimeError("%s: the library was never started" % row.name)
    if data and os.path.exists(os.path.join(data, "hooks.log")):
        with open(os.path.join(data, "hooks.log"), encoding="ascii") as file:
            for line in file:
                if json.loads(line)["outcome"].startswith(("error", "interpreter")):
                    raise RuntimeError("%s: %s" % (row.name, line.strip()))


def forks() -> int:
    """Return how many processes the system has started, or 0 if it is unknown."""
    try:
        with open("/proc/stat", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("processes "))
    except (OSError, StopIteration):
        return 0


def count_processes(row: Row, out: str, rounds: int) -> int | None:
    """Return how many processes a row starts: the minimum, as other programs start some too."""
    counts = []
    for _ in range(min(COUNTED, 2 * rounds)):
        before = forks()
        run_once(row, out)
        counts.append(forks() - before)
    return min(counts) or None


def measure(rows: list[Row], out: str, rounds: int) -> list[dict[str, Any]]:
    """Return the table; each round runs every row once, so that load affects all alike."""
    for row in rows:
        warm_up(row, out)
    costs: list[list[Cost]] = [[] for _ in rows]
    for _ in range(rounds):
        for row, column in zip(rows, costs):
            column.append(run_once(row, out))
    medians = {
        row.name: statistics.median(cost.ms for cost in column) for row, column in zip(rows, costs)
    }
    floor = medians[rows[0].name]
    table = []
    for row, column in zip(rows, costs):
        ms, base = medians[row.name], medians[row.against or rows[0].name]
        measured = {
            "ratio": ms / base,
            "over": (ms - base) / floor,
            "ms": ms,
            "memory": max(cost.memory for cost in column),
            "processes": count_processes(row, out, rounds),
        }
        limits = {name: limit for name in measured if (limit := getattr(row, name)) is not None}
        table.append({
            "row": row.name, "against": row.against, **{k: _round(v) for k, v in measured.items()},
            "limits": limits,
            "broken": [name for name in limits if (measured[name] or 0) > limits[name]],
        })  # fmt: skip
    return table


def _round(value: float | None) -> float | None:
    return value if value is None else round(value, 2)


def show(table: list[dict[str, Any]]) -> None:
    form = "%-62s %7s %6s %6s %9s  %s"
    units = {"ratio": "ratio %g", "over": "%g floors on top", "ms": "%g ms", "memory": "%g MB"}
    print(form % ("", "ms", "ratio", "MB", "processes", "budget"))
    for line in table:
        limits = [
            (units.get(name, "%g " + name) % limit) + (" OVER" if name in line["broken"] else "")
            for name, limit in line["limits"].items()
        ]
        budget = ", ".join(limits) + (" (against: %s)" % line["against"] if line["against"] else "")
        count = "-" if line["processes"] is None else line["processes"]
        cells = ("%.1f" % line["ms"], "%.2f" % line["ratio"], "%.0f" % line["memory"], count)
        print((form % (line["row"], *cells, budget)).rstrip())


def real_python(program: str) -> str:
    """Return the binary behind a name, a link or a shim."""
    code = "import os, sys; print(os.path.realpath(sys.executable))"
    done = subprocess.run([program, "-I", "-S", "-c", code], capture_output=True, check=True)
    return os.fsdecode(done.stdout).strip()


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="bench.py", description=__doc__.partition("\n")[0])
    parser.add_argument("topic", nargs="*", help="one of: %s (all)" % ", ".join(topics()))
    parser.add_argument("--rounds", type=int, default=40, help="how often each row runs (40)")
    parser.add_argument("--python", default=sys.executable, help="the interpreter to measure with")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(argv)
    if options.rounds < 1:
        parser.error("--rounds must be 1 or more")
    if not set(options.topic) <= set(topics()):
        parser.error("topics are: " + ", ".join(topics()))
    try:
        python = real_python(options.python)
        with tempfile.TemporaryDirectory(prefix="custom-skills bench ") as base:
            lab = Lab(os.path.realpath(base), python)
            rows = all_rows(lab, load_plugins(), options.topic or topics())
            table = measure(rows, lab.path("out"), options.rounds)
    except (OSError, ValueError, RuntimeError, subprocess.CalledProcessError) as error:
        print("bench: %s" % error, file=sys.stderr)
        return 1
    if options.json:
        print(json.dumps({"python": python, "rounds": options.rounds, "rows": table}, indent=2))
    else:
        print("medians of %d interleaved rounds, %s\n" % (options.rounds, python))
        show(table)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
