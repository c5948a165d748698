"""hookctl list: show every hook of every layer and plugin, with its state."""

from __future__ import annotations

from hooklib.cli import overview, terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from hooklib.cli.overview import Row


def declare(parser: argparse.ArgumentParser) -> None:
    """Add nothing: this command has no options."""


def run(options: argparse.Namespace) -> terminal.Reply:
    rows = overview.rows(overview.Setup())
    if not rows:
        return terminal.Reply([], ["no hooks"])
    lines = terminal.table(
        [("STATE", "ID", "EVENT", "TYPE", "SOURCE", "MATCHER"), *map(_cells, rows)]
    )
    notes = ["  %s: %s" % (row.id, _why(row)) for row in rows if row.why]
    if notes:
        lines += ["", *map(terminal.clean, notes)]
    return terminal.Reply([row.as_json() for row in rows], lines)


def _cells(row: Row) -> tuple[Any, ...]:
    source = row.source if row.bundled else "%s %s" % (row.source, terminal.short_path(row.file))
    return (row.state, row.id, row.event, row.type, source, terminal.matcher_text(row.matcher))


def _why(row: Row) -> str:
    return row.state + (", " if row.why.startswith(("by ", "`")) else ": ") + row.why
