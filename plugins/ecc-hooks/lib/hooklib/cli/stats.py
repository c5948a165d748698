"""hookctl stats: count runs, times and failures per hook, from the logs."""

from __future__ import annotations

from hooklib.cli import log_lines, overview, terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any


def declare(parser: argparse.ArgumentParser) -> None:
    """Add nothing: this command has no options."""


def run(options: argparse.Namespace) -> terminal.Reply:
    runs: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for line in log_lines.read(overview.Setup().plugins):
        if line["hook"]:
            runs.setdefault((line["plugin"], line["hook"]), []).append(line)
    data = [_sums(plugin, hook, lines) for (plugin, hook), lines in sorted(runs.items())]
    if not data:
        return terminal.Reply([], ["nothing logged"])
    head = ("plugin", "hook", "runs", "p50", "p95", "failures", "timeouts", "bytes")
    rows = [tuple(_cell(row[key]) for key in head) for row in data]
    titles = ("PLUGIN", "HOOK", "RUNS", "P50 MS", "P95 MS", "FAILURES", "TIMEOUTS", "BYTES")
    return terminal.Reply(data, terminal.table([titles, *rows]))


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
        "failures": sum(map(log_lines.is_error, lines)) - timeouts,
        "timeouts": timeouts,
        "bytes": int(sum(line["bytes"] for line in lines)),
    }


def percentile(ordered: list[float], percent: int) -> float:
    """Return the smallest value that at least this percentage of the values do not exceed."""
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


def _cell(value: object) -> str:
    return "%.1f" % value if isinstance(value, float) else str(value)
