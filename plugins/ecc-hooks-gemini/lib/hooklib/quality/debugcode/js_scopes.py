"""Where in a JavaScript file the name `console` is the file's own."""

from __future__ import annotations

_DECLARE = ("const", "let", "var", "using")
_NAMED = ("function", "class", "enum", "namespace", "module")
_PARAMETER = ("public", "private", "protected", "readonly", "(", ",", "...", "{o", "[", "override")
_PATTERN = ("(", ",", "[", ":", "...", "{o")  # before a pattern inside another one
_FUNCTIONS = ("{f", "{F")
_BODIES = ("{b", *_FUNCTIONS)
_BLOCKS = ("(", *_BODIES)
_AFTER_NAME = (",", ")", "=", ":", "?", "}", "]")


class _Bracket:
    __slots__ = ("before", "kind", "local", "maybe", "start", "until")

    def __init__(self, kind: str, before: str, start: int) -> None:
        self.kind, self.before, self.start = kind, before, start
        self.local = -1  # from which token on the name is local until this closes
        self.maybe = False  # holds the name where a parameter or a pattern has it
        self.until: list[int] = []  # bodies without braces, ended by a comma or semicolon


def local(
    text: str, values: list[str], ends: list[int], starts: list[int], size: int
) -> list[bool]:
    """Return for each token whether `console` there is declared in the file."""
    scan = _Scan(values)
    for k in range(size):
        if k and scan.stack[-1].until and _new_statement(text, values, starts, ends, k):
            scan.end_bodies(k)
        scan.step(k)
    while scan.stack:
        scan.leave(size)
    depth = [0] * (size + 1)
    for start, end in scan.regions:
        depth[start] += 1
        depth[end] -= 1
    for k in range(1, size):
        depth[k] += depth[k - 1]
    return [count > 0 for count in depth]


def _new_statement(
    text: str, values: list[str], starts: list[int], ends: list[int], k: int
) -> bool:
    """Tell whether a line break before token k ends the statement."""
    first, last = values[k][:1], values[k - 1][-1:]
    names = (first.isalnum() or first in "_$") and (last.isalnum() or last in "_$)]}\"'`")
    return names and "\n" in text[ends[k - 1] : starts[k]]


class _Scan:
    def __init__(self, values: list[str]) -> None:
        self.values = values
        self.stack = [_Bracket("", "", 0)]
        self.blocks = self.stack[:]  # those of the stack that `let` declares in
        self.functions = self.stack[:]  # and `var`
        self.regions: list[tuple[int, int]] = []
        self.body = (-1, -1)  # parameters that have the name: depth, start; their body is to come
        self.importing = False

    def step(self, k: int) -> None:
        value = self.values[k]
        if value == "console":
            self.name(k)
        elif value in ("(", "[") or value[:1] == "{" or value == "${":
            bracket = _Bracket(value, self.values[k - 1] if k else "", k)
            if value in _BODIES and self.body[0] == len(self.stack):
                bracket.local = self.body[1]
                self.body = (-1, -1)
            self.stack.append(bracket)
            if value in _BLOCKS:
                self.blocks.append(bracket)
            if value in _FUNCTIONS:
                self.functions.append(bracket)
        elif value in (")", "]", "}"):
            if len(self.stack) > 1:
                self.close(k)
        elif value in (",", ";"):
            self.end_bodies(k)
            self.importing = self.importing and value == ","
            if self.body[0] == len(self.stack) and value == ";":
                self.body = (-1, -1)
        elif value == "=>":
            if self.body[0] == len(self.stack) and self.values[k + 1] not in _BODIES:
                self.stack[-1].until.append(self.body[1])
                self.body = (-1, -1)
        elif value == "import":
            self.importing = self.values[k + 1] not in ("(", ".")
        elif value[:1] in ("'", '"'):
            self.importing = False

    def name(self, k: int) -> None:
        """Note what the name at k is: declared, a parameter perhaps, or merely used."""
        before, after = self.values[k - 1] if k else "", self.values[k + 1]
        top = self.stack[-1]
        if self.importing:
            if after != "as":
                self.stack[0].local = 0
        elif before in _DECLARE or before in _NAMED:
            if self.values[k - 2] != "declare":  # TypeScript: the global one after all
                self.declare(before)
        elif before == "," and self.in_list(top, after):
            self.declare("let")
        elif after == "=>":
            self.body = (len(self.stack), k)
        elif after in _AFTER_NAME and top.kind in ("(", "[", "{o"):
            key = top.kind == "{o" and after in (":", "?")
            if not key and (before in _PARAMETER or (before == ":" and top.kind == "{o")):
                top.maybe = True

    def in_list(self, top: _Bracket, after: str) -> bool:
        """Tell whether a name after a comma is declared, as in `let a, b = 1`."""
        if top.kind in ("", *_BODIES):
            return after in ("=", ",", ";")
        return top.before == "for" and after == "="

    def declare(self, how: str) -> None:
        bracket = self.functions[-1] if how == "var" else self.blocks[-1]
        bracket.local = bracket.start

    def close(self, k: int) -> None:
        bracket = self.leave(k)
        after = self.values[k + 1]
        if bracket.kind == "(":
            loop = bracket.local >= 0 and bracket.before in ("for", "await")
            if loop or (bracket.maybe and self.takes(bracket, after)):
                self.follow(bracket.start, after)
        elif bracket.maybe:
            if bracket.before in _DECLARE:
                self.declare(bracket.before)
            elif bracket.before in _PATTERN:
                self.stack[-1].maybe = True

    def takes(self, bracket: _Bracket, after: str) -> bool:
        """Tell whether what a parenthesis holds are parameters."""
        if bracket.before == "catch" or after in ("=>", "{f", "{F"):
            return True
        two = self.values[max(0, bracket.start - 2) : bracket.start]
        return after == ":" and "?" not in two and "case" not in two  # a type follows

    def follow(self, start: int, after: str) -> None:
        """What comes next is the scope of the name."""
        if after in _BODIES or after in ("=>", ":"):
            self.body = (len(self.stack), start)
        else:
            self.stack[-1].until.append(start)

    def end_bodies(self, k: int) -> None:
        for start in self.stack[-1].until:
            self.regions.append((start, k))
        self.stack[-1].until = []

    def leave(self, k: int) -> _Bracket:
        self.end_bodies(k)
        bracket = self.stack.pop()
        if self.blocks[-1] is bracket:
            self.blocks.pop()
        if self.functions[-1] is bracket:
            self.functions.pop()
        if bracket.local >= 0:
            self.regions.append((bracket.local, k))
        return bracket
