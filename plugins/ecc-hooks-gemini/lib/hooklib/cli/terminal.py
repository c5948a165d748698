"""What the commands have in common: a reply as text or JSON, tables, texts made safe to print."""

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
    """The command cannot do what it was asked: exit 1."""


class Reply:
    """What a command has to say: data for --json, lines for people, and the exit code."""

    __slots__ = ("data", "lines", "code")

    def __init__(self, data: Any, lines: Iterable[str], code: int = 0) -> None:
        self.data = data
        self.lines = list(lines)
        self.code = code


def prepare_streams() -> None:
    """No encoding of a terminal or a pipe may end the tool."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="backslashreplace")


def flush() -> None:
    """Write out what is buffered: the launcher's start file ends the process at once."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the reader has gone


def print_reply(reply: Reply, as_json: bool) -> None:
    if as_json:
        import json

        print(json.dumps(reply.data, indent=2))  # ASCII: control characters come out as escapes
        return
    colourful = _colourful()
    for line in reply.lines:
        print(_coloured(line) if colourful else line)


def visible(text: object) -> str:
    """Return text on one line with every character that would not show spelled out."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape", "replace").decode("ascii")
        for char in str(text)
    )


def clean(text: object) -> str:
    """Return text on one line, without what could play tricks with a terminal."""
    words = strip_ansi(str(text)).replace("\n", " ").replace("\t", " ")
    return "".join(char for char in words if char.isprintable())


def table(rows: Sequence[Sequence[object]], indent: str = "") -> list[str]:
    """Return rows as lines in columns; the last column runs on."""
    texts = [[clean(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*(row[:-1] for row in texts))]
    lines = []
    for row in texts:
        cells = [cell.ljust(width) for cell, width in zip(row, widths)] + row[-1:]
        lines.append((indent + "  ".join(cells)).rstrip())
    return lines


def matcher_text(matcher: Any) -> str:
    """Return a matcher as a person would write it."""
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
