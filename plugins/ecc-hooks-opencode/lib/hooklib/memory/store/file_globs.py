"""Find the globs that may match a path without trying them all: each is stored under one key.

A key is the folder that the glob begins with and the ending or name that it asks for. A path has
few keys, however many globs there are.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection

_WILD = frozenset("*?[{")
_SPECIAL = _WILD.union("]},")
_DEEPEST = 24
_PER_KEY = 128  # globs to try


def normalised(glob: str) -> str:
    """Return a glob as it is stored: relative to the project's root, with slashes."""
    text = glob.strip().replace("\\", "/")
    while text.startswith("./"):
        text = text[2:]
    return text


def key_of(glob: str) -> str:
    """Return the key of a glob; each path that it matches has this key too."""
    segments = glob.rstrip("/").split("/")
    fixed = 0
    while fixed < len(segments) - 1 and _WILD.isdisjoint(segments[fixed]):
        fixed += 1
    last = segments[-1]
    folder = "/".join(segments[:fixed])
    if fixed == len(segments) - 1 and _WILD.isdisjoint(last):
        return "=" + "/".join(segments) if fixed else "/" + last  # a path, or a name in any folder
    if "/" not in glob.rstrip("/"):
        folder = ""
    return folder + _ending(last)


def keys_of(path: str) -> list[str]:
    """Return the keys of the globs that may match path."""
    parts = path.split("/")
    name = parts[-1]
    folders = ["/".join(parts[:n]) for n in range(min(len(parts), _DEEPEST))]
    keys = ["=" + path, *("=" + folder for folder in folders if folder)]
    keys += ["/" + part for part in parts[-_DEEPEST:] if part]
    endings = [_ending("*" + name[name.rindex(".") :])] if "." in name else []
    return [*keys, *(folder + ending for folder in folders for ending in (*endings, "|"))]


def matches(glob: str, path: str) -> bool:
    """Return whether glob matches path, a folder above it or its name; a broken glob never does."""
    from hooklib.engine.regex import PatternError
    from hooklib.engine.regex.globs import path_glob

    glob = glob.rstrip("/")
    if _WILD.isdisjoint(glob):
        if "/" in glob:
            return path == glob or path.startswith(glob + "/")
        return glob in path.split("/")
    try:
        return path_glob(glob).match(path)
    except PatternError:
        return False


def memory_ids(connection: Connection, path: str) -> list[int]:
    """Return the ids of the memories with a glob that matches path, by priority, newest first."""
    sql = "SELECT priority, memory, pattern FROM glob WHERE key = ? ORDER BY priority, memory DESC"
    rows: list[tuple[int, int, str]] = []
    for key in keys_of(path):
        rows += connection.execute(sql + " LIMIT %d" % _PER_KEY, (key,))
    rows.sort(key=lambda row: (row[0], -row[1]))
    return list(dict.fromkeys(memory for _, memory, glob in rows if matches(glob, path)))


def _ending(name: str) -> str:
    """Return the ending that a last segment requires: `|.py` for `test_*.py`, `|` for any."""
    dot = name.rfind(".")
    ending = name[dot:] if dot >= 0 else ""
    return "|" + (ending if _SPECIAL.isdisjoint(ending) else "")
