#!/usr/bin/env python3
"""Link ecc-hooks into Gemini CLI as an extension; `--remove` takes it out again.

It is the link that `gemini extensions link` makes, and nothing else: that command also trusts the
folder in which it is run. Gemini CLI then runs the extension from this repository.
"""

from __future__ import annotations

import argparse
import errno
import json
import os
import shutil
import sys

REPO = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
NAME = "ecc-hooks-gemini"
SOURCE = os.path.join(REPO, "plugins", NAME)
LINK = ".gemini-extension-install.json"


def folder() -> str:
    """Return where Gemini CLI looks for the extension."""
    home = os.environ.get("GEMINI_CLI_HOME") or os.path.expanduser("~")
    return os.path.join(home, ".gemini", "extensions", NAME)


def install(ours: str) -> list[str]:
    """Make the link; return what there is to say about it."""
    there = os.path.isdir(ours)
    if there and sorted(os.listdir(ours)) != [LINK]:
        why = "a copy is installed; `gemini extensions uninstall %s` first" % NAME
        raise FileExistsError(errno.EEXIST, why, ours)
    os.makedirs(ours, exist_ok=True)
    with open(os.path.join(ours, LINK), "w", encoding="utf-8") as file:
        json.dump({"source": SOURCE, "type": "link"}, file, indent=2)
    how = "linked again" if there else "linked"
    return ["%s: %s -> %s (keep that folder: it runs from there)" % (how, ours, SOURCE)]


def remove(ours: str) -> list[str]:
    """Take the extension out, linked or copied; return what there is to say about it."""
    if not os.path.isdir(ours):
        return []
    shutil.rmtree(ours)
    return ["removed " + ours]


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="install_gemini.py", description=__doc__.split("\n")[0])
    parser.add_argument("--remove", action="store_true", help="take it out again")
    given = parser.parse_args(argv)
    ours = folder()
    try:
        lines = remove(ours) if given.remove else install(ours)
    except OSError as error:
        print("install-gemini: %s: %s" % (error.filename, error.strerror), file=sys.stderr)
        return 1
    if given.remove and not lines:
        print("ecc-hooks is not in Gemini CLI; nothing was changed.")
        return 0
    print("ecc-hooks is now %s Gemini CLI" % ("out of" if given.remove else "in"))
    print("".join("  %s\n" % line for line in lines), end="")
    print("It takes effect in the next session.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
