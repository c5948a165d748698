"""Parse the common syntax of JavaScript's and Python's regular expressions into machine code."""

from __future__ import annotations

from hooklib.engine.regex import MAX_STATES, SPECIAL, PatternError
from hooklib.engine.regex.machine import CHAR, IF, JUMP, Machine, is_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Union

    from hooklib.engine.regex.machine import Code, Symbol
    from hooklib.engine.regex.pattern import Test

    Item = Union[str, Test]

MAX_DEPTH = 50
MAX_LOOKAHEADS = 20

_FLAGS = frozenset("ims")
_DIGITS = frozenset("0123456789")
_HEX = _DIGITS.union("abcdefABCDEF")
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "0": "\0"}
_COUNTS = {"*": (0, -1), "+": (1, -1), "?": (0, 1)}
_KINDS: dict[str, Test] = {
    "d": str.isdecimal,
    "D": lambda char: not char.isdecimal(),
    "w": is_word,
    "W": lambda char: not is_word(char),
    "s": str.isspace,
    "S": lambda char: not char.isspace(),
}
# The edge of the text is the character "". `$` matches that edge alone, as in JavaScript and hosts'
# own matchers. In Python it also matches before a last newline.
_EDGES: dict[str, Callable[[str, str, Symbol], bool]] = {
    "^": lambda before, after, looks: not before,
    "$": lambda before, after, looks: not after,
    "m^": lambda before, after, looks: before in ("", "\n"),
    "m$": lambda before, after, looks: after in ("", "\n"),
    "b": lambda before, after, looks: is_word(before) != is_word(after),
    "B": lambda before, after, looks: is_word(before) == is_word(after),
}


class Parser:
    """Turns a regular expression into code: each part becomes a list, the whole is their sum."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0
        self.room = MAX_STATES
        self.flags: frozenset[str] = frozenset()
        self.backward = False  # True in a lookahead, which runs from right to left
        self.lookaheads: list[Machine] = []

    def parse(self) -> Code:
        text = self.text
        if len(text) > MAX_STATES:
            raise PatternError("pattern too big", MAX_STATES)
        close = text.find(")")
        if text.startswith("(?") and close > 2 and _FLAGS.issuperset(text[2:close]):
            self.flags = frozenset(text[2:close])
            self.at = close + 1
        code = self.choice()
        if self.at < len(text):
            raise PatternError("unbalanced parenthesis", self.at)
        self.spend(len(code), 0)
        return code

    def spend(self, states: int, position: int) -> None:
        self.room -= states
        if self.room < 0:
            raise PatternError("pattern too big", position)

    def take(self) -> str:
        """Return the next character of the pattern, "" at its end."""
        self.at += 1
        return self.text[self.at - 1 : self.at]

    def choice(self) -> Code:
        code = self.sequence()
        while self.text.startswith("|", self.at):
            self.at += 1
            other = self.sequence()
            code = [(JUMP, (1, len(code) + 2)), *code, (JUMP, (len(other) + 1,)), *other]
        return code

    def sequence(self) -> Code:
        text = self.text
        code: Code = []
        while self.at < len(text) and text[self.at] not in "|)":
            start = self.at
            char = self.take()
            atom = self.atom(char, start) if char in SPECIAL else [self.literal(char)]
            if self.at < len(text) and text[self.at] in "*+?{":
                atom = self.repeat(atom, start)
            if self.backward:
                code[:0] = atom
            else:
                code += atom
        return code

    def atom(self, char: str, start: int) -> Code:
        """Return the code of the part that begins with char, a special character just taken."""
        if char == "(":
            return self.group(start)
        if char == "[":
            return [(CHAR, self.char_class(start))]
        if char == ".":
            return [(CHAR, ("" if "s" in self.flags else "\n").__ne__)]
        if char in "^$":
            return [(IF, _EDGES["m" + char if "m" in self.flags else char])]
        if char == "\\":
            if self.text.startswith(("b", "B"), self.at):
                return [(IF, _EDGES[self.take()])]
            item = self.escape()
            return [self.literal(item) if isinstance(item, str) else (CHAR, item)]
        self.at = start
        if self.counts():
            raise PatternError("nothing to repeat", start)
        self.at = start + 1
        return [self.literal(char)]

    def literal(self, char: str) -> tuple[int, Test]:
        folded = char.casefold()
        if "i" not in self.flags or folded == char.upper():
            return CHAR, char.__eq__
        return CHAR, lambda other: other.casefold() == folded

    def counts(self) -> tuple[int, int] | None:
        """Take a quantifier and return its bounds, -1 for no limit; None for a literal brace."""
        if self.text[self.at] != "{":
            return _COUNTS[self.take()]
        end = self.text.find("}", self.at)
        low, comma, high = self.text[self.at + 1 : max(end, 0)].partition(",")
        if not low or not _DIGITS.issuperset(low + high):
            return None
        if len(low) > 4 or len(high) > 4:
            raise PatternError("pattern too big", self.at)
        self.at = end + 1
        return int(low), int(high or -1) if comma else int(low)

    def repeat(self, atom: Code, start: int) -> Code:
        """Take a quantifier and return the code of atom, which began at start, repeated by it."""
        at = self.at
        bounds = self.counts()
        if bounds is None:
            return atom
        low, high = bounds
        if self.text[start] in "^$" or self.text.startswith(("\\b", "\\B"), start):
            raise PatternError("nothing to repeat", at)
        if -1 < high < low:
            raise PatternError("bounds in the wrong order", at)
        size = len(atom)
        if size * low + (size + 1) * max(high - low, 0) > self.room:
            raise PatternError("pattern too big", at)
        self.at += self.text.startswith("?", self.at)  # lazy or not, the answer is the same
        if high < 0 and low:
            return [*atom * low, (JUMP, (-size, 1))]
        if high < 0:
            return [(JUMP, (1, size + 2)), *atom, (JUMP, (-size - 1,))]
        code = atom * low
        for left in range(high - low, 0, -1):
            code += [(JUMP, (1, left * (size + 1))), *atom]
        return code

    def group(self, start: int) -> Code:
        """Return the code of the group whose parenthesis was just taken.

        A lookahead becomes a machine of its own.
        """
        text = self.text
        outer_state = self.flags, self.backward
        look = text.startswith(("?=", "?!"), self.at)
        positive = text.startswith("?=", self.at)
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise PatternError("nested too deeply", start)
        if look:
            self.at += 2
            self.backward = True
        elif text.startswith("?", self.at):
            named = text.startswith(("?<", "?P<"), self.at)
            end = text.find(">" if named else ":", self.at)
            inside = text[self.at + 1 : end]  # the flags, none for a plain (?:
            name = inside.partition("<")[2]
            if end < 0 or not (name.isidentifier() if named else _FLAGS.issuperset(inside)):
                raise PatternError("unsupported group", start)
            self.flags = self.flags if named else self.flags.union(inside)
            self.at = end + 1
        code = self.choice()
        if self.take() != ")":
            raise PatternError("unclosed group", start)
        self.depth -= 1
        self.flags, self.backward = outer_state
        if not look:
            return code
        self.spend(len(code), start)
        index = len(self.lookaheads)
        if index == MAX_LOOKAHEADS:
            raise PatternError("too many lookaheads", start)
        self.lookaheads.append(Machine(code, anywhere=True, backward=True))
        return [(IF, lambda before, after, looks: looks[index] == positive)]

    def escape(self) -> Item:
        """Take the rest of an escape and return its character or test."""
        start = self.at - 1
        char = self.take()
        if char in _KINDS:
            return _KINDS[char]
        if char in _CONTROLS and not (char == "0" and self.text[self.at : self.at + 1].isdigit()):
            return _CONTROLS[char]
        width = {"x": 2, "u": 4}.get(char, 0)
        digits = self.text[self.at : self.at + width]
        if width and len(digits) == width and _HEX.issuperset(digits):
            self.at += width
            return chr(int(digits, 16))
        if not char or (char.isascii() and char.isalnum()):  # backreferences, \A, \p{L}, ...
            raise PatternError("unsupported escape", start)
        return char

    def char_class(self, start: int) -> Test:
        """Return the test for the class whose bracket was just taken."""
        text = self.text
        negated = text.startswith("^", self.at)
        self.at += negated
        if text.startswith("]", self.at):  # matches nothing in JavaScript, a bracket in Python
            raise PatternError("empty class", start)
        chars, ranges, kinds = "", [], []
        while (item := self.class_item(start)) is not None:
            if not isinstance(item, str):
                kinds.append(item)
            elif text.startswith("-", self.at) and not text.startswith("-]", self.at):
                self.at += 1
                high = self.class_item(start)
                if not isinstance(high, str) or high < item:
                    raise PatternError("bad range in class", start)
                ranges.append((item, high))
            else:
                chars += item
        return _one_of(chars, ranges, kinds, negated, "i" in self.flags)

    def class_item(self, start: int) -> Item | None:
        """Take an item of a class and return it; None at the end of the class."""
        char = self.take()
        if not char:
            raise PatternError("unclosed class", start)
        if char == "\\" and self.text.startswith("b", self.at):
            self.at += 1
            return "\b"
        return None if char == "]" else self.escape() if char == "\\" else char


def _one_of(
    chars: str, ranges: list[tuple[str, str]], kinds: list[Test], negated: bool, fold: bool
) -> Test:
    """Return the test for a class; it caches each answer, as a class may be long."""
    results: dict[str, bool] = {}

    def member(char: str) -> bool:
        if char in chars or any(low <= char <= high for low, high in ranges):
            return True
        return any(kind(char) for kind in kinds)

    def test(char: str) -> bool:
        if char not in results:
            cases = {char, char.lower(), char.upper(), char.casefold()} if fold else {char}
            results[char] = any(len(case) == 1 and member(case) for case in cases) != negated
        return results[char]

    return test
