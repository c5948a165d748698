"""Compile a regular expression; plain text needs neither the parser nor the machine."""

from __future__ import annotations

from hooklib.engine.regex import MAX_VALUE, SPECIAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

    Test = Callable[[str], bool]


class Pattern:
    """A compiled pattern. A glob matches whole values, in both methods."""

    __slots__ = ("_search", "_fullmatch")

    def __init__(self, search: Test, fullmatch: Test) -> None:
        self._search = search
        self._fullmatch = fullmatch

    def search(self, value: str) -> bool:
        """Return whether the pattern matches anywhere in value."""
        return self._search(value[:MAX_VALUE])

    def fullmatch(self, value: str) -> bool:
        """Return whether the pattern matches all of value."""
        return self._fullmatch(value[:MAX_VALUE])


def regex(text: str) -> Pattern:
    """Compile the common syntax of JavaScript and Python; raise PatternError for anything else."""
    start, end = text[:1] == "^", text[-1:] == "$"
    literal = text[start : len(text) - end]
    if SPECIAL.isdisjoint(literal):
        search = in_order([*[""][start:], literal, *[""][end:]])
        return Pattern(search, literal.__eq__)
    from hooklib.engine.regex.machine import Machine, hits
    from hooklib.engine.regex.parser import Parser

    parser = Parser(text)
    code, looks = parser.parse(), parser.lookaheads
    anywhere, whole = Machine(code, anywhere=True), Machine(code, anywhere=False)
    return Pattern(
        lambda value: any(hits(anywhere, looks, value)),
        lambda value: [*hits(whole, looks, value)][-1],
    )


def in_order(pieces: list[str]) -> Test:
    """Return a test for texts that have pieces in this order, and anything between them."""
    if len(pieces) == 1:
        return pieces[0].__eq__
    head, *middle, tail = pieces

    def test(value: str) -> bool:
        at, end = len(head), len(value) - len(tail)
        if at > end or not value.startswith(head) or not value.endswith(tail):
            return False
        for piece in middle:
            at = value.find(piece, at, end)
            if at < 0:
                return False
            at += len(piece)
        return True

    return test
