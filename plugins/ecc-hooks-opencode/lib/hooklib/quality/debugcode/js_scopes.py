"""Find where in a JavaScript file the name `console` is declared by the file itself."""

from __future__ import annotations

_DECLARATIONS = ("const", "let", "var", "using")
_NAMED_DECLARATIONS = ("function", "class", "enum", "namespace", "module")
_MODIFIERS = ("public", "private", "protected", "readonly", "override")  # of a TypeScript parameter
_BEFORE_PARAMETER = ("(", ",", "...", "{o", "[", *_MODIFIERS)
_BEFORE_PATTERN = ("(", ",", "[", ":", "...", "{o")  # a nested pattern
_FUNCTIONS = ("{f", "{F")
_BODIES = ("{b", *_FUNCTIONS)
_BLOCKS = ("(", *_BODIES)
_AFTER_NAME = (",", ")", "=", ":", "?", "}", "]")


class _Bracket:
    __slots__ = ("before", "kind", "local_from", "may_bind", "open_bodies", "start")

    def __init__(self, kind: str, before: str, start: int) -> None:
        self.kind, self.before, self.start = kind, before, start
        self.local_from = -1  # from this token to the closing bracket the name is local
        self.may_bind = False  # contains the name where a parameter or a pattern would bind it
        # starts of scopes without braces, which end at a comma or semicolon
        self.open_bodies: list[int] = []


def local_tokens(
    text: str, values: list[str], ends: list[int], starts: list[int], size: int
) -> list[bool]:
    """Return for each token whether `console` is declared by the file at that place."""
    scan = _Scan(values)
    for k in range(size):
        if k and scan.stack[-1].open_bodies and _ends_statement(text, values, starts, ends, k):
            scan.end_bodies(k)
        scan.read_token(k)
    while scan.stack:
        scan.pop_bracket(size)
    depth = [0] * (size + 1)
    for start, end in scan.regions:
        depth[start] += 1
        depth[end] -= 1
    for k in range(1, size):
        depth[k] += depth[k - 1]
    return [count > 0 for count in depth]


def _ends_statement(
    text: str, values: list[str], starts: list[int], ends: list[int], k: int
) -> bool:
    """Return whether a line break before token k ends the statement."""
    first, last = values[k][:1], values[k - 1][-1:]
    names = (first.isalnum() or first in "_$") and (last.isalnum() or last in "_$)]}\"'`")
    return names and "\n" in text[ends[k - 1] : starts[k]]


class _Scan:
    def __init__(self, values: list[str]) -> None:
        self.values = values
        self.stack = [_Bracket("", "", 0)]
        self.blocks = self.stack[:]  # the open brackets in which `let` declares
        self.functions = self.stack[:]  # those in which `var` declares
        self.regions: list[tuple[int, int]] = []
        # depth and start of parameters that bind the name, while their body is still to come
        self.pending_body = (-1, -1)
        self.importing = False

    def read_token(self, k: int) -> None:
        value = self.values[k]
        if value == "console":
            self.read_console(k)
        elif value in ("(", "[") or value[:1] == "{" or value == "${":
            bracket = _Bracket(value, self.values[k - 1] if k else "", k)
            if value in _BODIES and self.pending_body[0] == len(self.stack):
                bracket.local_from = self.pending_body[1]
                self.pending_body = (-1, -1)
            self.stack.append(bracket)
            if value in _BLOCKS:
                self.blocks.append(bracket)
            if value in _FUNCTIONS:
                self.functions.append(bracket)
        elif value in (")", "]", "}"):
            if len(self.stack) > 1:
                self.close_bracket(k)
        elif value in (",", ";"):
            self.end_bodies(k)
            self.importing = self.importing and value == ","
            if self.pending_body[0] == len(self.stack) and value == ";":
                self.pending_body = (-1, -1)
        elif value == "=>":
            if self.pending_body[0] == len(self.stack) and self.values[k + 1] not in _BODIES:
                self.stack[-1].open_bodies.append(self.pending_body[1])
                self.pending_body = (-1, -1)
        elif value == "import":
            self.importing = self.values[k + 1] not in ("(", ".")
        elif value[:1] in ("'", '"'):
            self.importing = False

    def read_console(self, k: int) -> None:
        """Decide whether the name at k is declared, may be a parameter, or is merely used."""
        before, after = self.values[k - 1] if k else "", self.values[k + 1]
        top = self.stack[-1]
        if self.importing:
            if after != "as":
                self.stack[0].local_from = 0
        elif before in _DECLARATIONS or before in _NAMED_DECLARATIONS:
            if self.values[k - 2] != "declare":  # TypeScript's `declare` means the global one
                self.declare(before)
        elif before == "," and self.in_declaration_list(top, after):
            self.declare("let")
        elif after == "=>":
            self.pending_body = (len(self.stack), k)
        elif after in _AFTER_NAME and top.kind in ("(", "[", "{o"):
            key = top.kind == "{o" and after in (":", "?")
            if not key and (before in _BEFORE_PARAMETER or (before == ":" and top.kind == "{o")):
                top.may_bind = True

    def in_declaration_list(self, top: _Bracket, after: str) -> bool:
        """Return whether a name after a comma is declared, as in `let a, b = 1`."""
        if top.kind in ("", *_BODIES):
            return after in ("=", ",", ";")
        return top.before == "for" and after == "="

    def declare(self, keyword: str) -> None:
        bracket = self.functions[-1] if keyword == "var" else self.blocks[-1]
        bracket.local_from = bracket.start

    def close_bracket(self, k: int) -> None:
        bracket = self.pop_bracket(k)
        after = self.values[k + 1]
        if bracket.kind == "(":
            is_loop = bracket.local_from >= 0 and bracket.before in ("for", "await")
            if is_loop or (bracket.may_bind and self.holds_parameters(bracket, after)):
                self.bind_next_scope(bracket.start, after)
        elif bracket.may_bind:
            if bracket.before in _DECLARATIONS:
                self.declare(bracket.before)
            elif bracket.before in _BEFORE_PATTERN:
                self.stack[-1].may_bind = True

    def holds_parameters(self, bracket: _Bracket, after: str) -> bool:
        """Return whether a parenthesis contains parameters."""
        if bracket.before == "catch" or after in ("=>", "{f", "{F"):
            return True
        preceding = self.values[max(0, bracket.start - 2) : bracket.start]
        return after == ":" and "?" not in preceding and "case" not in preceding  # a type follows

    def bind_next_scope(self, start: int, after: str) -> None:
        """Make the name local in the statement, block or expression that follows."""
        if after in _BODIES or after in ("=>", ":"):
            self.pending_body = (len(self.stack), start)
        else:
            self.stack[-1].open_bodies.append(start)

    def end_bodies(self, k: int) -> None:
        for start in self.stack[-1].open_bodies:
            self.regions.append((start, k))
        self.stack[-1].open_bodies = []

    def pop_bracket(self, k: int) -> _Bracket:
        self.end_bodies(k)
        bracket = self.stack.pop()
        if self.blocks[-1] is bracket:
            self.blocks.pop()
        if self.functions[-1] is bracket:
            self.functions.pop()
        if bracket.local_from >= 0:
            self.regions.append((bracket.local_from, k))
        return bracket
