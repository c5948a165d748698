"""Compare the lines of two texts, and follow lines of one into the other."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Block = tuple[int, int, int, int]  # lines [a, b) of the old text became [c, d) of the new

_MOST = 4_000_000  # pairs of lines to compare; beyond that the whole part counts as different


def lines_of(text: str) -> list[str]:
    """Return the lines without their ends, as an editor counts them."""
    return text.replace("\r\n", "\n").split("\n")


def blocks(old: list[str], new: list[str]) -> list[Block]:
    """Return the parts that differ, in order; lines count from 0."""
    start, most = 0, min(len(old), len(new))
    while start < most and old[start] == new[start]:
        start += 1
    a, c = len(old), len(new)
    while a > start and c > start and old[a - 1] == new[c - 1]:
        a, c = a - 1, c - 1
    if a == start and c == start:
        return []
    if a == start or c == start or (a - start) * (c - start) > _MOST:
        return [(start, a, start, c)]
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, old[start:a], new[start:c], autojunk=False)
    return [
        (i + start, j + start, k + start, m + start)
        for tag, i, j, k, m in matcher.get_opcodes()
        if tag != "equal"
    ]


def carry_over(numbers: Iterable[int], old: list[str], new: list[str]) -> set[int]:
    """Return the new numbers of lines after a formatter, which changes spaces and quotes."""
    return carry(numbers, blocks([gist(line) for line in old], [gist(line) for line in new]))


def gist(line: str) -> str:
    return "".join(line.split()).replace("'", '"').rstrip(",;")


def carry(numbers: Iterable[int], changes: list[Block]) -> set[int]:
    """Return the numbers in the new text of lines of the old one, counted from 1.

    A line inside a block becomes the whole block.
    """
    new_numbers: set[int] = set()
    remaining = iter([*changes, (1 << 60, 1 << 60, 0, 0)])
    a, b, c, d = next(remaining)
    moved = 0
    for number in sorted(numbers):
        while number > b:
            moved = d - b
            a, b, c, d = next(remaining)
        if number > a:
            new_numbers.update(range(c + 1, d + 1))
        else:
            new_numbers.add(number + moved)
    return new_numbers


def spans(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Return line numbers as ranges (first, last)."""
    ranges: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if ranges and number <= ranges[-1][1] + 1:
            ranges[-1] = (ranges[-1][0], number)
        else:
            ranges.append((number, number))
    return ranges
