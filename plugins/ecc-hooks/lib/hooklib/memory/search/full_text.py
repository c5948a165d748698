"""Find the memories that a text is about, best first, in time that hardly grows with their number.

Each word of the text brings the newest memories that hold it, a bounded number. The best of these,
by how rare their words are, are then weighed by where they hold them.
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

_WORDS = 48  # of the text that are looked for
_PER_WORD = 256
_WEIGHED = 64
_TITLE, _TAGS, _BODY = 1.5, 2.0, 1.0
_HALF = 2.0  # where the sum of these counts for half of what a word can count
_USUAL_TITLE, _USUAL_BODY = 8, 30  # words
_FILE = 1.0  # as good as a rare word
_FEW = 200  # memories; among fewer of them every word would look rare or common
_EVERYDAY = 0.5  # of a word that everybody uses
_NAMED = 20  # paths


class Hit:
    """A memory and how well it fits."""

    __slots__ = ("memory", "score", "filed")

    def __init__(self, score: float, filed: bool) -> None:
        self.memory: Memory
        self.score = score  # 1 is the most that one rare word can bring
        self.filed = filed  # one of its globs means a path of the text


def find(
    connection: Connection, text: str, paths: Iterable[str] = (), limit: int = 5
) -> list[Memory]:
    """Return the memories that text and paths are about, the best first."""
    return [hit.memory for hit in weigh(connection, text, paths, limit)]


def weigh(
    connection: Connection, text: str, paths: Iterable[str] = (), limit: int = 5
) -> list[Hit]:
    """Return the best memories with what speaks for them."""
    wanted = _wanted(text)
    rarity: dict[str, float] = {}
    gathered: dict[int, float] = {}
    holders, plain = _holders(connection), everyday()
    total = max(_FEW, connection.execute("SELECT max(id) FROM terms").fetchone()[0] or 0)
    rarest = log(1 + total / 1.5)
    for word in wanted:
        ids = holders(word)
        # of a word that many hold the number is not known: between that limit and all
        count = len(ids) if len(ids) < _PER_WORD else (len(ids) * total) ** 0.5
        rarity[word] = log(1 + total / (count + 0.5)) / rarest * (_EVERYDAY if word in plain else 1)
        for id in ids:
            gathered[id] = gathered.get(id, 0.0) + rarity[word]
    filed = _filed(connection, paths)
    for id in filed:
        gathered[id] = gathered.get(id, 0.0) + _FILE
    best = sorted(gathered, key=lambda id: (-gathered[id], -id))[:_WEIGHED]
    hits = _weighed(connection, best, rarity, filed)
    chosen = sorted(hits, key=lambda id: (-hits[id].score, -id))[: 4 * limit]
    for memory in memories.by_ids(connection, chosen):
        hits[memory.id].memory = memory
    found = [hits[id] for id in chosen if hasattr(hits[id], "memory")]
    found.sort(key=lambda hit: (-round(hit.score, 2), hit.memory.priority, -hit.memory.id))
    return found[:limit]


def _wanted(text: str) -> list[str]:
    """Return the different words to look for; of a long text those at both ends."""
    found = list(dict.fromkeys(words(text)))
    if len(found) <= _WORDS:
        return found
    return found[: _WORDS * 2 // 3] + found[-_WORDS // 3 :]


def _holders(connection: Connection) -> Callable[[str], list[int]]:
    """Return a function from a word to the newest memories that hold it."""
    if schema.has_fts(connection):
        sql = "SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY rowid DESC LIMIT %d" % _PER_WORD
        form, count = '"%s"', 1
    else:
        like = "title LIKE ? OR tags LIKE ? OR body LIKE ?"
        sql = "SELECT id FROM terms WHERE %s ORDER BY id DESC LIMIT %d" % (like, _PER_WORD)
        form, count = "%% %s %%", 3

    def holders(word: str) -> list[int]:
        return [row[0] for row in connection.execute(sql, (form % word,) * count)]

    return holders


def _filed(connection: Connection, paths: Iterable[str]) -> set[int]:
    found: set[int] = set()
    for path in list(dict.fromkeys(paths))[:_NAMED]:
        found.update(file_globs.filed(connection, path))
    return found


def _weighed(
    connection: Connection, ids: Sequence[int], rarity: dict[str, float], filed: set[int]
) -> dict[int, Hit]:
    """Return what speaks for each of some memories: where it holds which words (as BM25F does)."""
    hits = {}
    sql = "SELECT * FROM terms WHERE id IN (%s)" % ",".join("?" * len(ids))
    for id, *parts in connection.execute(sql, tuple(ids)):
        title, tags, body = (part.split() for part in parts)
        in_title = _TITLE / (0.5 + 0.5 * len(title) / _USUAL_TITLE)
        in_body = _BODY / (0.6 + 0.4 * len(body) / _USUAL_BODY)
        score = _FILE * (id in filed)
        for word, weight in rarity.items():
            held = in_title * (word in title) + in_body * body.count(word)
            held += _TAGS * (word in tags)
            score += weight * held / (held + _HALF)
        hits[id] = Hit(score, id in filed)
    return hits
