"""Find debug statements in PHP: calls of functions, by their tokens.

Code inside the {$...} of a string is not searched. A print_r with any second argument but a
plain false does not count, as it returns its text.
"""

from __future__ import annotations

from hooklib.quality.debugcode.php_tokens import split

_NAMES = frozenset(("var_dump", "print_r", "dd", "dump", "error_log", "ray", "xdebug_break"))
_NO_CALL = frozenset(("->", "?->", "::", "function", "new"))  # before a name: no function call
_TYPES = frozenset(("class", "interface", "trait", "enum"))
_OPENING = frozenset(("{", "(", "[", "#["))
_CLOSING = frozenset(("}", ")", "]"))
_FALSE = ("false", "\\false", "0", "null")


def find(text: str) -> list[tuple[int, str]]:
    """Return the offset and name of every debug statement."""
    values, starts = split(text)
    scan = _Scan(values)
    calls = scan.run()
    has_namespace = "namespace" in values
    hits = []
    for k in calls:
        name = values[k]
        full_name = name.lstrip("\\")
        if name == full_name:
            full_name = scan.imported.get(full_name, full_name)
        is_own = full_name in scan.defined and not (has_namespace and name != full_name)
        if full_name in _NAMES and not is_own:
            hits.append((starts[k], full_name))
    return hits


class _Bracket:
    __slots__ = ("commas", "kind", "start")

    def __init__(self, kind: str, start: int) -> None:
        self.kind, self.start = kind, start
        self.commas: list[int] = []


class _Scan:
    def __init__(self, values: list[str]) -> None:
        self.size = len(values)
        self.values = [*values, "", "", ""]  # looking ahead then needs no check for the end
        self.defined: set[str] = set()  # functions of this file
        self.imported: dict[str, str] = {}  # by `use function`: local name -> full name
        self.returning_calls: set[int] = set()  # calls of print_r that return their text

    def run(self) -> list[int]:
        """Return the positions of calls by name; collect what the file defines and imports."""
        values = self.values
        calls = []
        stack = [_Bracket("", -1)]
        type_depth = 0  # depth of a class or the like whose body is still to come
        attribute_depth = 0
        for k in range(self.size):
            value = values[k]
            if value in _OPENING:
                kind = value
                if value == "{" and type_depth == len(stack):
                    kind, type_depth = "class", 0
                attribute_depth += kind == "#["
                stack.append(_Bracket(kind, k))
            elif value in _CLOSING:
                if len(stack) > 1:
                    bracket = stack.pop()
                    attribute_depth -= bracket.kind == "#["
                    if bracket.kind == "(" and self.returns_text(bracket, k):
                        self.returning_calls.add(bracket.start - 1)
            elif value == ",":
                stack[-1].commas.append(k)
            elif value in _TYPES and self.begins_type(k):
                type_depth = len(stack)
            elif value == "function":
                name = k + 2 if values[k + 1] == "&" else k + 1
                if stack[-1].kind != "class" and values[name + 1] == "(":
                    self.defined.add(values[name])
            elif value == "use":
                if values[k + 1] != "(" and stack[-1].kind != "class":
                    self.read_imports(k + 1)
            elif values[k + 1] == "(" and not attribute_depth and self.is_call(k):
                calls.append(k)
        return [k for k in calls if k not in self.returning_calls]

    def begins_type(self, k: int) -> bool:
        before = self.values[k - 1] if k else ""
        if self.values[k] == "class":
            return before not in _NO_CALL or before == "new"
        return before not in _NO_CALL and self.values[k + 1][:1].isalpha()  # `enum(` is a call

    def is_call(self, k: int) -> bool:
        before = self.values[k - 1] if k else ""
        if before == "&" and k > 1 and self.values[k - 2] == "function":
            return False
        return before not in _NO_CALL

    def returns_text(self, bracket: _Bracket, end: int) -> bool:
        """Return whether these are the arguments of a print_r that make it return its text."""
        if self.values[bracket.start - 1].lstrip("\\") != "print_r":
            return False
        edges = [bracket.start, *bracket.commas, end]
        for number in range(len(edges) - 1):
            argument = self.values[edges[number] + 1 : edges[number + 1]]
            if argument[1:2] == [":"]:
                if argument[0] == "return":
                    return argument[2:] not in ([], *([word] for word in _FALSE))
            elif number == 1:
                return argument not in ([], *([word] for word in _FALSE))
        return False

    def read_imports(self, k: int) -> None:
        """Read `use function A\\b as c, D\\{e, f};` and `use A\\{function b};` from k on."""
        values = self.values
        all_functions = values[k] == "function"
        is_function = False
        prefix = ""
        while values[k] not in ("", ";", "use"):
            value = values[k]
            if value == "function":
                is_function = True
            elif value == ",":
                is_function = False
            elif values[k + 1] == "{":
                prefix = value
            elif value == "as":
                k += 1
            elif value not in ("{", "}") and (all_functions or is_function):
                full_name = (prefix + value).lstrip("\\")
                name = values[k + 2] if values[k + 1] == "as" else full_name.rpartition("\\")[2]
                self.imported[name] = full_name
            k += 1
