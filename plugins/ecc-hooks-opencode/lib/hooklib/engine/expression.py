"""The expression form of a matcher: `tool == "Bash" && tool_input.command matches "git push*"`.

A grammar of our own, parsed into nested tuples and evaluated by `holds`; nothing is run as code.

    any   := all ("||" all)*          all  := one ("&&" one)*
    one   := "!" one | "(" any ")" | "*" | test
    test  := field ("==" | "!=" | "matches" | "contains") value | field "in" "(" value, ... ")"
    field := tool | event | prompt | cwd | ... | tool_input.<name>[.<name>]
"""

from __future__ import annotations

from hooklib.engine.regex import PatternError, globs, pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.event import Event

MAX_LENGTH = 4_000
MAX_DEPTH = 50
_SYMBOLS = ("&&", "||", "==", "!=", "!", "(", ")", ",", "*")
_WORD = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-")
_PATH_FIELDS = ("file_path", "notebook_path", "path", "filePath")


class ExpressionError(ValueError):
    """A syntax error, with the place of it."""

    def __init__(self, position: int, message: str) -> None:
        super().__init__("%s at position %d" % (message, position + 1))
        self.position = position


def parse(text: str) -> Any:
    """Return the expression as nested tuples; ExpressionError names what is wrong and where."""
    if len(text) > MAX_LENGTH:
        raise ExpressionError(MAX_LENGTH, "longer than %d characters" % MAX_LENGTH)
    parser = _Parser(_tokens(text), len(text))
    tree = parser.any(0)
    parser.expect_end()
    return tree


def holds(tree: Any, event: Event) -> bool:
    """Return whether a parsed expression is true of event."""
    kind = tree[0]
    if kind == "any":
        return any(holds(part, event) for part in tree[1])
    if kind == "all":
        return all(holds(part, event) for part in tree[1])
    if kind == "not":
        return not holds(tree[1], event)
    if kind == "*":
        return True
    _, field, operator, wanted = tree
    value = event.field(field)
    if operator == "==":
        return bool(value == wanted)
    if operator == "!=":
        return bool(value != wanted)
    if operator == "in":
        return value in wanted
    if operator == "contains":
        return wanted in value
    return bool(value) and matches(field, wanted, value, event)


def matches(field: str, wanted: str, value: str, event: Event) -> bool:
    """Return whether value fits wanted: a regular expression if it looks like one, else a glob."""
    if looks_like_regex(wanted):
        return pattern.regex(wanted).search(value)
    if field.rpartition(".")[2] in _PATH_FIELDS:
        glob = globs.path_glob(wanted)
        return any(glob.match(path) for path in event.spellings_of_path(value))
    return globs.glob(wanted).fullmatch(value)


def looks_like_regex(text: str) -> bool:
    """Return whether text has a sign that regular expressions have and globs have not."""
    return not set(text).isdisjoint("\\^$()|+")


def _tokens(text: str) -> list[tuple[int, str, str]]:
    """Split text into (position, kind, text); kind is the symbol itself, `word` or `text`."""
    found: list[tuple[int, str, str]] = []
    at, end = 0, len(text)
    while at < end:
        char = text[at]
        if char.isspace():
            at += 1
        elif char in "\"'":
            start = at
            value, at = _quoted(text, at)
            found.append((start, "text", value))
        elif char in _WORD:
            start = at
            while at < end and text[at] in _WORD:
                at += 1
            found.append((start, "word", text[start:at]))
        else:
            symbol = next((s for s in _SYMBOLS if text.startswith(s, at)), "")
            if not symbol:
                raise ExpressionError(at, "unexpected %r" % char)
            found.append((at, symbol, symbol))
            at += len(symbol)
    return found


def _quoted(text: str, start: int) -> tuple[str, int]:
    """Return a quoted text and where it ends. A backslash stays one, except before the quote."""
    quote, parts, at = text[start], [], start + 1
    while at < len(text):
        if text[at] == "\\" and at + 1 < len(text):
            parts.append(quote if text[at + 1] == quote else text[at : at + 2])
            at += 2
        elif text[at] == quote:
            return "".join(parts), at + 1
        else:
            parts.append(text[at])
            at += 1
    raise ExpressionError(start, "a quote that never ends")


class _Parser:
    def __init__(self, tokens: list[tuple[int, str, str]], end: int) -> None:
        self.tokens = tokens
        self.end = end
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def take(self, wanted: str) -> str:
        if self.peek() != wanted:
            raise self.error("expected %s" % (wanted if len(wanted) < 4 else "a " + wanted))
        self.at += 1
        return self.tokens[self.at - 1][2]

    def error(self, message: str) -> ExpressionError:
        if self.at < len(self.tokens):
            position, _, text = self.tokens[self.at]
            return ExpressionError(position, "%s, not %r" % (message, text))
        return ExpressionError(self.end, message + " before the end")

    def expect_end(self) -> None:
        if self.at < len(self.tokens):
            raise self.error("expected && or ||")

    def any(self, depth: int) -> Any:
        return self.joined("any", "||", self.all, depth)

    def all(self, depth: int) -> Any:
        return self.joined("all", "&&", self.one, depth)

    def joined(self, kind: str, symbol: str, part: Any, depth: int) -> Any:
        parts = [part(depth)]
        while self.peek() == symbol:
            self.at += 1
            parts.append(part(depth))
        return parts[0] if len(parts) == 1 else (kind, parts)

    def one(self, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise self.error("nested too deeply")
        kind = self.peek()
        if kind == "!":
            self.at += 1
            return ("not", self.one(depth + 1))
        if kind == "(":
            self.at += 1
            inner = self.any(depth + 1)
            self.take(")")
            return inner
        if kind == "*":
            self.at += 1
            return ("*",)
        return self.test()

    def test(self) -> Any:
        start = self.at
        field = self.take("word")
        if not known_field(field):
            self.at = start
            raise self.error("expected tool, tool_input.<field> or another field of the event")
        if self.peek() in ("==", "!="):
            operator = self.tokens[self.at][2]
            self.at += 1
            return ("test", field, operator, self.value())
        operator = self.take("word") if self.peek() == "word" else ""
        if operator == "in":
            self.take("(")
            values = [self.value()]
            while self.peek() == ",":
                self.at += 1
                values.append(self.value())
            self.take(")")
            return ("test", field, operator, values)
        if operator == "contains":
            return ("test", field, operator, self.value())
        if operator == "matches":
            return ("test", field, operator, self.checked_pattern())
        self.at -= bool(operator)
        raise self.error("expected ==, !=, in, matches or contains")

    def value(self) -> str:
        """A quoted text, or a bare number, true, false."""
        return self.take("word") if self.peek() == "word" else self.take("text")

    def checked_pattern(self) -> str:
        position = self.tokens[self.at][0] if self.at < len(self.tokens) else self.end
        text = self.value()
        if looks_like_regex(text):
            try:
                pattern.regex(text)
            except PatternError as error:
                raise ExpressionError(position + 1 + error.position, str(error)) from None
        return text


def known_field(name: str) -> bool:
    """Return whether an expression may ask for name."""
    top, dot, rest = name.partition(".")
    if top in ("tool_input", "tool_response"):
        return bool(dot) and all(rest.split("."))
    return not dot and top in _FIELDS


_FIELDS = frozenset(
    "tool tool_name event prompt cwd source reason trigger agent_type agent_id permission_mode"
    " error message notification_type session_id model".split()
)
