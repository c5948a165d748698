#!/usr/bin/env python3
"""Install ecc-hooks in OpenCode's configuration folder; `--remove` removes it again.

The folder is the user's, or a project's with `--project DIR`. It gets the plugin, assembled from
the variant's own files and from plugins/ecc-hooks, and one line of JavaScript that loads it:
OpenCode looks for plugins only at the top of `plugin/`. What is installed still works when this
repository moves, and in a project it reaches everybody who clones it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys

import sync

REPO = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
NAME = "ecc-hooks-opencode"
WRITTEN_BY = "made by `make install-opencode`"
LOADER = '// %s\nexport { EccHooks } from "../%s/%s.js"\n' % (WRITTEN_BY, NAME, NAME)
# OpenCode installs its own package from the network in every configuration folder, and without a
# network it waits for minutes. This file prevents that in a folder that we create.
NPMRC = "# %s: OpenCode needs no network for this folder\noffline=true\n" % WRITTEN_BY


def user_folder() -> str:
    """Return the folder that OpenCode reads for every project of this user."""
    folder = os.environ.get("OPENCODE_CONFIG_DIR")
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.abspath(folder or os.path.join(base, "opencode"))


def install(folder: str, is_project: bool) -> list[str]:
    """Assemble the plugin in folder; return lines for the user."""
    ours = os.path.join(folder, NAME)
    is_new = not os.path.isdir(folder)
    renewed = os.path.isdir(ours)
    fresh, old = ours + ".new", ours + ".old"
    for leftover in (fresh, old):
        shutil.rmtree(leftover, ignore_errors=True)
    sync.assemble(sync.Library(os.path.join(REPO, "plugins")), NAME, fresh)
    if renewed:
        os.rename(ours, old)
    os.rename(fresh, ours)
    shutil.rmtree(old, ignore_errors=True)
    loader = os.path.join(folder, "plugin", NAME + ".js")
    os.makedirs(os.path.dirname(loader), exist_ok=True)
    with open(loader, "w", encoding="utf-8") as file:
        file.write(LOADER)
    if is_new and is_project:
        with open(os.path.join(folder, ".npmrc"), "w", encoding="utf-8") as file:
            file.write(NPMRC)
    return [("renewed: " if renewed else "plugin: ") + ours, "loaded by: " + loader]


def remove(folder: str) -> list[str]:
    """Remove what install wrote; return lines for the user."""
    lines = []
    ours, loader = os.path.join(folder, NAME), os.path.join(folder, "plugin", NAME + ".js")
    if os.path.lexists(loader):
        os.unlink(loader)
        lines.append("removed " + loader)
    if os.path.isdir(ours):
        shutil.rmtree(ours)
        lines.append("removed " + ours)
    npmrc = os.path.join(folder, ".npmrc")
    if lines and _text(npmrc) == NPMRC:
        os.unlink(npmrc)
    for empty in (os.path.dirname(loader), folder):
        try:
            os.rmdir(empty)
        except OSError:  # not empty, or missing
            break
    return lines


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError):
        return ""


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="install_opencode.py", description=__doc__.split("\n")[0])
    parser.add_argument("--project", default="", help="a project's folder, instead of the user's")
    parser.add_argument("--remove", action="store_true", help="remove it again")
    options = parser.parse_args(argv)
    if options.project and not os.path.isdir(options.project):
        parser.error("no such folder: " + options.project)
    folder = user_folder()
    if options.project:
        folder = os.path.join(os.path.abspath(options.project), ".opencode")
    try:
        lines = remove(folder) if options.remove else install(folder, bool(options.project))
    except OSError as error:
        print("install-opencode: %s: %s" % (error.filename, error.strerror), file=sys.stderr)
        return 1
    if options.remove and not lines:
        print("ecc-hooks is not in %s; nothing was changed." % folder)
        return 0
    print("ecc-hooks is now %s %s" % ("removed from" if options.remove else "in", folder))
    print("".join("  %s\n" % line for line in lines), end="")
    print("It takes effect at the next start of OpenCode.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
