#!/usr/bin/env python3
"""Keep what the plugins share the same in all of them: `sync.py` copies, `--check` compares.

Hosts copy a plugin's folder alone, so the library is in every one of them. plugins/ecc-hooks is
the original; its variants for other hosts are copies of it but for the few files listed here.
"""

from __future__ import annotations

import os
import shutil
import sys

ORIGINAL = "ecc-hooks"
SHARED = ("lib", "hooks/run", "bin/hookctl")
# the parts of the original that each plugin holds a copy of: files, or whole folders
MIRRORS = {
    "auto-skill-hooks": SHARED,
    "custom-hooks": SHARED,
    "ecc-hooks-gemini": (*SHARED, "hooks/pipeline.json", "scripts"),
    "ecc-hooks-opencode": (*SHARED, "hooks/pipeline.json", "scripts"),
}
# the variants of the original for other hosts: all that they may hold beside the copies
HOST_FILES = {
    "ecc-hooks-gemini": (
        "README.md",
        "gemini-extension.json",
        "hooks/hooks.json",
        "hooks/rules",
    ),
    "ecc-hooks-opencode": ("README.md", "package.json", "ecc-hooks-opencode.js"),
}
IGNORED = ("__pycache__", ".DS_Store")
MEND = "run `make sync` (edit only plugins/%s)" % ORIGINAL
LIST = "remove it, or list it in HOST_FILES of tools/sync.py"


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


def differences(plugins: str) -> list[str]:
    """Return one line per file that is missing, extra or different, and how to mend it."""
    problems = []
    original = os.path.join(plugins, ORIGINAL)
    compared = 0
    for mirror, parts in MIRRORS.items():
        copy = os.path.join(plugins, mirror)
        for part in parts:
            wanted, there = listing(original, part), listing(copy, part)
            if not wanted:
                problems.append("plugins/%s/%s: nothing to compare with" % (ORIGINAL, part))
            for name in sorted({*wanted, *there}):
                compared += 1
                what = _difference(os.path.join(original, name), os.path.join(copy, name))
                if what:
                    problems.append("plugins/%s/%s: %s; %s" % (mirror, name, what, MEND))
        for name in unlisted(plugins, mirror):
            problems.append("plugins/%s/%s: not listed; %s" % (mirror, name, LIST))
        for name in HOST_FILES.get(mirror, ()):
            if not os.path.isfile(os.path.join(copy, name)):
                problems.append("plugins/%s/%s: listed, but missing" % (mirror, name))
    if not compared:
        problems.append("nothing was compared: no mirrored files under " + plugins)
    return problems


def unlisted(plugins: str, mirror: str) -> list[str]:
    """Return the files of a variant that are neither copies nor listed as the host's own."""
    if mirror not in HOST_FILES:
        return []
    copy = os.path.join(plugins, mirror)
    known = {name for part in MIRRORS[mirror] for name in listing(copy, part)}
    return sorted({*listing(copy, "")} - known - {*HOST_FILES[mirror]})


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


def sync(plugins: str) -> None:
    """Make every copy the same as the original, removing what the original does not have."""
    original = os.path.join(plugins, ORIGINAL)
    for mirror, parts in MIRRORS.items():
        copy = os.path.join(plugins, mirror)
        for part in parts:
            wanted = listing(original, part)
            for name in set(listing(copy, part)) - set(wanted):
                os.unlink(os.path.join(copy, name))
            for name in wanted:
                target = os.path.join(copy, name)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy2(os.path.join(original, name), target)


def main(argv: list[str]) -> int:
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    check = "--check" in argv
    folders = [arg for arg in argv if not arg.startswith("-")]
    plugins = folders[0] if folders else os.path.join(here, "plugins")
    if not check:
        sync(plugins)
    problems = differences(plugins)
    for problem in problems:
        print(problem)
    print("check-sync: %s" % ("%d problems" % len(problems) if problems else "copies are the same"))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
