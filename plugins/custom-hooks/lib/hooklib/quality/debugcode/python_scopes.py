"""What a name means at a place in a Python file."""

from __future__ import annotations

# what is called -> how it is named in a finding
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
PRINTS = ("print", "pprint", "pprint.pp")  # output, which is at times on purpose
MODULES = ("pdb", "ipdb", "pudb", "pprint", "icecream", "builtins")
# every name that a debug statement is written with, where no import renames it; those that are
# part of another one here (pprint, ipdb) are found with it
WATCHED = ("print", "breakpoint", "pdb", "pudb", "set_trace", "ic", "builtins", "pp")


class Scope:
    """The names a module, class, function or comprehension binds, and what each stands for."""

    __slots__ = ("elsewhere", "kind", "names", "parent", "stars")

    def __init__(self, kind: str, parent: Scope | None) -> None:
        self.kind, self.parent = kind, parent
        self.names: dict[str, str] = {}  # "" = something of the file's own
        self.elsewhere: dict[str, Scope | None] = {}  # global, nonlocal
        self.stars: list[str] = []  # modules of `from ... import *`

    def bind(self, name: str, target: str = "") -> bool:
        """Remember a name; tell whether it is a debug function or module under a new name."""
        known = target in DEBUG or target in MODULES
        if known or name not in self.names:  # `except ImportError: ic = ...` changes nothing
            self.names[name] = target
        return known and name not in (*WATCHED, *MODULES)

    def outside_comprehensions(self) -> Scope:
        scope = self
        while scope.kind == "comprehension" and scope.parent:
            scope = scope.parent
        return scope

    def settle(self) -> None:
        """Hand over what was bound here under `global` or `nonlocal`; call once, after the walk."""
        for name, owner in self.elsewhere.items():
            if name in self.names:
                target = self.names.pop(name)
                if owner is not None:
                    owner.bind(name, target)

    def meaning(self, name: str, is_module: bool) -> str:
        """Return the dotted name that name stands for here, "" where it is the file's own.

        is_module: name is used with a dot after it.
        """
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names and (scope is self or scope.kind != "class"):
                return scope.names[name]
            if name in scope.elsewhere and scope.elsewhere[name] is not scope:
                scope = scope.elsewhere[name] or scope.parent
            elif scope.parent is None:
                return _unbound(name, is_module, scope.stars)
            else:
                scope = scope.parent
        return ""


def _unbound(name: str, is_module: bool, stars: list[str]) -> str:
    """Return what a name means that the file nowhere binds."""
    if is_module:
        return name if name in MODULES else ""
    if name in ("print", "breakpoint"):
        return name
    for module in stars:
        if module + "." + name in DEBUG:
            return module + "." + name
    if stars:  # it may come from any of them
        return ""
    # the rest of a file that is still being written, or icecream's install()
    return {"pprint": "pprint.pprint", "ic": "icecream.ic"}.get(name, "")
