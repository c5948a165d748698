"""Where this bundle keeps a project's files: in its .claude folder, else in the user's."""

from __future__ import annotations

import os

from hooklib import files, paths


class Folder:
    """A folder of one project, created at the first write."""

    __slots__ = ("root", "path")

    ignored = b"*\n"  # its .gitignore

    def __init__(self, root: str, path: str) -> None:
        self.root = root
        self.path = path

    def make(self) -> None:
        """Create the folder, private to the user and ignored by git."""
        path = os.path.join(self.path, ".gitignore")
        if os.path.exists(path):
            return
        files.make_private_dir(self.path)
        files.write_atomic(path, self.ignored)


def sandbox() -> str:
    """Return the folder of copies in which `hookctl test` works, '' outside of it."""
    return os.environ.get("CUSTOM_SKILLS_REHEARSAL", "")


def real(root: str) -> str:
    return os.path.realpath(root) if root else ""


def relative(path: str, *roots: str) -> str:
    """Return path relative to the first of roots that contains it, else unchanged."""
    for root in roots:
        top = root.rstrip(os.sep) + os.sep
        if root and path.startswith(top):
            return path[len(top) :]
    return path


def of_project(root: str, topic: str, inner: str = "") -> str:
    """Return the folder for a project's `sessions` or `memory`.

    A cloned repository may hold a link there, or at the inner folder: then use one elsewhere.
    """
    inside = _in_project(root, topic)
    deepest = os.path.join(inside, inner) if inner else inside
    return inside if inside and os.path.realpath(deepest) == deepest else _outside(root, topic)


def _in_project(root: str, topic: str) -> str:
    """Return the folder inside the repository; '' if it is not ours to write to.

    A cloned repository may contain a link `.claude/sessions`: never write or prune behind it.
    """
    if not root or not os.path.exists(os.path.join(root, ".git")):
        return ""
    if root == os.path.realpath(os.path.expanduser("~")):  # its .claude is the host's own folder
        return ""
    folder = os.path.join(root, ".claude", topic)
    if os.path.realpath(folder) != folder:
        return ""
    existing = folder  # the innermost folder that exists
    while not os.path.exists(existing):
        existing = os.path.dirname(existing)
    return folder if os.path.isdir(existing) and os.access(existing, os.W_OK | os.X_OK) else ""


def _outside(root: str, topic: str) -> str:
    """Return a folder of our own below the host's `sessions` or the like, which has other files."""
    from binascii import crc32

    from hooklib.event import file_name

    name = file_name(paths.project_name(root)[:60])
    # another project may have the same name
    folder_name = "%s-%08x" % (name, crc32(os.fsencode(root)))
    return os.path.join(paths.config_dir(), topic, folder_name)
