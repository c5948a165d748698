"""Walk the syntax tree of a Python file: the names each scope binds, and every call."""

from __future__ import annotations

from hooklib.quality.debugcode.python_scopes import DEBUG, PRINTS, Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Hit = tuple[Any, str, Any]  # the call, its name in a finding, the f-string it stands in

_FUNCTIONS = ("FunctionDef", "AsyncFunctionDef", "Lambda")
_COMPREHENSIONS = ("ListComp", "SetComp", "DictComp", "GeneratorExp")


class Walk:
    """One walk over the tree: names bound per scope, and every call."""

    def __init__(self, counts: list[int] | None) -> None:
        self.counts = counts
        self.module = Scope("module", None)
        self.calls: list[tuple[Any, Any, Scope, bool, Any]] = []
        self.settled: list[Scope] = []  # scopes that bind names of another one
        self.renamed = False

    def run(self, tree: Any) -> None:
        stack: list[tuple[Any, Scope, bool, Any]] = [(tree, self.module, False, None)]
        while stack:
            node, scope, main, string = stack.pop()
            kind = type(node).__name__
            if kind == "Name":
                if node.ctx.__class__.__name__ != "Load":
                    scope.bind(node.id)
                continue
            if kind == "Constant" or (string is None and self.is_plain(node)):
                continue
            visit = getattr(self, "visit_" + kind, None)
            if kind == "JoinedStr" and string is None:
                string = node
            if visit is not None:
                visit(node, scope)
            if kind == "Call":
                self.calls.append((node, node.func, scope, main, string))
                if getattr(node.func, "id", "") == "map" and node.args:
                    self.calls.append((node.args[0], node.args[0], scope, main, string))
            if kind == "If":
                at = _main_branch(node.test)
                stack += [(node.test, scope, main, string)]
                stack += [(part, scope, main or at == 1, string) for part in node.body]
                stack += [(part, scope, main or at == 2, string) for part in node.orelse]
            else:
                for part, inside in self.parts(node, kind, scope):
                    stack.append((part, inside, main, string))

    def is_plain(self, node: Any) -> bool:
        """Tell whether a statement's lines hold nothing that could matter."""
        first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
        if not last or not self.counts:
            return False
        for decorator in getattr(node, "decorator_list", ()):
            first = min(first, decorator.lineno)
        return self.counts[min(last, len(self.counts) - 1)] == self.counts[first - 1]

    def parts(self, node: Any, kind: str, scope: Scope) -> list[tuple[Any, Scope]]:
        """Return the children of a node, each with the scope it is evaluated in."""
        inner = scope
        outside: tuple[str, ...] = ()
        if kind in _FUNCTIONS:
            inner, outside = Scope("function", scope), ("decorator_list", "returns")
        elif kind == "ClassDef":
            inner, outside = Scope("class", scope), ("decorator_list", "bases", "keywords")
        elif kind in _COMPREHENSIONS:
            inner = Scope("comprehension", scope)
        found: list[tuple[Any, Scope]] = []
        for field in node._fields:
            child: Any = getattr(node, field, None)
            where = scope if field in outside else inner
            if isinstance(child, list):
                found += [(item, where) for item in child if hasattr(item, "_fields")]
            elif hasattr(child, "_fields"):
                found.append((child, where))
        if kind in _FUNCTIONS:
            found = [item for item in found if item[0] is not node.args]
            found += _arguments(node.args, scope, inner)
        elif kind in _COMPREHENSIONS:  # its first iterable is evaluated outside
            first = node.generators[0]
            found = [item for item in found if item[0] is not first]
            found += [(first.iter, scope), (first.target, inner)]
            found += [(test, inner) for test in first.ifs]
        return found

    def visit_NamedExpr(self, node: Any, scope: Scope) -> None:
        scope.outside_comprehensions().bind(node.target.id)

    def visit_FunctionDef(self, node: Any, scope: Scope) -> None:
        scope.bind(node.name)

    visit_AsyncFunctionDef = visit_ClassDef = visit_FunctionDef
    visit_TypeVar = visit_ParamSpec = visit_TypeVarTuple = visit_FunctionDef

    def visit_ExceptHandler(self, node: Any, scope: Scope) -> None:
        if node.name:
            scope.bind(node.name)

    visit_MatchAs = visit_MatchStar = visit_ExceptHandler

    def visit_MatchMapping(self, node: Any, scope: Scope) -> None:
        if node.rest:
            scope.bind(node.rest)

    def visit_Global(self, node: Any, scope: Scope) -> None:
        scope.elsewhere.update(dict.fromkeys(node.names, self.module))
        self.settled.append(scope)

    def visit_Nonlocal(self, node: Any, scope: Scope) -> None:
        scope.elsewhere.update(dict.fromkeys(node.names))
        self.settled.append(scope)

    def visit_Import(self, node: Any, scope: Scope) -> None:
        for alias in node.names:
            name = alias.asname or alias.name.partition(".")[0]
            self.renamed |= scope.bind(name, alias.name if alias.asname else name)

    def visit_ImportFrom(self, node: Any, scope: Scope) -> None:
        source = "." * node.level + (node.module or "")
        for alias in node.names:
            if alias.name == "*":
                self.module.stars.append(source)
            else:
                target = source + "." + alias.name
                self.renamed |= scope.bind(alias.asname or alias.name, target)

    def hits(self, script: bool) -> list[Hit]:
        """Return the calls that are debug statements; script: it begins with a shebang."""
        for scope in self.settled:
            scope.settle()
        found = []
        for node, function, scope, main, string in self.calls:
            what = DEBUG.get(_dotted(function, scope))
            if what and not (what in PRINTS and (main or script or _streams(node))):
                found.append((node, what, string))
        return found


def _arguments(args: Any, outside: Scope, inside: Scope) -> list[tuple[Any, Scope]]:
    """Bind the parameters; return what is evaluated where the function is defined."""
    every = [*getattr(args, "posonlyargs", ()), *args.args, *args.kwonlyargs]
    every += [arg for arg in (args.vararg, args.kwarg) if arg]
    for arg in every:
        inside.bind(arg.arg)
    parts = [arg.annotation for arg in every] + args.defaults + args.kw_defaults
    return [(part, outside) for part in parts if part is not None]


def _dotted(node: Any, scope: Scope) -> str:
    """Return what an expression like `p.set_trace` stands for, "" where it cannot be told."""
    attributes = ""
    while type(node).__name__ == "Attribute":
        attributes = "." + node.attr + attributes
        node = node.value
    kind = type(node).__name__
    if kind == "Name":
        root = scope.meaning(node.id, bool(attributes))
        return root + attributes if root else ""
    if kind == "Call" and getattr(node.func, "id", "") == "__import__" and node.args:
        module = getattr(node.args[0], "value", None)
        return module + attributes if isinstance(module, str) else ""
    return ""


def _main_branch(test: Any) -> int:
    """Return 1 where the body of an `if` runs only as a script, 2 where its else does, else 0."""
    if type(test).__name__ == "BoolOp" and type(test.op).__name__ == "And":
        return 1 if any(_main_branch(part) == 1 for part in test.values) else 0
    if type(test).__name__ != "Compare" or len(test.ops) != 1:
        return 0
    sides = (test.left, test.comparators[0])
    named = any(getattr(side, "id", "") == "__name__" for side in sides)
    if not named or not any(getattr(side, "value", "") == "__main__" for side in sides):
        return 0
    return {"Eq": 1, "NotEq": 2}.get(type(test.ops[0]).__name__, 0)


def _streams(call: Any) -> bool:
    """Tell whether a print goes to a stream given by name that is not standard output."""
    for keyword in getattr(call, "keywords", ()):
        if keyword.arg in ("file", "stream"):
            value = keyword.value
            nothing = type(value).__name__ == "Constant" and value.value is None
            return not nothing and getattr(value, "attr", getattr(value, "id", "")) != "stdout"
    return False
