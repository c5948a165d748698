"""Matchers that are expressions: `tool == "Bash" && tool_input.command matches "git push*"`.

`parse` turns the text into nested tuples and `holds` evaluates them; nothing is run as code.

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
    """A syntax error and its position."""

    def __init__(self, position: int, message: str) -> None:
        super().__init__("%s at position %d" % (message, position + 1))
        self.position = position


def parse(text: str) -> Any:
    """Parse text into nested tuples; raise ExpressionError with the reason and the position."""
    if len(text) > MAX_LENGTH:
        raise ExpressionError(MAX_LENGTH, "longer than %d characters" % MAX_LENGTH)
    parser = _Parser(_tokens(text), len(text))
    tree = parser.any(0)
    parser.expect_end()
    return tree


def holds(tree: Any, event: Event) -> bool:
    """Return whether a parsed expression is true for event."""
    kind = tree[0]
    if kind == "any":
        return any(holds(part, event) for part in tree[1])
    if kind == "all":
        return all(holds(part, event) for part in tree[1])
    if kind == "not":
        return not holds(tree[1], event)
    if kind == "*":
        return True
    _, field, operator, operand = tree
    value = event.field(field)
    if operator == "==":
        return bool(value == operand)
    if operator == "!=":
        return bool(value != operand)
    if operator == "in":
        return value in operand
    if operator == "contains":
        return operand in value
    return bool(value) and matches(field, operand, value, event)


def matches(field: str, text: str, value: str, event: Event) -> bool:
    """Return whether value matches text, a regular expression if it looks like one, else a glob."""
    if looks_like_regex(text):
        return pattern.regex(text).search(value)
    if field.rpartition(".")[2] in _PATH_FIELDS:
        glob = globs.path_glob(text)
        return any(glob.match(path) for path in event.spellings_of_path(value))
    return globs.glob(text).fullmatch(value)


def looks_like_regex(text: str) -> bool:
    """Return whether text has a sign that only regular expressions have, not globs."""
    return not set(text).isdisjoint("\\^$()|+")


def _tokens(text: str) -> list[tuple[int, str, str]]:
    """Split text into (position, kind, text); kind is `word`, `text` or the symbol itself."""
    tokens: list[tuple[int, str, str]] = []
    position, end = 0, len(text)
    while position < end:
        char = text[position]
        if char.isspace():
            position += 1
        elif char in "\"'":
            start = position
            value, position = _quoted(text, position)
            tokens.append((start, "text", value))
        elif char in _WORD:
            start = position
            while position < end and text[position] in _WORD:
                position += 1
            tokens.append((start, "word", text[start:position]))
        else:
            symbol = next((s for s in _SYMBOLS if text.startswith(s, position)), "")
            if not symbol:
                raise ExpressionError(position, "unexpected %r" % char)
            tokens.append((position, symbol, symbol))
            position += len(symbol)
    return tokens


def _quoted(text: str, start: int) -> tuple[str, int]:
    """Return a quoted text and its end. A backslash escapes the quote and is plain elsewhere."""
    quote, parts, position = text[start], [], start + 1
    while position < len(text):
        if text[position] == "\\" and position + 1 < len(text):
            parts.append(quote if text[position + 1] == quote else text[position : position + 2])
            position += 2
        elif text[position] == quote:
            return "".join(parts), position + 1
        else:
            parts.append(text[position])
            position += 1
    raise ExpressionError(start, "a quote that never ends")


class _Parser:
    def __init__(self, tokens: list[tuple[int, str, str]], end: int) -> None:
        self.tokens = tokens
        self.end = end
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def take(self, expected: str) -> str:
        if self.peek() != expected:
            raise self.error("expected %s" % (expected if len(expected) < 4 else "a " + expected))
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
        """Take a quoted text, or a bare number, true or false."""
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
    """Return whether name is a field that an expression may use."""
    top, dot, rest = name.partition(".")
    if top in ("tool_input", "tool_response"):
        return bool(dot) and all(rest.split("."))
    return not dot and top in _FIELDS


_FIELDS = frozenset(
    "tool tool_name event prompt cwd source reason trigger agent_type agent_id permission_mode"
    " error message notification_type session_id model".split()
)
