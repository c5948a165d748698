"""Debug statements in JavaScript and TypeScript, by tokens.

Counted is a call: `console.log(...)`, also through window, globalThis, self and global, and
`console.log` handed over as a callback (`.then(console.log)`). A mere mention is not: a logger's
default, a mock, a type.
"""

from __future__ import annotations

from hooklib.quality.debugcode.js_tokens import split

_METHODS = frozenset(("log", "debug", "trace", "dir", "table"))
_GLOBALS = frozenset(("window", "globalThis", "self", "global"))
_DOTS = (".", "?.")
_HOLD_STATEMENTS = ("", "{b", "{f", "{F")
_TAKES_CALLBACK = frozenset("then catch finally forEach map tap subscribe".split())


def find(text: str, extension: str) -> list[tuple[int, str]]:
    """Return the offset and name of every debug statement."""
    typescript = extension in ("ts", "mts", "cts")
    values, starts, ends = split(text, not typescript, extension in ("js", "cjs", "jsx"))
    size = len(values)
    values += [""] * 8  # so that a look ahead, and one back from 0, needs no test for the end
    found = []
    local = owners = None
    for k in _places(values, "console", size):
        if not _is_member(values, _behind(values, k)) and values[k - 1] not in _DOTS:
            from hooklib.quality.debugcode import js_scopes

            local = js_scopes.local(text, values, ends, starts, size)
            break
    for k in _places(values, "console", size):
        first = k
        if values[k - 1] in _DOTS:
            owners = _owners(values, size) if owners is None else owners
            if values[k - 2] not in owners or values[k - 3] in _DOTS:
                continue
            first = k - 2
        elif local is not None and local[k]:
            continue
        what = _called(values, first, _behind(values, k))
        if what:
            found.append((starts[first], "console." + what))
    if "debugger" in values:
        found += [(starts[k], "debugger") for k in _statements(text, values, starts, ends, size)]
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


def _owners(values: list[str], size: int) -> set[str]:
    """Return the names of the global object that are no variables, as in `const self = this`."""
    return {
        name
        for name in _GLOBALS
        if all(values[k - 1] not in ("const", "let", "var") for k in _places(values, name, size))
    }


def _behind(values: list[str], k: int) -> int:
    """Return the token behind the console at k, or behind `(console as any)`."""
    if values[k - 1] == "(" and values[k + 1] == "as" and values[k + 3] == ")":
        return k + 4
    return k + 1


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


def _statements(
    text: str, values: list[str], starts: list[int], ends: list[int], size: int
) -> list[int]:
    """Return where the word `debugger` is a statement, not the name of a property."""
    found = []
    stack = [""]
    for k in range(size):
        value = values[k]
        if value in "([" or value[:1] == "{" or value == "${":
            stack.append(value)
        elif value in ")]}":
            if len(stack) > 1:
                stack.pop()
        elif value == "debugger" and stack[-1] in _HOLD_STATEMENTS:
            after = values[k + 1]
            alone = after in ("", ";", "}") or "\n" in text[ends[k] : starts[k + 1]]
            if alone and values[k - 1] not in _DOTS:
                found.append(k)
    return found
