"""Check the machine: interpreter, launchers, data folders, copies of the library."""

from __future__ import annotations

import os
import shutil
import sys

from hooklib import files, jsonio, paths, process
from hooklib.cli import plugins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from hooklib.cli.overview import Setup

    Check = tuple[str, str, str]

_SHARED = ("lib", os.path.join("hooks", "run"), os.path.join("bin", "hookctl"))


def interpreter(setup: Setup) -> Iterator[Check]:
    yield "ok", "Python %d.%d.%d at %s" % (*sys.version_info[:3], sys.executable), ""
    program = shutil.which("python3")
    if program and _is_shim(program):
        yield "ok", "%s is a version manager's shim: hooks do not use it" % program, ""
    elif not program:
        yield "ok", "no python3 on PATH: hooks use the one above", ""


def _is_shim(path: str) -> bool:
    """Return whether a program is a script: a shim that starts the real program."""
    try:
        with open(path, "rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return False


def launchers(setup: Setup) -> Iterator[Check]:
    for plugin in setup.plugins:
        run = os.path.join(plugin.root, "hooks", "run")
        if not os.path.isfile(run):
            yield "fail", run + " is missing", _reinstall(plugin.name)
            continue
        done = process.run(["sh", run, "--hookctl", "--version"], timeout=20)
        if done.code != 0:
            error = done.stderr.decode("utf-8", "replace").strip()[-300:]
            yield "fail", "%s does not start: %s" % (run, error), _reinstall(plugin.name)
        elif os.name != "nt" and not os.access(run, os.X_OK):
            yield "warn", run + " is not executable", "chmod +x " + run
        else:
            yield "ok", run + " starts", ""


def _reinstall(plugin: str) -> str:
    return "claude plugin install %s@%s" % (plugin, paths.MARKETPLACE)


def data_folders(setup: Setup) -> Iterator[Check]:
    for folder in plugins.data_folders(setup.plugins):
        top = folder
        while top and not os.path.lexists(top) and os.path.dirname(top) != top:
            top = os.path.dirname(top)
        if os.path.isdir(top) and os.access(top, os.W_OK | os.X_OK):
            yield "ok", "data folder %s is writable" % folder, ""
        else:
            what = "data folder %s cannot be written" % folder
            yield "fail", what, "make %s a writable folder" % top


def copies(setup: Setup) -> Iterator[Check]:
    """Compare the files that plugins share: a difference means that one plugin is out of date."""
    if len(setup.plugins) < 2:
        return
    contents: dict[str, set[str]] = {}
    for plugin in setup.plugins:
        for path, digest in _digests(plugin.root):
            contents.setdefault(path, set()).add(digest)
    if all(len(digests) == 1 for digests in contents.values()):
        yield "ok", "the library is the same in all %d plugins" % len(setup.plugins), ""
        return
    versions = ", ".join("%s %s" % (p.name, p.version) for p in setup.plugins)
    remedy = "update all plugins, or `make sync` in a clone"
    yield "warn", "the library differs between the plugins: " + versions, remedy


def _digests(root: str) -> Iterator[tuple[str, str]]:
    """Yield each shared file of a plugin, relative to its root, with a digest of its content."""
    import hashlib

    for part in _SHARED:
        top = os.path.join(root, part)
        found = [top] if os.path.isfile(top) else []
        for folder, folders, names in os.walk(top):
            folders[:] = [name for name in folders if name != "__pycache__"]
            found += [os.path.join(folder, name) for name in names]
        for path in found:
            try:
                digest = hashlib.sha256(files.read_bounded(path, 10_000_000)).hexdigest()
            except OSError:
                digest = "unreadable"
            yield os.path.relpath(path, root), digest


def read_json(path: str) -> tuple[str, dict[str, Any]]:
    """Return (what is wrong with the file or '', the JSON object in it)."""
    try:
        data = jsonio.loads(files.read_bounded(path, 4_000_000))
    except OSError as error:
        return error.strerror or str(error), {}
    except (ValueError, RecursionError) as error:
        return str(error), {}
    return ("", data) if isinstance(data, dict) else ("not a JSON object", {})
