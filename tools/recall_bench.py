#!/usr/bin/env python3
"""Print how often the right memory is found: hit@1 and hit@3 over tests/recall, by language.

Below stand how often a prompt would be told the right one, and how many prompts about nothing in
particular would be told something.

`recall_bench.py -v` also lists the prompts whose memory is not among the first three.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from typing import TYPE_CHECKING, Any, NamedTuple

REPO = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.path.join(REPO, "tests", "recall")
WANTED = 0.9  # of hit@3
SHOWN = 5

if TYPE_CHECKING:
    from sqlite3 import Connection


class Asked(NamedTuple):
    """A prompt, the memories found for it, best first, and those of them worth telling unasked."""

    language: str
    query: str
    answers: list[str]
    found: list[str]
    told: list[str]

    def hit(self, among: int) -> bool:
        return not set(self.answers).isdisjoint(self.found[:among])


def load(name: str) -> list[dict[str, Any]]:
    with open(os.path.join(DATA, name), encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def ask(*names: str) -> list[list[Asked]]:
    """Return what a fresh database with all memories answers to each prompt of some files."""
    from hooklib.memory.store import database, memories
    from hooklib.memory.store.entry import Memory
    from hooklib.memory.store.memory_folder import MemoryFolder

    ids: dict[str, str] = {}

    def fill(connection: Connection) -> None:
        for each in load("memories.jsonl"):
            memory = Memory(each["kind"], each["title"], each["body"], each["tags"], each["files"])
            if not memories.add(connection, memory) or memory.uri in ids:
                raise ValueError("twice: " + each["id"])
            ids[memory.uri] = each["id"]

    def answer(connection: Connection) -> list[list[Asked]]:
        return [[_asked(connection, each, ids) for each in load(name)] for name in names]

    with tempfile.TemporaryDirectory() as folder:
        place = MemoryFolder("project", folder, os.path.join(folder, "memory"))
        database.write(place, fill)
        return database.read(place, answer) or []


def _asked(connection: Connection, each: dict[str, Any], ids: dict[str, str]) -> Asked:
    from hooklib.memory.search import full_text, recall

    query = each["query"]
    hits = full_text.best_hits(
        connection, query, [word for word in query.split() if "/" in word], SHOWN
    )
    found, told = ([ids[hit.memory.uri] for hit in some] for some in (hits, recall.relevant(hits)))
    return Asked(each["language"], query, each.get("answers", []), found, told)


def share(asked: list[Asked], among: int) -> float:
    return sum(each.hit(among) for each in asked) / len(asked)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("-v", "--verbose", action="store_true", help="list what was not found")
    options = parser.parse_args(argv)
    sys.path.insert(0, os.path.join(REPO, "plugins", "ecc-hooks", "lib"))
    asked, unrelated = ask("queries.jsonl", "unrelated.jsonl")
    languages = list(dict.fromkeys(each.language for each in asked))
    print("%-10s %8s %8s %8s" % ("", "prompts", "hit@1", "hit@3"))
    for name in [*languages, "all"]:
        some = [each for each in asked if name in (each.language, "all")]
        print("%-10s %8d %8.3f %8.3f" % (name, len(some), share(some, 1), share(some, 3)))
    right = sum(not set(each.answers).isdisjoint(each.told) for each in asked)
    print(
        "told unasked: the right one to %.3f of the prompts, %.2f to each; to %d of %d that are"
        " about nothing of this"
        % (
            right / len(asked),
            sum(len(each.told) for each in asked) / len(asked),
            sum(bool(each.told) for each in unrelated),
            len(unrelated),
        )
    )
    if options.verbose:
        for each in asked:
            if not each.hit(3):
                wanted, found = " ".join(each.answers), " ".join(each.found)
                print("missed: %s\n  wanted %s\n  found  %s" % (each.query, wanted, found))
    return 0 if share(asked, 3) >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
