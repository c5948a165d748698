#!/usr/bin/env python3
"""Copy the shared files from plugins/ecc-hooks to the other plugins; `--check` only compares.

A host copies the folder of a single plugin, so each plugin carries the part of the library that its
hooks and its own hookctl commands import, and no more. plugins/ecc-hooks is the original and has
the whole library; its variants for other hosts are copies, except for the few files listed here.
A copy is committed if a host runs the folder as it is; the installer assembles the others.
"""

from __future__ import annotations

import os
import shutil
import sys
from typing import NamedTuple

import import_graph

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

ORIGINAL = "ecc-hooks"
LIBRARY = "lib/hooklib"
COMMANDS = tuple(
    "status list validate doctor test replay trust enable disable migrate log stats answer".split()
)
MEMORY = ("memory", "sessions")
SCHEMA = LIBRARY + "/engine/rules.schema.json"


class Needs(NamedTuple):
    """What a plugin has besides the engine: its copy of the library begins with these modules."""

    adapters: tuple[str, ...]  # modules of hooklib.hosts
    commands: tuple[str, ...]  # modules of hooklib.cli
    files: tuple[str, ...] = ()  # files of the library that people read
    variant: bool = False  # a variant of the original: its scripts and pipeline are copies too
    committed: bool = True  # if not, the folder has its own files only; `assemble` adds the rest


# What each plugin needs. The original has an entry too, but has the whole library for the others.
PLUGINS = {
    "ecc-hooks": Needs(("claude",), COMMANDS + MEMORY),
    "auto-skill-hooks": Needs(("claude",), (*COMMANDS, "knowledge")),
    "custom-hooks": Needs(("claude",), COMMANDS, (SCHEMA,)),
    "ecc-hooks-gemini": Needs(("claude", "gemini.adapter"), COMMANDS + MEMORY, variant=True),
    "ecc-hooks-opencode": Needs(
        ("claude", "opencode"), COMMANDS + MEMORY, variant=True, committed=False
    ),
}
# the API of agent programs, which install the library with pip: only in the original
AGENT_API = ("hooklib.service", "hooklib.hosts.sdk", "hooklib.cli_entry")
# files that are not imported but read or started by path, each with the module that does so
BY_PATH = {
    "lib/start.py": "hooklib.main",
    "lib/hooklib/engine/call_script.py": "hooklib.engine.user_command",
    "lib/hooklib/engine/call_script.mjs": "hooklib.engine.user_command",
}
SHARED = ("hooks/run", "bin/hookctl")
OF_A_VARIANT = ("hooks/pipeline.json", "scripts")
# variants of the original for other hosts: the only files that are not copies
HOST_FILES = {
    "ecc-hooks-gemini": (
        "README.md",
        "gemini-extension.json",
        "hooks/hooks.json",
        "hooks/rules",
    ),
    "ecc-hooks-opencode": ("README.md", "package.json", "ecc-hooks-opencode.js", "facts.json"),
}
IGNORED = ("__pycache__", ".DS_Store")
SYNC = "run `make sync` (edit only plugins/%s)" % ORIGINAL
LIST = "remove it, or list it in HOST_FILES of tools/sync.py"
UNUSED = "remove it, or list it in tools/sync.py for the plugin that needs it"


class Library:
    """The library of the original, and which of its files each plugin carries."""

    def __init__(self, plugins: str) -> None:
        self.plugins = plugins
        self.original = os.path.join(plugins, ORIGINAL)
        top = os.path.join(self.original, *LIBRARY.split("/"))
        self.paths = import_graph.modules(top)
        self.graph = import_graph.graph(top)

    def files(self, plugin: str) -> list[str]:
        """Return the files of the library that a plugin needs, relative to the plugin."""
        needs = PLUGINS[plugin]
        roots = {"hooklib.main"}
        roots.update("hooklib.hosts." + name for name in needs.adapters)
        roots.update("hooklib.cli." + name for name in needs.commands)
        owner = ORIGINAL if needs.variant else plugin
        for script in listing(os.path.join(self.plugins, owner), "scripts"):
            if script.endswith(".py"):
                path = os.path.join(self.plugins, owner, script)
                roots |= import_graph.imports(path, self.paths)
        return sorted({*self._closure(roots), *needs.files})

    def unused(self) -> list[str]:
        """Return the files that neither a plugin nor an agent program needs."""
        used = {name for plugin in PLUGINS for name in self.files(plugin)}
        used.update(self._closure({*AGENT_API}))
        return sorted({*listing(self.original, "lib")} - used)

    def unknown(self) -> list[str]:
        """Return the modules and files that the tables list but the library does not have."""
        modules = {*AGENT_API, *BY_PATH.values()}
        for needs in PLUGINS.values():
            modules.update("hooklib.hosts." + name for name in needs.adapters)
            modules.update("hooklib.cli." + name for name in needs.commands)
        files = {*BY_PATH, *(name for needs in PLUGINS.values() for name in needs.files)}
        return sorted((modules - {*self.paths}) | (files - {*listing(self.original, "lib")}))

    def _closure(self, roots: set[str]) -> list[str]:
        """Return the files of modules, of all modules that they import, and files used by path."""
        found = import_graph.closure(self.graph, roots)
        files = [os.path.relpath(self.paths[module], self.original) for module in found]
        files += [name for name, module in BY_PATH.items() if module in found]
        names = {name.replace(os.sep, "/") for name in files}
        return sorted(names & {*listing(self.original, "lib")})


def parts(plugin: str) -> tuple[str, ...]:
    """Return what of a plugin is copied: files, or whole folders."""
    return (*SHARED, *(OF_A_VARIANT if PLUGINS[plugin].variant else ()), "lib")


def committed_parts(plugin: str) -> tuple[str, ...]:
    """Return the parts that are copies in the repository, too."""
    return parts(plugin) if plugin != ORIGINAL and PLUGINS[plugin].committed else ()


def expected_files(library: Library, plugin: str, part: str) -> list[str]:
    """Return the files that one part of a plugin must have."""
    return library.files(plugin) if part == "lib" else listing(library.original, part)


def listing(plugin: str, part: str) -> list[str]:
    """Return the files of one part of a plugin, relative to the plugin."""
    top = os.path.join(plugin, part)
    if os.path.isfile(top):
        return [part]
    found = []
    for folder, folders, names in os.walk(top):
        folders[:] = [name for name in folders if name not in IGNORED]
        for name in names:
            if name not in IGNORED:
                path = os.path.relpath(os.path.join(folder, name), plugin)
                found.append(path.replace(os.sep, "/"))
    return sorted(found)


def differences(library: Library) -> list[str]:
    """Return one line, with the remedy, per file that is missing, extra or different."""
    plugins = library.plugins
    problems = ["tools/sync.py lists %s, which does not exist" % name for name in library.unknown()]
    for name in library.unused():
        problems.append("plugins/%s/%s: not used by any plugin; %s" % (ORIGINAL, name, UNUSED))
    compared = 0
    for plugin in PLUGINS:
        copy = os.path.join(plugins, plugin)
        for part in committed_parts(plugin):
            expected = expected_files(library, plugin, part)
            if not expected:
                problems.append("plugins/%s/%s: nothing to compare with" % (ORIGINAL, part))
            for name in sorted({*expected, *listing(copy, part)}):
                compared += 1
                what = "not needed by this plugin"
                if name in expected or not os.path.isfile(os.path.join(library.original, name)):
                    what = _difference(os.path.join(library.original, name), copy + "/" + name)
                if what:
                    problems.append("plugins/%s/%s: %s; %s" % (plugin, name, what, SYNC))
        problems += _host_files(plugins, plugin)
    if not compared:
        problems.append("nothing was compared: no shared files under " + plugins)
    return problems


def _host_files(plugins: str, plugin: str) -> list[str]:
    """Return the problems with the files of a variant that are the host's own."""
    copy = os.path.join(plugins, plugin)
    problems = []
    for name in unlisted(plugins, plugin):
        problems.append("plugins/%s/%s: not listed; %s" % (plugin, name, LIST))
    for name in HOST_FILES.get(plugin, ()):
        if not os.path.isfile(os.path.join(copy, name)):
            problems.append("plugins/%s/%s: listed, but missing" % (plugin, name))
    return problems


def unlisted(plugins: str, plugin: str) -> list[str]:
    """Return the files of a variant that are neither copies nor listed as the host's own."""
    if plugin not in HOST_FILES:
        return []
    copy = os.path.join(plugins, plugin)
    copies = {name for part in committed_parts(plugin) for name in listing(copy, part)}
    return sorted({*listing(copy, "")} - copies - {*HOST_FILES[plugin]})


def _difference(original: str, copy: str) -> str:
    if not os.path.isfile(copy):
        return "missing"
    if not os.path.isfile(original):
        return "extra, not in plugins/" + ORIGINAL
    with open(original, "rb") as one, open(copy, "rb") as other:
        if one.read() != other.read():
            return "changed"
    if os.name != "nt" and os.access(original, os.X_OK) != os.access(copy, os.X_OK):
        return "run bit differs"
    return ""


def sync(library: Library) -> None:
    """Update every copy from the original, and remove files that the plugin does not need."""
    for plugin in PLUGINS:
        for part in committed_parts(plugin):
            _write(library, plugin, part, os.path.join(library.plugins, plugin))


def assemble(library: Library, plugin: str, folder: str) -> None:
    """Write a complete variant to folder: its own files and its parts of the original."""
    _copy(os.path.join(library.plugins, plugin), HOST_FILES[plugin], folder)
    for part in parts(plugin):
        _write(library, plugin, part, folder)


def _write(library: Library, plugin: str, part: str, folder: str) -> None:
    expected = expected_files(library, plugin, part)
    for name in set(listing(folder, part)) - set(expected):
        os.unlink(os.path.join(folder, name))
    _copy(library.original, expected, folder)
    _remove_empty_folders(os.path.join(folder, part))


def _copy(source: str, names: Iterable[str], folder: str) -> None:
    for name in names:
        target = os.path.join(folder, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy2(os.path.join(source, name), target)


def _remove_empty_folders(top: str) -> None:
    """Remove folders without files: Python would import them as packages."""
    for folder, _, _ in os.walk(top, topdown=False):
        if os.path.basename(folder) not in IGNORED and not listing(folder, ""):
            shutil.rmtree(folder)


def main(argv: list[str]) -> int:
    repository = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    check = "--check" in argv
    folders = [arg for arg in argv if not arg.startswith("-")]
    library = Library(folders[0] if folders else os.path.join(repository, "plugins"))
    if not check:
        sync(library)
    problems = differences(library)
    for problem in problems:
        print(problem)
    print("check-sync: %s" % ("%d problems" % len(problems) if problems else "copies are the same"))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
