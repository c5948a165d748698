"""The topics of all layers, as lines; those of large indexes are kept, so that they cost once.

To parse 10,000 categories takes longer than all the rest of an event. What came of it is kept in
the plugin's data folder, most used first, until an index or its folder changes.
"""

from __future__ import annotations

import os
import time

from hooklib import files, paths
from hooklib.knowledge.index import FIELD, UNREADABLE, merge, places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.knowledge.index import Place
    from hooklib.knowledge.note_folders import Kind

LARGE = 64_000  # bytes of indexes: below that, reading them is quick enough
KEPT = 4_000_000  # bytes of lines: 25,000 categories
_HEAD = 20_000  # bytes for the line above them, which is shorter
_SETTLED = 2.0  # seconds: a file may change twice within one tick of its clock


def topics(
    start: str, root: str, kind: Kind, limit: int = KEPT
) -> tuple[int, list[str], list[tuple[Place, str]]]:
    """Return how many topics there are, their lines and the problems of indexes.

    Of large indexes there are at least those lines that fit into limit bytes.
    """
    found = places(start, root, kind)
    if not found:
        return 0, [], []
    if sum(place.size for place in found) < LARGE:
        lines, problems = merge(found, kind)
        return len(lines), lines, problems
    stamp = "; ".join(place.stamp for place in found)
    path = os.path.join(_folder(), "%016x.%s" % (_hash(found), kind.folder))
    kept = _read(path, stamp, limit)
    if kept is not None:
        total, lines, texts = kept
        return total, lines, [(place, text) for place, text in zip(found, texts) if text]
    lines, problems = merge(found, kind)
    total, lines = len(lines), _first(lines, KEPT)
    texts = [dict(problems).get(place, "") for place in found]
    if _is_settled(found) and not any(text.startswith(UNREADABLE) for text in texts):
        _keep(path, ["\t".join((stamp, str(total), FIELD.join(texts))), *lines, ""])
    return total, lines, problems


def _folder() -> str:
    return os.path.join(paths.data_dir(), "knowledge")


def _hash(found: list[Place]) -> int:
    """Return a number for these folders; hashlib's import would cost more than the file saves."""
    number = 0xCBF29CE484222325
    for byte in "\n".join(place.folder for place in found).encode("utf-8", "replace"):
        number = ((number ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return number


def _read(path: str, stamp: str, limit: int) -> tuple[int, list[str], list[str]] | None:
    """Return what was kept, None where there is nothing or it is out of date."""
    try:
        text = files.read_head(path, limit + _HEAD).decode("utf-8", "ignore")
    except OSError:
        return None
    head, _, rest = text.partition("\n")
    known, _, told = head.partition("\t")
    total, _, problems = told.partition("\t")
    if known != stamp or not total.isdigit():
        return None
    return int(total), rest.split("\n")[:-1], problems.split(FIELD)  # the last line is cut or empty


def _first(lines: list[str], limit: int) -> list[str]:
    """Return as many lines as fit into limit bytes."""
    for number, line in enumerate(lines):
        limit -= len(line.encode("utf-8", "replace")) + 1
        if limit < 0:
            return lines[:number]
    return lines


def _keep(path: str, lines: list[str]) -> None:
    from hooklib import state

    try:
        files.make_private_dir(_folder())
        files.write_atomic(path, "\n".join(lines).encode("utf-8"))
        state.remove_old(_folder())
    except (OSError, UnicodeError):  # it is only slower without
        pass


def _is_settled(found: list[Place]) -> bool:
    now = time.time()
    for place in found:
        for path in (place.index, place.folder):
            try:
                if now - os.stat(path).st_mtime < _SETTLED:
                    return False
            except OSError:
                return False
    return True
