"""What the model and the user are told: short, bounded, plain text."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hooklib.quality.line_diff import Block

ERRORS = 10  # told of one file; the rest is counted
WARNINGS = 5
_SPANS = 6
_LINE = 300


class Problem:
    """One complaint about a line; column 0 where none is known."""

    __slots__ = ("line", "column", "text")

    def __init__(self, line: int, column: int, text: str) -> None:
        self.line = line
        self.column = column
        self.text = text

    def __str__(self) -> str:
        place = "%d:%d" % (self.line, self.column) if self.column else str(self.line)
        return "  %s  %s" % (place, plain(self.text))


def plain(text: str) -> str:
    """Return text on one line, without control characters and secrets, and not too long."""
    from hooklib.redact import redact
    from hooklib.text import strip_ansi

    line = " ".join(strip_ansi(text[: _LINE * 4]).split())
    return redact(line)[:_LINE]


def places(spans: Sequence[tuple[int, int]]) -> str:
    """Return ranges of lines in words."""
    words = ["%d" % a if a == b else "%d-%d" % (a, b) for a, b in spans[:_SPANS]]
    more = len(spans) - _SPANS
    if more > 0:
        words.append("%d more places" % more)
    many = len(words) > 1 or spans[0][0] != spans[0][1]
    listed = " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]
    return ("lines " if many else "line ") + listed


def formatted(tool: str, name: str, changes: list[Block], now: list[str]) -> str:
    """Say which lines of the file as it is now are not what the model wrote."""
    from hooklib.quality.line_diff import spans

    lines = {number for _, _, c, d in changes for number in range(c + 1, max(d, c + 1) + 1)}
    last = len(now) - (now[-1] == "")
    there = spans(number for number in lines if number <= last)
    where = places(there) if there else "the end of the file" if lines else "the line ends"
    words = "[format] %s formatted %s after your edit: %s changed. Read again before editing there."
    return words % (tool, plain(name), where)


def errors(tool: str, name: str, problems: Sequence[Problem], known: Sequence[Problem]) -> str:
    """List new errors of one file; those that were told before are only named by their lines."""
    lines = []
    if problems:
        lines.append("[%s] %s: %s" % (tool, plain(name), count(len(problems), "error")))
        lines += map(str, problems[:ERRORS])
        lines += _rest(len(problems) - ERRORS)
    if known:
        from hooklib.quality.line_diff import spans

        where = places(spans({problem.line for problem in known}))
        told = count(len(known), "error") + " told before, still there"
        lines.append("[%s] %s: %s (%s)" % (tool, plain(name), told, where))
    return "\n".join(lines)


def warnings(name: str, problems: Sequence[Problem]) -> str:
    """List debug statements of one file."""
    lines = ["[debug code] %s: in lines that this edit added" % plain(name)]
    lines += map(str, problems[:WARNINGS])
    return "\n".join([*lines, *_rest(len(problems) - WARNINGS)])


def complaint(text: str, path: str) -> str:
    """Return what a formatter says of a file that is no code; '' where it failed otherwise."""
    for line in text.splitlines():
        if any(word in line.lower() for word in ("failed to parse", "cannot parse", "syntaxerror")):
            return plain(line.replace(path, "").replace("[error]", ""))
    return ""


def count(number: int, noun: str) -> str:
    return "%d %s%s" % (number, noun, "" if number == 1 else "s")


def _rest(number: int) -> list[str]:
    return ["  ... and %d more" % number] if number > 0 else []
