"""Run the code of a pattern over a text, all its paths at once, character by character."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    Code = list[tuple[int, Any]]
    Symbol = tuple[Any, ...]  # a character, "" at the end, and whether each lookahead holds there
    Place = tuple[frozenset[int], str, bool]  # states, last character, whether a match ended

MAX_REMEMBERED = 200_000  # states, in the steps a machine remembers

# An instruction is (operation, argument). Jumps are relative to its index, so that code can be
# joined and repeated like lists.
CHAR = 0  # a test of this character; if it is true, go on to the next one
JUMP = 1  # offsets: go on at all of them
IF = 2  # a test of (character before, character after, lookaheads); go on if it is true


class Machine:
    """Runs code over a text in one pass and caches every step that it computes."""

    def __init__(self, code: Code, anywhere: bool, backward: bool = False) -> None:
        self.code = [*code, (JUMP, ())]  # a path that reaches the end has matched
        self.anywhere = anywhere  # whether a match may begin anywhere or only at the start
        self.backward = backward
        self.asks = any(kind == IF for kind, _ in code)
        self.room = 0
        self.steps: dict[tuple[Place, Symbol], Place] = {}

    def hits(self, symbols: Iterable[Symbol]) -> Iterator[bool]:
        """Yield for each place in a text whether a match ends there."""
        place: Place = (frozenset((0,)), "", False)
        steps = self.steps
        for symbol in symbols:
            place = steps.get((place, symbol)) or self.step(place, symbol)
            yield place[2]

    def step(self, place: Place, symbol: Symbol) -> Place:
        """Follow all paths from place across symbol and return the next place."""
        code, char, looks = self.code, symbol[0], symbol[1:]
        states, last, _ = place
        before, after = (char, last) if self.backward else (last, char)
        reached = {0} if self.anywhere else set()
        pending = list(states)
        seen = set(pending)
        while pending:
            index = pending.pop()
            kind, argument = code[index]
            if kind == CHAR:
                if argument(char):
                    reached.add(index + 1)
            elif kind == JUMP:
                for offset in argument:
                    if index + offset not in seen:
                        seen.add(index + offset)
                        pending.append(index + offset)
            elif index + 1 not in seen and argument(before, after, looks):
                seen.add(index + 1)
                pending.append(index + 1)
        if self.asks and char != "\n":  # one character for all of a kind: fewer places to cache
            char = "a" if is_word(char) else " "
        following = (frozenset(reached), char if self.asks else "", len(code) - 1 in seen)
        self.room -= len(reached) + 1
        if self.room < 0:
            self.steps.clear()
            self.room = MAX_REMEMBERED
        self.steps[place, symbol] = following
        return following


def hits(machine: Machine, lookaheads: list[Machine], value: str) -> Iterator[bool]:
    """Run each lookahead once, inner ones first, from the end of value; then machine."""
    looks: list[list[bool]] = []
    for lookahead in lookaheads:
        looks.append([*lookahead.hits(zip([*value[::-1], ""], *looks))])
    return machine.hits(zip([*value, ""], *(look[::-1] for look in looks)))


def is_word(char: str) -> bool:
    return char.isalnum() or char == "_"
