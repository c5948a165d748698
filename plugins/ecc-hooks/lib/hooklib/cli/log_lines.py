"""Read the plugins' logs."""

from __future__ import annotations

import os

from hooklib import files, jsonio, log
from hooklib.cli import plugins, terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.cli.plugins import Plugin

_LIMIT = 4 * log.CAP  # more than the cap: lines are still written while the log is rotated
_FINE = ("spoke", "silent", "started")
_COMMON = ("time", "plugin", "event", "hook", "outcome", "ms", "bytes")


def read(some_plugins: list[Plugin]) -> list[dict[str, Any]]:
    """Return the valid lines of all logs, rotated ones included, oldest first."""
    lines = []
    for folder, name in plugins.data_folders(some_plugins).items():
        for file in ("hooks.log.1", "hooks.log"):
            try:
                data = files.read_tail(os.path.join(folder, file), _LIMIT)
            except OSError:
                continue
            lines += [_line(text, name) for text in data.split(b"\n") if text.strip()]
    return sorted((line for line in lines if line), key=lambda line: str(line["time"]))


def last_error(some_plugins: list[Plugin]) -> dict[str, Any] | None:
    return next((line for line in reversed(read(some_plugins)) if is_error(line)), None)


def is_error(line: dict[str, Any]) -> bool:
    return line["outcome"] not in _FINE


def one_line(line: dict[str, Any]) -> str:
    """Return a log line as readable text."""
    more = {k: v for k, v in line.items() if k not in _COMMON}
    size = " %d bytes" % line["bytes"] if line["bytes"] else ""
    text = "%s  %s  %s  %s  %s%s  %.1f ms" % (
        line["time"],
        line["plugin"],
        line["event"] or "-",
        line["hook"] or "-",
        line["outcome"],
        size,
        line["ms"],
    )
    return terminal.clean(text + ("  " + jsonio.dumps(more) if more else ""))


def _line(text: bytes, plugin: str) -> dict[str, Any]:
    """Return a log line with all common fields of the right type, or {} if it is broken."""
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
        is_number = isinstance(number, (int, float)) and not isinstance(number, bool)
        line[key] = number if is_number and 0 <= number < 1e12 else 0  # type: ignore[operator]
    return line
