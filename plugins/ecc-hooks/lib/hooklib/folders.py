"""Where this bundle keeps its files of a project: in its .claude, else in the user's folder."""

from __future__ import annotations

import os

from hooklib import files, paths


class Folder:
    """A folder of one project, made when it is first written to."""

    __slots__ = ("root", "path")

    ignored = b"*\n"  # its .gitignore

    def __init__(self, root: str, path: str) -> None:
        self.root = root
        self.path = path

    def make(self) -> None:
        """Make the folder, private to the user and of no interest to git."""
        path = os.path.join(self.path, ".gitignore")
        if os.path.exists(path):
            return
        files.make_private_dir(self.path)
        files.write_atomic(path, self.ignored)


def sandbox() -> str:
    """Return the folder in which `hookctl test` keeps copies of the real ones, mostly ''."""
    return os.environ.get("CUSTOM_SKILLS_REHEARSAL", "")


def real(root: str) -> str:
    return os.path.realpath(root) if root else ""


def relative(path: str, *roots: str) -> str:
    """Return a path from the first of some folders that it lies below, else as it is."""
    for root in roots:
        top = root.rstrip(os.sep) + os.sep
        if root and path.startswith(top):
            return path[len(top) :]
    return path


def of_project(root: str, what: str, inner: str = "") -> str:
    """Return where a project keeps something of this bundle: `sessions`, `memory`.

    A cloned repository may hold a link there, or at the inner folder: then it is kept elsewhere.
    """
    inside = _in_project(root, what)
    deepest = os.path.join(inside, inner) if inner else inside
    return inside if inside and os.path.realpath(deepest) == deepest else _outside(root, what)


def _in_project(root: str, what: str) -> str:
    """Return a repository's own folder; '' where there is none that can be written to.

    A cloned repository may hold a link `.claude/sessions`: nothing may be written or pruned there.
    """
    if not root or not os.path.exists(os.path.join(root, ".git")):
        return ""
    if root == os.path.realpath(os.path.expanduser("~")):  # its .claude is the host's own folder
        return ""
    folder = os.path.join(root, ".claude", what)
    if os.path.realpath(folder) != folder:
        return ""
    made = folder  # as much of it as is there
    while not os.path.exists(made):
        made = os.path.dirname(made)
    return folder if os.path.isdir(made) and os.access(made, os.W_OK | os.X_OK) else ""


def _outside(root: str, what: str) -> str:
    """A folder of our own: below the host's `sessions`, for one, whose files there are its own."""
    from binascii import crc32

    from hooklib.event import file_name

    name = file_name(paths.project_name(root)[:60])
    whose = "%s-%08x" % (name, crc32(os.fsencode(root)))  # others may have that name too
    return os.path.join(paths.config_dir(), what, whose)
