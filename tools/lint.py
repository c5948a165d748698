#!/usr/bin/env python3
"""Run ruff and mypy at pinned versions from a virtual environment in the cache folder."""

from __future__ import annotations

import argparse
import glob
import os
import subprocess
import sys

from sync import HOST_FILES

PINS = ("ruff==0.17.5", "mypy==1.19.1")
REPO = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def tools(cache: str) -> str:
    """Return the folder of the tools' programs; install them if the pins have changed."""
    folder = os.path.join(cache, "lint")
    programs = os.path.join(folder, "Scripts" if os.name == "nt" else "bin")
    stamp = os.path.join(folder, "pins.txt")
    pins = "\n".join(PINS)
    if os.path.exists(stamp):
        with open(stamp, encoding="utf-8") as file:
            if file.read() == pins:
                return programs
    subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
    python = os.path.join(programs, "python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", *PINS], check=True)
    with open(stamp, "w", encoding="utf-8") as file:
        file.write(pins)
    return programs


def commands(programs: str) -> list[list[str]]:
    ruff, mypy = os.path.join(programs, "ruff"), os.path.join(programs, "mypy")
    library = os.path.join("plugins", "ecc-hooks", "lib", "hooklib")
    checks = [
        [ruff, "check", "--quiet", "."],
        [ruff, "format", "--check", "--quiet", "."],
        [mypy, "--no-error-summary", library],
    ]
    for folder in ("tools", "tests", os.path.join("tests", "e2e")):  # each has top-level modules
        modules = sorted(glob.glob(os.path.join(REPO, folder, "*.py")))
        checks.append([mypy, "--no-error-summary", *modules])
    for plugin in sorted(glob.glob(os.path.join(REPO, "plugins", "*"))):
        scripts = sorted(glob.glob(os.path.join(plugin, "scripts", "*", "*.py")))
        # kebab-case files have no module name, so they are checked by path
        if scripts and os.path.basename(plugin) not in HOST_FILES:  # a variant's are copies
            checks.append([mypy, "--no-error-summary", "--follow-imports=silent", *scripts])
        launchers = [os.path.join(plugin, "hooks", name) for name in ("run", "rules")]
        checks += [["sh", "-n", path] for path in launchers if os.path.exists(path)]
    return checks


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", default=os.path.expanduser("~/.cache/custom-skills-e2e"))
    try:
        programs = tools(parser.parse_args().cache)
    except (OSError, subprocess.CalledProcessError) as error:
        print("lint: cannot install %s: %s" % (" and ".join(PINS), error), file=sys.stderr)
        return 1
    failed = [c for c in commands(programs) if subprocess.run(c, cwd=REPO).returncode]
    for command in failed:
        print("lint: failed: " + " ".join(os.path.basename(part) for part in command))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
