"""Find debug statements in JavaScript and TypeScript by their tokens.

A call counts: `console.log(...)`, also through window, globalThis, self and global, and
`console.log` passed as a callback (`.then(console.log)`). A mere mention does not: a logger's
default, a mock, a type.
"""

from __future__ import annotations

from hooklib.quality.debugcode.js_tokens import split

_METHODS = frozenset(("log", "debug", "trace", "dir", "table"))
_GLOBALS = frozenset(("window", "globalThis", "self", "global"))
_DOTS = (".", "?.")
_STATEMENT_BRACKETS = ("", "{b", "{f", "{F")
_TAKES_CALLBACK = frozenset("then catch finally forEach map tap subscribe".split())


def find(text: str, extension: str) -> list[tuple[int, str]]:
    """Return the offset and name of every debug statement."""
    typescript = extension in ("ts", "mts", "cts")
    values, starts, ends = split(text, not typescript, extension in ("js", "cjs", "jsx"))
    size = len(values)
    values += [""] * 8  # looking ahead, or back from 0, then needs no check for the end
    hits = []
    is_local = global_names = None
    for k in _positions(values, "console", size):
        if not _is_member(values, _after_console(values, k)) and values[k - 1] not in _DOTS:
            from hooklib.quality.debugcode import js_scopes

            is_local = js_scopes.local_tokens(text, values, ends, starts, size)
            break
    for k in _positions(values, "console", size):
        first = k
        if values[k - 1] in _DOTS:
            global_names = _global_names(values, size) if global_names is None else global_names
            if values[k - 2] not in global_names or values[k - 3] in _DOTS:
                continue
            first = k - 2
        elif is_local is not None and is_local[k]:
            continue
        method = _called_method(values, first, _after_console(values, k))
        if method:
            hits.append((starts[first], "console." + method))
    if "debugger" in values:
        hits += [(starts[k], "debugger") for k in _debuggers(text, values, starts, ends, size)]
    return hits


def _positions(values: list[str], value: str, size: int) -> list[int]:
    positions = []
    k = -1
    try:
        while True:
            k = values.index(value, k + 1, size)
            positions.append(k)
    except ValueError:
        return positions


def _global_names(values: list[str], size: int) -> set[str]:
    """Return the names of the global object that the file does not declare as variables."""
    return {
        name
        for name in _GLOBALS
        if all(values[k - 1] not in ("const", "let", "var") for k in _positions(values, name, size))
    }


def _after_console(values: list[str], k: int) -> int:
    """Return the position behind the `console` at k, or behind `(console as any)`."""
    if values[k - 1] == "(" and values[k + 1] == "as" and values[k + 3] == ")":
        return k + 4
    return k + 1


def _is_member(values: list[str], k: int) -> bool:
    while values[k] == "!":
        k += 1
    return values[k] in _DOTS or values[k] == "["


def _called_method(values: list[str], first: int, k: int) -> str:
    """Return the debug method of the console that is called, or ""."""
    while values[k] == "!":
        k += 1
    if values[k] == "?." and values[k + 1] == "[":
        k += 1
    if values[k] == "[" and values[k + 2] == "]":
        method = values[k + 1][1:-1] if values[k + 1][:1] in ("'", '"', "`") else ""
        k += 3
    elif values[k] in _DOTS:
        method = values[k + 1]
        k += 2
    else:
        return ""
    if method not in _METHODS:
        return ""
    while values[k] == "!":
        k += 1
    if values[k] in _DOTS and values[k + 1] in ("call", "apply", "bind"):
        k += 2
    if values[k] == "(" or values[k][:1] == "`" or (values[k] == "?." and values[k + 1] == "("):
        return method
    is_callback = values[first - 1] == "(" and values[first - 2] in _TAKES_CALLBACK
    return method if is_callback and values[k] in (")", ",") else ""


def _debuggers(
    text: str, values: list[str], starts: list[int], ends: list[int], size: int
) -> list[int]:
    """Return the positions where `debugger` is a statement, not the name of a property."""
    statements = []
    stack = [""]
    for k in range(size):
        value = values[k]
        if value in "([" or value[:1] == "{" or value == "${":
            stack.append(value)
        elif value in ")]}":
            if len(stack) > 1:
                stack.pop()
        elif value == "debugger" and stack[-1] in _STATEMENT_BRACKETS:
            next_token = values[k + 1]
            is_alone = next_token in ("", ";", "}") or "\n" in text[ends[k] : starts[k + 1]]
            if is_alone and values[k - 1] not in _DOTS:
                statements.append(k)
    return statements
