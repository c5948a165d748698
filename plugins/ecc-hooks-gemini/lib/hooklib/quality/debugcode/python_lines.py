"""Find debug statements in Python that does not parse, by the tokens of python_tokens.

A name that the file binds anywhere counts as its own everywhere; blocks end by indentation.
"""

from __future__ import annotations

from hooklib.quality.debugcode.python_scopes import DEBUG, PRINTS, Scope
from hooklib.quality.debugcode.python_tokens import split

_BEFORE_STATEMENT = ("\n", ";", ":", "")  # a statement begins after these
_BEFORE_PARAMETER = ("(", ",", "*", "**")
_AFTER_PARAMETER = (",", ")", "=", ":")
_KEYWORDS = frozenset("in is and or not if else for".split())
_MAX_LOOKAHEAD = 500  # tokens of a call in which file= is searched


def find(text: str) -> list[tuple[int, str]]:
    """Return the offset and name of every debug statement."""
    values, starts = split(text)
    size = len(values)
    values += [""] * 8  # looking ahead, or back from 0, then needs no check for the end
    names = _bound_names(values, size)
    script = text.startswith("#!")
    main_indent = -1  # column of the `if __name__ == "__main__"` around the token, if any
    hits = []
    for k in range(size):
        if values[k - 1] in ("\n", "") and values[k] != "\n":
            column = starts[k] - text.rfind("\n", 0, starts[k])
            if column <= main_indent:
                main_indent = -1
            if main_indent < 0 and _is_main(values, k):
                main_indent = column
        if values[k - 1] in (".", "def", "class", "import"):
            continue
        function = _called_debug_function(names, values, k)
        if function in PRINTS and (script or main_indent >= 0 or _has_stream(values, k)):
            continue  # on purpose
        if function:
            hits.append((starts[k], function))
    return hits


def _is_main(values: list[str], k: int) -> bool:
    test = values[k : k + 3] == ["if", "__name__", "=="]
    return test and values[k + 3][2:-1] == "__main__"


def _bound_names(values: list[str], size: int) -> Scope:
    """Return all names that the file binds, as one scope."""
    names = Scope("module", None)
    parameters = pattern = False  # inside the parameters of a `def`, inside the pattern of a `case`
    for k in range(size):
        value, before, after = values[k], values[k - 1], values[k + 1]
        if value in ("def", "class"):
            names.bind(after)
            parameters = True
        elif value == "\n" or (value == ":" and before == ")"):
            parameters = pattern = False
        elif value == "case" and before in ("\n", ""):
            pattern = True
        elif value in ("import", "from") and before in _BEFORE_STATEMENT:
            _read_imports(names, values, k)
        elif (
            _is_bound(before, after, values[k + 2])
            or (parameters and before in _BEFORE_PARAMETER and after in _AFTER_PARAMETER)
            or (pattern and before != "." and after not in ("(", ".", "="))
        ):
            names.bind(value)
    return names


def _is_bound(before: str, after: str, next_after: str) -> bool:
    """Return whether the name between two tokens is assigned there."""
    if after == ":=" or before in ("for", "lambda", "as"):
        return True
    if after == ":":
        return before in ("\n", ";", "") and next_after != "\n"
    return after == "=" and before in _BEFORE_STATEMENT


def _read_imports(names: Scope, values: list[str], k: int) -> None:
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
        local_name = name if source else name.partition(".")[0]
        if values[k] == "as":
            local_name = values[k + 1]
            k += 2
        elif not source:
            target = local_name
        if name == "*":
            names.star_imports.append(source[:-1])
        elif name:
            names.bind(local_name, target)
        while values[k] not in (",", "\n", ";", ""):
            k += 1
        if values[k] == ",":
            k += 1


def _called_debug_function(names: Scope, values: list[str], k: int) -> str:
    """Return the debug function called at token k, or ""."""
    name, after = values[k], values[k + 1]
    if name == "print" and values[k - 2] == "map" and values[k - 1] == "(":
        return name if names.resolve(name, False) == name else ""
    if name == "print" and values[k - 1] in _BEFORE_STATEMENT and after != "(":  # Python 2
        first_char = after[:1]
        is_operand = first_char == '"' or first_char.isalnum() or first_char == "_"
        is_print = is_operand and after not in _KEYWORDS
        return name if is_print and names.resolve(name, False) == name else ""
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
    root = root or names.resolve(name, bool(attributes))
    return DEBUG.get(root + attributes, "") if root else ""


def _has_stream(values: list[str], k: int) -> bool:
    """Return whether a print names a stream other than standard output."""
    depth = 0
    for at in range(k + 1, min(k + _MAX_LOOKAHEAD, len(values) - 3)):
        value = values[at]
        depth += (value in ("(", "[", "{")) - (value in (")", "]", "}"))
        if (depth == 0 and value == ")") or value == "\n":
            return False
        if depth == 1 and value in ("file", "stream") and values[at + 1] == "=":
            return values[at + 2] != "None" and "stdout" not in values[at + 2 : at + 5]
    return False
