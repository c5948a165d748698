"""Read the indexes of all layers and merge them: one topic per id, the most used first.

A topic is a line of text, so that the topics of a large index can be kept and read back in part:
total, id, name, parts and keywords with tabs between them. Everything in it comes from files that
a cloned repository may have brought: it is bounded and holds no control characters.
"""

from __future__ import annotations

import os

from hooklib import checked, files, jsonio
from hooklib.knowledge.note_folders import INDEX, is_inside, is_plain, roots

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.knowledge.note_folders import Kind

MAX_INDEX = 16_000_000  # bytes: 100,000 categories; of a larger index only the beginning counts
MAX_COUNT = 999_999_999
_NAME = 80  # characters
_KEYWORD, _KEYWORDS = 60, 40  # characters, how many
_FEW = 64  # so many files are looked for one by one, more in a list of the folder
PART, FIELD = "\x1e", "\x1f"
UNREADABLE = "cannot be read: "


class Place:
    """A folder with an index: whose it is, and what tells that it has changed."""

    __slots__ = ("layer", "folder", "size", "stamp")

    def __init__(self, layer: str, folder: str, size: int, stamp: str) -> None:
        self.layer = layer
        self.folder = folder
        self.size = size
        self.stamp = stamp

    @property
    def index(self) -> str:
        return os.path.join(self.folder, INDEX)


def places(start: str, root: str, kind: Kind) -> list[Place]:
    """Return the folders that have an index, each once even where links lead to it twice."""
    found: dict[tuple[int, int], Place] = {}
    for layer, top in roots(start, root):
        if any(char < " " for char in top):  # a tab or a new line would break a topic's line
            continue
        folder = os.path.join(top, kind.folder)
        path = os.path.join(folder, INDEX)
        try:
            about, around = os.stat(path), os.stat(folder)
        except (FileNotFoundError, NotADirectoryError, ValueError):
            continue
        except OSError:  # no permission, a loop of links: the reading will tell
            found[(-1, len(found))] = Place(layer, folder, 0, "")
            continue
        times = (about.st_mtime_ns, about.st_size, about.st_ino, around.st_mtime_ns)
        stamp = "%s %d %d %d %d" % (path, *times)
        found.setdefault((about.st_dev, about.st_ino), Place(layer, folder, about.st_size, stamp))
    return list(found.values())


def read(path: str, kind: Kind) -> tuple[list[Any], str]:
    """Return an index's list and what is wrong with it; with an unusable one the list is empty."""
    try:
        data = files.read_head(path, MAX_INDEX + 1)
        value = _beginning(data) if len(data) > MAX_INDEX else jsonio.loads(data)
    except OSError as error:
        return [], UNREADABLE + (error.strerror or str(error))
    except RecursionError:
        return [], "nested too deep"
    except ValueError:
        return [], "not JSON"
    listed = checked.mapping(value).get(kind.list)
    if not isinstance(listed, list):
        return [], "no list of " + kind.list
    return listed, "only its first %d bytes were read" % MAX_INDEX if len(data) > MAX_INDEX else ""


def _beginning(data: bytes) -> Any:
    """Return what the whole entries at the beginning of a huge index say."""
    text = data[:MAX_INDEX].decode("utf-8", "ignore")
    end = len(text)
    for _ in range(3):  # `},` may also be inside a text, or end something inside an entry
        end = text.rfind("}", 0, end)
        try:
            return jsonio.loads(text[: end + 1] + "]}")
        except ValueError:
            continue
    raise ValueError("no entry ends in the part that is read")


def merge(found: list[Place], kind: Kind) -> tuple[list[str], list[tuple[Place, str]]]:
    """Return the topics of all places as lines, and (place, what is wrong) for odd indexes."""
    topics: dict[str, list[Any]] = {}  # id -> [total, name, parts, keywords]
    problems = []
    for place in found:
        listed, problem = read(place.index, kind)
        if problem:
            problems.append((place, problem))
        there = _files(place.folder) if len(listed) > _FEW else None
        seen: set[str] = set()
        for entry in listed:
            if isinstance(entry, dict):
                _add(topics, seen, entry, place, kind, there)
    order = sorted(topics, key=lambda id: (-topics[id][0], id))
    return [_line(id, *topics[id]) for id in order], problems


def _line(id: str, total: int, name: str, parts: list[str], keywords: dict[str, str]) -> str:
    words = FIELD.join(list(keywords.values())[:_KEYWORDS])
    return "\t".join((str(total), id, name, PART.join(parts), words))


def _add(
    topics: dict[str, list[Any]],
    seen: set[str],
    entry: dict[str, Any],
    place: Place,
    kind: Kind,
    there: set[str] | None,
) -> None:
    """Lay one entry of an index over the topics; one that is empty or odd leaves no mark."""
    id, file, count = entry.get(kind.id), entry.get("file"), entry.get("count")
    if type(count) is not int or count <= 0 or not isinstance(id, str) or not isinstance(file, str):
        return
    id = clean(id, _NAME)
    if not id or id in seen or not is_plain(file):
        return
    listed = there is not None and "/" not in file
    if not (file in there if listed else is_inside(place.folder, file)):  # type: ignore[operator]
        return
    seen.add(id)
    topic = topics.setdefault(id, [0, clean(checked.text(entry.get("name")), _NAME), [], {}])
    count = min(count, MAX_COUNT)
    topic[0] += count
    topic[1] = topic[1] or id
    topic[2].append(FIELD.join((place.layer, str(count), place.folder, file)))
    for keyword in checked.items(entry.get("keywords"))[:_KEYWORDS]:
        word = clean(checked.text(keyword), _KEYWORD + 1)
        if 0 < len(word) <= _KEYWORD:
            topic[3].setdefault(word.casefold(), word)


def _files(folder: str) -> set[str] | None:
    try:
        return set(os.listdir(folder))
    except OSError:
        return None


def clean(text: str, limit: int) -> str:
    """Return text on one line, cut to limit characters, without anything that does not print."""
    if "\x1b" in text:
        from hooklib.text import strip_ansi

        text = strip_ansi(text[: 20 * limit])
    if not text.isprintable():
        text = "".join(char if char.isprintable() else " " for char in text[: 20 * limit])
    if "  " in text or text[:1] == " " or text[-1:] == " ":
        text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
