"""Where the states of a project's sessions lie."""

from __future__ import annotations

import os

from hooklib import files, folders

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.event import Event


class Place(folders.Folder):
    """The sessions folder of one project."""

    __slots__ = ("given",)

    def __init__(self, root: str) -> None:
        self.given = root
        real = folders.real(root)
        super().__init__(real, folders.sandbox() or folders.of_project(real, "sessions"))

    def path(self, key: str) -> str:
        return os.path.join(self.folder, key + ".json")

    def lock(self, seconds: float = files.LOCK_SECONDS) -> files.Lock:
        """One lock for the whole folder: it is held for milliseconds."""
        return files.Lock(os.path.join(self.folder, ".lock"), seconds)

    def relative(self, path: str) -> str:
        """Return path from the project's top where it lies below it."""
        return folders.relative(path, self.given, self.root)


def of(event: Event) -> Place:
    return Place(event.project_root)


def kept(root: str) -> dict[str, str]:
    """Return the folder that `hookctl test` copies, by its place in the copy."""
    return {"": Place(root).folder}
