"""Search the entries of all layers for words."""

from __future__ import annotations

import os

from hooklib import checked, files
from hooklib.knowledge import entries
from hooklib.knowledge.index import index_folders, read_index
from hooklib.knowledge.note_folders import KINDS, is_inside, is_plain
from hooklib.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from hooklib.knowledge.index import IndexFolder

MAX_FILE = 16_000_000
_MAX_TEXT = 2_000  # characters of an entry


def search(
    query: str, start: str, root: str
) -> tuple[list[dict[str, Any]], list[tuple[IndexFolder, str]]]:
    """Return the entries that contain all words of query, best first, and the indexes' problems."""
    words = query.casefold().split()
    matches: list[tuple[int, int, entries.Entry, str, str, str]] = []
    problems = []
    for kind in KINDS:
        for folder in index_folders(start, root, kind):
            topics, problem = read_index(folder.index, kind)
            if problem:
                problems.append((folder, problem))
            for topic in topics:
                for entry, topic_words, path in _entries_of_topic(topic, folder.path):
                    score = _score(words, entry, topic_words)
                    if score:
                        matches.append(
                            (-score, len(matches), entry, folder.layer, kind.folder, path)
                        )
    matches.sort(key=lambda hit: hit[:2])
    hits = [
        {"title": redact(entry.title), "layer": layer, "kind": kind, "file": path,
         "line": entry.line, "text": redact(entry.text.strip())[:_MAX_TEXT]}
        for _, _, entry, layer, kind, path in matches
    ]  # fmt: skip
    return hits, problems


def _entries_of_topic(topic: Any, folder: str) -> Iterator[tuple[entries.Entry, str, str]]:
    topic = checked.mapping(topic)
    file = checked.text(topic.get("file"))
    if not is_plain(file) or not is_inside(folder, file):
        return
    path = os.path.join(folder, *file.split("/"))
    try:
        text = files.read_bounded(path, MAX_FILE).decode("utf-8", "replace")
    except OSError:
        return
    names = [topic.get("name"), *checked.items(topic.get("keywords"))]
    topic_words = " ".join(checked.texts(names)).casefold()
    for entry in entries.split(text):
        yield entry, topic_words, path


def _score(words: list[str], entry: entries.Entry, topic_words: str) -> int:
    """Return how well an entry matches the words, or 0 if one of them does not occur."""
    title, text, score = entry.title.casefold(), entry.text.casefold(), 0
    for word in words:
        points = 4 * (word in title) + 2 * (word in text) + (word in topic_words)
        if not points:
            return 0
        score += points
    return score
