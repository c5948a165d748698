"""Texts for the model and the user: short, bounded and plain."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hooklib.quality.line_diff import Block

ERRORS = 10  # listed per file; the rest is counted
WARNINGS = 5
_SPANS = 6
_LINE = 300


class Finding:
    """One finding of a checker in a line; column 0 if unknown."""

    __slots__ = ("line", "column", "text")

    def __init__(self, line: int, column: int, text: str) -> None:
        self.line = line
        self.column = column
        self.text = text

    def __str__(self) -> str:
        place = "%d:%d" % (self.line, self.column) if self.column else str(self.line)
        return "  %s  %s" % (place, plain(self.text))


def plain(text: str) -> str:
    """Return text as one bounded line without control characters and secrets."""
    from hooklib.redact import redact
    from hooklib.text import strip_ansi

    line = " ".join(strip_ansi(text[: _LINE * 4]).split())
    return redact(line)[:_LINE]


def places(spans: Sequence[tuple[int, int]]) -> str:
    """Return ranges of lines in words: `lines 1, 3-5 and 9`."""
    words = ["%d" % a if a == b else "%d-%d" % (a, b) for a, b in spans[:_SPANS]]
    more = len(spans) - _SPANS
    if more > 0:
        words.append("%d more places" % more)
    many = len(words) > 1 or spans[0][0] != spans[0][1]
    listed = " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]
    return ("lines " if many else "line ") + listed


def formatted(tool: str, name: str, changes: list[Block], lines_now: list[str]) -> str:
    """Return the text about the lines of the present file that a formatter changed."""
    from hooklib.quality.line_diff import spans

    lines = {number for _, _, c, d in changes for number in range(c + 1, max(d, c + 1) + 1)}
    last_line = len(lines_now) - (lines_now[-1] == "")
    line_spans = spans(number for number in lines if number <= last_line)
    where = (
        places(line_spans) if line_spans else "the end of the file" if lines else "the line ends"
    )
    words = "[format] %s reformatted %s: %s changed. Read again before editing there."
    return words % (tool, plain(name), where)


def errors(tool: str, name: str, findings: Sequence[Finding], repeated: Sequence[Finding]) -> str:
    """List the new errors of one file in full and name only the lines of repeated ones."""
    lines = []
    if findings:
        lines.append("[%s] %s: %s" % (tool, plain(name), count(len(findings), "error")))
        lines += map(str, findings[:ERRORS])
        lines += _rest(len(findings) - ERRORS)
    if repeated:
        from hooklib.quality.line_diff import spans

        where = places(spans({finding.line for finding in repeated}))
        repeated_text = count(len(repeated), "error") + " still there"
        lines.append("[%s] %s: %s (%s)" % (tool, plain(name), repeated_text, where))
    return "\n".join(lines)


def warnings(name: str, findings: Sequence[Finding]) -> str:
    """List debug statements of one file."""
    lines = ["[debug code] %s: added by this edit" % plain(name)]
    lines += map(str, findings[:WARNINGS])
    return "\n".join([*lines, *_rest(len(findings) - WARNINGS)])


def complaint(text: str, path: str) -> str:
    """Return a formatter's complaint about a syntax error, '' if it failed for another reason."""
    for line in text.splitlines():
        if any(word in line.lower() for word in ("failed to parse", "cannot parse", "syntaxerror")):
            return plain(line.replace(path, "").replace("[error]", ""))
    return ""


def count(number: int, noun: str) -> str:
    return "%d %s%s" % (number, noun, "" if number == 1 else "s")


def _rest(number: int) -> list[str]:
    return ["  ... and %d more" % number] if number > 0 else []
