"""Where memories lie: those of a project in it, the user's own beside the host's configuration."""

from __future__ import annotations

import os

from hooklib import folders, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.event import Event

EXPORT = "memories.jsonl"


class Place(folders.Folder):
    """A folder with a database of memories, the records of sessions and the export."""

    __slots__ = ("scope",)

    ignored = b"*\n!%s\n" % EXPORT.encode("ascii")  # the export is made to be committed

    def __init__(self, scope: str, root: str, folder: str) -> None:
        self.scope = scope  # project or user: the first part of a memory's URI
        super().__init__(root, folder)

    @property
    def database(self) -> str:
        return os.path.join(self.path, "memory.db")

    @property
    def export(self) -> str:
        return os.path.join(self.path, EXPORT)

    @property
    def records(self) -> str:
        """The folder of the records of sessions that are not over, or not yet added up."""
        return os.path.join(self.path, "sessions")


def project(root: str) -> Place:
    real = folders.real(root)
    folder = _sandboxed("project") or folders.of_project(real, "memory", "sessions")
    return Place("project", real, folder)


def user() -> Place:
    folder = _sandboxed("user") or os.path.join(paths.config_dir(), "memory")
    return Place("user", "", folder)


def of(event: Event) -> Place:
    return project(event.project_root)


def folders_to_copy(root: str) -> dict[str, str]:
    """Return the folders that `hookctl test` copies, by their places in the copy."""
    scopes = (project(root), user())
    return {os.path.join("memory", each.scope): each.path for each in scopes}


def both(event: Event) -> tuple[Place, Place]:
    """Return where memories for an event may lie: the project's and the user's."""
    return of(event), user()


def any_there(event: Event) -> bool:
    """Return whether there is a database at all, without opening one."""
    return any(os.path.exists(place.database) for place in both(event))


def relative(place: Place, path: str, given_root: str = "") -> str:
    """Return a file's path from the project's top, with slashes; as it is where it lies outside."""
    path = folders.relative(path, given_root, place.root)
    return path.replace("\\", "/") if os.sep == "\\" else path


def _sandboxed(scope: str) -> str:
    """Return where `hookctl test` keeps its copy, mostly ''."""
    folder = folders.sandbox()
    return os.path.join(folder, "memory", scope) if folder else ""
