#!/usr/bin/env python3
"""Link ecc-hooks into Gemini CLI as an extension; `--remove` removes it again.

This writes the same link as `gemini extensions link`, but that command also trusts the folder in
which it runs. Gemini CLI then runs the extension from this repository.
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
    """Return the folder in which Gemini CLI looks for the extension."""
    home = os.environ.get("GEMINI_CLI_HOME") or os.path.expanduser("~")
    return os.path.join(home, ".gemini", "extensions", NAME)


def install(ours: str) -> list[str]:
    """Write the link; return lines for the user."""
    exists = os.path.isdir(ours)
    if exists and sorted(os.listdir(ours)) != [LINK]:
        why = "a copy is installed; `gemini extensions uninstall %s` first" % NAME
        raise FileExistsError(errno.EEXIST, why, ours)
    os.makedirs(ours, exist_ok=True)
    with open(os.path.join(ours, LINK), "w", encoding="utf-8") as file:
        json.dump({"source": SOURCE, "type": "link"}, file, indent=2)
    action = "linked again" if exists else "linked"
    return ["%s: %s -> %s (keep that folder: it runs from there)" % (action, ours, SOURCE)]


def remove(ours: str) -> list[str]:
    """Remove the extension, linked or copied; return lines for the user."""
    if not os.path.isdir(ours):
        return []
    shutil.rmtree(ours)
    return ["removed " + ours]


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="install_gemini.py", description=__doc__.split("\n")[0])
    parser.add_argument("--remove", action="store_true", help="remove it again")
    options = parser.parse_args(argv)
    ours = folder()
    try:
        lines = remove(ours) if options.remove else install(ours)
    except OSError as error:
        print("install-gemini: %s: %s" % (error.filename, error.strerror), file=sys.stderr)
        return 1
    if options.remove and not lines:
        print("ecc-hooks is not in Gemini CLI; nothing was changed.")
        return 0
    print("ecc-hooks is now %s Gemini CLI" % ("removed from" if options.remove else "in"))
    print("".join("  %s\n" % line for line in lines), end="")
    print("It takes effect in the next session.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
