"""Read the branch and commit from git's files: a git process costs more than a whole event."""

from __future__ import annotations

import os

from hooklib import files

_LIMIT = 4096
_PACKED = 4_000_000


def branch(root: str) -> str:
    """Return the branch's name, `detached at <commit>`, or '' outside git."""
    head = _read(os.path.join(_git_dir(root), "HEAD"))
    if head.startswith("ref:"):
        name = head[4:].strip()
        return name[len("refs/heads/") :] if name.startswith("refs/heads/") else name
    return "detached at " + head[:10] if head else ""


def commit(root: str) -> str:
    """Return the commit that is checked out, or '' if git's files do not hold it."""
    folder = _git_dir(root)
    head = _read(os.path.join(folder, "HEAD"))
    if not head.startswith("ref:"):
        return _commit(head)
    name = head[4:].strip()
    common = os.path.normpath(os.path.join(folder, _read(os.path.join(folder, "commondir"))))
    if not name.startswith("refs/") or ".." in name:
        return ""
    return _commit(_read(os.path.join(common, *name.split("/")))) or _packed(common, name)


def _git_dir(root: str) -> str:
    """Return the folder that holds HEAD; a linked worktree's .git is a file that names it."""
    path = os.path.join(root, ".git")
    pointer = _read(path)
    if pointer.startswith("gitdir:"):
        return os.path.normpath(os.path.join(root, pointer[len("gitdir:") :].strip()))
    return path


def _packed(common: str, name: str) -> str:
    try:
        data = files.read_bounded(os.path.join(common, "packed-refs"), _PACKED)
    except OSError:
        return ""
    for line in data.split(b"\n"):
        if line.endswith(b" " + os.fsencode(name)):
            return _commit(line[:64].partition(b" ")[0].decode("ascii", "replace"))
    return ""


def _commit(text: str) -> str:
    is_hash = 40 <= len(text) <= 64 and all(char in "0123456789abcdef" for char in text)
    return text if is_hash else ""


def _read(path: str) -> str:
    try:
        return files.read_bounded(path, _LIMIT).decode("utf-8", "replace").strip()
    except OSError:
        return ""
