"""Which package manager a JavaScript project uses, and what says so."""

from __future__ import annotations

import os

from hooklib import checked, paths, state
from hooklib.config import PACKAGE_MANAGERS

_MANIFEST, _CHOICE = "package.json", "package-manager.json"
_LOCKS = (
    ("pnpm-lock.yaml", "pnpm"),
    ("bun.lockb", "bun"),
    ("bun.lock", "bun"),
    ("yarn.lock", "yarn"),
    ("package-lock.json", "npm"),
    ("npm-shrinkwrap.json", "npm"),
)


def detect(folders: list[str]) -> tuple[str, str]:
    """Return (manager, what says so) for nested folders, the innermost first; ('', '') for none.

    A part of a larger project is told of by the whole: its lock file lies at the top.
    """
    name = _known(os.environ.get("CLAUDE_PACKAGE_MANAGER"))
    if name:
        return name, "CLAUDE_PACKAGE_MANAGER"
    for folder in folders:
        name, source = _projects(folder)
        if name:
            return name, source
    there = any(os.path.isfile(os.path.join(folder, _MANIFEST)) for folder in folders)
    return _users() if there else ("", "")


def _projects(folder: str) -> tuple[str, str]:
    """Return what a folder's own files say."""
    name = _chosen(os.path.join(folder, ".claude", _CHOICE))
    if name:
        return name, ".claude/" + _CHOICE
    name = _declared(os.path.join(folder, _MANIFEST))
    if name:
        return name, "packageManager in package.json"
    for lock, name in _LOCKS:
        if os.path.isfile(os.path.join(folder, lock)):
            return name, lock
    return "", ""


def _users() -> tuple[str, str]:
    """Return what the user chose, else what is installed."""
    name = _chosen(os.path.join(paths.config_dir(), _CHOICE))
    if name:
        return name, "your package-manager.json"
    for name in PACKAGE_MANAGERS:
        if _on_path(name):
            return name, "PATH"
    return "", ""


def _chosen(path: str) -> str:
    value = state.read_json(path) if os.path.exists(path) else None
    return _known(checked.mapping(value).get("packageManager"))


def _declared(manifest: str) -> str:
    """Return the name in "packageManager": "pnpm@9.1.0"."""
    value = state.read_json(manifest) if os.path.exists(manifest) else None
    return _known(checked.text(checked.mapping(value).get("packageManager")).partition("@")[0])


def _known(name: object) -> str:
    name = checked.text(name).strip().lower()
    return name if name in PACKAGE_MANAGERS else ""


def _on_path(name: str) -> bool:
    endings = ("", ".cmd", ".exe") if os.name == "nt" else ("",)
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return any(
        os.access(os.path.join(folder, name + ending), os.X_OK)
        for folder in folders
        if folder
        for ending in endings
    )
