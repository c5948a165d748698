"""hookctl log and stats: what the plugins' logs tell."""

from __future__ import annotations

import os

from hooklib import files, jsonio
from hooklib import log as hook_log
from hooklib.cli import overview, plugins, terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from hooklib.cli.plugins import Plugin

_LIMIT = 4 * hook_log.CAP  # lines that are written while the log is rotated
_FINE = ("spoke", "silent", "started")


def log(options: argparse.Namespace) -> terminal.Reply:
    lines = read(overview.Setup().plugins)
    if options.hook:
        lines = [line for line in lines if line["hook"] == options.hook]
    if options.errors:
        lines = [line for line in lines if is_error(line)]
    lines = lines[-options.n :]
    return terminal.Reply(lines, [one_line(line) for line in lines] or ["nothing logged"])


def stats(options: argparse.Namespace) -> terminal.Reply:
    runs: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for line in read(overview.Setup().plugins):
        if line["hook"]:
            runs.setdefault((line["plugin"], line["hook"]), []).append(line)
    data = [_sums(plugin, hook, lines) for (plugin, hook), lines in sorted(runs.items())]
    if not data:
        return terminal.Reply([], ["nothing logged"])
    head = ("plugin", "hook", "runs", "p50", "p95", "failures", "timeouts", "bytes")
    rows = [tuple(_cell(row[key]) for key in head) for row in data]
    titles = ("PLUGIN", "HOOK", "RUNS", "P50 MS", "P95 MS", "FAILURES", "TIMEOUTS", "BYTES")
    return terminal.Reply(data, terminal.table([titles, *rows]))


def read(some: list[Plugin]) -> list[dict[str, Any]]:
    """Return the lines of all logs, the rotated ones too, oldest first; broken lines left out."""
    found = []
    for folder, name in plugins.data_folders(some).items():
        for file in ("hooks.log.1", "hooks.log"):
            try:
                data = files.read_tail(os.path.join(folder, file), _LIMIT)
            except OSError:
                continue
            found += [_line(text, name) for text in data.split(b"\n") if text.strip()]
    return sorted((line for line in found if line), key=lambda line: str(line["time"]))


def last_error(some: list[Plugin]) -> dict[str, Any] | None:
    return next((line for line in reversed(read(some)) if is_error(line)), None)


def is_error(line: dict[str, Any]) -> bool:
    return line["outcome"] not in _FINE


def one_line(line: dict[str, Any]) -> str:
    """Return a line of the log for people."""
    more = {k: v for k, v in line.items() if k not in _COMMON}
    said = " %d bytes" % line["bytes"] if line["bytes"] else ""
    text = "%s  %s  %s  %s  %s%s  %.1f ms" % (
        line["time"],
        line["plugin"],
        line["event"] or "-",
        line["hook"] or "-",
        line["outcome"],
        said,
        line["ms"],
    )
    return terminal.clean(text + ("  " + jsonio.dumps(more) if more else ""))


_COMMON = ("time", "plugin", "event", "hook", "outcome", "ms", "bytes")


def _line(text: bytes, plugin: str) -> dict[str, Any]:
    """Return one line with all its common fields of the right type, {} where it is broken."""
    try:
        value = jsonio.loads(text)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(value, dict):
        return {}
    line = {"time": "", "plugin": plugin, "event": "", "hook": "", "outcome": "", **value}
    for key in ("time", "plugin", "event", "hook", "outcome"):
        line[key] = line[key] if isinstance(line[key], str) else ""
    for key in ("ms", "bytes"):
        number = line.get(key)
        good = isinstance(number, (int, float)) and not isinstance(number, bool)
        line[key] = number if good and 0 <= number < 1e12 else 0  # type: ignore[operator]
    return line


def _sums(plugin: str, hook: str, lines: list[dict[str, Any]]) -> dict[str, Any]:
    times = sorted(line["ms"] for line in lines)
    outcomes = [line["outcome"] for line in lines]
    timeouts = outcomes.count("timeout")
    return {
        "plugin": plugin,
        "hook": hook,
        "runs": len(lines),
        "p50": round(percentile(times, 50), 2),
        "p95": round(percentile(times, 95), 2),
        "failures": sum(map(is_error, lines)) - timeouts,
        "timeouts": timeouts,
        "bytes": int(sum(line["bytes"] for line in lines)),
    }


def percentile(ordered: list[float], percent: int) -> float:
    """Return the smallest value that so many percent of the values do not exceed."""
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


def _cell(value: object) -> str:
    return "%.1f" % value if isinstance(value, float) else str(value)
