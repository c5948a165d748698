"""Debug statements in JavaScript and TypeScript, by tokens.

Counted is a call: `console.log(...)`, also through window, globalThis, self and global, and
`console.log` handed over as a callback (`.then(console.log)`). A mere mention is not: a logger's
default, a mock, a type.
"""

from __future__ import annotations

from hooklib.debugcode.js_tokens import split

_METHODS = frozenset(("log", "debug", "trace", "dir", "table"))
_GLOBALS = frozenset(("window", "globalThis", "self", "global"))
_DOTS = (".", "?.")
_TAKES_CALLBACK = frozenset("then catch finally forEach map tap subscribe".split())


def find(text: str, extension: str) -> list[tuple[int, str]]:
    """Return the offset and name of every debug statement."""
    typescript = extension in ("ts", "mts", "cts")
    values, starts, ends = split(text, not typescript, extension in ("js", "cjs", "jsx"))
    size = len(values)
    values += [""] * 8  # so that a look ahead, and one back from 0, needs no test for the end
    found = []
    local = None
    for k in _places(values, "console", size):
        if not _is_member(values, k + 1) and values[k - 1] not in _DOTS:
            from hooklib.debugcode import js_scopes

            local = js_scopes.local(text, values, ends, starts, size)
            break
    for k in _places(values, "console", size):
        first = k
        if values[k - 1] in _DOTS:
            if values[k - 2] not in _GLOBALS or values[k - 3] in _DOTS:
                continue
            first = k - 2
        elif local is not None and local[k]:
            continue
        what = _called(values, first, k + 1)
        if what:
            found.append((starts[first], "console." + what))
    for k in _places(values, "debugger", size):
        if _is_statement(text, values, starts, ends, k, size):
            found.append((starts[k], "debugger"))
    return found


def _places(values: list[str], value: str, size: int) -> list[int]:
    places = []
    k = -1
    try:
        while True:
            k = values.index(value, k + 1, size)
            places.append(k)
    except ValueError:
        return places


def _is_member(values: list[str], k: int) -> bool:
    while values[k] == "!":
        k += 1
    return values[k] in _DOTS or values[k] == "["


def _called(values: list[str], first: int, k: int) -> str:
    """Return the debug method of the console that is called, "" where it is none."""
    while values[k] == "!":
        k += 1
    if values[k] == "?." and values[k + 1] == "[":
        k += 1
    if values[k] == "[" and values[k + 2] == "]":
        name = values[k + 1][1:-1] if values[k + 1][:1] in ("'", '"', "`") else ""
        k += 3
    elif values[k] in _DOTS:
        name = values[k + 1]
        k += 2
    else:
        return ""
    if name not in _METHODS:
        return ""
    while values[k] == "!":
        k += 1
    if values[k] in _DOTS and values[k + 1] in ("call", "apply", "bind"):
        k += 2
    if values[k] == "(" or values[k][:1] == "`" or (values[k] == "?." and values[k + 1] == "("):
        return name
    before = values[first - 1] == "(" and values[first - 2] in _TAKES_CALLBACK
    return name if before and values[k] in (")", ",") else ""


def _is_statement(
    text: str, values: list[str], starts: list[int], ends: list[int], k: int, size: int
) -> bool:
    """Tell whether the word `debugger` at k is a statement, not the name of a property."""
    before, after = values[k - 1] if k else "", values[k + 1]
    if before in (*_DOTS, "{c", "{C", "{o", ",", "as"):
        return False
    if after in ("", ";", "}"):
        return True
    return "\n" in text[ends[k] : starts[k + 1]] and after not in (":", "(", "?", "=", ",")
