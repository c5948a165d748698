"""Where a session's state lies: in its project, or in the user's folder where there is none."""

from __future__ import annotations

import os

from hooklib import files, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.event import Event


class Place:
    """The sessions folder of one project."""

    __slots__ = ("given", "root", "folder")

    def __init__(self, root: str) -> None:
        self.given = root
        self.root = os.path.realpath(root) if root else ""
        rehearsed = os.environ.get("CUSTOM_SKILLS_REHEARSAL")  # hookctl test: no real state
        self.folder = rehearsed or folder_of(self.root, "sessions")

    def path(self, key: str) -> str:
        return os.path.join(self.folder, key + ".json")

    @property
    def lock(self) -> files.Lock:
        """One lock for the whole folder: it is held for milliseconds."""
        return files.Lock(os.path.join(self.folder, ".lock"))

    def make(self) -> None:
        """Make the folder, private to the user and of no interest to git."""
        if os.path.exists(os.path.join(self.folder, ".gitignore")):
            return
        files.make_private_dir(self.folder)
        files.write_atomic(os.path.join(self.folder, ".gitignore"), b"*\n")

    def relative(self, path: str) -> str:
        """Return path from the project's top where it lies below it."""
        for root in (self.given, self.root):
            if root and path.startswith(root + os.sep):
                return path[len(root) + 1 :]
        return path


def of(event: Event) -> Place:
    return Place(event.project_root)


def folder_of(root: str, what: str, inner: str = "") -> str:
    """Return where a project keeps something of this bundle: `sessions`, `memory`.

    A cloned repository may hold a link there, or at the inner folder: then it is kept elsewhere.
    """
    inside = _in_project(root, what)
    real = os.path.join(inside, inner) if inner else inside
    return inside if inside and os.path.realpath(real) == real else _outside(root, what)


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
