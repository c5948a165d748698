"""Split JavaScript and TypeScript into tokens, separating code from strings and comments exactly.

A token is its own text, but that of an opening brace also names what it opens: {b block,
{f function body, {F body of a function expression, {c body of a class, interface or enum,
{C body of a class expression, {o object, {j code in JSX, ${ code in a template. A JSX element
is <> ... </>.
"""

from __future__ import annotations

from hooklib.quality.debugcode import js_literals, js_markup
from hooklib.quality.debugcode.js_literals import NAME

_NAME_START = NAME - frozenset("0123456789") | {"#"}
_SPACES = frozenset(" \t\n\r\x0b\x0c\xa0\u2028\u2029\ufeff\u3000\u1680\u202f\u205f") | {
    chr(code) for code in range(0x2000, 0x200B)
}
# keywords followed by an operand: a slash after them begins a regular expression
_BEFORE_OPERAND = frozenset(
    "return typeof instanceof in new delete void throw case do else yield await default extends"
    " export import try finally catch const let var".split()
)
_KEYWORDS = _BEFORE_OPERAND | {"of", "function", "class", "interface", "enum"}
_HEADERS = {"if": "(c", "while": "(c", "for": "(c", "with": "(c", "switch": "(s", "catch": "(s"}
_STATEMENT_BRACKETS = frozenset(("{b", "{f", "{F"))  # brackets that contain statements
_BEFORE_STATEMENT = frozenset(("", ";", "{b", "{f", "{F"))  # a statement begins after these
_BEFORE_BLOCK = _BEFORE_STATEMENT | {"else", "do", "try", "finally", "catch"}


def split(text: str, jsx: bool, html: bool) -> tuple[list[str], list[int], list[int]]:
    """Return the tokens, their starts and their ends; with html, `<!--` begins a comment."""
    lexer = Lexer(text, jsx, html)
    lexer.run()
    return lexer.values, lexer.starts, lexer.ends


class Lexer:
    def __init__(self, text: str, jsx: bool, html: bool) -> None:
        self.text = text + "\0\0\0"  # looking ahead then needs no check for the end
        self.size = len(text)
        self.jsx, self.html = jsx, html
        self.values: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.stack: list[str] = []
        self.braces = 0
        self.after_operand = False  # the last token ends an operand, so a slash divides
        self.closed_bracket = ""  # the last bracket that was closed
        self.headers: list[tuple[int, str]] = []  # functions, classes: depth, brace of the body
        # the depth of a `case` whose colon is to come, and the number of open `?` in it
        self.pending_case = (-1, 0)
        self.after_label = False  # the last colon ended a case or a label
        self.line_end = -1
        self.no_regex = -1
        self.last_positions: dict[str, int] = {}

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
            elif char in _NAME_START or char >= "\x80":
                start = i
                i += 1
                while text[i] in NAME or (text[i] >= "\x80" and text[i] not in _SPACES):
                    i += 1
                word = text[start:i]
                self.after_operand = word not in _KEYWORDS or self.read_keyword(word)
                self.add(word, start, i)
            elif char in "/\"'`<0123456789.":
                i = js_literals.read_literal(self, char, i)
            elif char in "([{":
                i = self.open_bracket(char, i)
            elif char in ")]}":
                i = self.close_bracket(char, i)
            else:
                i = self.read_operator(char, i)
            while self.stack and self.stack[-1][0] == "<" and i < size:
                i = js_markup.read_part(self, i)

    def previous(self, back: int = 1) -> str:
        return self.values[-back] if len(self.values) >= back else ""

    def end_of_line(self, i: int) -> int:
        if self.line_end < i:
            at = self.text.find("\n", i)
            self.line_end = self.size if at < 0 else at
        return self.line_end

    def last_position(self, part: str) -> int:
        """Return the position of the last occurrence of part in the text, or -1."""
        if part not in self.last_positions:
            self.last_positions[part] = self.text.rfind(part)
        return self.last_positions[part]

    def newline_before(self, i: int) -> bool:
        """Return whether the token at i is the first of its line."""
        return not self.ends or "\n" in self.text[self.ends[-1] : i]

    def at_statement(self) -> bool:
        previous = self.previous()
        if previous == ":":
            return self.after_label
        return previous in _BEFORE_BLOCK or (previous in ("}", ")") and not self.after_operand)

    def read_keyword(self, word: str) -> bool:
        """Return whether a keyword ends an operand here, as a property name does.

        A keyword that announces a function or class body, or a `case`, is remembered.
        """
        previous = self.previous()
        if previous in (".", "?."):
            return True
        depth = len(self.stack)
        if word == "of":
            return not self.after_operand
        if word == "function" or word == "class":
            declares = self.after_operand or self.at_statement()
            declares = declares or previous in ("export", "default")
            kind = word[0] if declares else word[0].upper()
            self.headers.append((depth, "{" + kind))
            return False
        if word in ("interface", "enum"):
            self.headers.append((depth, "{c"))
            return True
        if word in ("case", "default") and depth and self.stack[-1] == "{b":
            self.pending_case = (depth, 0)
        return False

    def open_bracket(self, char: str, i: int) -> int:
        value = kind = char
        previous = self.previous()
        if char == "(" and self.previous(2) not in (".", "?."):
            head = self.previous(2) if previous == "await" else previous
            kind = _HEADERS.get(head, "(")
        elif char == "{":
            value = kind = self.brace_kind(previous, i)
            self.braces += 1
        self.stack.append(kind)
        self.after_operand = False
        return self.add(value, i, i + 1)

    def brace_kind(self, previous: str, i: int) -> str:
        """Return the token of an opening brace, which names what it opens."""
        if previous == ")" and self.closed_bracket != "(":
            return "{b"
        # a body, not an object, follows an operand or a return type
        body = self.after_operand or previous in (")", ">")
        body = body or (previous == "void" and self.previous(2) in (":", "|", "=>"))
        at_header = self.headers and self.headers[-1][0] == len(self.stack)
        if at_header and (body or previous == "class"):
            return self.headers.pop()[1]
        if body or previous == "=>":
            return "{f"
        if previous == "return" and self.newline_before(i):
            return "{b"
        return "{b" if self.at_statement() else "{o"

    def close_bracket(self, char: str, i: int) -> int:
        opening = {")": "(", "]": "["}.get(char, "{")
        stack = self.stack
        if char == "}" and self.braces:  # brackets still open inside the brace were never closed
            while "{" not in stack[-1]:
                stack.pop()
            self.braces -= 1
        kind = self.closed_bracket = stack.pop() if stack and opening in stack[-1] else ""
        while self.headers and self.headers[-1][0] > len(stack):
            self.headers.pop()
        self.after_operand = kind in ("(", "(s", "[", "{o", "{F", "{C")
        self.add(char, i, i + 1)
        if kind == "${":
            return js_literals.read_template(self, i + 1, i + 1)
        return i + 1

    def read_operator(self, char: str, i: int) -> int:
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
                return js_literals.line_comment_end(self, i)
            return self.add(char + char, i, i + 2)  # prefix or postfix: after_operand stays
        elif char == "!":
            if after == "=":
                end = i + 2
            elif self.after_operand and not self.newline_before(i):
                return self.add("!", i, end)  # TypeScript's non-null assertion
        elif char == "?":
            if after == "." and not text[i + 2].isdigit():
                end = i + 2
            elif self.pending_case[0] == len(self.stack):
                self.pending_case = (self.pending_case[0], self.pending_case[1] + 1)
        elif char == ":":
            self.read_colon()
        elif char == ";":
            while self.headers and self.headers[-1][0] >= len(self.stack):
                self.headers.pop()
        self.after_operand = False
        return self.add(text[i:end], i, end)

    def read_colon(self) -> None:
        depth, conditions = self.pending_case
        self.after_label = False
        if self.stack and self.stack[-1] not in _STATEMENT_BRACKETS:
            return
        if depth == len(self.stack):
            self.after_label = not conditions
            self.pending_case = (-1, 0) if self.after_label else (depth, conditions - 1)
        elif self.previous()[:1] in _NAME_START:
            self.after_label = self.previous(2) in _BEFORE_STATEMENT or self.previous(2) == "}"
