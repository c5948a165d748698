"""Record an entry: append it to its file and bring the index up to date."""

from __future__ import annotations

from hooklib import checked
from hooklib.knowledge import entries
from hooklib.knowledge.index import clean
from hooklib.knowledge.layer import Layer, Refused, Turn, today
from hooklib.knowledge.note_folders import KNOWLEDGE, is_plain
from hooklib.redact import redact
from hooklib.text import strip_ansi

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.knowledge.note_folders import Kind

_TITLE, _NAME, _KEYWORD, _BODY = 160, 80, 60, 200_000  # characters


class Note:
    """What to record: a title, a text, keywords; without secrets and on one line where need be."""

    def __init__(self, title: str, body: str = "", words: list[str] | None = None) -> None:
        if len(body) > _BODY:
            raise Refused("the text is longer than %d characters" % _BODY)
        self.title = clean(redact(title).lstrip("# "), _TITLE)
        self.body = redact(strip_ansi(body.replace("\r\n", "\n").replace("\r", "\n")))
        listed = [word for given in words or [] for word in entries.words_of(given)]
        self.words = unite([], [clean(redact(word), _KEYWORD) for word in listed])
        if not self.title:
            raise Refused("the title is empty")
        if entries.open_code(self.body):
            raise Refused("the text has a code block or a comment that is never closed")


def record(layer: Layer, kind: Kind, id: str, note: Note, name: str = "") -> dict[str, Any]:
    """Add note to the topic of that id, which is made where it is new; return what became of it."""
    if _find(layer.load(kind)[kind.list], kind, id) is None:
        _new_topic(kind, id, "")  # an id that cannot be must not leave folders behind
    layer.make_folder(kind)
    with Turn(layer):
        index = layer.load(kind)
        topic = _find(index[kind.list], kind, id)
        new = topic is None
        if topic is None:
            topic = _new_topic(kind, id, clean(redact(name), _NAME))
        file = topic.get("file")
        if not isinstance(file, str) or not is_plain(file):
            raise Refused("%s has no usable file in the index, see `hookctl knowledge check`" % id)
        for entry in entries.split(layer.read_file(kind, file)):
            if entry.title.casefold() == note.title.casefold():
                raise Refused("%s has an entry of that title in line %d" % (file, entry.line))
        skill = "" if kind is KNOWLEDGE else id
        text = entries.compose(note.title, today(), note.words, note.body, skill)
        layer.append(kind, file, text, clean(str(topic.get("name") or id), _NAME))
        if new:
            index[kind.list].append(topic)
        topic["keywords"] = unite(checked.items(topic.get("keywords")), note.words)
        count = len(entries.split(layer.read_file(kind, file)))
        for other in index[kind.list]:
            if isinstance(other, dict) and other.get("file") == file:  # more than one may name it
                other["count"] = count
        stamp(index, kind)
        layer.save(kind, index)
    return {"id": id, "file": file, "entries": count, "new": new}


def _find(listed: list[Any], kind: Kind, id: str) -> dict[str, Any] | None:
    known = [entry for entry in listed if isinstance(entry, dict)]
    for entry in known:
        if entry.get(kind.id) == id:
            return entry
    for entry in known:
        other = entry.get(kind.id)
        if isinstance(other, str) and other.casefold() == id.casefold():
            raise Refused("%s is there already, written %s" % (id, other))  # one file on some disks
    return None


def _new_topic(kind: Kind, id: str, name: str) -> dict[str, Any]:
    from hooklib.event import file_name

    stem = id.split(".")[0]
    reserved = stem.isascii() and file_name(stem) != stem  # a device on Windows
    usable = id == clean(id, 64) and all(char.isalnum() or char in "-_." for char in id)
    if not usable or reserved or id[:1] in ("", ".", "_", "-") or id[-1:] == ".":
        raise Refused("%r cannot name a file: use letters, digits, - and _" % id)
    file = kind.prefix + id + ".md"
    if kind is KNOWLEDGE:
        return {"id": id, "name": name or id, "keywords": [], "file": file, "count": 0}
    return {"skillId": id, "file": file, "keywords": [], "count": 0}


def unite(old: list[Any], new: list[Any]) -> list[Any]:
    """Return old with those of new at its end that it does not have, whatever their case."""
    known = {word.casefold() for word in old if isinstance(word, str)}
    united = list(old)
    for word in new:
        if isinstance(word, str) and word and word.casefold() not in known:
            known.add(word.casefold())
            united.append(word)
    return united


def stamp(index: dict[str, Any], kind: Kind) -> None:
    """Set the date and the total of an index that changed."""
    index["lastUpdated"] = today()
    if kind is KNOWLEDGE or "totalEntries" in index:
        index["totalEntries"] = total(index[kind.list])


def total(listed: list[Any]) -> int:
    counts = [entry.get("count") for entry in listed if isinstance(entry, dict)]
    return sum(count for count in counts if type(count) is int and count > 0)
