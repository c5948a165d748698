"""Recall memories at the start of a session, for a prompt and for a subagent's task."""

from __future__ import annotations

import os

from hooklib import files
from hooklib.memory.store import database, memory_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from sqlite3 import Connection
    from typing import Callable

    from hooklib.event import Event
    from hooklib.memory.search.full_text import Hit
    from hooklib.memory.search.recall_text import Item
    from hooklib.memory.store.entry import Memory

START, PROMPT, SUBAGENT = 3_000, 1_000, 2_000  # bytes
_CORE = 2  # the lowest priority that is shown at the start
_LOADED, _FOR_PROMPT, _FOR_TASK = 30, 4, 6
_NAMED_IN = ("CLAUDE.md", os.path.join(".claude", "CLAUDE.md"), "CLAUDE.local.md")
_LIMIT = 256_000
_FITS, _NEAR = 0.5, 0.6  # chosen with tools/recall_bench.py
_PATH_ENDS = "\"'`()[]{}<>,;:!?。，、；：）】》」"  # noqa: RUF001


def for_start(event: Event) -> str:
    """Return the important memories and those that the project's CLAUDE.md names."""
    from hooklib.memory.search import recall_text

    shown_memories = core_memories(event)
    if not shown_memories:
        return ""
    items = [recall_text.item(memory) for memory in shown_memories]
    count = "%d memor%s:" % (len(items), "y" if len(items) == 1 else "ies")
    intro = (
        "%s pinned or named in CLAUDE.md. `hookctl memory search WORDS` finds others, "
        "`hookctl memory show URI` shows one whole." % count
    )
    return recall_text.unseen_items(event, intro, items, START)


def core_memories(event: Event) -> list[Memory]:
    """Return the memories of high priority and those that CLAUDE.md names."""
    from hooklib.memory.store import memories

    where = "superseded = '' AND priority <= %d ORDER BY priority, id DESC" % _CORE
    uris = _uris_in_claude_md(dict.fromkeys((event.project_root, event.start_dir)))

    def query(connection: Connection) -> list[Memory]:
        named = [memories.get(connection, uri) for uri in uris]
        live = [memory for memory in named if memory and not memory.superseded]
        loaded = memories.select(connection, where, (), _LOADED)
        return list({memory.uri: memory for memory in (*live, *loaded)}.values())

    return _from_both_folders(event, query)


def for_prompt(event: Event, prompt: str) -> str:
    """Return the memories that a prompt is about."""
    from hooklib.memory.search import recall_text

    items = _items_about(event, prompt, _FOR_PROMPT)
    intro = "Memories that may concern this prompt."
    return recall_text.unseen_items(event, intro, items, PROMPT) if items else ""


def for_task(event: Event, task: str) -> str:
    """Return the core memories and those that a subagent's task is about."""
    from hooklib.memory.search import recall_text

    items = [recall_text.item(memory) for memory in core_memories(event)]
    if task:
        core_stamps = {item.stamp for item in items}
        found = _items_about(event, task, _FOR_TASK)
        items += [item for item in found if item.stamp not in core_stamps]
    intro = "Memories for your task."
    return recall_text.unseen_items(event, intro, items, SUBAGENT) if items else ""


def relevant(hits: Iterable[Hit]) -> list[Hit]:
    """Return the hits that are good enough to show unasked, the best first.

    They contain a rare word of the text in two places or two such words, and score not much less
    than the best hit. A learnt solution needs a higher score: it is shown anyway when its failure
    occurs.
    """
    by_score = sorted(hits, key=lambda hit: -hit.score)
    threshold = max(_FITS, _NEAR * by_score[0].score) if by_score else 0.0
    failure_threshold = max(threshold, 2 * _FITS)

    def is_relevant(hit: Hit) -> bool:
        is_failure = hit.memory.source == "failure"
        return hit.by_glob or hit.score >= (failure_threshold if is_failure else threshold)

    return [hit for hit in by_score if is_relevant(hit)]


def _items_about(event: Event, text: str, limit: int) -> list[Item]:
    from hooklib.memory.search import full_text, recall_text

    paths = _paths_in(event, text)
    hits: list[full_text.Hit] = []
    for folder in memory_folder.for_project_and_user(event):
        hits += database.read(folder, lambda c: full_text.best_hits(c, text, paths, limit)) or []
    return [recall_text.item(hit.memory) for hit in relevant(hits)[:limit]]


def _from_both_folders(event: Event, query: Callable[[Connection], list[Memory]]) -> list[Memory]:
    """Return the memories that query finds in the two databases, by priority."""
    memories: list[Memory] = []
    for folder in memory_folder.for_project_and_user(event):
        memories += database.read(folder, query) or []
    return sorted(memories, key=lambda memory: memory.priority)


def _uris_in_claude_md(folders: Iterable[str]) -> list[str]:
    """Return the URIs of memories in the CLAUDE.md files of folders."""
    from hooklib.memory.store.entry import SCHEME, is_uri

    uris: list[str] = []
    for path in [os.path.join(folder, name) for folder in folders for name in _NAMED_IN]:
        try:
            text = files.read_head(path, _LIMIT).decode("utf-8", "replace")
        except OSError:
            continue
        for part in text.split(SCHEME)[1:]:
            uri = SCHEME + (part.split() or [""])[0].rstrip(_PATH_ENDS + ".*")
            if is_uri(uri) and len(uri) <= 200:
                uris.append(uri)
    return list(dict.fromkeys(uris))[:_LOADED]


def _paths_in(event: Event, text: str) -> list[str]:
    """Return the words of a text that may be paths, relative to the project's root."""
    paths = []
    for word in text.split():
        word = word.strip(_PATH_ENDS).lstrip("@").rstrip(".")
        name = word.rpartition("/")[2]
        if ("/" in word or "." in name[1:]) and 2 < len(word) <= 300 and "://" not in word:
            paths.append(event.spellings_of_path(word)[0].replace("\\", "/"))
    return list(dict.fromkeys(paths))[:20]
