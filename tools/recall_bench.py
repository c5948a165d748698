#!/usr/bin/env python3
"""Print how often the right memory is found: hit@1 and hit@3 over tests/recall, by language.

The last line says how often the right memory would be shown for a prompt, and how many unrelated
prompts would show one. `recall_bench.py -v` also lists the prompts whose memory is not among the
first three.
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


class Prompt(NamedTuple):
    """A prompt, the memories found for it, best first, and those that a session would show."""

    language: str
    query: str
    answers: list[str]
    found: list[str]
    shown: list[str]

    def hit(self, among: int) -> bool:
        return not set(self.answers).isdisjoint(self.found[:among])


def load(name: str) -> list[dict[str, Any]]:
    with open(os.path.join(DATA, name), encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def ask(*names: str) -> list[list[Prompt]]:
    """Search all memories for each prompt of some files, in a new database."""
    from hooklib.memory.store import database, memories
    from hooklib.memory.store.entry import Memory
    from hooklib.memory.store.memory_folder import MemoryFolder

    ids: dict[str, str] = {}

    def fill(connection: Connection) -> None:
        for row in load("memories.jsonl"):
            memory = Memory(row["kind"], row["title"], row["body"], row["tags"], row["files"])
            if not memories.add(connection, memory) or memory.uri in ids:
                raise ValueError("twice: " + row["id"])
            ids[memory.uri] = row["id"]

    def answer(connection: Connection) -> list[list[Prompt]]:
        return [[_search(connection, row, ids) for row in load(name)] for name in names]

    with tempfile.TemporaryDirectory() as folder:
        place = MemoryFolder("project", folder, os.path.join(folder, "memory"))
        database.write(place, fill)
        return database.read(place, answer) or []


def _search(connection: Connection, row: dict[str, Any], ids: dict[str, str]) -> Prompt:
    from hooklib.memory.search import full_text, recall

    query = row["query"]
    hits = full_text.best_hits(
        connection, query, [word for word in query.split() if "/" in word], SHOWN
    )
    found = [ids[hit.memory.uri] for hit in hits]
    shown = [ids[hit.memory.uri] for hit in recall.relevant(hits)]
    return Prompt(row["language"], query, row.get("answers", []), found, shown)


def share(prompts: list[Prompt], among: int) -> float:
    return sum(prompt.hit(among) for prompt in prompts) / len(prompts)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("-v", "--verbose", action="store_true", help="list what was not found")
    options = parser.parse_args(argv)
    sys.path.insert(0, os.path.join(REPO, "plugins", "ecc-hooks", "lib"))
    prompts, unrelated = ask("queries.jsonl", "unrelated.jsonl")
    languages = list(dict.fromkeys(prompt.language for prompt in prompts))
    print("%-10s %8s %8s %8s" % ("", "prompts", "hit@1", "hit@3"))
    for name in [*languages, "all"]:
        group = [prompt for prompt in prompts if name in (prompt.language, "all")]
        print("%-10s %8d %8.3f %8.3f" % (name, len(group), share(group, 1), share(group, 3)))
    right = sum(not set(prompt.answers).isdisjoint(prompt.shown) for prompt in prompts)
    print(
        "shown in a session: the right one for %.3f of the prompts, %.2f on average;"
        " any for %d of %d unrelated prompts"
        % (
            right / len(prompts),
            sum(len(prompt.shown) for prompt in prompts) / len(prompts),
            sum(bool(prompt.shown) for prompt in unrelated),
            len(unrelated),
        )
    )
    if options.verbose:
        for prompt in prompts:
            if not prompt.hit(3):
                expected, found = " ".join(prompt.answers), " ".join(prompt.found)
                print("missed: %s\n  expected %s\n  found    %s" % (prompt.query, expected, found))
    return 0 if share(prompts, 3) >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
