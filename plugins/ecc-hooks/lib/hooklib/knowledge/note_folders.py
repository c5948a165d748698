"""The user's and the project's auto-skill folders, and which files in them count as notes."""

from __future__ import annotations

import os
import stat

from hooklib import paths

INDEX = "_index.json"


class Kind:
    """One of the two collections: its folder, and its keys in an index."""

    __slots__ = ("folder", "list_key", "id_key", "file_prefix")

    def __init__(self, folder: str, list_key: str, id_key: str, file_prefix: str) -> None:
        self.folder = folder
        self.list_key = list_key
        self.id_key = id_key
        self.file_prefix = file_prefix  # a file is named prefix + id + ".md"


KNOWLEDGE = Kind("knowledge-base", "categories", "id", "")
EXPERIENCE = Kind("experience", "skills", "skillId", "skill-")
KINDS = (KNOWLEDGE, EXPERIENCE)


def layer_folders(start: str, root: str) -> list[tuple[str, str]]:
    """Return (layer, folder) for each folder that may hold knowledge, the user's first.

    If the session was started below the top of the repository, both directories are searched.
    """
    folders = [("user", os.path.join(paths.config_dir(), "skills", "auto-skill"))]
    for project in (root,) if start == root else (root, start):
        if project:
            folders.append(("project", os.path.join(project, "skills", "auto-skill")))
            folders.append(("project", os.path.join(project, ".claude", "skills", "auto-skill")))
    return folders


def is_plain(file: str) -> bool:
    """Return whether a name from an index is a relative path that stays inside its folder."""
    return (
        0 < len(file) <= 200
        and file.isprintable()
        and "\\" not in file
        and not (os.name == "nt" and ":" in file)
        and not any(part in ("", ".", "..") for part in file.split("/"))
        and not file.lower().endswith(INDEX)
    )


def is_inside(folder: str, file: str) -> bool:
    """Return whether file is a regular file in folder and no symbolic link leads out of it."""
    path = folder
    mode = 0
    for part in file.split("/"):
        path = os.path.join(path, part)
        try:
            mode = os.lstat(path).st_mode
        except (OSError, ValueError):
            return False
        if stat.S_ISLNK(mode):
            full_path = os.path.join(folder, *file.split("/"))
            return os.path.isfile(full_path) and can_be_inside(folder, file)
    return stat.S_ISREG(mode)


def can_be_inside(folder: str, file: str) -> bool:
    """Return whether file is, or could be created as, a regular file in folder after any links."""
    path = os.path.join(folder, *file.split("/"))
    top = os.path.realpath(folder).rstrip(os.sep) + os.sep
    inside = os.path.realpath(path).startswith(top)
    return inside and (os.path.isfile(path) or not os.path.lexists(path))
