"""hookctl log: show the newest lines of all plugins' logs."""

from __future__ import annotations

import argparse

from hooklib.cli import log_lines, overview, terminal


def declare(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("-n", type=_count, default=20, metavar="N", help="how many lines (20)")
    parser.add_argument("--hook", metavar="ID", help="only this hook")
    parser.add_argument("--errors", action="store_true", help="only failures and timeouts")


def _count(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
    if number < 1:
        raise argparse.ArgumentTypeError("not a number above 0: %r" % text)
    return number


def run(options: argparse.Namespace) -> terminal.Reply:
    lines = log_lines.read(overview.Setup().plugins)
    if options.hook:
        lines = [line for line in lines if line["hook"] == options.hook]
    if options.errors:
        lines = [line for line in lines if log_lines.is_error(line)]
    lines = lines[-options.n :]
    return terminal.Reply(lines, [log_lines.one_line(line) for line in lines] or ["nothing logged"])
