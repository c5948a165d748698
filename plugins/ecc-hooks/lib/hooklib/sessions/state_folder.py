"""The folder that holds the states of a project's sessions."""

from __future__ import annotations

import os

from hooklib import files, folders

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.event import Event


class StateFolder(folders.Folder):
    """The sessions folder of one project."""

    __slots__ = ("given_root",)

    def __init__(self, root: str) -> None:
        self.given_root = root  # before links in it are resolved
        real = folders.real(root)
        super().__init__(real, folders.sandbox() or folders.of_project(real, "sessions"))

    def file_of(self, name: str) -> str:
        """Return the path of a session's state, by its key, or of another JSON file beside it."""
        return os.path.join(self.path, name + ".json")

    def lock(self, seconds: float = files.LOCK_SECONDS) -> files.Lock:
        """Return the one lock of the whole folder; each holder needs it for milliseconds."""
        return files.Lock(os.path.join(self.path, ".lock"), seconds)

    def relative(self, path: str) -> str:
        """Return path relative to the project's root, or unchanged if it is outside."""
        return folders.relative(path, self.given_root, self.root)


def for_event(event: Event) -> StateFolder:
    return StateFolder(event.project_root)


def folders_to_copy(root: str) -> dict[str, str]:
    """Return the folders that `hookctl test` copies, keyed by their place in the copy."""
    return {"": StateFolder(root).path}
