"""What to recall at a session's start, for a prompt, for a subagent's task."""

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
_CORE = 2  # the lowest priority that is told at the start
_LOADED, _FOR_PROMPT, _FOR_TASK = 30, 4, 6
_NAMED_IN = ("CLAUDE.md", os.path.join(".claude", "CLAUDE.md"), "CLAUDE.local.md")
_LIMIT = 256_000
_FITS, _NEAR = 0.5, 0.6  # tools/recall_bench.py shows what other numbers would bring up
_PATH_ENDS = "\"'`()[]{}<>,;:!?。，、；：）】》」"  # noqa: RUF001


def at_start(event: Event) -> str:
    """Return the important memories and those that the project's CLAUDE.md names."""
    from hooklib.memory.search import recall_text

    found = core(event)
    if not found:
        return ""
    count = "%d memor%s loaded:" % (len(found), "y" if len(found) == 1 else "ies")
    intro = (
        "%s those that are always told, and those that CLAUDE.md names. Others come up with the"
        " files and words they are about; `hookctl memory search WORDS` finds them, `hookctl memory"
        " show URI` shows one whole." % count
    )
    return recall_text.once(event, intro, [recall_text.item(memory) for memory in found], START)


def core(event: Event) -> list[Memory]:
    from hooklib.memory.store import memories

    where = "superseded = '' AND priority <= %d ORDER BY priority, id DESC" % _CORE
    named = _named(dict.fromkeys((event.project_root, event.start_dir)))

    def look(connection: Connection) -> list[Memory]:
        found = [memories.get(connection, uri) for uri in named]
        live = [memory for memory in found if memory and not memory.superseded]
        loaded = memories.select(connection, where, (), _LOADED)
        return list({memory.uri: memory for memory in (*live, *loaded)}.values())

    return _both(event, look)


def for_prompt(event: Event, prompt: str) -> str:
    """Return the memories that a prompt is about."""
    from hooklib.memory.search import recall_text

    found = _about(event, prompt, _FOR_PROMPT)
    intro = "Memories of this project and user that the prompt may be about."
    return recall_text.once(event, intro, found, PROMPT) if found else ""


def for_task(event: Event, task: str) -> str:
    """Return what a subagent should know: the core memories, and those of its task."""
    from hooklib.memory.search import recall_text

    items = [recall_text.item(memory) for memory in core(event)]
    if task:
        known = {each.stamp for each in items}
        items += [each for each in _about(event, task, _FOR_TASK) if each.stamp not in known]
    intro = "Memories of this project and user, for your task."
    return recall_text.once(event, intro, items, SUBAGENT) if items else ""


def relevant(hits: Iterable[Hit]) -> list[Hit]:
    """Return those that fit a text well enough to be brought up unasked, the best first.

    They hold a rare word of it in two places, or two such words, and not much less than the best.
    A learnt solution is told when the failure comes, here only where much speaks for it.
    """
    found = sorted(hits, key=lambda hit: -hit.score)
    least = max(_FITS, _NEAR * found[0].score) if found else 0.0
    surely = max(least, 2 * _FITS)
    return [
        hit
        for hit in found
        if hit.filed or hit.score >= (surely if hit.memory.source == "failure" else least)
    ]


def _about(event: Event, text: str, limit: int) -> list[Item]:
    from hooklib.memory.search import full_text, recall_text

    paths = _paths_in(event, text)
    hits: list[full_text.Hit] = []
    for place in memory_folder.both(event):
        hits += database.read(place, lambda c: full_text.weigh(c, text, paths, limit)) or []
    return [recall_text.item(hit.memory) for hit in relevant(hits)[:limit]]


def _both(event: Event, look: Callable[[Connection], list[Memory]]) -> list[Memory]:
    """Return what is found in the project's database and in the user's."""
    found: list[Memory] = []
    for place in memory_folder.both(event):
        found += database.read(place, look) or []
    return sorted(found, key=lambda memory: memory.priority)


def _named(folders: Iterable[str]) -> list[str]:
    """Return the memories that the project's CLAUDE.md names by their URIs."""
    from hooklib.memory.store.entry import SCHEME, is_uri

    found: list[str] = []
    for path in [os.path.join(folder, name) for folder in folders for name in _NAMED_IN]:
        try:
            text = files.read_head(path, _LIMIT).decode("utf-8", "replace")
        except OSError:
            continue
        for part in text.split(SCHEME)[1:]:
            uri = SCHEME + (part.split() or [""])[0].rstrip(_PATH_ENDS + ".*")
            if is_uri(uri) and len(uri) <= 200:
                found.append(uri)
    return list(dict.fromkeys(found))[:_LOADED]


def _paths_in(event: Event, text: str) -> list[str]:
    """Return what may be paths in a text, from the project's top."""
    found = []
    for word in text.split():
        word = word.strip(_PATH_ENDS).lstrip("@").rstrip(".")
        name = word.rpartition("/")[2]
        if ("/" in word or "." in name[1:]) and 2 < len(word) <= 300 and "://" not in word:
            found.append(event.spellings_of_path(word)[0].replace("\\", "/"))
    return list(dict.fromkeys(found))[:20]
