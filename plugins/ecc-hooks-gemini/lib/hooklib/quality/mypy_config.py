"""Read from a project's configuration of mypy whether it covers a file."""

from __future__ import annotations

import os

from hooklib.quality import config_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.quality.edited_file import Edited

OPTIONS = (
    "--no-error-summary --show-column-numbers --no-pretty --no-color-output --show-absolute-path"
    " --hide-error-context".split()
)
# in mypy's own order: the first of these that is about mypy counts
_FILES = (
    ("mypy.ini", "mypy"),
    (".mypy.ini", "mypy"),
    ("pyproject.toml", "tool.mypy"),
    ("setup.cfg", "mypy"),
)


def configuration(edited: Edited) -> tuple[str, bool]:
    """Return the nearest folder that configures mypy, or '', and whether it leaves the file out.

    mypy itself ignores `exclude` and `files` for a file on its command line.
    """
    for folder, names in edited.around:
        for name, table in _FILES:
            text = config_text.read(os.path.join(folder, name)) if name in names else ""
            if name.endswith("mypy.ini") and name in names or table in config_text.tables(text):
                return folder, _leaves_out(text, table, os.path.relpath(edited.path, folder))
    return "", False


def _leaves_out(text: str, table: str, path: str) -> bool:
    if "exclude" not in text and "files" not in text:
        return False
    path = path.replace(os.sep, "/")
    if table == "tool.mypy":
        excluded, included = (config_text.texts(text, table, key) for key in ("exclude", "files"))
    else:
        excluded, included = ([config_text.ini(text, table, key)] for key in ("exclude", "files"))
    listed = ",".join(included).split(",")
    places = [place.strip().rstrip("/") for place in listed if place.strip()]
    if places and not any(_is_below(path, place) for place in places):
        return True
    return any(_matches(pattern, path) for pattern in excluded if pattern.strip())


def _is_below(path: str, place: str) -> bool:
    if "*" in place or "?" in place:
        from hooklib.engine.regex.globs import path_glob

        return path_glob(place).match(path) or path_glob(place + "/**").match(path)
    return place in (".", path) or path.startswith(place + "/")


def _matches(text: str, path: str) -> bool:
    """Search with the library's own engine, as a project's pattern could hang `re`."""
    from hooklib.engine.regex import PatternError
    from hooklib.engine.regex.pattern import regex

    if text.lstrip().startswith("(?x)"):
        lines = (line.partition("#")[0] for line in text.replace("(?x)", "", 1).splitlines())
        text = "".join("".join(lines).split())
    try:
        return regex(text).search(path)
    except PatternError:
        return False
