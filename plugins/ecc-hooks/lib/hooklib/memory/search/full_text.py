"""Find the memories that a text is about, in time that hardly grows with their number.

Each word of the text finds a bounded number of memories, the newest that contain it. The best of
these, by the rarity of their words, are then scored by where they contain them.
"""

from __future__ import annotations

from math import log

from hooklib.memory.search.tokens import everyday, words
from hooklib.memory.store import file_globs, memories, schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from sqlite3 import Connection
    from typing import Callable

    from hooklib.memory.store.entry import Memory

_WORDS = 48  # words of the text to look for
_PER_WORD = 256
_WEIGHED = 64
_TITLE, _TAGS, _BODY = 1.5, 2.0, 1.0
_HALF = 2.0  # the sum of these at which a word scores half of its maximum
_USUAL_TITLE, _USUAL_BODY = 8, 30  # words
_FILE = 1.0  # the score of a matching glob: as good as a rare word
_FEW = 200  # memories assumed at least: among fewer every word would look rare or common
_EVERYDAY = 0.5  # the factor for everyday words
_NAMED = 20  # paths to look for


class Hit:
    """A memory and how well it fits."""

    __slots__ = ("memory", "score", "by_glob")

    def __init__(self, score: float, by_glob: bool) -> None:
        self.memory: Memory
        self.score = score  # 1 is the most that one rare word can bring
        self.by_glob = by_glob  # one of its globs matches a path of the text


def find(
    connection: Connection, text: str, paths: Iterable[str] = (), limit: int = 5
) -> list[Memory]:
    """Return the memories that text and paths are about, the best first."""
    return [hit.memory for hit in best_hits(connection, text, paths, limit)]


def best_hits(
    connection: Connection, text: str, paths: Iterable[str] = (), limit: int = 5
) -> list[Hit]:
    """Return the best memories with their scores."""
    query_words = _query_words(text)
    rarity: dict[str, float] = {}
    rough_scores: dict[int, float] = {}
    find_holders, everyday_words = _holder_query(connection), everyday()
    total = max(_FEW, connection.execute("SELECT max(id) FROM terms").fetchone()[0] or 0)
    rarest = log(1 + total / 1.5)
    for word in query_words:
        ids = find_holders(word)
        # The count of a common word is unknown: estimate it between the limit and the total.
        count = len(ids) if len(ids) < _PER_WORD else (len(ids) * total) ** 0.5
        factor = _EVERYDAY if word in everyday_words else 1
        rarity[word] = log(1 + total / (count + 0.5)) / rarest * factor
        for id in ids:
            rough_scores[id] = rough_scores.get(id, 0.0) + rarity[word]
    glob_ids = _ids_by_glob(connection, paths)
    for id in glob_ids:
        rough_scores[id] = rough_scores.get(id, 0.0) + _FILE
    best = sorted(rough_scores, key=lambda id: (-rough_scores[id], -id))[:_WEIGHED]
    hits = _score(connection, best, rarity, glob_ids)
    chosen = sorted(hits, key=lambda id: (-hits[id].score, -id))[: 4 * limit]
    for memory in memories.by_ids(connection, chosen):
        hits[memory.id].memory = memory
    found_hits = [hits[id] for id in chosen if hasattr(hits[id], "memory")]
    found_hits.sort(key=lambda hit: (-round(hit.score, 2), hit.memory.priority, -hit.memory.id))
    return found_hits[:limit]


def _query_words(text: str) -> list[str]:
    """Return the distinct words to look for; for a long text those at both ends."""
    distinct_words = list(dict.fromkeys(words(text)))
    if len(distinct_words) <= _WORDS:
        return distinct_words
    return distinct_words[: _WORDS * 2 // 3] + distinct_words[-_WORDS // 3 :]


def _holder_query(connection: Connection) -> Callable[[str], list[int]]:
    """Return a function that returns the ids of the newest memories that contain a word."""
    if schema.has_fts(connection):
        sql = "SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY rowid DESC LIMIT %d" % _PER_WORD
        form, count = '"%s"', 1
    else:
        like = "title LIKE ? OR tags LIKE ? OR body LIKE ?"
        sql = "SELECT id FROM terms WHERE %s ORDER BY id DESC LIMIT %d" % (like, _PER_WORD)
        form, count = "%% %s %%", 3

    def find_holders(word: str) -> list[int]:
        return [row[0] for row in connection.execute(sql, (form % word,) * count)]

    return find_holders


def _ids_by_glob(connection: Connection, paths: Iterable[str]) -> set[int]:
    ids: set[int] = set()
    for path in list(dict.fromkeys(paths))[:_NAMED]:
        ids.update(file_globs.memory_ids(connection, path))
    return ids


def _score(
    connection: Connection, ids: Sequence[int], rarity: dict[str, float], glob_ids: set[int]
) -> dict[int, Hit]:
    """Score memories by which words they contain and where, as BM25F does."""
    hits = {}
    sql = "SELECT * FROM terms WHERE id IN (%s)" % ",".join("?" * len(ids))
    for id, *parts in connection.execute(sql, tuple(ids)):
        title, tags, body = (part.split() for part in parts)
        in_title = _TITLE / (0.5 + 0.5 * len(title) / _USUAL_TITLE)
        in_body = _BODY / (0.6 + 0.4 * len(body) / _USUAL_BODY)
        score = _FILE * (id in glob_ids)
        for word, weight in rarity.items():
            matched = in_title * (word in title) + in_body * body.count(word)
            matched += _TAGS * (word in tags)
            score += weight * matched / (matched + _HALF)
        hits[id] = Hit(score, id in glob_ids)
    return hits
