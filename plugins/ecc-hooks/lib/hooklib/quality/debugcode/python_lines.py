"""Debug statements in Python that does not parse, by tokens of our own.

A name that the file binds anywhere counts as its own everywhere; blocks are told by indentation.
"""

from __future__ import annotations

from hooklib.quality.debugcode.python_scopes import DEBUG, PRINTS, Scope
from hooklib.quality.debugcode.python_tokens import split

_BEGINS = ("\n", ";", ":", "")  # after these a statement begins
_BEFORE_PARAMETER = ("(", ",", "*", "**")
_AFTER_PARAMETER = (",", ")", "=", ":")
_KEYWORDS = frozenset("in is and or not if else for".split())
_FAR = 500  # how many tokens a call is searched for file=


def find(text: str) -> list[tuple[int, str]]:
    """Return the offset and name of every debug statement."""
    values, starts = split(text)
    size = len(values)
    values += [""] * 8  # so that a look ahead, and one back from 0, needs no test for the end
    names = _names(values, size)
    script = text.startswith("#!")
    main = -1  # how far the `if __name__ == "__main__"` is indented that we are in
    found = []
    for k in range(size):
        if values[k - 1] in ("\n", "") and values[k] != "\n":
            column = starts[k] - text.rfind("\n", 0, starts[k])
            if column <= main:
                main = -1
            if main < 0 and _is_main(values, k):
                main = column
        if values[k - 1] in (".", "def", "class", "import"):
            continue
        what = _called(names, values, k)
        if what and not (what in PRINTS and (script or main >= 0 or _streams(values, k))):
            found.append((starts[k], what))
    return found


def _is_main(values: list[str], k: int) -> bool:
    test = values[k : k + 3] == ["if", "__name__", "=="]
    return test and values[k + 3][2:-1] == "__main__"


def _names(values: list[str], size: int) -> Scope:
    """Return what the file binds, as one scope."""
    names = Scope("module", None)
    parameters = pattern = False  # in those of a `def`, in that of a `case`
    for k in range(size):
        value, before, after = values[k], values[k - 1], values[k + 1]
        if value in ("def", "class"):
            names.bind(after)
            parameters = True
        elif value == "\n" or (value == ":" and before == ")"):
            parameters = pattern = False
        elif value == "case" and before in ("\n", ""):
            pattern = True
        elif value in ("import", "from") and before in _BEGINS:
            _imports(names, values, k)
        elif (
            _is_bound(before, after, values[k + 2])
            or (parameters and before in _BEFORE_PARAMETER and after in _AFTER_PARAMETER)
            or (pattern and before != "." and after not in ("(", ".", "="))
        ):
            names.bind(value)
    return names


def _is_bound(before: str, after: str, next_after: str) -> bool:
    """Tell whether the name between two tokens gets a value there."""
    if after == ":=" or before in ("for", "lambda", "as"):
        return True
    if after == ":":
        return before in ("\n", ";", "") and next_after != "\n"
    return after == "=" and before in _BEGINS


def _imports(names: Scope, values: list[str], k: int) -> None:
    """Read `import a.b as c, d` and `from a import (b as c, d)` from k on."""
    source = ""
    k += 1
    if values[k - 1] == "from":
        while values[k] not in ("import", "\n", ";", ""):
            source += values[k]
            k += 1
        source += "."
        k += 1
    while values[k] not in ("\n", ";", ""):
        name = ""
        while values[k] not in ("as", ",", "\n", ";", ""):
            name += values[k] if values[k] not in "()" else ""
            k += 1
        target = source + name
        short = name if source else name.partition(".")[0]
        if values[k] == "as":
            short = values[k + 1]
            k += 2
        elif not source:
            target = short
        if name == "*":
            names.stars.append(source[:-1])
        elif name:
            names.bind(short, target)
        while values[k] not in (",", "\n", ";", ""):
            k += 1
        if values[k] == ",":
            k += 1


def _called(names: Scope, values: list[str], k: int) -> str:
    """Return the debug function called at token k, "" where it is none."""
    name, after = values[k], values[k + 1]
    if name == "print" and values[k - 2] == "map" and values[k - 1] == "(":
        return name if names.meaning(name, False) == name else ""
    if name == "print" and values[k - 1] in _BEGINS and after != "(":  # Python 2
        first = after[:1]
        operand = first == '"' or first.isalnum() or first == "_"
        shown = operand and after not in _KEYWORDS
        return name if shown and names.meaning(name, False) == name else ""
    attributes = ""
    if name == "__import__" and after == "(" and values[k + 3] == ")":
        root = values[k + 2][2:-1]
        k += 4
    elif name[:1].isalpha() or name[:1] == "_":
        root = ""
        k += 1
    else:
        return ""
    while values[k] == "." and values[k + 1].isidentifier():
        attributes += "." + values[k + 1]
        k += 2
    if values[k] != "(":
        return ""
    root = root or names.meaning(name, bool(attributes))
    return DEBUG.get(root + attributes, "") if root else ""


def _streams(values: list[str], k: int) -> bool:
    """Tell whether a print goes to a stream given by name that is not standard output."""
    depth = 0
    for at in range(k + 1, min(k + _FAR, len(values) - 3)):
        value = values[at]
        depth += (value in ("(", "[", "{")) - (value in (")", "]", "}"))
        if (depth == 0 and value == ")") or value == "\n":
            return False
        if depth == 1 and value in ("file", "stream") and values[at + 1] == "=":
            return values[at + 2] != "None" and "stdout" not in values[at + 2 : at + 5]
    return False
