#!/usr/bin/env python3
"""Keep what the plugins share the same in all of them: `sync.py` copies, `--check` compares.

Hosts copy a plugin's folder alone, so each carries what it needs of the library and no more: what
its hooks and its own hookctl commands import. plugins/ecc-hooks is the original and holds all of
it; its variants for other hosts are copies of it but for the few files listed here.
"""

from __future__ import annotations

import os
import shutil
import sys
from typing import NamedTuple

import import_graph

ORIGINAL = "ecc-hooks"
LIBRARY = "lib/hooklib"
COMMANDS = tuple(
    "status list validate doctor test replay trust enable disable migrate log stats answer".split()
)
MEMORY = ("memory", "sessions")
SCHEMA = LIBRARY + "/engine/rules.schema.json"


class Needs(NamedTuple):
    """What a plugin has beside the engine, and so what its copy of the library starts from."""

    adapters: tuple[str, ...]  # modules of hooklib.hosts
    commands: tuple[str, ...]  # modules of hooklib.cli
    files: tuple[str, ...] = ()  # of the library, which people read
    variant: bool = False  # of the original: scripts and pipeline are copies too


# What each plugin needs; for the original itself too, which holds all the rest for the others.
PLUGINS = {
    "ecc-hooks": Needs(("claude",), COMMANDS + MEMORY),
    "auto-skill-hooks": Needs(("claude",), (*COMMANDS, "knowledge")),
    "custom-hooks": Needs(("claude",), COMMANDS, (SCHEMA,)),
    "ecc-hooks-gemini": Needs(("claude", "gemini.adapter"), COMMANDS + MEMORY, variant=True),
    "ecc-hooks-opencode": Needs(("claude", "opencode"), COMMANDS + MEMORY, variant=True),
}
# for agent programs, which install the library with pip: in the original alone
AGENT_API = ("hooklib.service", "hooklib.hosts.sdk", "hooklib.cli_entry")
# files that are no import but read or started by path, each with the module that does so
BY_PATH = {
    "lib/start.py": "hooklib.main",
    "lib/hooklib/engine/call_script.py": "hooklib.engine.user_command",
    "lib/hooklib/engine/call_script.mjs": "hooklib.engine.user_command",
}
SHARED = ("hooks/run", "bin/hookctl")
OF_A_VARIANT = ("hooks/pipeline.json", "scripts")
# the variants of the original for other hosts: all that they may hold beside the copies
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
MEND = "run `make sync` (edit only plugins/%s)" % ORIGINAL
LIST = "remove it, or list it in HOST_FILES of tools/sync.py"
UNUSED = "remove it, or name who needs it in tools/sync.py"


class Library:
    """The original's library: which files of it each plugin carries."""

    def __init__(self, plugins: str) -> None:
        self.plugins = plugins
        self.original = os.path.join(plugins, ORIGINAL)
        top = os.path.join(self.original, *LIBRARY.split("/"))
        self.paths = import_graph.modules(top)
        self.graph = import_graph.graph(top)

    def files(self, plugin: str) -> list[str]:
        """Return what a plugin needs, relative to it."""
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
        """Return the modules and files that the tables name and the library does not have."""
        named = {*AGENT_API, *BY_PATH.values()}
        for needs in PLUGINS.values():
            named.update("hooklib.hosts." + name for name in needs.adapters)
            named.update("hooklib.cli." + name for name in needs.commands)
        files = {*BY_PATH, *(name for needs in PLUGINS.values() for name in needs.files)}
        return sorted((named - {*self.paths}) | (files - {*listing(self.original, "lib")}))

    def _closure(self, roots: set[str]) -> list[str]:
        """Return the files of modules, of all that they import and of what they read by path."""
        found = import_graph.closure(self.graph, roots)
        files = [os.path.relpath(self.paths[module], self.original) for module in found]
        files += [name for name, module in BY_PATH.items() if module in found]
        names = {name.replace(os.sep, "/") for name in files}
        return sorted(names & {*listing(self.original, "lib")})


def parts(plugin: str) -> tuple[str, ...]:
    """Return what of a plugin is copied: files, or whole folders."""
    return (*SHARED, *(OF_A_VARIANT if PLUGINS[plugin].variant else ()), "lib")


def wanted(library: Library, plugin: str, part: str) -> list[str]:
    """Return the files that a plugin must hold of one part."""
    return library.files(plugin) if part == "lib" else listing(library.original, part)


def listing(plugin: str, part: str) -> list[str]:
    """Return the files of one part of a plugin, relative to the plugin; [] where there is none."""
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
    """Return one line per file that is missing, extra or different, and how to mend it."""
    plugins = library.plugins
    problems = ["tools/sync.py names %s: no such thing" % name for name in library.unknown()]
    for name in library.unused():
        problems.append("plugins/%s/%s: nobody needs it; %s" % (ORIGINAL, name, UNUSED))
    compared = 0
    for plugin in PLUGINS:
        if plugin == ORIGINAL:
            continue
        copy = os.path.join(plugins, plugin)
        for part in parts(plugin):
            expected = wanted(library, plugin, part)
            if not expected:
                problems.append("plugins/%s/%s: nothing to compare with" % (ORIGINAL, part))
            for name in sorted({*expected, *listing(copy, part)}):
                compared += 1
                what = "not needed by this plugin"
                if name in expected or not os.path.isfile(os.path.join(library.original, name)):
                    what = _difference(os.path.join(library.original, name), copy + "/" + name)
                if what:
                    problems.append("plugins/%s/%s: %s; %s" % (plugin, name, what, MEND))
        problems += _host_files(plugins, plugin)
    if not compared:
        problems.append("nothing was compared: no mirrored files under " + plugins)
    return problems


def _host_files(plugins: str, plugin: str) -> list[str]:
    """Return what is wrong with the files of a variant that are the host's own."""
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
    known = {name for part in parts(plugin) for name in listing(copy, part)}
    return sorted({*listing(copy, "")} - known - {*HOST_FILES[plugin]})


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
    """Make every copy the same as the original, removing what the plugin has no need of."""
    for plugin in PLUGINS:
        if plugin == ORIGINAL:
            continue
        copy = os.path.join(library.plugins, plugin)
        for part in parts(plugin):
            expected = wanted(library, plugin, part)
            for name in set(listing(copy, part)) - set(expected):
                os.unlink(os.path.join(copy, name))
            for name in expected:
                target = os.path.join(copy, name)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy2(os.path.join(library.original, name), target)
            _remove_empty_folders(os.path.join(copy, part))


def _remove_empty_folders(top: str) -> None:
    """Remove folders without a file: Python would take them for packages."""
    for folder, _, _ in os.walk(top, topdown=False):
        if os.path.basename(folder) not in IGNORED and not listing(folder, ""):
            shutil.rmtree(folder)


def main(argv: list[str]) -> int:
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    check = "--check" in argv
    folders = [arg for arg in argv if not arg.startswith("-")]
    library = Library(folders[0] if folders else os.path.join(here, "plugins"))
    if not check:
        sync(library)
    problems = differences(library)
    for problem in problems:
        print(problem)
    print("check-sync: %s" % ("%d problems" % len(problems) if problems else "copies are the same"))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
