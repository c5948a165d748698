"""Walk the syntax tree of a Python file, and collect the names of each scope and every call."""

from __future__ import annotations

from hooklib.quality.debugcode.python_scopes import DEBUG, PRINTS, Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Hit = tuple[Any, str, Any]  # the call, its name in a finding, the f-string around it or None

_FUNCTIONS = ("FunctionDef", "AsyncFunctionDef", "Lambda")
_COMPREHENSIONS = ("ListComp", "SetComp", "DictComp", "GeneratorExp")


class Walk:
    def __init__(self, counts: list[int] | None) -> None:
        self.counts = counts
        self.module = Scope("module", None)
        self.calls: list[tuple[Any, Any, Scope, bool, Any]] = []
        self.declaring_scopes: list[Scope] = []  # scopes with `global` or `nonlocal`
        self.has_aliases = False

    def run(self, tree: Any) -> None:
        stack: list[tuple[Any, Scope, bool, Any]] = [(tree, self.module, False, None)]
        while stack:
            node, scope, in_main, fstring = stack.pop()
            kind = type(node).__name__
            if kind == "Name":
                if node.ctx.__class__.__name__ != "Load":
                    scope.bind(node.id)
                continue
            if kind == "Constant" or (fstring is None and self.is_plain(node)):
                continue
            visit = getattr(self, "visit_" + kind, None)
            if kind == "JoinedStr" and fstring is None:
                fstring = node
            if visit is not None:
                visit(node, scope)
            if kind == "Call":
                self.calls.append((node, node.func, scope, in_main, fstring))
                if getattr(node.func, "id", "") == "map" and node.args:
                    self.calls.append((node.args[0], node.args[0], scope, in_main, fstring))
            if kind == "If":
                branch = _main_branch(node.test)
                stack += [(node.test, scope, in_main, fstring)]
                stack += [(part, scope, in_main or branch == 1, fstring) for part in node.body]
                stack += [(part, scope, in_main or branch == 2, fstring) for part in node.orelse]
            else:
                for part, child_scope in self.parts(node, kind, scope):
                    stack.append((part, child_scope, in_main, fstring))

    def is_plain(self, node: Any) -> bool:
        """Return whether the lines of a statement contain no watched name, so it can be skipped."""
        first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
        if not last or not self.counts:
            return False
        for decorator in getattr(node, "decorator_list", ()):
            first = min(first, decorator.lineno)
        return self.counts[min(last, len(self.counts) - 1)] == self.counts[first - 1]

    def parts(self, node: Any, kind: str, scope: Scope) -> list[tuple[Any, Scope]]:
        """Return the children of a node, each with the scope in which it is evaluated."""
        inner = scope
        outer_fields: tuple[str, ...] = ()
        if kind in _FUNCTIONS:
            inner, outer_fields = Scope("function", scope), ("decorator_list", "returns")
        elif kind == "ClassDef":
            inner, outer_fields = Scope("class", scope), ("decorator_list", "bases", "keywords")
        elif kind in _COMPREHENSIONS:
            inner = Scope("comprehension", scope)
        children: list[tuple[Any, Scope]] = []
        for field in node._fields:
            child: Any = getattr(node, field, None)
            child_scope = scope if field in outer_fields else inner
            if isinstance(child, list):
                children += [(item, child_scope) for item in child if hasattr(item, "_fields")]
            elif hasattr(child, "_fields"):
                children.append((child, child_scope))
        if kind in _FUNCTIONS:
            children = [item for item in children if item[0] is not node.args]
            children += _arguments(node.args, scope, inner)
        elif kind in _COMPREHENSIONS:  # the first iterable is evaluated in the outer scope
            first = node.generators[0]
            children = [item for item in children if item[0] is not first]
            children += [(first.iter, scope), (first.target, inner)]
            children += [(test, inner) for test in first.ifs]
        return children

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
        scope.declared_elsewhere.update(dict.fromkeys(node.names, self.module))
        self.declaring_scopes.append(scope)

    def visit_Nonlocal(self, node: Any, scope: Scope) -> None:
        scope.declared_elsewhere.update(dict.fromkeys(node.names))
        self.declaring_scopes.append(scope)

    def visit_Import(self, node: Any, scope: Scope) -> None:
        for alias in node.names:
            name = alias.asname or alias.name.partition(".")[0]
            self.has_aliases |= scope.bind(name, alias.name if alias.asname else name)

    def visit_ImportFrom(self, node: Any, scope: Scope) -> None:
        source = "." * node.level + (node.module or "")
        for alias in node.names:
            if alias.name == "*":
                self.module.star_imports.append(source)
            else:
                target = source + "." + alias.name
                self.has_aliases |= scope.bind(alias.asname or alias.name, target)

    def hits(self, script: bool) -> list[Hit]:
        """Return the calls that are debug statements; a script begins with a shebang."""
        for scope in self.declaring_scopes:
            scope.move_names()
        hits = []
        for node, function, scope, in_main, fstring in self.calls:
            name = DEBUG.get(_dotted(function, scope))
            if name and not (name in PRINTS and (in_main or script or _has_stream(node))):
                hits.append((node, name, fstring))
        return hits


def _arguments(args: Any, outer: Scope, inner: Scope) -> list[tuple[Any, Scope]]:
    """Bind the parameters; return the annotations and defaults, which the outer scope evaluates."""
    parameters = [*getattr(args, "posonlyargs", ()), *args.args, *args.kwonlyargs]
    parameters += [arg for arg in (args.vararg, args.kwarg) if arg]
    for arg in parameters:
        inner.bind(arg.arg)
    parts = [arg.annotation for arg in parameters] + args.defaults + args.kw_defaults
    return [(part, outer) for part in parts if part is not None]


def _dotted(node: Any, scope: Scope) -> str:
    """Return the dotted name that an expression like `p.set_trace` means, or "" if unknown."""
    attributes = ""
    while type(node).__name__ == "Attribute":
        attributes = "." + node.attr + attributes
        node = node.value
    kind = type(node).__name__
    if kind == "Name":
        root = scope.resolve(node.id, bool(attributes))
        return root + attributes if root else ""
    if kind == "Call" and getattr(node.func, "id", "") == "__import__" and node.args:
        module = getattr(node.args[0], "value", None)
        return module + attributes if isinstance(module, str) else ""
    return ""


def _main_branch(test: Any) -> int:
    """Return 1 if the body of an `if` runs only in a script, 2 if its else does, otherwise 0."""
    if type(test).__name__ == "BoolOp" and type(test.op).__name__ == "And":
        return 1 if any(_main_branch(part) == 1 for part in test.values) else 0
    if type(test).__name__ != "Compare" or len(test.ops) != 1:
        return 0
    sides = (test.left, test.comparators[0])
    has_name = any(getattr(side, "id", "") == "__name__" for side in sides)
    if not has_name or not any(getattr(side, "value", "") == "__main__" for side in sides):
        return 0
    return {"Eq": 1, "NotEq": 2}.get(type(test.ops[0]).__name__, 0)


def _has_stream(call: Any) -> bool:
    """Return whether a print names a stream other than standard output."""
    for keyword in getattr(call, "keywords", ()):
        if keyword.arg in ("file", "stream"):
            value = keyword.value
            is_none = type(value).__name__ == "Constant" and value.value is None
            return not is_none and getattr(value, "attr", getattr(value, "id", "")) != "stdout"
    return False
