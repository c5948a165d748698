"""Split Python into tokens, for text that the interpreter does not parse.

A token is its own text, a string has a `"` before it; the end of a statement is a newline. The
code in an f-string gives tokens, too.
"""

from __future__ import annotations

from hooklib.quality.debugcode.quotes import closing

_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_SPACES = " \t\f\r"
_PREFIXES = frozenset("r u b f t br rb fr rf tr rt".split())
# a line that begins with one of these is a statement, whatever was left open before it
_STATEMENTS = ("def ", "class ", "import ", "from ", "return ", "while ", "try:", "raise ", "with ")
_SIGNS = (":=", "==", "!=", "<=", ">=", "->", "**", ">>", "<<", "//")


def split(text: str) -> tuple[list[str], list[int]]:
    """Return the tokens and where each begins."""
    lexer = _Lexer(text)
    lexer.run()
    return lexer.values, lexer.starts


class _Lexer:
    def __init__(self, text: str) -> None:
        self.text = text + "\0\0\0"  # so that a look ahead needs no test for the end
        self.size = len(text)
        self.values: list[str] = []
        self.starts: list[int] = []
        # open brackets; for f-strings their quote, { for code in them, : for what follows a colon
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
                i = self.formatted(i)
            elif char in _SPACES:
                i += 1
            elif char == "\n":
                i = self.newline(i)
            elif char == "#":
                i = self.end_of_line(i)
            elif char == "\\" and text[i + 1] == "\n":
                i += 2
            elif char in "\"'":
                i = self.string(i, i)
            elif char in _NAME or char >= "\x80":
                i = self.name(i)
            else:
                i = self.sign(char, i)

    def end_of_line(self, i: int) -> int:
        if self.line_end < i:
            at = self.text.find("\n", i)
            self.line_end = self.size if at < 0 else at
        return self.line_end

    def newline(self, i: int) -> int:
        if self.stack:
            rest = i + 1
            while self.text[rest] in " \t":
                rest += 1
            if self.text.startswith(_STATEMENTS, rest) or self.in_short_string():
                self.stack.clear()
        if not self.stack:
            self.add("\n", i, i)
        return i + 1

    def in_short_string(self) -> bool:
        return any(item in ('"', "'") for item in self.stack[:50])

    def name(self, i: int) -> int:
        start = i
        while self.text[i] in _NAME or self.text[i] >= "\x80":
            i += 1
        word = self.text[start:i]
        if self.text[i] in "\"'" and len(word) < 3 and word.lower() in _PREFIXES:
            return self.string(start, i)
        return self.add(word, start, i)

    def string(self, start: int, i: int) -> int:
        """Read a string whose prefix begins at start and whose quote stands at i."""
        quote = self.text[i]
        if self.text.startswith(quote * 3, i):
            quote *= 3
        i += len(quote)
        if set(self.text[start:i].lower()) & {"f", "t"}:
            self.stack.append(quote)
            return self.add('"', start, i)
        limit = self.size if len(quote) == 3 else self.short_limit(i)
        end = closing(self.text, i, quote, limit)
        end = limit if end < 0 else end
        return self.add('"' + self.text[start:end], start, end)

    def short_limit(self, i: int) -> int:
        """Return the end of the line, or of the last one that a backslash continues."""
        while True:
            end = self.end_of_line(i)
            rest = self.text[i:end]
            if end >= self.size or (len(rest) - len(rest.rstrip("\\"))) % 2 == 0:
                return end
            i = end + 1

    def formatted(self, i: int) -> int:
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

    def sign(self, char: str, i: int) -> int:
        stack = self.stack
        if char in "([{":
            stack.append(char)
        elif char in ")]}":
            if stack and stack[-1] == {")": "(", "]": "[", "}": "{"}[char]:
                stack.pop()
        elif char == ":" and len(stack) > 1 and stack[-1] == "{" and stack[-2][0] in "\"':":
            stack.append(":")
        else:
            for sign in _SIGNS:
                if self.text.startswith(sign, i):
                    return self.add(sign, i, i + 2)
        return self.add(char, i, i + 1)
