"""Return the topics of all layers as lines, from a cache where the indexes are large.

Parsing 10,000 categories takes longer than all the rest of an event. The resulting lines are
cached in the plugin's data folder, most used first, until an index or its folder changes.
"""

from __future__ import annotations

import os
import time

from hooklib import files, paths
from hooklib.knowledge.index import FIELD, UNREADABLE, index_folders, merge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.knowledge.index import IndexFolder
    from hooklib.knowledge.note_folders import Kind

LARGE = 64_000  # bytes of indexes: smaller ones are read quickly enough without a cache
MAX_CACHE = 4_000_000  # bytes of lines: 25,000 categories
_MAX_HEADER = 20_000  # bytes: more than the first line of a cache file ever has
_SETTLE_SECONDS = 2.0  # a file may change twice within one tick of its timestamp


def topics(
    start: str, root: str, kind: Kind, limit: int = MAX_CACHE
) -> tuple[int, list[str], list[tuple[IndexFolder, str]]]:
    """Return the number of topics, their lines, and the folders whose index has a problem.

    For large indexes the lines may be only the first ones, those that fit into limit bytes.
    """
    folders = index_folders(start, root, kind)
    if not folders:
        return 0, [], []
    if sum(folder.size for folder in folders) < LARGE:
        lines, problems = merge(folders, kind)
        return len(lines), lines, problems
    stamp = "; ".join(folder.stamp for folder in folders)
    path = os.path.join(_cache_folder(), "%016x.%s" % (_hash(folders), kind.folder))
    cached = _read_cache(path, stamp, limit)
    if cached is not None:
        total, lines, texts = cached
        return total, lines, [(folder, text) for folder, text in zip(folders, texts) if text]
    lines, problems = merge(folders, kind)
    total, lines = len(lines), _first_lines(lines, MAX_CACHE)
    texts = [dict(problems).get(folder, "") for folder in folders]
    if _is_settled(folders) and not any(text.startswith(UNREADABLE) for text in texts):
        _write_cache(path, ["\t".join((stamp, str(total), FIELD.join(texts))), *lines, ""])
    return total, lines, problems


def _cache_folder() -> str:
    return os.path.join(paths.data_dir(), "knowledge")


def _hash(folders: list[IndexFolder]) -> int:
    """Return a 64-bit hash of the paths (FNV-1a); importing hashlib would cost too much."""
    number = 0xCBF29CE484222325
    for byte in "\n".join(folder.path for folder in folders).encode("utf-8", "replace"):
        number = ((number ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return number


def _read_cache(path: str, stamp: str, limit: int) -> tuple[int, list[str], list[str]] | None:
    """Return the cached number, lines and problems, or None without a cache that is up to date."""
    try:
        text = files.read_head(path, limit + _MAX_HEADER).decode("utf-8", "ignore")
    except OSError:
        return None
    header, _, rest = text.partition("\n")
    cached_stamp, _, counts_and_problems = header.partition("\t")
    total, _, problems = counts_and_problems.partition("\t")
    if cached_stamp != stamp or not total.isdigit():
        return None
    return int(total), rest.split("\n")[:-1], problems.split(FIELD)  # the last line is cut or empty


def _first_lines(lines: list[str], limit: int) -> list[str]:
    """Return the first lines, as many as fit into limit bytes."""
    for number, line in enumerate(lines):
        limit -= len(line.encode("utf-8", "replace")) + 1
        if limit < 0:
            return lines[:number]
    return lines


def _write_cache(path: str, lines: list[str]) -> None:
    from hooklib import state

    try:
        files.make_private_dir(_cache_folder())
        files.write_atomic(path, "\n".join(lines).encode("utf-8"))
        state.remove_old(_cache_folder())
    except (OSError, UnicodeError):  # without the cache the next event is only slower
        pass


def _is_settled(folders: list[IndexFolder]) -> bool:
    now = time.time()
    for folder in folders:
        for path in (folder.index, folder.path):
            try:
                if now - os.stat(path).st_mtime < _SETTLE_SECONDS:
                    return False
            except OSError:
                return False
    return True
