"""Split JavaScript and TypeScript into tokens: what is text and what is code is told exactly.

A token is its own text, but an opening brace also tells what it opens: {b block, {f function
body, {F of a function expression, {c body of a class, interface or enum, {C of a class
expression, {o object, {j code in JSX, ${ code in a template. A JSX element is <> ... </>.
"""

from __future__ import annotations

from hooklib.quality.debugcode import js_literals, js_markup
from hooklib.quality.debugcode.js_literals import NAME

_START = NAME - frozenset("0123456789") | {"#"}
_SPACES = frozenset(" \t\n\r\x0b\x0c\xa0\u2028\u2029\ufeff\u3000\u1680\u202f\u205f") | {
    chr(code) for code in range(0x2000, 0x200B)
}
# words before an operand: a slash after them begins a regular expression
_OPERATORS = frozenset(
    "return typeof instanceof in new delete void throw case do else yield await default extends"
    " export import try finally catch const let var".split()
)
_WORDS = _OPERATORS | {"of", "function", "class", "interface", "enum"}
_HEADS = {"if": "(c", "while": "(c", "for": "(c", "with": "(c", "switch": "(s", "catch": "(s"}
_BLOCKS = frozenset(("{b", "{f", "{F"))  # brackets that hold statements
_BEGINS = frozenset(("", ";", "{b", "{f", "{F"))  # after these a statement begins
_BEFORE_BLOCK = _BEGINS | {"else", "do", "try", "finally", "catch"}


def split(text: str, jsx: bool, html: bool) -> tuple[list[str], list[int], list[int]]:
    """Return the tokens, where each begins and ends; html: `<!--` is a comment."""
    lexer = Lexer(text, jsx, html)
    lexer.run()
    return lexer.values, lexer.starts, lexer.ends


class Lexer:
    def __init__(self, text: str, jsx: bool, html: bool) -> None:
        self.text = text + "\0\0\0"  # so that a look ahead needs no test for the end
        self.size = len(text)
        self.jsx, self.html = jsx, html
        self.values: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.stack: list[str] = []
        self.braces = 0
        self.value = False  # the last token ends an operand: a slash divides
        self.closed = ""  # the last bracket that was closed
        self.headers: list[tuple[int, str]] = []  # function, class: depth, brace of its body
        self.case = (-1, 0)  # depth of a `case` whose colon is to come, conditions open in it
        self.label = False  # the last colon ends a case or a label
        self.line_end = -1
        self.no_regex = -1
        self.lasts: dict[str, int] = {}

    def add(self, value: str, start: int, end: int) -> int:
        self.values.append(value)
        self.starts.append(start)
        self.ends.append(end)
        return end

    def run(self) -> None:
        text, size = self.text, self.size
        i = self.end_of_line(0) if text.startswith("#!") else 0
        while i < size:
            char = text[i]
            if char in _SPACES:
                i += 1
            elif char in _START or char >= "\x80":
                start = i
                i += 1
                while text[i] in NAME or (text[i] >= "\x80" and text[i] not in _SPACES):
                    i += 1
                word = text[start:i]
                self.value = word not in _WORDS or self.word(word)
                self.add(word, start, i)
            elif char in "/\"'`<0123456789.":
                i = js_literals.read(self, char, i)
            elif char in "([{":
                i = self.open(char, i)
            elif char in ")]}":
                i = self.close(char, i)
            else:
                i = self.sign(char, i)
            while self.stack and self.stack[-1][0] == "<" and i < size:
                i = js_markup.step(self, i)

    def prev(self, back: int = 1) -> str:
        return self.values[-back] if len(self.values) >= back else ""

    def end_of_line(self, i: int) -> int:
        if self.line_end < i:
            at = self.text.find("\n", i)
            self.line_end = self.size if at < 0 else at
        return self.line_end

    def last(self, part: str) -> int:
        """Return where part stands last in the text, -1 where it does not."""
        if part not in self.lasts:
            self.lasts[part] = self.text.rfind(part)
        return self.lasts[part]

    def newline_before(self, i: int) -> bool:
        """Tell whether the token at i is the first of its line."""
        return not self.ends or "\n" in self.text[self.ends[-1] : i]

    def at_statement(self) -> bool:
        prev = self.prev()
        if prev == ":":
            return self.label
        return prev in _BEFORE_BLOCK or (prev in ("}", ")") and not self.value)

    def word(self, word: str) -> bool:
        """Return whether a word of meaning ends an operand here; note what it announces."""
        prev = self.prev()
        if prev in (".", "?."):
            return True
        depth = len(self.stack)
        if word == "of":
            return not self.value
        if word == "function" or word == "class":
            declares = self.value or self.at_statement() or prev in ("export", "default")
            kind = word[0] if declares else word[0].upper()
            self.headers.append((depth, "{" + kind))
            return False
        if word in ("interface", "enum"):
            self.headers.append((depth, "{c"))
            return True
        if word in ("case", "default") and depth and self.stack[-1] == "{b":
            self.case = (depth, 0)
        return False

    def open(self, char: str, i: int) -> int:
        value = kind = char
        prev = self.prev()
        if char == "(" and self.prev(2) not in (".", "?."):
            head = self.prev(2) if prev == "await" else prev
            kind = _HEADS.get(head, "(")
        elif char == "{":
            value = kind = self.brace(prev, i)
            self.braces += 1
        self.stack.append(kind)
        self.value = False
        return self.add(value, i, i + 1)

    def brace(self, prev: str, i: int) -> str:
        """Return what an opening brace opens."""
        if prev == ")" and self.closed != "(":
            return "{b"
        body = self.value or prev in (")", ">")  # what a block, not an object, can follow
        body = body or (prev == "void" and self.prev(2) in (":", "|", "=>"))
        if self.headers and self.headers[-1][0] == len(self.stack) and (body or prev == "class"):
            return self.headers.pop()[1]
        if body or prev == "=>":
            return "{f"
        if prev == "return" and self.newline_before(i):
            return "{b"
        return "{b" if self.at_statement() else "{o"

    def close(self, char: str, i: int) -> int:
        opening = {")": "(", "]": "["}.get(char, "{")
        stack = self.stack
        if char == "}" and self.braces:  # what is open inside it was never closed
            while "{" not in stack[-1]:
                stack.pop()
            self.braces -= 1
        kind = self.closed = stack.pop() if stack and opening in stack[-1] else ""
        while self.headers and self.headers[-1][0] > len(stack):
            self.headers.pop()
        self.value = kind in ("(", "(s", "[", "{o", "{F", "{C")
        self.add(char, i, i + 1)
        if kind == "${":
            return js_literals.template(self, i + 1, i + 1)
        return i + 1

    def sign(self, char: str, i: int) -> int:
        text = self.text
        after = text[i + 1]
        end = i + 1
        if char == "=":
            if after == ">":
                end = i + 2
            else:
                while text[end] == "=":
                    end += 1
        elif char in "+-" and after == char:
            if self.html and char == "-" and text[i + 2] == ">" and self.newline_before(i):
                return js_literals.line_comment(self, i)
            return self.add(char + char, i, i + 2)  # before or after an operand: nothing changes
        elif char == "!":
            if after == "=":
                end = i + 2
            elif self.value and not self.newline_before(i):
                return self.add("!", i, end)  # TypeScript: not null
        elif char == "?":
            if after == "." and not text[i + 2].isdigit():
                end = i + 2
            elif self.case[0] == len(self.stack):
                self.case = (self.case[0], self.case[1] + 1)
        elif char == ":":
            self.colon()
        elif char == ";":
            while self.headers and self.headers[-1][0] >= len(self.stack):
                self.headers.pop()
        self.value = False
        return self.add(text[i:end], i, end)

    def colon(self) -> None:
        depth, conditions = self.case
        self.label = False
        if self.stack and self.stack[-1] not in _BLOCKS:
            return
        if depth == len(self.stack):
            self.label = not conditions
            self.case = (-1, 0) if self.label else (depth, conditions - 1)
        elif self.prev()[:1] in _START:
            self.label = self.prev(2) in _BEGINS or self.prev(2) == "}"
