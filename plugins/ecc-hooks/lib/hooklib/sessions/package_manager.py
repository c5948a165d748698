"""Find the package manager of a JavaScript project, and where it is named."""

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
    """Return the package manager of nested folders, innermost first, and its source; or ('', '').

    The lock file of a workspace lies in its outermost folder.
    """
    name = _supported(os.environ.get("CLAUDE_PACKAGE_MANAGER"))
    if name:
        return name, "CLAUDE_PACKAGE_MANAGER"
    for folder in folders:
        name, source = _from_project(folder)
        if name:
            return name, source
    has_manifest = any(os.path.isfile(os.path.join(folder, _MANIFEST)) for folder in folders)
    return _from_user() if has_manifest else ("", "")


def _from_project(folder: str) -> tuple[str, str]:
    """Return the manager and source that a folder's own files name."""
    name = _read_choice(os.path.join(folder, ".claude", _CHOICE))
    if name:
        return name, ".claude/" + _CHOICE
    name = _read_manifest(os.path.join(folder, _MANIFEST))
    if name:
        return name, "packageManager in package.json"
    for lock, name in _LOCKS:
        if os.path.isfile(os.path.join(folder, lock)):
            return name, lock
    return "", ""


def _from_user() -> tuple[str, str]:
    """Return the user's choice and its source, else an installed manager."""
    name = _read_choice(os.path.join(paths.config_dir(), _CHOICE))
    if name:
        return name, "your package-manager.json"
    for name in PACKAGE_MANAGERS:
        if _on_path(name):
            return name, "PATH"
    return "", ""


def _read_choice(path: str) -> str:
    value = state.read_json(path) if os.path.exists(path) else None
    return _supported(checked.mapping(value).get("packageManager"))


def _read_manifest(manifest: str) -> str:
    """Return the name in "packageManager": "pnpm@9.1.0"."""
    value = state.read_json(manifest) if os.path.exists(manifest) else None
    return _supported(checked.text(checked.mapping(value).get("packageManager")).partition("@")[0])


def _supported(name: object) -> str:
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
