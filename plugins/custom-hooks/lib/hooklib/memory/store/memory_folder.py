"""Where memories lie: those of a project in it, the user's own beside the host's configuration."""

from __future__ import annotations

import os

from hooklib import files, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.event import Event

EXPORT = "memories.jsonl"
_IGNORED = b"*\n!%s\n" % EXPORT.encode("ascii")  # the export is made to be committed


class Place:
    """A folder with a database of memories, the records of sessions and the export."""

    __slots__ = ("scope", "root", "folder")

    def __init__(self, scope: str, root: str, folder: str) -> None:
        self.scope = scope  # project or user: the first part of a memory's URI
        self.root = root
        self.folder = folder

    @property
    def database(self) -> str:
        return os.path.join(self.folder, "memory.db")

    @property
    def export(self) -> str:
        return os.path.join(self.folder, EXPORT)

    @property
    def records(self) -> str:
        """The folder of the records of sessions that are not over, or not yet added up."""
        return os.path.join(self.folder, "sessions")

    def make(self) -> None:
        """Make the folder, private to the user and, but for the export, of no interest to git."""
        ignore = os.path.join(self.folder, ".gitignore")
        if os.path.exists(ignore):
            return
        files.make_private_dir(self.folder)
        files.write_atomic(ignore, _IGNORED)


def project(root: str) -> Place:
    from hooklib.sessions.state_folder import folder_of

    real = os.path.realpath(root) if root else ""
    return Place("project", real, _rehearsed("project") or folder_of(real, "memory", "sessions"))


def user() -> Place:
    folder = _rehearsed("user") or os.path.join(paths.config_dir(), "memory")
    return Place("user", "", folder)


def of(event: Event) -> Place:
    return project(event.project_root)


def both(event: Event) -> tuple[Place, Place]:
    """Return where memories for an event may lie: the project's and the user's."""
    return of(event), user()


def any_there(event: Event) -> bool:
    """Return whether there is a database at all, without opening one."""
    return any(os.path.exists(place.database) for place in both(event))


def relative(place: Place, path: str, given_root: str = "") -> str:
    """Return a file's path from the project's top, with slashes; as it is where it lies outside."""
    for root in (given_root, place.root):
        if root and path.startswith(root.rstrip(os.sep) + os.sep):
            path = path[len(root.rstrip(os.sep)) + 1 :]
            break
    return path.replace("\\", "/") if os.sep == "\\" else path


def _rehearsed(scope: str) -> str:
    """`hookctl test` works on a copy of what is there."""
    folder = os.environ.get("CUSTOM_SKILLS_REHEARSAL")
    return os.path.join(folder, "memory", scope) if folder else ""
