"""Run the code of a pattern over a text: all its paths at once, character by character."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    Code = list[tuple[int, Any]]
    Symbol = tuple[Any, ...]  # a character, "" at the end, and whether each lookahead holds there
    Place = tuple[frozenset[int], str, bool]  # states, last character, whether a match ended

MAX_REMEMBERED = 200_000  # states, in the steps a machine remembers

# An instruction is (operation, argument). Where to go on is relative to its place, so that code
# can be joined and repeated as lists are.
CHAR = 0  # a test: goes on to the next character where it is true of this one
JUMP = 1  # offsets: goes on at all of them
IF = 2  # a test of (character before, character after, lookaheads): goes on where it is true


class Machine:
    """Runs code over a text in one pass and remembers each step it had to work out."""

    def __init__(self, code: Code, anywhere: bool, backward: bool = False) -> None:
        self.code = [*code, (JUMP, ())]  # whoever comes to the end has matched
        self.anywhere = anywhere  # whether a match may begin at any place or only at the first
        self.backward = backward
        self.asks = any(kind == IF for kind, _ in code)
        self.room = 0
        self.steps: dict[tuple[Place, Symbol], Place] = {}

    def hits(self, symbols: Iterable[Symbol]) -> Iterator[bool]:
        """Tell for each place in a text whether a match ends there."""
        place: Place = (frozenset((0,)), "", False)
        steps = self.steps
        for symbol in symbols:
            place = steps.get((place, symbol)) or self.step(place, symbol)
            yield place[2]

    def step(self, place: Place, symbol: Symbol) -> Place:
        """Follow all paths from place to the symbol and over it."""
        code, char, looks = self.code, symbol[0], symbol[1:]
        states, last, _ = place
        before, after = (char, last) if self.backward else (last, char)
        reached = {0} if self.anywhere else set()
        todo = list(states)
        seen = set(todo)
        while todo:
            at = todo.pop()
            kind, argument = code[at]
            if kind == CHAR:
                if argument(char):
                    reached.add(at + 1)
            elif kind == JUMP:
                for offset in argument:
                    if at + offset not in seen:
                        seen.add(at + offset)
                        todo.append(at + offset)
            elif at + 1 not in seen and argument(before, after, looks):
                seen.add(at + 1)
                todo.append(at + 1)
        if self.asks and char != "\n":  # one for all of a sort, so that there are few places
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
