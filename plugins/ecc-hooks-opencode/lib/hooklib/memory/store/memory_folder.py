"""The folders of memories: one in each project, and the user's beside the host's configuration."""

from __future__ import annotations

import os

from hooklib import folders, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.event import Event

EXPORT = "memories.jsonl"


class MemoryFolder(folders.Folder):
    """A folder with a database of memories, the journals of sessions and the export."""

    __slots__ = ("scope",)

    ignored = b"*\n!%s\n" % EXPORT.encode("ascii")  # the export is made to be committed

    def __init__(self, scope: str, root: str, path: str) -> None:
        self.scope = scope  # project or user: the first part of a memory's URI
        super().__init__(root, path)

    @property
    def database(self) -> str:
        return os.path.join(self.path, "memory.db")

    @property
    def export(self) -> str:
        return os.path.join(self.path, EXPORT)

    @property
    def journals(self) -> str:
        """The folder of the journals of the latest sessions."""
        return os.path.join(self.path, "sessions")


def project(root: str) -> MemoryFolder:
    real = folders.real(root)
    path = _sandboxed("project") or folders.of_project(real, "memory", "sessions")
    return MemoryFolder("project", real, path)


def user() -> MemoryFolder:
    path = _sandboxed("user") or os.path.join(paths.config_dir(), "memory")
    return MemoryFolder("user", "", path)


def for_event(event: Event) -> MemoryFolder:
    return project(event.project_root)


def folders_to_copy(root: str) -> dict[str, str]:
    """Return the folders that `hookctl test` copies, keyed by their place in the copy."""
    both = (project(root), user())
    return {os.path.join("memory", folder.scope): folder.path for folder in both}


def for_project_and_user(event: Event) -> tuple[MemoryFolder, MemoryFolder]:
    """Return the two folders with memories for an event: the project's and the user's."""
    return for_event(event), user()


def any_database(event: Event) -> bool:
    """Return whether a database exists, without opening it."""
    return any(os.path.exists(folder.database) for folder in for_project_and_user(event))


def relative(folder: MemoryFolder, path: str, alias_root: str = "") -> str:
    """Return path relative to the project's root, with slashes, or unchanged if it is outside."""
    path = folders.relative(path, alias_root, folder.root)
    return path.replace("\\", "/") if os.sep == "\\" else path


def _sandboxed(scope: str) -> str:
    """Return the copy that `hookctl test` made, usually ''."""
    folder = folders.sandbox()
    return os.path.join(folder, "memory", scope) if folder else ""
