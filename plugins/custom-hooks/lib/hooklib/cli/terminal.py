"""Print replies as text or JSON: tables, colours, texts made safe for a terminal."""

from __future__ import annotations

import os
import sys

from hooklib.text import strip_ansi

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

_COLOURS = {"ok": "32", "on": "32", "warn": "33", "off": "33", "untrusted": "33"}
_COLOURS.update({"fail": "31", "invalid": "31"})


class Usage(Exception):
    """The command was called wrongly: exit 2."""


class Problem(Exception):
    """The command cannot do its work: exit 1."""


class Reply:
    """The result of a command: data for --json, lines of text, and the exit code."""

    __slots__ = ("data", "lines", "code")

    def __init__(self, data: Any, lines: Iterable[str], code: int = 0) -> None:
        self.data = data
        self.lines = list(lines)
        self.code = code


def prepare_streams() -> None:
    """Escape what the terminal or pipe cannot encode, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="backslashreplace")


def flush() -> None:
    """Flush the streams: the launcher ends the process without doing so."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the reader has closed the pipe


def print_reply(reply: Reply, as_json: bool) -> None:
    if as_json:
        import json

        print(json.dumps(reply.data, indent=2))  # ASCII: control characters are escaped
        return
    colourful = _colourful()
    for line in reply.lines:
        print(_coloured(line) if colourful else line)


def visible(text: object) -> str:
    """Return text on one line, with every invisible character escaped."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape", "replace").decode("ascii")
        for char in str(text)
    )


def clean(text: object) -> str:
    """Return text on one line, without control and other invisible characters."""
    words = strip_ansi(str(text)).replace("\n", " ").replace("\t", " ")
    return "".join(char for char in words if char.isprintable())


def table(rows: Sequence[Sequence[object]], indent: str = "") -> list[str]:
    """Return rows as lines with aligned columns; the last column is not padded."""
    texts = [[clean(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*(row[:-1] for row in texts))]
    lines = []
    for row in texts:
        cells = [cell.ljust(width) for cell, width in zip(row, widths)] + row[-1:]
        lines.append((indent + "  ".join(cells)).rstrip())
    return lines


def matcher_text(matcher: Any) -> str:
    """Return a matcher as a user would write it."""
    if matcher is None or matcher == "":
        return "*"
    if isinstance(matcher, str):
        return matcher
    import json

    return json.dumps(matcher)


def short_path(path: str) -> str:
    """Return path with the home folder as ~."""
    home = os.path.expanduser("~")
    return "~" + path[len(home) :] if path.startswith(home + os.sep) else path


def _colourful() -> bool:
    return (
        sys.stdout.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM", "dumb") != "dumb"
    )


def _coloured(line: str) -> str:
    word, rest = line.partition(" ")[0], line.partition(" ")[1:]
    colour = _COLOURS.get(word)
    return "\x1b[%sm%s\x1b[0m%s" % (colour, word, "".join(rest)) if colour else line
