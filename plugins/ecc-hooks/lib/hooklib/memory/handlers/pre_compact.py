"""Before a compaction: save the decisions, patterns and solutions stated in the conversation."""

from __future__ import annotations

import time

from hooklib import limits, transcript
from hooklib.memory.store import database, memories, memory_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from sqlite3 import Connection
    from typing import Any

    from hooklib.event import Event
    from hooklib.memory.learn.statements import Remark
    from hooklib.memory.store.entry import Memory

SOURCE = "compaction"
_TEXT = 20_000  # characters of a message
_MOST = 20  # memories per compaction, by confidence
_SURE = 0.6
_SECONDS = 3.0
_PRIORITY = 3


def save_statements(event: Event) -> None:
    """Save the statements in the transcript since the last compaction, each once."""
    if not event.transcript_path or event.agent_id:
        return
    folder = memory_folder.for_event(event)
    name = "harvest " + event.session_key
    stored = database.read(folder, lambda connection: memories.meta(connection, name)) or ""
    numbers = [int(part) for part in stored.split() if part.lstrip("-").isdigit()]
    cursor = transcript.Cursor(*numbers) if len(numbers) == 2 else transcript.Cursor()
    try:
        records, cursor, _ = transcript.new_records(event.transcript_path, cursor, event.host)
    except OSError:
        return
    remarks = _remarks(records)
    if not remarks:
        return

    def save_all(connection: Connection) -> None:
        for remark in remarks:
            _save(connection, remark)
        memories.set_meta(connection, name, "%d %d" % (cursor.offset, cursor.sum))

    database.write(folder, save_all)


def _remarks(records: list[dict[str, Any]]) -> list[Remark]:
    """Return the statements by confidence; of two with the same title, the later one."""
    from hooklib.memory.learn.statements import remarks

    by_title: dict[str, Remark] = {}
    deadline = time.monotonic() + limits.scaled(_SECONDS)
    for text in _texts(records):
        for remark in remarks(text):
            if remark.confidence >= _SURE:
                by_title.setdefault(remark.title.casefold(), remark)
        if time.monotonic() > deadline:
            break
    return sorted(by_title.values(), key=lambda remark: -remark.confidence)[:_MOST]


def _texts(records: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the texts of the user and the assistant, the latest first."""
    from hooklib import sanitize

    for record in reversed(records):
        if record.get("isMeta") or record.get("isCompactSummary") or record.get("isSidechain"):
            continue
        content = record["message"].get("content")
        blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
        for block in reversed(blocks):
            text = block.get("text") if isinstance(block, dict) else None
            if isinstance(text, str) and block.get("type") == "text":
                text = text[:_TEXT]
                yield sanitize.prompt(text) if record.get("type") == "user" else text


def _save(connection: Connection, remark: Remark) -> None:
    from hooklib.memory.store.entry import Memory, slug

    memory: Memory = Memory(
        remark.kind, remark.title, remark.body, (), (), _PRIORITY, SOURCE, remark.confidence
    )
    old = memories.get(connection, "memory://project/%s/%s" % (memory.kind, slug(memory.title)))
    if old is None or old.source == SOURCE:  # never replace what a person saved
        memories.add(connection, memory)
