"""hookctl knowledge: list, search and add the agents' notes; check and repair their indexes."""

from __future__ import annotations

import os
import sys

from hooklib import paths
from hooklib.cli import terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from hooklib.knowledge.index import IndexFolder
    from hooklib.knowledge.layer import Layer

_MAX_BODY = 1_000_000
_SHOWN = 20


def declare(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    import argparse

    actions = parser.add_subparsers(dest="action", metavar="ACTION")

    def add(name: str, text: str) -> argparse.ArgumentParser:
        parser = actions.add_parser(name, help=text, description=text, allow_abbrev=False)
        parser.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
        return parser

    add("list", "list the categories and skills that have entries")
    search = add("search", "find the entries that contain all the words")
    search.add_argument("word", nargs="+")
    new = add("add", "record an entry")
    topic = new.add_mutually_exclusive_group(required=True)
    topic.add_argument("--category", metavar="ID", help="a category, new or existing")
    topic.add_argument("--experience", metavar="SKILL", help="the skill that the entry is about")
    new.add_argument("--title", required=True, help="one line")
    new.add_argument("--keyword", action="append", default=[], help="can be repeated")
    new.add_argument("--body", default="", metavar="TEXT", help="Markdown; - for stdin")
    new.add_argument("--name", default="", help="display name of a new category")
    _add_layers(new)
    _add_layers(add("init", "create the folders and empty indexes of a layer"))
    _add_layers(add("check", "list the differences between indexes and files"))
    _add_layers(add("reindex", "repair the indexes from the files"))


def _add_layers(parser: argparse.ArgumentParser) -> None:
    layer = parser.add_mutually_exclusive_group()
    layer.add_argument("--user", action="store_true", help="your own, for all projects")
    layer.add_argument("--project", action="store_true", help="the project's, shared by git")


def run(options: argparse.Namespace) -> terminal.Reply:
    from hooklib.knowledge.layer import Refused

    action = {
        "search": _search,
        "add": _add,
        "init": _init,
        "check": _check,
        "reindex": _reindex,
    }.get(options.action, _list)
    try:
        return action(options)
    except (Refused, TimeoutError) as error:
        raise terminal.Problem(str(error)) from None
    except OSError as error:
        raise terminal.Problem("%s: %s" % (error.filename or "", error.strerror or error)) from None


def _start_and_root() -> tuple[str, str]:
    """Return the folder that hookctl is run in, and its project's."""
    start = paths.start_dir()
    return start, paths.project_root(start)


def _layers(options: argparse.Namespace) -> list[Layer]:
    """Return the layer that the options name, else both."""
    from hooklib.knowledge import layer

    start, root = _start_and_root()
    if root and os.path.realpath(root) == os.path.realpath(os.path.expanduser("~")):
        start = root = ""
    user_layer, *project_layers = layer.layers(start, root)
    if options.project and not project_layers:
        raise terminal.Problem("not in a project: use --user")
    return [
        *([] if options.project else [user_layer]),
        *([] if options.user else project_layers),
    ]


def _target(options: argparse.Namespace) -> Layer:
    """Return the layer to write to: the named one, else the project's, else the user's."""
    layers = _layers(options)
    return next((layer for layer in layers if layer.name == "project"), layers[0])


def _list(options: argparse.Namespace) -> terminal.Reply:
    from hooklib.knowledge.index import FIELD, PART, index_folders, merge
    from hooklib.knowledge.index_text import entry_counts, safe, shown_path
    from hooklib.knowledge.note_folders import KINDS

    start, root = _start_and_root()
    data: list[dict[str, Any]] = []
    rows = []
    lines: list[str] = []
    for kind in KINDS:
        topics, problems = merge(index_folders(start, root, kind), kind)
        lines += _warnings(problems)
        for line in topics:
            total, id, name, parts, words = line.split("\t")
            files: list[dict[str, Any]] = [
                {"layer": layer, "entries": int(count), "file": os.path.join(folder, file)}
                for layer, count, folder, file in (p.split(FIELD) for p in parts.split(PART))
            ]
            keywords = [safe(word) for word in words.split(FIELD) if word]
            topic = {"kind": kind.folder, "id": safe(id), "name": safe(name)}
            data.append({**topic, "entries": int(total), "files": files, "keywords": keywords})
            counts = entry_counts((part["layer"], part["entries"]) for part in files)
            paths_text = ", ".join(shown_path(part["file"], start, root) for part in files)
            rows.append((kind.folder, safe(id), counts, paths_text, ", ".join(keywords)))
    if rows:
        lines += terminal.table([("KIND", "ID", "ENTRIES", "FILES", "KEYWORDS"), *rows])
    return terminal.Reply(
        data, lines or ["no knowledge yet; `hookctl knowledge init` creates a layer"]
    )


def _search(options: argparse.Namespace) -> terminal.Reply:
    from hooklib.knowledge.find_entries import search
    from hooklib.knowledge.index_text import shown_path

    start, root = _start_and_root()
    hits, problems = search(" ".join(options.word), start, root)
    lines = _warnings(problems)
    for hit in hits[:_SHOWN]:
        where = "%s:%d" % (shown_path(hit["file"], start, root), hit["line"])
        lines.append(terminal.clean("%s [%s]  %s" % (hit["title"], hit["layer"], where)))
    if len(hits) > _SHOWN:
        lines.append("and %d more" % (len(hits) - _SHOWN))
    return terminal.Reply(hits, lines if hits else [*lines, "nothing found"])


def _warnings(problems: list[tuple[IndexFolder, str]]) -> list[str]:
    return [terminal.clean("warn  %s: %s" % (folder.index, text)) for folder, text in problems]


def _add(options: argparse.Namespace) -> terminal.Reply:
    from hooklib.knowledge.add_entry import Note, record
    from hooklib.knowledge.index_text import entry_counts
    from hooklib.knowledge.note_folders import EXPERIENCE, KNOWLEDGE

    kind = KNOWLEDGE if options.category is not None else EXPERIENCE
    body = options.body
    if body == "-":
        body = sys.stdin.buffer.read(_MAX_BODY).decode("utf-8", "replace")
    layer = _target(options)
    note = Note(options.title, body, options.keyword)
    data = record(layer, kind, options.category or options.experience or "", note, options.name)
    data.update(layer=layer.name, kind=kind.folder, title=note.title)
    data["file"] = os.path.join(layer.folder(kind), data["file"])
    counts = entry_counts([(layer.name, data["entries"])])
    return terminal.Reply(data, [terminal.clean("recorded in %s: now %s" % (data["file"], counts))])


def _init(options: argparse.Namespace) -> terminal.Reply:
    layer = _target(options)
    created = layer.make()
    data = {"layer": layer.name, "folder": layer.top, "made": created}
    return terminal.Reply(
        data, map(terminal.clean, ["created " + path for path in created] or ["already exists"])
    )


def _check(options: argparse.Namespace) -> terminal.Reply:
    from hooklib.knowledge import repair

    problems = [problem for layer in _layers(options) for problem in repair.check(layer)]
    return _problem_reply(problems, {"problems": problems}, ["indexes and files agree"])


def _reindex(options: argparse.Namespace) -> terminal.Reply:
    from hooklib.knowledge import repair

    layers = _layers(options)
    changed = [path for layer in layers for path in repair.mend(layer)]
    problems = [problem for layer in layers for problem in repair.check(layer)]
    lines = ["repaired " + path for path in changed] or ["nothing to repair"]
    return _problem_reply(problems, {"changed": changed, "problems": problems}, lines)


def _problem_reply(problems: list[dict[str, str]], data: Any, lines: list[str]) -> terminal.Reply:
    """Return the problems after what was repaired, or lines if there is none."""
    from hooklib.knowledge.index_text import shown_path

    start, root = _start_and_root()
    texts = ["%s: %s" % (shown_path(p["folder"], start, root), p["text"]) for p in problems]
    if texts:
        lines = [line for line in lines if line.startswith("repaired")] + texts
    return terminal.Reply(data, map(terminal.clean, lines), 1 if problems else 0)
