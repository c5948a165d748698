"""Read the indexes of all layers and merge them: one topic per id, the most used first.

A topic is one line of text, so that part of a large cached index can be read. Tabs separate its
total, id, name, parts and keywords. All of it comes from files that a cloned repository may have
brought, so it is bounded and has no control characters.
"""

from __future__ import annotations

import os

from hooklib import checked, files, jsonio
from hooklib.knowledge.note_folders import INDEX, is_inside, is_plain, layer_folders

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.knowledge.note_folders import Kind

MAX_INDEX = 16_000_000  # bytes: 100,000 categories; of a larger index only the beginning counts
MAX_COUNT = 999_999_999
_MAX_NAME = 80  # characters
_MAX_KEYWORD, _MAX_KEYWORDS = 60, 40  # characters, how many
_FEW_ENTRIES = 64  # up to this many files are checked one by one, more against a folder listing
PART, FIELD = "\x1e", "\x1f"
UNREADABLE = "cannot be read: "


class IndexFolder:
    """A folder with an index: its layer, and a stamp that changes whenever the folder does."""

    __slots__ = ("layer", "path", "size", "stamp")

    def __init__(self, layer: str, path: str, size: int, stamp: str) -> None:
        self.layer = layer
        self.path = path
        self.size = size
        self.stamp = stamp

    @property
    def index(self) -> str:
        return os.path.join(self.path, INDEX)


def index_folders(start: str, root: str, kind: Kind) -> list[IndexFolder]:
    """Return the folders that have an index, each once even if links lead to it twice."""
    folders: dict[tuple[int, int], IndexFolder] = {}
    for layer, top in layer_folders(start, root):
        if any(char < " " for char in top):  # a tab or a new line would break a topic's line
            continue
        folder = os.path.join(top, kind.folder)
        path = os.path.join(folder, INDEX)
        try:
            index_stat, parent = os.stat(path), os.stat(folder)
        except (FileNotFoundError, NotADirectoryError, ValueError):
            continue
        except OSError:  # no permission, a loop of links: reading the index reports it
            folders[(-1, len(folders))] = IndexFolder(layer, folder, 0, "")
            continue
        times = (
            index_stat.st_mtime_ns,
            index_stat.st_size,
            index_stat.st_ino,
            parent.st_mtime_ns,
        )
        stamp = "%s %d %d %d %d" % (path, *times)
        inode = (index_stat.st_dev, index_stat.st_ino)
        folders.setdefault(inode, IndexFolder(layer, folder, index_stat.st_size, stamp))
    return list(folders.values())


def read_index(path: str, kind: Kind) -> tuple[list[Any], str]:
    """Return an index's entries and its problem, or ''; an unusable index has no entries."""
    try:
        data = files.read_head(path, MAX_INDEX + 1)
        value = _parse_beginning(data) if len(data) > MAX_INDEX else jsonio.loads(data)
    except OSError as error:
        return [], UNREADABLE + (error.strerror or str(error))
    except RecursionError:
        return [], "nested too deep"
    except ValueError:
        return [], "not JSON"
    entries = checked.mapping(value).get(kind.list_key)
    if not isinstance(entries, list):
        return [], "no list of " + kind.list_key
    is_cut = len(data) > MAX_INDEX
    return entries, "only its first %d bytes were read" % MAX_INDEX if is_cut else ""


def _parse_beginning(data: bytes) -> Any:
    """Parse the beginning of a huge index, up to the last entry that is complete."""
    text = data[:MAX_INDEX].decode("utf-8", "ignore")
    end = len(text)
    for _ in range(3):  # a `}` may also be inside a string, or end an object inside an entry
        end = text.rfind("}", 0, end)
        try:
            return jsonio.loads(text[: end + 1] + "]}")
        except ValueError:
            continue
    raise ValueError("no entry ends in the part that is read")


def merge(
    folders: list[IndexFolder], kind: Kind
) -> tuple[list[str], list[tuple[IndexFolder, str]]]:
    """Return the topics of all folders as lines, and the folders whose index has a problem."""
    topics: dict[str, list[Any]] = {}  # id -> [total, name, parts, keywords]
    problems = []
    for folder in folders:
        entries, problem = read_index(folder.index, kind)
        if problem:
            problems.append((folder, problem))
        file_names = _file_names(folder.path) if len(entries) > _FEW_ENTRIES else None
        seen_ids: set[str] = set()
        for entry in entries:
            if isinstance(entry, dict):
                _merge_entry(topics, seen_ids, entry, folder, kind, file_names)
    order = sorted(topics, key=lambda id: (-topics[id][0], id))
    return [_topic_line(id, *topics[id]) for id in order], problems


def _topic_line(id: str, total: int, name: str, parts: list[str], keywords: dict[str, str]) -> str:
    words = FIELD.join(list(keywords.values())[:_MAX_KEYWORDS])
    return "\t".join((str(total), id, name, PART.join(parts), words))


def _merge_entry(
    topics: dict[str, list[Any]],
    seen_ids: set[str],
    entry: dict[str, Any],
    folder: IndexFolder,
    kind: Kind,
    file_names: set[str] | None,
) -> None:
    """Add one entry of an index to the topics; an empty or invalid one is skipped."""
    id, file, count = entry.get(kind.id_key), entry.get("file"), entry.get("count")
    if type(count) is not int or count <= 0 or not isinstance(id, str) or not isinstance(file, str):
        return
    id = clean(id, _MAX_NAME)
    if not id or id in seen_ids or not is_plain(file):
        return
    is_direct = file_names is not None and "/" not in file
    if not (file in file_names if is_direct else is_inside(folder.path, file)):  # type: ignore[operator]
        return
    seen_ids.add(id)
    topic = topics.setdefault(id, [0, clean(checked.text(entry.get("name")), _MAX_NAME), [], {}])
    count = min(count, MAX_COUNT)
    topic[0] += count
    topic[1] = topic[1] or id
    topic[2].append(FIELD.join((folder.layer, str(count), folder.path, file)))
    for keyword in checked.items(entry.get("keywords"))[:_MAX_KEYWORDS]:
        word = clean(checked.text(keyword), _MAX_KEYWORD + 1)
        if 0 < len(word) <= _MAX_KEYWORD:
            topic[3].setdefault(word.casefold(), word)


def _file_names(folder: str) -> set[str] | None:
    try:
        return set(os.listdir(folder))
    except OSError:
        return None


def clean(text: str, limit: int) -> str:
    """Return text on one line, cut to limit characters, without unprintable characters."""
    if "\x1b" in text:
        from hooklib.text import strip_ansi

        text = strip_ansi(text[: 20 * limit])
    if not text.isprintable():
        text = "".join(char if char.isprintable() else " " for char in text[: 20 * limit])
    if "  " in text or text[:1] == " " or text[-1:] == " ":
        text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
