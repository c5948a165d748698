"""Split Python into tokens, for text that the interpreter cannot parse.

A token is its own text, with a `"` before a string; the end of a statement is a newline. The code
in an f-string is split into tokens too.
"""

from __future__ import annotations

from hooklib.quality.debugcode.quotes import quote_end

_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_SPACES = " \t\f\r"
_PREFIXES = frozenset("r u b f t br rb fr rf tr rt".split())
# a line that begins with one of these is a statement, even if a bracket is still open
_STATEMENTS = ("def ", "class ", "import ", "from ", "return ", "while ", "try:", "raise ", "with ")
_LONG_OPERATORS = (":=", "==", "!=", "<=", ">=", "->", "**", ">>", "<<", "//")


def split(text: str) -> tuple[list[str], list[int]]:
    """Return the tokens and their starts."""
    lexer = _Lexer(text)
    lexer.run()
    return lexer.values, lexer.starts


class _Lexer:
    def __init__(self, text: str) -> None:
        self.text = text + "\0\0\0"  # looking ahead then needs no check for the end
        self.size = len(text)
        self.values: list[str] = []
        self.starts: list[int] = []
        # open brackets; of f-strings the quote, { for code in them, : for a format specification
        self.stack: list[str] = []
        self.line_end = -1

    def add(self, value: str, start: int, end: int) -> int:
        self.values.append(value)
        self.starts.append(start)
        return end

    def run(self) -> None:
        text = self.text
        i = 0
        while i < self.size:
            char = text[i]
            if self.stack and self.stack[-1][0] in "\"':":
                i = self.read_fstring_part(i)
            elif char in _SPACES:
                i += 1
            elif char == "\n":
                i = self.read_newline(i)
            elif char == "#":
                i = self.end_of_line(i)
            elif char == "\\" and text[i + 1] == "\n":
                i += 2
            elif char in "\"'":
                i = self.read_string(i, i)
            elif char in _NAME or char >= "\x80":
                i = self.read_name(i)
            else:
                i = self.read_operator(char, i)

    def end_of_line(self, i: int) -> int:
        if self.line_end < i:
            at = self.text.find("\n", i)
            self.line_end = self.size if at < 0 else at
        return self.line_end

    def read_newline(self, i: int) -> int:
        if self.stack:
            next_text = i + 1
            while self.text[next_text] in " \t":
                next_text += 1
            if self.text.startswith(_STATEMENTS, next_text) or self.in_short_string():
                self.stack.clear()
        if not self.stack:
            self.add("\n", i, i)
        return i + 1

    def in_short_string(self) -> bool:
        return any(item in ('"', "'") for item in self.stack[:50])

    def read_name(self, i: int) -> int:
        start = i
        while self.text[i] in _NAME or self.text[i] >= "\x80":
            i += 1
        word = self.text[start:i]
        if self.text[i] in "\"'" and len(word) < 3 and word.lower() in _PREFIXES:
            return self.read_string(start, i)
        return self.add(word, start, i)

    def read_string(self, start: int, i: int) -> int:
        """Read a string whose prefix begins at start and whose quote is at i."""
        quote = self.text[i]
        if self.text.startswith(quote * 3, i):
            quote *= 3
        i += len(quote)
        if set(self.text[start:i].lower()) & {"f", "t"}:
            self.stack.append(quote)
            return self.add('"', start, i)
        limit = self.size if len(quote) == 3 else self.line_limit(i)
        end = quote_end(self.text, i, quote, limit)
        end = limit if end < 0 else end
        return self.add('"' + self.text[start:end], start, end)

    def line_limit(self, i: int) -> int:
        """Return the end of the line, including lines that a backslash continues."""
        while True:
            end = self.end_of_line(i)
            line = self.text[i:end]
            if end >= self.size or (len(line) - len(line.rstrip("\\"))) % 2 == 0:
                return end
            i = end + 1

    def read_fstring_part(self, i: int) -> int:
        """Read one part of the text of an f-string."""
        text, top = self.text, self.stack[-1]
        char = text[i]
        if char == "{":
            if text[i + 1] == "{" and top != ":":
                return i + 2
            self.stack.append("{")
            return self.add("{", i, i + 1)
        if top == ":":
            if char == "}":
                del self.stack[-2:]
                return self.add("}", i, i + 1)
            if char in "\n\"'":  # never closed
                self.stack.pop()
                self.stack.pop()
                return i
            return i + 1
        if char == "\\":
            return i + 2
        if text.startswith(top, i):
            self.stack.pop()
            return i + len(top)
        if char == "\n" and len(top) == 1:  # never closed
            self.stack.pop()
            return i
        return i + 1

    def read_operator(self, char: str, i: int) -> int:
        stack = self.stack
        if char in "([{":
            stack.append(char)
        elif char in ")]}":
            if stack and stack[-1] == {")": "(", "]": "[", "}": "{"}[char]:
                stack.pop()
        elif char == ":" and len(stack) > 1 and stack[-1] == "{" and stack[-2][0] in "\"':":
            stack.append(":")
        else:
            for operator in _LONG_OPERATORS:
                if self.text.startswith(operator, i):
                    return self.add(operator, i, i + 2)
        return self.add(char, i, i + 1)
