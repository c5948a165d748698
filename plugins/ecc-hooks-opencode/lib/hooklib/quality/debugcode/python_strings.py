"""Locate code inside f-strings, whose position Python before 3.12 does not report exactly."""

from __future__ import annotations

from hooklib.quality.debugcode.python_tokens import split

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    from hooklib.quality.debugcode.python_walk import Hit

    Offset = Callable[[int, int], int]


def locate(text: str, hits: list[Hit], offset: Offset) -> list[tuple[int, str]]:
    """Return the offset and name of each hit, found by the tokens of its f-string."""
    values, starts = split(text)
    pending: dict[tuple[int, int, str], list[str]] = {}
    for node, name, fstring in hits:
        span = (
            offset(fstring.lineno, fstring.col_offset),
            offset(fstring.end_lineno, fstring.end_col_offset),
        )
        pending.setdefault((*span, _root(node)), []).append(name)
    located: list[tuple[int, str]] = []
    for (first, last, root), names in pending.items():
        offsets = [
            starts[k]
            for k, value in enumerate(values)
            if value == root and first <= starts[k] < last and values[k - 1] != "."
        ]
        if len(offsets) != len(names):  # ambiguous: use the start of the string
            offsets = [first] * len(names)
        located += zip(offsets, names)
    return located


def _root(node: Any) -> str:
    """Return the first name of a call or of a dotted name."""
    while True:
        node = getattr(node, "func", None) or getattr(node, "value", node)
        if type(node).__name__ == "Name":
            return str(node.id)
        if type(node).__name__ not in ("Call", "Attribute"):
            return ""
