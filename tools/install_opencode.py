#!/usr/bin/env python3
"""Put ecc-hooks into OpenCode's configuration folder; `--remove` takes it out again.

The user's folder, or a project's with `--project DIR`. It gets a copy of the plugin and one line of
JavaScript that loads it: OpenCode looks for plugins only at the top of `plugin/`. A copy goes on
working when this repository moves, and in a project it is there for everybody who clones it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys

REPO = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
NAME = "ecc-hooks-opencode"
MADE = "made by `make install-opencode`"
LOADER = '// %s\nexport { EccHooks } from "../%s/%s.js"\n' % (MADE, NAME, NAME)
# In every configuration folder OpenCode installs a package of its own from the network, and where
# there is none it waits for minutes. The folder that we make shall not be one more of these.
NPMRC = "# %s: OpenCode needs no network for this folder\noffline=true\n" % MADE


def user_folder() -> str:
    """Return the folder that OpenCode reads for every project of this user."""
    given = os.environ.get("OPENCODE_CONFIG_DIR")
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.abspath(given or os.path.join(base, "opencode"))


def install(folder: str, is_project: bool) -> list[str]:
    """Copy the plugin into folder; return what there is to say about it."""
    ours = os.path.join(folder, NAME)
    made = not os.path.isdir(folder)
    renewed = os.path.isdir(ours)
    fresh, old = ours + ".new", ours + ".old"
    for leftover in (fresh, old):
        shutil.rmtree(leftover, ignore_errors=True)
    os.makedirs(folder, exist_ok=True)
    source = os.path.join(REPO, "plugins", NAME)
    shutil.copytree(source, fresh, ignore=shutil.ignore_patterns("__pycache__", ".DS_Store"))
    if renewed:
        os.rename(ours, old)
    os.rename(fresh, ours)
    shutil.rmtree(old, ignore_errors=True)
    loader = os.path.join(folder, "plugin", NAME + ".js")
    os.makedirs(os.path.dirname(loader), exist_ok=True)
    with open(loader, "w", encoding="utf-8") as file:
        file.write(LOADER)
    if made and is_project:
        with open(os.path.join(folder, ".npmrc"), "w", encoding="utf-8") as file:
            file.write(NPMRC)
    return [("renewed: " if renewed else "plugin: ") + ours, "loaded by: " + loader]


def remove(folder: str) -> list[str]:
    """Take out what install put in; return what there is to say about it."""
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
        except OSError:  # there is more in it, or it is not there
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
    parser.add_argument("--remove", action="store_true", help="take it out again")
    given = parser.parse_args(argv)
    if given.project and not os.path.isdir(given.project):
        parser.error("no such folder: " + given.project)
    folder = user_folder()
    if given.project:
        folder = os.path.join(os.path.abspath(given.project), ".opencode")
    try:
        lines = remove(folder) if given.remove else install(folder, bool(given.project))
    except OSError as error:
        print("install-opencode: %s: %s" % (error.filename, error.strerror), file=sys.stderr)
        return 1
    if given.remove and not lines:
        print("ecc-hooks is not in %s; nothing was changed." % folder)
        return 0
    print("ecc-hooks is now %s %s" % ("out of" if given.remove else "in", folder))
    print("".join("  %s\n" % line for line in lines), end="")
    print("It takes effect when OpenCode is started next.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
