"""Match regular expressions and globs in time linear in the text, whatever the pattern.

`re` can be kept busy for years by ten characters, cannot be stopped, and costs most of a hook to
import. Here a regular expression becomes a small program, all of whose paths are followed at once,
character by character. The answer is yes or no; there are no captures.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, Callable, Union

    Test = Callable[[str], bool]
    Item = Union[str, Test]
    Code = list[tuple[int, Any]]
    Symbol = tuple[Any, ...]  # a character, "" at the end, and whether each lookahead holds there
    Place = tuple[frozenset[int], str, bool]  # states, last character, whether a match ended

# Time grows with both. A longer value (a heredoc, a file's text) is judged by its beginning, so
# that the worst pattern allowed ends in two to four seconds; an ordinary one takes milliseconds.
MAX_VALUE = 20_000
MAX_STATES = 2_000
MAX_DEPTH = 50
MAX_LOOKAHEADS = 20
MAX_REMEMBERED = 200_000  # states, in the steps a machine remembers

# An instruction is (operation, argument). Where to go on is relative to its place, so that code
# can be joined and repeated as lists are.
_CHAR = 0  # a test: goes on to the next character where it is true of this one
_JUMP = 1  # offsets: goes on at all of them
_IF = 2  # a test of (character before, character after, lookaheads): goes on where it is true

_SPECIAL = frozenset("\\^$.|?*+()[{")
_WILD = frozenset("?[\\")
_FLAGS = frozenset("ims")
_DIGITS = frozenset("0123456789")
_HEX = _DIGITS.union("abcdefABCDEF")
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "0": "\0"}
_COUNTS = {"*": (0, -1), "+": (1, -1), "?": (0, 1)}


def _word(char: str) -> bool:
    return char.isalnum() or char == "_"


_KINDS: dict[str, Test] = {
    "d": str.isdecimal,
    "D": lambda char: not char.isdecimal(),
    "w": _word,
    "W": lambda char: not _word(char),
    "s": str.isspace,
    "S": lambda char: not char.isspace(),
}
# The edge of the text is the character "". `$` is that edge alone, as in JavaScript: hosts' own
# matchers mean it so. In Python it is also the place before a last newline.
_EDGES: dict[str, Callable[[str, str, Symbol], bool]] = {
    "^": lambda before, after, looks: not before,
    "$": lambda before, after, looks: not after,
    "m^": lambda before, after, looks: before in ("", "\n"),
    "m$": lambda before, after, looks: after in ("", "\n"),
    "b": lambda before, after, looks: _word(before) != _word(after),
    "B": lambda before, after, looks: _word(before) == _word(after),
}


class PatternError(ValueError):
    """A pattern that cannot be used, and where in it the reason stands."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__("%s at %d" % (message, position))
        self.position = position


class Pattern:
    """A compiled pattern. A glob means the whole value in both methods."""

    __slots__ = ("_search", "_fullmatch")

    def __init__(self, search: Test, fullmatch: Test) -> None:
        self._search = search
        self._fullmatch = fullmatch

    def search(self, value: str) -> bool:
        """Return whether the pattern is found anywhere in value."""
        return self._search(value[:MAX_VALUE])

    def fullmatch(self, value: str) -> bool:
        """Return whether the pattern fits all of value."""
        return self._fullmatch(value[:MAX_VALUE])


class PathGlob:
    """A compiled path glob: tests of the name, and of a path's segments, where None is `**`."""

    __slots__ = ("_names", "_paths")

    def __init__(self, names: list[Test], paths: list[list[Test | None]]) -> None:
        self._names = names
        self._paths = paths

    def match(self, path: str) -> bool:
        """Return whether path, with slashes or backslashes, is meant."""
        path = path[:MAX_VALUE].replace("\\", "/")
        name = path.rpartition("/")[2]
        for test in self._names:
            if test(name):
                return True
        if not self._paths:
            return False
        parts = (path[2:] if path.startswith("./") else path).split("/")
        return any(_along(segments, parts) for segments in self._paths)


def regex(text: str) -> Pattern:
    """Compile a regular expression as JavaScript and Python both read it; PatternError if not."""
    start, end = text[:1] == "^", text[-1:] == "$"
    literal = text[start : len(text) - end]
    if _SPECIAL.isdisjoint(literal):
        search = _in_order([*[""][start:], literal, *[""][end:]])
        return Pattern(search, literal.__eq__)
    parser = _Parser(text)
    code, looks = parser.parse(), parser.lookaheads
    anywhere, whole = _Machine(code, anywhere=True), _Machine(code, anywhere=False)
    return Pattern(
        lambda value: any(_hits(anywhere, looks, value)),
        lambda value: [*_hits(whole, looks, value)][-1],
    )


def glob(text: str) -> Pattern:
    """Compile a glob for plain values, in which `*` also spans slashes and newlines."""
    tests = [_wildcards(each) for each in _alternatives(text)]
    whole = tests[0] if len(tests) == 1 else lambda value: any(test(value) for test in tests)
    return Pattern(whole, whole)


def path_glob(text: str) -> PathGlob:
    """Compile a glob for paths: without a slash it means the name, with one the whole path."""
    names: list[Test] = []
    paths: list[list[Test | None]] = []
    for each in _alternatives(text):
        name = each
        while name.startswith("**/"):  # any folder, as with no slash at all
            name = name[3:]
        if "/" not in name:
            names.append(_segment(name))
            continue
        segments = (each[2:] if each.startswith("./") else each).split("/")
        if segments[-1] == "**":  # what is below, not the folder itself
            segments.append("*")
        path: list[Test | None] = []
        for segment in segments:
            if segment != "**":
                path.append(_segment(segment))
            elif path[-1:] != [None]:
                path.append(None)
        paths.append(path)
    return PathGlob(names, paths)


def _alternatives(text: str) -> Iterable[str]:
    """Return text with {a,b} written out, innermost first; braces without a comma stay."""
    if len(text) > MAX_STATES:
        raise PatternError("pattern too big", MAX_STATES)
    if "{" not in text:
        return (text,)
    todo, done = {text}, set()
    while todo:
        text = todo.pop()
        opened: list[list[int]] = []  # the place of each open brace and of its commas
        signs = enumerate(text)
        for at, sign in signs:
            if sign == "\\":
                next(signs, None)
            elif sign == "{":
                opened.append([at])
            elif sign == "," and opened:
                opened[-1].append(at)
            elif sign == "}" and opened:
                cuts = [*opened.pop(), at]
                if len(cuts) > 2:
                    head, tail = text[: cuts[0]], text[at + 1 :]
                    todo.update(head + text[a + 1 : b] + tail for a, b in zip(cuts, cuts[1:]))
                    break
        else:
            done.add(text)
        if sum(map(len, todo)) + sum(map(len, done)) > MAX_STATES:
            raise PatternError("too many alternatives", 0)
    return done


def _segment(text: str) -> Test:
    return bool if text in ("*", "**") else _wildcards(text)  # a name is never empty


def _wildcards(text: str) -> Test:
    """Return the test for a glob without braces."""
    if _WILD.isdisjoint(text):
        return _in_order(text.split("*"))
    try:
        return regex(_as_regex(text)).fullmatch
    except PatternError:
        raise PatternError("glob too big or with a bad range", 0) from None


def _in_order(pieces: list[str]) -> Test:
    """Return the test for texts that consist of pieces and anything between them."""
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


def _as_regex(text: str) -> str:
    """Return a glob without braces as a regular expression."""
    parts = ["(?s)"]
    at, end = 0, -1  # end of the class opened last
    while at < len(text):
        char = text[at]
        if at == end or (at < end and char == "-"):
            parts.append(char)
        elif at > end and char in "*?":
            parts.append(".*" if char == "*" else ".")
        elif at > end and char == "[" and (end := _class_end(text, at + 1)) > 0:
            negated = text[at + 1] in "!^"
            parts.append("[^" if negated else "[")
            at += negated
        else:
            if char == "\\" and at + 1 < len(text):
                at += 1
                char = text[at]
            parts.append(char if char.isalnum() else "\\" + char)
        at += 1
    return "".join(parts)


def _class_end(text: str, at: int) -> int:
    """Return where the class ends whose bracket is before at, -1 where it does not."""
    at += text.startswith(("!", "^"), at)
    at += text.startswith("]", at)  # []a] has a bracket in it
    while at < len(text) and text[at] != "]":
        at += 2 if text[at] == "\\" else 1
    return at if at < len(text) else -1


def _along(segments: list[Test | None], parts: list[str]) -> bool:
    """Return whether parts can be laid along segments, trying all ways at once."""
    active = {0}
    for part in parts:
        reached = set()
        for at in active:
            while at < len(segments) and segments[at] is None:
                reached.add(at)  # `**` takes this part; or it takes none and the next is tried
                at += 1
            test = segments[at] if at < len(segments) else None
            if test is not None and test(part):
                reached.add(at + 1)
        if not reached:
            return False
        active = reached
    return len(segments) in active


class _Parser:
    """Turns a regular expression into code: each part into a list, joined to that of the whole."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0
        self.room = MAX_STATES
        self.flags: frozenset[str] = frozenset()
        self.backward = False  # in a lookahead, which is read from right to left
        self.lookaheads: list[_Machine] = []

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
            code = [(_JUMP, (1, len(code) + 2)), *code, (_JUMP, (len(other) + 1,)), *other]
        return code

    def sequence(self) -> Code:
        text = self.text
        code: Code = []
        while self.at < len(text) and text[self.at] not in "|)":
            start = self.at
            char = self.take()
            atom = self.atom(char, start) if char in _SPECIAL else [self.literal(char)]
            if self.at < len(text) and text[self.at] in "*+?{":
                atom = self.repeat(atom, start)
            if self.backward:
                code[:0] = atom
            else:
                code += atom
        return code

    def atom(self, char: str, start: int) -> Code:
        """Return the code of what begins with char, the special one just taken."""
        if char == "(":
            return self.group(start)
        if char == "[":
            return [(_CHAR, self.char_class(start))]
        if char == ".":
            return [(_CHAR, ("" if "s" in self.flags else "\n").__ne__)]
        if char in "^$":
            return [(_IF, _EDGES["m" + char if "m" in self.flags else char])]
        if char == "\\":
            if self.text.startswith(("b", "B"), self.at):
                return [(_IF, _EDGES[self.take()])]
            item = self.escape()
            return [self.literal(item) if isinstance(item, str) else (_CHAR, item)]
        self.at = start
        if self.counts():
            raise PatternError("nothing to repeat", start)
        self.at = start + 1
        return [self.literal(char)]

    def literal(self, char: str) -> tuple[int, Test]:
        folded = char.casefold()
        if "i" not in self.flags or folded == char.upper():
            return _CHAR, char.__eq__
        return _CHAR, lambda other: other.casefold() == folded

    def counts(self) -> tuple[int, int] | None:
        """Take a quantifier and return its bounds, -1 for no end; None for a literal brace."""
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
        """Return the code for atom, which began at start, as often as the quantifier here says."""
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
        self.at += self.text.startswith("?", self.at)  # lazy: the answer is the same
        if high < 0 and low:
            return [*atom * low, (_JUMP, (-size, 1))]
        if high < 0:
            return [(_JUMP, (1, size + 2)), *atom, (_JUMP, (-size - 1,))]
        code = atom * low
        for left in range(high - low, 0, -1):
            code += [(_JUMP, (1, left * (size + 1))), *atom]
        return code

    def group(self, start: int) -> Code:
        """Return the code of the group whose parenthesis was just taken; a lookahead's is apart."""
        text = self.text
        kept = self.flags, self.backward
        look = text.startswith(("?=", "?!"), self.at)
        wanted = text.startswith("?=", self.at)
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
        self.flags, self.backward = kept
        if not look:
            return code
        self.spend(len(code), start)
        index = len(self.lookaheads)
        if index == MAX_LOOKAHEADS:
            raise PatternError("too many lookaheads", start)
        self.lookaheads.append(_Machine(code, anywhere=True, backward=True))
        return [(_IF, lambda before, after, looks: looks[index] == wanted)]

    def escape(self) -> Item:
        """Return the character or the test meant by what follows a backslash."""
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
        if text.startswith("]", self.at):  # nothing in JavaScript, a bracket in Python
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
        """Take a character or test of a class, or its end, which is None."""
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
    """Return the test for a class; it asks once for each character, as a class may be long."""
    known: dict[str, bool] = {}

    def member(char: str) -> bool:
        if char in chars or any(low <= char <= high for low, high in ranges):
            return True
        return any(kind(char) for kind in kinds)

    def test(char: str) -> bool:
        if char not in known:
            cases = {char, char.lower(), char.upper(), char.casefold()} if fold else {char}
            known[char] = any(len(each) == 1 and member(each) for each in cases) != negated
        return known[char]

    return test


class _Machine:
    """Runs code over a text in one pass and remembers each step it had to work out."""

    def __init__(self, code: Code, anywhere: bool, backward: bool = False) -> None:
        self.code = [*code, (_JUMP, ())]  # whoever comes to the end has matched
        self.anywhere = anywhere  # whether a match may begin at any place or only at the first
        self.backward = backward
        self.asks = any(kind == _IF for kind, _ in code)
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
            if kind == _CHAR:
                if argument(char):
                    reached.add(at + 1)
            elif kind == _JUMP:
                for offset in argument:
                    if at + offset not in seen:
                        seen.add(at + offset)
                        todo.append(at + offset)
            elif at + 1 not in seen and argument(before, after, looks):
                seen.add(at + 1)
                todo.append(at + 1)
        if self.asks and char != "\n":  # one for all of a sort, so that there are few places
            char = "a" if _word(char) else " "
        following = (frozenset(reached), char if self.asks else "", len(code) - 1 in seen)
        self.room -= len(reached) + 1
        if self.room < 0:
            self.steps.clear()
            self.room = MAX_REMEMBERED
        self.steps[place, symbol] = following
        return following


def _hits(machine: _Machine, lookaheads: list[_Machine], value: str) -> Iterator[bool]:
    """Run each lookahead once, inner ones first, from the end of value; then machine."""
    looks: list[list[bool]] = []
    for lookahead in lookaheads:
        looks.append([*lookahead.hits(zip([*value[::-1], ""], *looks))])
    return machine.hits(zip([*value, ""], *(look[::-1] for look in looks)))
