"""Resolve what a name means at a place in a Python file."""

from __future__ import annotations

# full name of a debug function -> its name in a finding
DEBUG = {
    "print": "print",
    "builtins.print": "print",
    "breakpoint": "breakpoint",
    "builtins.breakpoint": "breakpoint",
    "pprint.pprint": "pprint",
    "pprint.pp": "pprint.pp",
    "pdb.set_trace": "pdb.set_trace",
    "ipdb.set_trace": "ipdb.set_trace",
    "pudb.set_trace": "pudb.set_trace",
    "icecream.ic": "ic",
}
PRINTS = ("print", "pprint", "pprint.pp")  # output that may be on purpose
MODULES = ("pdb", "ipdb", "pudb", "pprint", "icecream", "builtins")
# Every debug statement contains one of these, unless an import renames it. Longer names need no
# entry: pprint contains print, ipdb contains pdb.
WATCHED = ("print", "breakpoint", "pdb", "pudb", "set_trace", "ic", "builtins", "pp")


class Scope:
    """The names that a module, class, function or comprehension binds, and what each means."""

    __slots__ = ("declared_elsewhere", "kind", "names", "parent", "star_imports")

    def __init__(self, kind: str, parent: Scope | None) -> None:
        self.kind, self.parent = kind, parent
        self.names: dict[str, str] = {}  # name -> full name, "" for the file's own objects
        self.declared_elsewhere: dict[str, Scope | None] = {}  # global, nonlocal
        self.star_imports: list[str] = []  # modules of `from ... import *`

    def bind(self, name: str, target: str = "") -> bool:
        """Bind a name; return whether it is an alias of a debug function or module."""
        is_debug = target in DEBUG or target in MODULES
        if is_debug or name not in self.names:  # ignore a fallback, `except ImportError: ic = ...`
            self.names[name] = target
        return is_debug and name not in (*WATCHED, *MODULES)

    def outside_comprehensions(self) -> Scope:
        scope = self
        while scope.kind == "comprehension" and scope.parent:
            scope = scope.parent
        return scope

    def move_names(self) -> None:
        """Move names under `global` or `nonlocal` to their owner; call once, after the walk."""
        for name, owner in self.declared_elsewhere.items():
            if name in self.names:
                target = self.names.pop(name)
                if owner is not None:
                    owner.bind(name, target)

    def resolve(self, name: str, is_module: bool) -> str:
        """Return the full name that name means here, or "" if it is the file's own.

        is_module: a dot follows the name.
        """
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names and (scope is self or scope.kind != "class"):
                return scope.names[name]
            if name in scope.declared_elsewhere and scope.declared_elsewhere[name] is not scope:
                scope = scope.declared_elsewhere[name] or scope.parent
            elif scope.parent is None:
                return _resolve_unbound(name, is_module, scope.star_imports)
            else:
                scope = scope.parent
        return ""


def _resolve_unbound(name: str, is_module: bool, star_imports: list[str]) -> str:
    """Return what a name means that the file does not bind."""
    if is_module:
        return name if name in MODULES else ""
    if name in ("print", "breakpoint"):
        return name
    for module in star_imports:
        if module + "." + name in DEBUG:
            return module + "." + name
    if star_imports:  # the name may come from any of them
        return ""
    # the import may not be written yet, or icecream's install() provides the name
    return {"pprint": "pprint.pprint", "ic": "icecream.ic"}.get(name, "")
