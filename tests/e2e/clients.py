#!/usr/bin/env python3
"""Install the pinned clients of the end-to-end tests: `clients.py --cache DIR [PART ...]`."""

from __future__ import annotations

import argparse
import contextlib
import glob
import os
import shutil
import subprocess
import sys
import venv

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# part: (how, exact versions). Each part has a folder of its own: a new pin renews just that one.
PARTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "claude": ("npm", ("@anthropic-ai/claude-code@2.1.326",)),
    "gemini": ("npm", ("@google/gemini-cli@0.61.0",)),
    "opencode": ("npm", ("opencode-ai@1.18.33",)),
    "sdk": ("venv", ("claude-agent-sdk==0.2.183", "setuptools==80.9.0")),
    # what a project of the user's has in its .venv and node_modules
    "python-tools": ("venv", ("ruff==0.17.5", "black==26.10.1", "mypy==1.19.1")),
    "node-tools": ("npm", ("prettier@3.10.1", "typescript@5.9.3")),
}
DEFAULT_CACHE = os.path.join("~", ".cache", "custom-skills-e2e")
STAMP = "pins.txt"
SECONDS = 900


class MissingError(Exception):
    """Something that the tests need is not here; the text says what and how to get it."""


def cache_dir() -> str:
    """Return the cache that the tests use: CUSTOM_SKILLS_E2E, else the default."""
    return os.path.abspath(os.path.expanduser(os.environ.get("CUSTOM_SKILLS_E2E") or DEFAULT_CACHE))


def claude_bin(cache: str) -> str:
    """Return Claude Code's own program; npm installs the package of this platform only."""
    folder = os.path.join(glob.escape(cache), "claude", "node_modules", "@anthropic-ai")
    for name in ("claude", "claude.exe"):
        for path in sorted(glob.glob(os.path.join(folder, "claude-code-*", name))):
            if os.access(path, os.X_OK):
                return path
    raise MissingError("no Claude Code in %s: run `make e2e`, which installs it" % cache)


def gemini_js(cache: str) -> str:
    """Return Gemini CLI's program, for node."""
    path = os.path.join(cache, "gemini", "node_modules", "@google", "gemini-cli", "bundle")
    path = os.path.join(path, "gemini.js")
    if os.path.isfile(path):
        return path
    raise MissingError("no Gemini CLI in %s: run `make e2e`, which installs it" % cache)


def node() -> str:
    """Return the node that Gemini CLI is run with: the machine's, whichever npm runs with."""
    found = shutil.which("node")
    if found:
        return found
    raise MissingError("node is missing: install Node.js 22 or newer")


def opencode_bin(cache: str) -> str:
    """Return OpenCode's own program; npm brings one for older processors too."""
    folder = os.path.join(glob.escape(cache), "opencode", "node_modules")
    for name in ("opencode", "opencode.exe"):
        for path in sorted(glob.glob(os.path.join(folder, "opencode-*", "bin", name))):
            if os.access(path, os.X_OK):
                return path
    raise MissingError("no OpenCode in %s: run `make e2e`, which installs it" % cache)


def install(cache: str, part: str) -> bool:
    """Bring one part up to its pins; False where it already was."""
    kind, pins = PARTS[part]
    folder = os.path.join(cache, part)
    wanted = "\n".join((kind, *pins)) + "\n"
    os.makedirs(cache, exist_ok=True)
    with _lock(folder + ".lock"):
        if _stamp(folder) == wanted:
            return False
        shutil.rmtree(folder, ignore_errors=True)  # another version, or half an install
        INSTALLERS[kind](folder, pins)
        with open(os.path.join(folder, STAMP), "w", encoding="utf-8") as file:
            file.write(wanted)  # last: without it the next run starts anew
    return True


def _npm(folder: str, pins: tuple[str, ...]) -> None:
    npm = shutil.which("npm")
    if not npm:
        raise MissingError("npm is missing: install Node.js 22 or newer, which brings it")
    os.makedirs(folder)
    with open(os.path.join(folder, "package.json"), "w", encoding="utf-8") as file:
        file.write('{"private": true}\n')  # without one npm installs into a folder further up
    options = ["--save-exact", "--no-audit", "--no-fund", "--loglevel=error"]
    _run([npm, "install", *options, *pins], folder)


def _venv(folder: str, pins: tuple[str, ...]) -> None:
    try:
        venv.create(folder, with_pip=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise MissingError(
            "no virtual environment (%s): install Python's venv module, a package of its own on "
            "some systems (python3-venv)" % error
        ) from error
    python = os.path.join(folder, "Scripts" if os.name == "nt" else "bin", "python")
    _run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *pins], folder)


INSTALLERS = {"npm": _npm, "venv": _venv}


def _run(command: list[str], folder: str) -> None:
    tool = os.path.basename(command[0])
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise MissingError(
            "%s did not finish within %d s: is there a network?" % (tool, SECONDS)
        ) from error
    if done.returncode:
        raise MissingError(
            "%s failed with %d. It needs the network, or a mirror in its own configuration. "
            "It said:\n%s" % (tool, done.returncode, done.stdout[-2000:].strip())
        )


def _stamp(folder: str) -> str:
    try:
        with open(os.path.join(folder, STAMP), encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""


@contextlib.contextmanager
def _lock(path: str) -> Iterator[None]:
    """Let one process at a time install a part; the others wait and then find it done."""
    with open(path, "w", encoding="utf-8") as file:
        try:
            import fcntl
        except ImportError:  # Windows: no such lock, and nobody runs two there
            pass
        else:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", default=cache_dir(), help="default: %(default)s")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    args = parser.parse_args()
    unknown = [part for part in args.parts if part not in PARTS]
    if unknown:
        parser.error("unknown part: " + ", ".join(unknown))
    cache = os.path.abspath(os.path.expanduser(args.cache))
    try:
        for part in args.parts or PARTS:
            done = "installed" if install(cache, part) else "already there"
            print("%s: %s %s" % (part, " ".join(PARTS[part][1]), done))
    except (MissingError, OSError) as error:
        print("clients.py: cannot install %s: %s" % (part, error), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
