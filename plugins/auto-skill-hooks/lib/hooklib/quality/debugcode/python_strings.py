"""Where code inside an f-string stands: interpreters before 3.12 do not tell it exactly."""

from __future__ import annotations

from hooklib.quality.debugcode.python_tokens import split

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    from hooklib.quality.debugcode.python_walk import Hit

    Offset = Callable[[int, int], int]


def locate(text: str, hits: list[Hit], offset: Offset) -> list[tuple[int, str]]:
    """Return the offsets of hits by the tokens of the strings."""
    values, starts = split(text)
    pending: dict[tuple[int, int, str], list[str]] = {}
    for node, what, string in hits:
        span = (
            offset(string.lineno, string.col_offset),
            offset(string.end_lineno, string.end_col_offset),
        )
        pending.setdefault((*span, _root(node)), []).append(what)
    found: list[tuple[int, str]] = []
    for (first, last, root), names in pending.items():
        places = [
            starts[k]
            for k, value in enumerate(values)
            if value == root and first <= starts[k] < last and values[k - 1] != "."
        ]
        if len(places) != len(names):  # some of them are something else: tell where the string is
            places = [first] * len(names)
        found += zip(places, names)
    return found


def _root(node: Any) -> str:
    """Return the first name of a call or of a dotted name."""
    while True:
        node = getattr(node, "func", None) or getattr(node, "value", node)
        if type(node).__name__ == "Name":
            return str(node.id)
        if type(node).__name__ not in ("Call", "Attribute"):
            return ""
