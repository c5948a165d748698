"""Where knowledge is: the user's and the project's auto-skill folders, and what may be in them."""

from __future__ import annotations

import os
import stat

from hooklib import paths

INDEX = "_index.json"


class Kind:
    """One of the two collections: its folder, its list in the index, the name of an id there."""

    __slots__ = ("folder", "list", "id", "prefix")

    def __init__(self, folder: str, list: str, id: str, prefix: str) -> None:
        self.folder = folder
        self.list = list
        self.id = id
        self.prefix = prefix  # of a file's name before the id


KNOWLEDGE = Kind("knowledge-base", "categories", "id", "")
EXPERIENCE = Kind("experience", "skills", "skillId", "skill-")
KINDS = (KNOWLEDGE, EXPERIENCE)


def roots(start: str, root: str) -> list[tuple[str, str]]:
    """Return (layer, folder) for each place that may hold knowledge, the user's first.

    Where the session was started below the top of the repository, both folders count.
    """
    found = [("user", os.path.join(paths.config_dir(), "skills", "auto-skill"))]
    for project in (root,) if start == root else (root, start):
        if project:
            found.append(("project", os.path.join(project, "skills", "auto-skill")))
            found.append(("project", os.path.join(project, ".claude", "skills", "auto-skill")))
    return found


def is_plain(file: str) -> bool:
    """Tell whether a name from an index is a relative path to a note that stays in its folder."""
    return (
        0 < len(file) <= 200
        and file.isprintable()
        and "\\" not in file
        and not (os.name == "nt" and ":" in file)
        and not any(part in ("", ".", "..") for part in file.split("/"))
        and not file.lower().endswith(INDEX)
    )


def is_inside(folder: str, file: str) -> bool:
    """Tell whether file is a regular file in folder, with no link on the way that leads out."""
    path = folder
    mode = 0
    for part in file.split("/"):
        path = os.path.join(path, part)
        try:
            mode = os.lstat(path).st_mode
        except (OSError, ValueError):
            return False
        if stat.S_ISLNK(mode):
            whole = os.path.join(folder, *file.split("/"))
            return os.path.isfile(whole) and can_be_inside(folder, file)
    return stat.S_ISREG(mode)


def can_be_inside(folder: str, file: str) -> bool:
    """Tell whether file is, or could be made, a regular file in folder, wherever links lead."""
    path = os.path.join(folder, *file.split("/"))
    top = os.path.realpath(folder).rstrip(os.sep) + os.sep
    inside = os.path.realpath(path).startswith(top)
    return inside and (os.path.isfile(path) or not os.path.lexists(path))
