"""Find where an index and its files disagree, and mend the index from the files."""

from __future__ import annotations

import os

from hooklib import checked
from hooklib.knowledge import entries
from hooklib.knowledge.add_entry import stamp, total, unite
from hooklib.knowledge.layer import Layer, Refused, Turn, fresh
from hooklib.knowledge.note_folders import INDEX, KINDS, KNOWLEDGE, is_inside, is_plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.knowledge.note_folders import Kind


def check(layer: Layer) -> list[dict[str, str]]:
    """Return every disagreement of a layer: what kind it is, where, and in words."""
    found = []
    for kind in KINDS:
        if os.path.isdir(layer.folder(kind)):
            for problem, text in _check(layer, kind):
                found.append({
                    "layer": layer.name, "kind": kind.folder, "folder": layer.folder(kind),
                    "problem": problem, "text": text,
                })  # fmt: skip
    return found


def _check(layer: Layer, kind: Kind) -> list[tuple[str, str]]:
    try:
        index = layer.load(kind)
    except Refused as error:
        return [("broken", str(error))]
    found: list[tuple[str, str]] = []
    seen: set[str] = set()
    listed: set[str] = set()
    for number, entry in enumerate(index[kind.list], 1):
        id, file = _id_and_file(entry, kind)
        if not id or not file:
            found.append(("odd", "entry %d has no %s" % (number, "file" if id else kind.id)))
            continue
        if id in seen:
            found.append(("duplicate", "%s is there twice" % id))
        seen.add(id)
        listed.add(file)
        found += _check_file(layer, kind, id, file, entry.get("count"))
    for file in _markdown(layer.folder(kind)):
        if file not in listed:
            found.append(("no-entry", "%s is not in the index" % file))
    said, real = index.get("totalEntries"), total(index[kind.list])
    if said != real and (kind is KNOWLEDGE or said is not None):
        found.append(("total", "totalEntries is %s, the counts make %d" % (said, real)))
    return found


def _check_file(
    layer: Layer, kind: Kind, id: str, file: str, count: object
) -> list[tuple[str, str]]:
    folder = layer.folder(kind)
    if not is_plain(file):
        return [("outside", "%s: %s is no path inside the folder" % (id, file))]
    if not os.path.lexists(os.path.join(folder, *file.split("/"))):
        said = type(count) is int and count == 0  # a category that waits for its first entry
        return [] if said else [("no-file", "%s: %s does not exist" % (id, file))]
    if not is_inside(folder, file):
        return [("outside", "%s: %s leads out of the folder or is no file" % (id, file))]
    try:
        real = len(entries.split(layer.read_file(kind, file)))
    except Refused as error:
        return [("unreadable", str(error))]
    if type(count) is int and count == real:
        return []
    return [("count", "%s: the index says %s, %s has %d" % (id, count, file, real))]


def mend(layer: Layer) -> list[str]:
    """Bring the indexes of a layer in line with their files; return those that changed."""
    changed = []
    if not os.path.isdir(layer.top):
        return []
    layer.check_place()
    with Turn(layer):
        for kind in KINDS:
            if os.path.isdir(layer.folder(kind)) and _check(layer, kind):
                _mend(layer, kind)
                changed.append(os.path.join(layer.folder(kind), INDEX))
    return changed


def _mend(layer: Layer, kind: Kind) -> None:
    try:
        index = layer.load(kind)
    except Refused:
        _put_aside(layer, kind)
        index = fresh(kind)
    kept: dict[str, dict[str, Any]] = {}
    lost = False
    for entry in index[kind.list]:
        id, file = _completed(entry, kind)
        if not id:
            lost = True
        elif id not in kept:
            kept[id] = {**entry, kind.id: id, "file": file}
        elif kept[id]["file"] == file:
            words = [checked.items(each.get("keywords")) for each in (kept[id], entry)]
            kept[id]["keywords"] = unite(*words)
            lost = True
        else:
            id = _free(id, kept)
            kept[id] = {**entry, kind.id: id, "file": file}
    if lost:
        _put_aside(layer, kind, copy=True)
    _add_missing(layer, kind, kept)
    for entry in kept.values():
        _count(layer, kind, entry)
    index[kind.list] = list(kept.values())
    stamp(index, kind)
    layer.save(kind, index)


def _count(layer: Layer, kind: Kind, entry: dict[str, Any]) -> None:
    try:
        entry["count"] = len(entries.split(layer.read_file(kind, entry["file"])))
    except Refused:  # it leads out, or cannot be read: check goes on to name it
        pass


def _add_missing(layer: Layer, kind: Kind, kept: dict[str, dict[str, Any]]) -> None:
    """Add an entry for each file that no entry names."""
    listed = {entry["file"] for entry in kept.values()}
    for file in _markdown(layer.folder(kind)):
        if file in listed:
            continue
        try:
            text = layer.read_file(kind, file)
        except Refused:
            continue
        id = _free(_completed({"file": file}, kind)[0], kept)
        words: list[Any] = []
        for entry in entries.split(text):
            words = unite(words, entries.keywords(entry))
        named = {"name": entries.heading(text) or id} if kind is KNOWLEDGE else {}
        kept[id] = {kind.id: id, **named, "keywords": words, "file": file, "count": 0}


def _id_and_file(entry: Any, kind: Kind) -> tuple[str, str]:
    entry = checked.mapping(entry)
    return checked.text(entry.get(kind.id)), checked.text(entry.get("file"))


def _completed(entry: Any, kind: Kind) -> tuple[str, str]:
    """Return an entry's id and file, one made from the other where it is missing."""
    id, file = _id_and_file(entry, kind)
    if file and not id:
        stem = file[:-3] if file.endswith(".md") else file
        id = (stem[len(kind.prefix) :] if stem.startswith(kind.prefix) else stem) or stem
    return id, file or kind.prefix + id + ".md"


def _free(id: str, kept: dict[str, dict[str, Any]]) -> str:
    number, free = 2, id
    while free in kept:
        number, free = number + 1, "%s-%d" % (id, number)
    return free


def _markdown(folder: str) -> list[str]:
    """Return the files of a folder that should be in its index; a directory or link is none."""
    return sorted(
        name
        for name in os.listdir(folder)
        if name.endswith(".md")
        and name[0] not in "._"
        and name not in ("README.md", "SKILL.md")
        and is_plain(name)
        and is_inside(folder, name)
    )


def _put_aside(layer: Layer, kind: Kind, copy: bool = False) -> None:
    """Keep an index that is about to lose something beside the new one."""
    from hooklib import files

    path = os.path.join(layer.folder(kind), INDEX)
    number, aside = 1, path + ".old"
    while os.path.lexists(aside):
        number, aside = number + 1, "%s.old%d" % (path, number + 1)
    if copy:
        files.write_atomic(aside, files.read_bounded(path, 64_000_000), layer.file_mode)
    else:
        os.rename(path, aside)
