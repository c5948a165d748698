"""Add an entry: append it to its file and update the index."""

from __future__ import annotations

from hooklib import checked
from hooklib.knowledge import entries
from hooklib.knowledge.index import clean
from hooklib.knowledge.layer import Layer, LayerLock, Refused, today
from hooklib.knowledge.note_folders import KNOWLEDGE, is_plain
from hooklib.redact import redact
from hooklib.text import strip_ansi

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.knowledge.note_folders import Kind

_MAX_TITLE, _MAX_NAME, _MAX_KEYWORD, _MAX_BODY = 160, 80, 60, 200_000  # characters


class Note:
    """The title, body and keywords of a new entry, with secrets removed."""

    def __init__(self, title: str, body: str = "", words: list[str] | None = None) -> None:
        if len(body) > _MAX_BODY:
            raise Refused("the text is longer than %d characters" % _MAX_BODY)
        self.title = clean(redact(title).lstrip("# "), _MAX_TITLE)
        self.body = redact(strip_ansi(body.replace("\r\n", "\n").replace("\r", "\n")))
        keywords = [word for text in words or [] for word in entries.split_keywords(text)]
        self.words = merge_keywords([], [clean(redact(word), _MAX_KEYWORD) for word in keywords])
        if not self.title:
            raise Refused("the title is empty")
        if entries.unclosed_line(self.body):
            raise Refused("the text has a code block or a comment that is never closed")


def record(layer: Layer, kind: Kind, id: str, note: Note, name: str = "") -> dict[str, Any]:
    """Add note to the topic with that id, creating the topic if needed; return a summary."""
    if _find_topic(layer.load(kind)[kind.list_key], kind, id) is None:
        _new_topic(kind, id, "")  # refuses an invalid id before any folder is made
    layer.make_folder(kind)
    with LayerLock(layer):
        index = layer.load(kind)
        topic = _find_topic(index[kind.list_key], kind, id)
        is_new = topic is None
        if topic is None:
            topic = _new_topic(kind, id, clean(redact(name), _MAX_NAME))
        file = topic.get("file")
        if not isinstance(file, str) or not is_plain(file):
            raise Refused("%s has no usable file in the index, see `hookctl knowledge check`" % id)
        for entry in entries.split(layer.read_file(kind, file)):
            if entry.title.casefold() == note.title.casefold():
                raise Refused("%s has an entry of that title in line %d" % (file, entry.line))
        skill = "" if kind is KNOWLEDGE else id
        text = entries.compose(note.title, today(), note.words, note.body, skill)
        layer.append(kind, file, text, clean(str(topic.get("name") or id), _MAX_NAME))
        if is_new:
            index[kind.list_key].append(topic)
        topic["keywords"] = merge_keywords(checked.items(topic.get("keywords")), note.words)
        count = len(entries.split(layer.read_file(kind, file)))
        for topic_of_file in index[kind.list_key]:
            # more than one topic may name the file
            if isinstance(topic_of_file, dict) and topic_of_file.get("file") == file:
                topic_of_file["count"] = count
        update_totals(index, kind)
        layer.save(kind, index)
    return {"id": id, "file": file, "entries": count, "new": is_new}


def _find_topic(index_entries: list[Any], kind: Kind, id: str) -> dict[str, Any] | None:
    topics = [topic for topic in index_entries if isinstance(topic, dict)]
    for topic in topics:
        if topic.get(kind.id_key) == id:
            return topic
    for topic in topics:
        topic_id = topic.get(kind.id_key)
        # on some file systems both would be the same file
        if isinstance(topic_id, str) and topic_id.casefold() == id.casefold():
            raise Refused("%s is there already, written %s" % (id, topic_id))
    return None


def _new_topic(kind: Kind, id: str, name: str) -> dict[str, Any]:
    from hooklib.event import file_name

    stem = id.split(".")[0]
    reserved = stem.isascii() and file_name(stem) != stem  # the name of a device on Windows
    usable = id == clean(id, 64) and all(char.isalnum() or char in "-_." for char in id)
    if not usable or reserved or id[:1] in ("", ".", "_", "-") or id[-1:] == ".":
        raise Refused("%r cannot name a file: use letters, digits, - and _" % id)
    file = kind.file_prefix + id + ".md"
    if kind is KNOWLEDGE:
        return {"id": id, "name": name or id, "keywords": [], "file": file, "count": 0}
    return {"skillId": id, "file": file, "keywords": [], "count": 0}


def merge_keywords(old: list[Any], new: list[Any]) -> list[Any]:
    """Return old followed by the words of new that it lacks, ignoring case."""
    seen = {word.casefold() for word in old if isinstance(word, str)}
    merged = list(old)
    for word in new:
        if isinstance(word, str) and word and word.casefold() not in seen:
            seen.add(word.casefold())
            merged.append(word)
    return merged


def update_totals(index: dict[str, Any], kind: Kind) -> None:
    """Update the date and the total of an index that changed."""
    index["lastUpdated"] = today()
    if kind is KNOWLEDGE or "totalEntries" in index:
        index["totalEntries"] = total_entries(index[kind.list_key])


def total_entries(index_entries: list[Any]) -> int:
    counts = [entry.get("count") for entry in index_entries if isinstance(entry, dict)]
    return sum(count for count in counts if type(count) is int and count > 0)
