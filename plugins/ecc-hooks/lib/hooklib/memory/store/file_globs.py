"""Find the globs that may mean a path without trying them all: each is filed under one key.

A key is a folder that the glob begins with, and the ending or the name that it asks for. A path has
few keys, however many globs there are.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection

_WILD = frozenset("*?[{")
_SPECIAL = _WILD.union("]},")
_DEEPEST = 24
_PER_KEY = 128  # globs that are tried


def normal(glob: str) -> str:
    """Return a glob as it is kept: from the project's top, with slashes."""
    text = glob.strip().replace("\\", "/")
    while text.startswith("./"):
        text = text[2:]
    return text


def key_of(glob: str) -> str:
    """Return the key that a glob is filed under; each path that it means has this key too."""
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
    """Return the keys under which the globs that mean path are filed."""
    parts = path.split("/")
    name = parts[-1]
    folders = ["/".join(parts[:n]) for n in range(min(len(parts), _DEEPEST))]
    found = ["=" + path, *("=" + folder for folder in folders if folder)]
    found += ["/" + part for part in parts[-_DEEPEST:] if part]
    endings = [_ending("*" + name[name.rindex(".") :])] if "." in name else []
    return [*found, *(folder + ending for folder in folders for ending in (*endings, "|"))]


def means(glob: str, path: str) -> bool:
    """Return whether glob means path, a folder above it, or its name; a broken glob means none."""
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


def filed(connection: Connection, path: str) -> list[int]:
    """Return the memories one of whose globs means path: important ones first, then new ones."""
    sql = "SELECT priority, memory, pattern FROM glob WHERE key = ? ORDER BY priority, memory DESC"
    rows: list[tuple[int, int, str]] = []
    for key in keys_of(path):
        rows += connection.execute(sql + " LIMIT %d" % _PER_KEY, (key,))
    rows.sort(key=lambda row: (row[0], -row[1]))
    return list(dict.fromkeys(memory for _, memory, glob in rows if means(glob, path)))


def _ending(name: str) -> str:
    """Return what a last segment asks for at least: `|.py` for `test_*.py`, `|` for anything."""
    dot = name.rfind(".")
    ending = name[dot:] if dot >= 0 else ""
    return "|" + (ending if _SPECIAL.isdisjoint(ending) else "")
