"""Before a compaction: keep the decisions, patterns and solutions that were spoken of."""

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
_MOST = 20  # memories per compaction, the surest
_SURE = 0.6
_SECONDS = 3.0
_PRIORITY = 3


def from_transcript(event: Event) -> None:
    """Save what was said since the last time; one that is asked twice saves it once."""
    if not event.transcript_path or event.agent_id:
        return
    place = memory_folder.of(event)
    name = "harvest " + event.session_key
    known = database.read(place, lambda connection: memories.meta(connection, name)) or ""
    numbers = [int(part) for part in known.split() if part.lstrip("-").isdigit()]
    cursor = transcript.Cursor(*numbers) if len(numbers) == 2 else transcript.Cursor()
    try:
        records, cursor, _ = transcript.news(event.transcript_path, cursor, event.host)
    except OSError:
        return
    remarks = _remarks(records)
    if not remarks:
        return

    def work(connection: Connection) -> None:
        for remark in remarks:
            _keep(connection, remark)
        memories.set_meta(connection, name, "%d %d" % (cursor.offset, cursor.sum))

    database.write(place, work)


def _remarks(records: list[dict[str, Any]]) -> list[Remark]:
    """Return what was stated, the later of two statements alike, the surest first."""
    from hooklib.memory.learn.statements import remarks

    found: dict[str, Remark] = {}
    end = time.monotonic() + limits.scaled(_SECONDS)
    for text in _texts(records):
        for remark in remarks(text):
            if remark.confidence >= _SURE:
                found.setdefault(remark.title.casefold(), remark)
        if time.monotonic() > end:
            break
    return sorted(found.values(), key=lambda remark: -remark.confidence)[:_MOST]


def _texts(records: list[dict[str, Any]]) -> Iterator[str]:
    """Yield what the user and the assistant said, the latest first."""
    from hooklib import sanitize

    for line in reversed(records):
        if line.get("isMeta") or line.get("isCompactSummary") or line.get("isSidechain"):
            continue
        content = line["message"].get("content")
        blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
        for block in reversed(blocks):
            text = block.get("text") if isinstance(block, dict) else None
            if isinstance(text, str) and block.get("type") == "text":
                text = text[:_TEXT]
                yield sanitize.prompt(text) if line.get("type") == "user" else text


def _keep(connection: Connection, remark: Remark) -> None:
    from hooklib.memory.store.entry import Memory, slug

    memory: Memory = Memory(
        remark.kind, remark.title, remark.body, (), (), _PRIORITY, SOURCE, remark.confidence
    )
    old = memories.get(connection, "memory://project/%s/%s" % (memory.kind, slug(memory.title)))
    if old is None or old.source == SOURCE:  # what somebody wrote down stands
        memories.add(connection, memory)
