#!/usr/bin/env python3
"""Print the import graph of the library: each module with what it imports, then the cycles."""

from __future__ import annotations

import ast
import functools
import os
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping

REPO = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIBRARY = os.path.join(REPO, "plugins", "ecc-hooks", "lib", "hooklib")


def modules(root: str) -> dict[str, str]:
    """Return the path of each module of the package in root, by its dotted name."""
    found: dict[str, str] = {}
    above = os.path.dirname(os.path.abspath(root))
    for folder, _, names in os.walk(os.path.abspath(root)):
        package = os.path.relpath(folder, above).replace(os.sep, ".")
        for name in names:
            if name.endswith(".py"):
                module = package if name == "__init__.py" else "%s.%s" % (package, name[:-3])
                found[module] = os.path.join(folder, name)
    return dict(sorted(found.items()))


def imports(path: str, modules: Collection[str]) -> set[str]:
    """Return the modules that a file imports, also inside functions, with their packages.

    Only those in modules count. Imports under `if TYPE_CHECKING:` do not count. All imports in the
    library are absolute.
    """
    return {name for module in _named(path, modules) for name in _with_packages(module)} & set(
        modules
    )


def graph(root: str) -> dict[str, set[str]]:
    """Return which modules of the package in root each of them imports.

    A module's own packages are loaded before it, so they count only if it names them itself.
    """
    paths = modules(root)
    edges = {}
    for module, path in paths.items():
        around = set(_with_packages(module)) - _named(path, paths)
        edges[module] = imports(path, paths) - around
    return edges


def cycles(edges: Mapping[str, set[str]]) -> list[list[str]]:
    """Return each group of modules that import one another in a cycle, sorted."""
    reach = {module: closure(edges, edges[module]) for module in edges}
    groups = {
        tuple(sorted(other for other in reach[module] if module in reach[other]))
        for module in edges
        if module in reach[module]
    }
    return sorted(map(list, groups))


def closure(edges: Mapping[str, set[str]], roots: Iterable[str]) -> set[str]:
    """Return the roots and all modules that they import, directly or indirectly."""
    found: set[str] = set()
    waiting = [name for root in roots for name in _with_packages(root) if name in edges]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += edges[module] - found
    return found


def _named(path: str, modules: Collection[str]) -> set[str]:
    """Return the modules that a file names: `from a import b` names a.b if that is a module."""
    with open(path, encoding="utf-8") as file:
        pairs = _imported(file.read())
    names = {"%s.%s" % pair if "%s.%s" % pair in modules else pair[0] for pair in pairs}
    return names & set(modules)


@functools.cache  # parsing takes nearly all of the time
def _imported(text: str) -> frozenset[tuple[str, str]]:
    """Return the imports in a text: pairs of a module and the name imported from it, or ''."""
    found: set[tuple[str, str]] = set()
    for node in _executed(ast.parse(text)):
        if isinstance(node, ast.Import):
            found.update((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.update((node.module, alias.name) for alias in node.names)
    return frozenset(found)


def _executed(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes below node that can run: without those for type checkers only."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and _is_type_checking(child.test):
            for other in child.orelse:
                yield other
                yield from _executed(other)
        else:
            yield child
            yield from _executed(child)


def _is_type_checking(test: ast.expr) -> bool:
    return (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING") or (
        isinstance(test, ast.Attribute) and test.attr == "TYPE_CHECKING"
    )


def _with_packages(module: str) -> list[str]:
    """Return the names of a module and of its packages."""
    parts = module.split(".")
    return [".".join(parts[: end + 1]) for end in range(len(parts))]


def main() -> int:
    edges = graph(LIBRARY)
    for module, names in edges.items():
        print("%s: %s" % (module, ", ".join(sorted(names)) or "nothing"))
    found = cycles(edges)
    for group in found:
        print("cycle: " + ", ".join(group))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
