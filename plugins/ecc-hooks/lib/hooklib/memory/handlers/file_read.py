"""Return the memories of a file before the model reads it; most files have none, so be quick."""

from __future__ import annotations

import os

from hooklib.memory.store import bloom, database, file_globs, memory_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection
    from typing import Callable

    from hooklib.event import Event
    from hooklib.memory.store.entry import Memory
    from hooklib.memory.store.memory_folder import MemoryFolder

    Change = tuple[str, int, str]

BUDGET = 1_000  # bytes
_MEMORIES, _SESSIONS = 5, 3


def memories_for_file(event: Event, path: str) -> str:
    """Return the unseen memories of a file and its changes in earlier sessions, or ''."""
    memories: list[Memory] = []
    changes: list[Change] = []
    name = ""
    for folder in memory_folder.for_project_and_user(event):
        if os.path.exists(folder.database):
            name = name or event.spellings_of_path(path)[0].replace("\\", "/")
            keys = [bloom.changed_path_key(name), *file_globs.keys_of(name)]
            if bloom.may_hold_any(folder.database, keys):
                result = database.read(folder, _query(folder, name, event))
                file_memories, file_changes = result or ([], [])
                memories += file_memories
                changes += file_changes
    if not memories and not changes:
        return ""
    from hooklib.fence import line
    from hooklib.memory.search import recall_text

    memories.sort(key=lambda memory: memory.priority)
    items = [recall_text.item(memory) for memory in memories[:_MEMORIES]]
    if changes:
        items.append(recall_text.Item("file " + name + changes[0][0], _change_line(changes)))
    intro = "Memories about %s." % line(name, 200)
    return recall_text.unseen_items(event, intro, items, BUDGET)


def _query(
    folder: MemoryFolder, name: str, event: Event
) -> Callable[[Connection], tuple[list[Memory], list[Change]]]:
    def query(connection: Connection) -> tuple[list[Memory], list[Change]]:
        ids = file_globs.memory_ids(connection, name)[:_MEMORIES]
        file_memories: list[Memory] = []
        if ids:
            from hooklib.memory.store import memories

            file_memories = memories.by_ids(connection, ids)
        is_project = folder.scope == "project"
        return file_memories, _changes(connection, name, event.session_key) if is_project else []

    return query


def _changes(connection: Connection, path: str, key: str) -> list[Change]:
    """Return the latest changes of a file: when, how many edits, what the session was about."""
    sql = (
        "SELECT max(at), sum(count), about FROM change JOIN session ON key = session"
        " WHERE path = ? AND session != ? GROUP BY session ORDER BY max(at) DESC LIMIT %d"
    )
    return connection.execute(sql % _SESSIONS, (path, key)).fetchall()


def _change_line(changes: list[Change]) -> str:
    from hooklib import fence

    parts = []
    for at, count, about in changes:
        edits = "%d edit%s" % (count, "" if count == 1 else "s")
        prompt = fence.line(about, 100)
        parts.append("%s (%s%s)" % (fence.line(at[:10], 10), edits, prompt and ': "%s"' % prompt))
    return "- changed in earlier sessions: " + "; ".join(parts)
