"""Find where an index and its files disagree, and repair the index from the files."""

from __future__ import annotations

import os

from hooklib import checked
from hooklib.knowledge import entries
from hooklib.knowledge.add_entry import merge_keywords, total_entries, update_totals
from hooklib.knowledge.layer import Layer, LayerLock, Refused, empty_index
from hooklib.knowledge.note_folders import INDEX, KINDS, KNOWLEDGE, is_inside, is_plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.knowledge.note_folders import Kind


def check(layer: Layer) -> list[dict[str, str]]:
    """Return every disagreement in a layer: its kind, its folder and a sentence about it."""
    findings = []
    for kind in KINDS:
        if os.path.isdir(layer.folder(kind)):
            for problem, text in _disagreements(layer, kind):
                findings.append({
                    "layer": layer.name, "kind": kind.folder, "folder": layer.folder(kind),
                    "problem": problem, "text": text,
                })  # fmt: skip
    return findings


def _disagreements(layer: Layer, kind: Kind) -> list[tuple[str, str]]:
    try:
        index = layer.load(kind)
    except Refused as error:
        return [("broken", str(error))]
    problems: list[tuple[str, str]] = []
    seen_ids: set[str] = set()
    listed_files: set[str] = set()
    for number, entry in enumerate(index[kind.list_key], 1):
        id, file = _id_and_file(entry, kind)
        if not id or not file:
            problems.append(("odd", "entry %d has no %s" % (number, "file" if id else kind.id_key)))
            continue
        if id in seen_ids:
            problems.append(("duplicate", "%s is there twice" % id))
        seen_ids.add(id)
        listed_files.add(file)
        problems += _file_disagreements(layer, kind, id, file, entry.get("count"))
    for file in _note_files(layer.folder(kind)):
        if file not in listed_files:
            problems.append(("no-entry", "%s is not in the index" % file))
    stated, counted = index.get("totalEntries"), total_entries(index[kind.list_key])
    if stated != counted and (kind is KNOWLEDGE or stated is not None):
        problems.append(("total", "totalEntries is %s, the counts make %d" % (stated, counted)))
    return problems


def _file_disagreements(
    layer: Layer, kind: Kind, id: str, file: str, count: object
) -> list[tuple[str, str]]:
    folder = layer.folder(kind)
    if not is_plain(file):
        return [("outside", "%s: %s is no path inside the folder" % (id, file))]
    if not os.path.lexists(os.path.join(folder, *file.split("/"))):
        # a new category has no file before its first entry
        is_empty_topic = type(count) is int and count == 0
        return [] if is_empty_topic else [("no-file", "%s: %s does not exist" % (id, file))]
    if not is_inside(folder, file):
        return [("outside", "%s: %s leads out of the folder or is no file" % (id, file))]
    try:
        counted = len(entries.split(layer.read_file(kind, file)))
    except Refused as error:
        return [("unreadable", str(error))]
    if type(count) is int and count == counted:
        return []
    return [("count", "%s: the index says %s, %s has %d" % (id, count, file, counted))]


def mend(layer: Layer) -> list[str]:
    """Repair the indexes of a layer from their files; return the indexes that changed."""
    changed = []
    if not os.path.isdir(layer.top):
        return []
    layer.check_inside_project()
    with LayerLock(layer):
        for kind in KINDS:
            if os.path.isdir(layer.folder(kind)) and _disagreements(layer, kind):
                _mend_index(layer, kind)
                changed.append(os.path.join(layer.folder(kind), INDEX))
    return changed


def _mend_index(layer: Layer, kind: Kind) -> None:
    try:
        index = layer.load(kind)
    except Refused:
        _back_up_index(layer, kind)
        index = empty_index(kind)
    topics: dict[str, dict[str, Any]] = {}
    loses_data = False
    for entry in index[kind.list_key]:
        id, file = _complete_id_and_file(entry, kind)
        if not id:
            loses_data = True
        elif id not in topics:
            topics[id] = {**entry, kind.id_key: id, "file": file}
        elif topics[id]["file"] == file:
            words = [checked.items(topic.get("keywords")) for topic in (topics[id], entry)]
            topics[id]["keywords"] = merge_keywords(*words)
            loses_data = True
        else:
            id = _unused_id(id, topics)
            topics[id] = {**entry, kind.id_key: id, "file": file}
    if loses_data:
        _back_up_index(layer, kind, copy=True)
    _add_missing_entries(layer, kind, topics)
    for entry in topics.values():
        _update_count(layer, kind, entry)
    index[kind.list_key] = list(topics.values())
    update_totals(index, kind)
    layer.save(kind, index)


def _update_count(layer: Layer, kind: Kind, entry: dict[str, Any]) -> None:
    try:
        entry["count"] = len(entries.split(layer.read_file(kind, entry["file"])))
    except Refused:  # outside the folder or unreadable: check keeps reporting it
        pass


def _add_missing_entries(layer: Layer, kind: Kind, topics: dict[str, dict[str, Any]]) -> None:
    """Add an entry for each note file that no entry names."""
    listed_files = {entry["file"] for entry in topics.values()}
    for file in _note_files(layer.folder(kind)):
        if file in listed_files:
            continue
        try:
            text = layer.read_file(kind, file)
        except Refused:
            continue
        id = _unused_id(_complete_id_and_file({"file": file}, kind)[0], topics)
        keywords: list[Any] = []
        for entry in entries.split(text):
            keywords = merge_keywords(keywords, entries.read_keywords(entry))
        name = {"name": entries.heading(text) or id} if kind is KNOWLEDGE else {}
        topics[id] = {kind.id_key: id, **name, "keywords": keywords, "file": file, "count": 0}


def _id_and_file(entry: Any, kind: Kind) -> tuple[str, str]:
    entry = checked.mapping(entry)
    return checked.text(entry.get(kind.id_key)), checked.text(entry.get("file"))


def _complete_id_and_file(entry: Any, kind: Kind) -> tuple[str, str]:
    """Return an entry's id and file, deriving a missing one from the other."""
    id, file = _id_and_file(entry, kind)
    if file and not id:
        stem = file[:-3] if file.endswith(".md") else file
        id = (stem[len(kind.file_prefix) :] if stem.startswith(kind.file_prefix) else stem) or stem
    return id, file or kind.file_prefix + id + ".md"


def _unused_id(id: str, topics: dict[str, dict[str, Any]]) -> str:
    number, candidate = 2, id
    while candidate in topics:
        number, candidate = number + 1, "%s-%d" % (id, number)
    return candidate


def _note_files(folder: str) -> list[str]:
    """Return the regular Markdown files in a folder that belong in its index."""
    return sorted(
        name
        for name in os.listdir(folder)
        if name.endswith(".md")
        and name[0] not in "._"
        and name not in ("README.md", "SKILL.md")
        and is_plain(name)
        and is_inside(folder, name)
    )


def _back_up_index(layer: Layer, kind: Kind, copy: bool = False) -> None:
    """Keep a copy of an index that is about to lose data, beside the new one."""
    from hooklib import files

    path = os.path.join(layer.folder(kind), INDEX)
    number, backup = 1, path + ".old"
    while os.path.lexists(backup):
        number, backup = number + 1, "%s.old%d" % (path, number + 1)
    if copy:
        files.write_atomic(backup, files.read_bounded(path, 64_000_000), layer.file_mode)
    else:
        os.rename(path, backup)
