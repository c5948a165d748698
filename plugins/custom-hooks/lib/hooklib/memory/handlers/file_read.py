"""What is remembered of a file that is about to be read. Kept small: most files have nothing."""

from __future__ import annotations

import os

from hooklib.memory.store import bloom, database, file_globs, memory_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection
    from typing import Callable

    from hooklib.event import Event
    from hooklib.memory.store.entry import Memory
    from hooklib.memory.store.memory_folder import Place

    Change = tuple[str, int, str]

BUDGET = 1_000  # bytes
_MEMORIES, _SESSIONS = 5, 3


def told(event: Event, path: str) -> str:
    """Return the memories of a file, and what earlier sessions did to it."""
    found: list[Memory] = []
    changes: list[Change] = []
    name = ""
    for place in memory_folder.both(event):
        if os.path.exists(place.database):
            name = name or event.spellings_of_path(path)[0].replace("\\", "/")
            if bloom.any_known(place.database, [bloom.changed(name), *file_globs.keys_of(name)]):
                of_file, some = database.read(place, _looking(place, name, event)) or ([], [])
                found += of_file
                changes += some
    if not found and not changes:
        return ""
    from hooklib.fence import line
    from hooklib.memory.search import recall_text

    found.sort(key=lambda memory: memory.priority)
    items = [recall_text.item(memory) for memory in found[:_MEMORIES]]
    if changes:
        items.append(recall_text.Item("file " + name + changes[0][0], _history(changes)))
    return recall_text.once(event, "What is remembered of %s." % line(name, 200), items, BUDGET)


def _looking(
    place: Place, name: str, event: Event
) -> Callable[[Connection], tuple[list[Memory], list[Change]]]:
    def look(connection: Connection) -> tuple[list[Memory], list[Change]]:
        ids = file_globs.filed(connection, name)[:_MEMORIES]
        of_file: list[Memory] = []
        if ids:
            from hooklib.memory.store import memories

            of_file = memories.by_ids(connection, ids)
        project = place.scope == "project"
        return of_file, _changes(connection, name, event.session_key) if project else []

    return look


def _changes(connection: Connection, path: str, key: str) -> list[Change]:
    """Return when earlier sessions changed a file, how often, and what they were about."""
    sql = (
        "SELECT max(at), sum(count), about FROM change JOIN session ON key = session"
        " WHERE path = ? AND session != ? GROUP BY session ORDER BY max(at) DESC LIMIT %d"
    )
    return connection.execute(sql % _SESSIONS, (path, key)).fetchall()


def _history(changes: list[Change]) -> str:
    from hooklib import fence

    told = []
    for at, count, about in changes:
        edits = "%d edit%s" % (count, "" if count == 1 else "s")
        asked = fence.line(about, 100)
        told.append("%s (%s%s)" % (fence.line(at[:10], 10), edits, asked and ': "%s"' % asked))
    return "- changed in earlier sessions: " + "; ".join(told)
