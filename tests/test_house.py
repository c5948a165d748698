"""The borders of the library: who may import whom, no circles, one meaning per name."""

from __future__ import annotations

import ast
import os
import sys
import unittest

from support import REPO, HookTestCase

sys.path.insert(0, os.path.join(REPO, "tools"))
import import_graph

TOPICS = ("knowledge", "memory", "quality", "sessions")
# the entry points run hookctl, which may import all
ENTRIES = ("hooklib.cli_entry", "hooklib.main")
# what a topic may import of the core's packages, beside the modules at the top
OPEN_TO_TOPICS = ("hooklib.engine.regex", "hooklib.shell")
# public names that stay for those who import them
RE_EXPORTS = ("hooklib.hosts.sdk", "hooklib.service")


def room(module: str) -> str:
    """Return the topic that a module belongs to, `cli`, or `core` for all the rest."""
    package = (module.split(".") + [""])[1]
    return package if package in (*TOPICS, "cli") else "core"


def is_open(module: str) -> bool:
    """Return whether a module of the core is there for topics: how an event is run is not."""
    if module in (*ENTRIES, *RE_EXPORTS, "hooklib.agent", "hooklib.hosts"):
        return False
    inside = any((module + ".").startswith(package + ".") for package in OPEN_TO_TOPICS)
    return inside or module.count(".") < 2


def is_command(path: str) -> bool:
    """Return whether a module of hookctl is one of its commands."""
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    return any(isinstance(node, ast.FunctionDef) and node.name == "run" for node in tree.body)


class HouseTest(unittest.TestCase):
    modules: dict[str, str]
    graph: dict[str, set[str]]

    @classmethod
    def setUpClass(cls) -> None:
        cls.modules = import_graph.modules(import_graph.LIBRARY)
        cls.graph = import_graph.graph(import_graph.LIBRARY)

    def edges(self, *rooms: str) -> list[tuple[str, str]]:
        """Return what the modules of some rooms import, as pairs."""
        importing = [module for module in self.graph if room(module) in rooms]
        self.assertGreater(len(importing), 20)
        return [(module, name) for module in importing for name in sorted(self.graph[module])]

    def test_the_core_imports_no_topic_and_only_the_entry_points_hookctl(self) -> None:
        wrong = [
            edge
            for edge in self.edges("core")
            if room(edge[1]) in TOPICS or (room(edge[1]) == "cli" and edge[0] not in ENTRIES)
        ]
        self.assertEqual(wrong, [])

    def test_a_topic_imports_the_core_alone(self) -> None:
        wrong = [
            (module, name)
            for module, name in self.edges(*TOPICS)
            if room(name) != room(module) and not (room(name) == "core" and is_open(name))
        ]
        self.assertEqual(wrong, [])

    def test_no_module_imports_itself_through_others(self) -> None:
        self.assertEqual(import_graph.cycles(self.graph), [])

    def test_a_name_means_one_thing(self) -> None:
        """A command of hookctl is named like what it shows; hosts have the same parts."""
        found: dict[str, set[str]] = {}
        for module, path in self.modules.items():
            command = module.startswith("hooklib.cli.") and is_command(path)
            if module not in RE_EXPORTS and not command:
                parts = module.split(".")
                place = "hooklib.hosts" if parts[1:2] == ["hosts"] and len(parts) > 3 else module
                found.setdefault(parts[-1], set()).add(place)
        self.assertGreater(len(found), 100)
        self.assertEqual([places for places in found.values() if len(places) > 1], [])


class GraphTest(HookTestCase):
    """tools/import_graph.py sees what Python would import."""

    FILES = {
        "__init__.py": "",
        "a.py": (
            "import os\n"
            "TYPE_CHECKING = False\n"
            "if TYPE_CHECKING:\n"
            "    from lib.p.inner import x\n"
            "else:\n"
            "    import lib.c\n"
            "def late():\n"
            "    from lib import b\n"
        ),
        "b.py": "from lib.p import inner, name\n",
        "c.py": "from lib.p.inner import a\n",
        "p/__init__.py": "name = 1\n",
        "p/inner.py": "class C:\n    def f(self):\n        import lib.a\n",
    }

    def setUp(self) -> None:
        super().setUp()
        for name, text in self.FILES.items():
            self.write(os.path.join(self.base, "lib", *name.split("/")), text)
        self.graph = import_graph.graph(os.path.join(self.base, "lib"))

    def test_late_imports_count_and_those_of_type_checkers_do_not(self) -> None:
        expected = {
            "lib": set(),
            "lib.a": {"lib.b", "lib.c"},
            "lib.b": {"lib.p", "lib.p.inner"},
            "lib.c": {"lib.p", "lib.p.inner"},
            "lib.p": set(),
            "lib.p.inner": {"lib.a"},
        }
        self.assertEqual(self.graph, expected)

    def test_circles_are_found_whole(self) -> None:
        circle = ["lib.a", "lib.b", "lib.c", "lib.p.inner"]
        self.assertEqual(import_graph.cycles(self.graph), [circle])

    def test_a_closure_holds_the_packages_of_what_is_imported(self) -> None:
        self.assertEqual(import_graph.closure(self.graph, ["lib.p"]), {"lib", "lib.p"})
        self.assertEqual(import_graph.closure(self.graph, ["lib.b"]), set(self.graph))


if __name__ == "__main__":
    unittest.main()
