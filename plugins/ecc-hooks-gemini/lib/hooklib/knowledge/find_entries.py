"""Find entries by words, in the files of all layers."""

from __future__ import annotations

import os

from hooklib import checked, files
from hooklib.knowledge import entries
from hooklib.knowledge.index import places, read
from hooklib.knowledge.note_folders import KINDS, is_inside, is_plain
from hooklib.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from hooklib.knowledge.index import Place

MAX_FILE = 16_000_000
_TEXT = 2_000  # characters of an entry


def search(
    query: str, start: str, root: str
) -> tuple[list[dict[str, Any]], list[tuple[Place, str]]]:
    """Return the entries that hold all words of query, best first, and the odd indexes."""
    words = query.casefold().split()
    found: list[tuple[int, int, entries.Entry, str, str, str]] = []
    problems = []
    for kind in KINDS:
        for place in places(start, root, kind):
            listed, problem = read(place.index, kind)
            if problem:
                problems.append((place, problem))
            for topic in listed:
                for entry, about, path in _entries(topic, place.folder):
                    score = _score(words, entry, about)
                    if score:
                        found.append((-score, len(found), entry, place.layer, kind.folder, path))
    found.sort(key=lambda hit: hit[:2])
    hits = [
        {"title": redact(entry.title), "layer": layer, "kind": kind, "file": path,
         "line": entry.line, "text": redact(entry.text.strip())[:_TEXT]}
        for _, _, entry, layer, kind, path in found
    ]  # fmt: skip
    return hits, problems


def _entries(topic: Any, folder: str) -> Iterator[tuple[entries.Entry, str, str]]:
    topic = checked.mapping(topic)
    file = checked.text(topic.get("file"))
    if not is_plain(file) or not is_inside(folder, file):
        return
    path = os.path.join(folder, *file.split("/"))
    try:
        text = files.read_bounded(path, MAX_FILE).decode("utf-8", "replace")
    except OSError:
        return
    about = [topic.get("name"), *checked.items(topic.get("keywords"))]
    told = " ".join(checked.texts(about)).casefold()
    for entry in entries.split(text):
        yield entry, told, path


def _score(words: list[str], entry: entries.Entry, about: str) -> int:
    """Return how well an entry fits, 0 where a word occurs nowhere."""
    title, text, score = entry.title.casefold(), entry.text.casefold(), 0
    for word in words:
        points = 4 * (word in title) + 2 * (word in text) + (word in about)
        if not points:
            return 0
        score += points
    return score
