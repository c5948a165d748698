"""hookctl knowledge: look at the notes that agents keep, add to them, keep their indexes right."""

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
        made = actions.add_parser(name, help=text, description=text, allow_abbrev=False)
        made.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
        return made

    add("list", "all categories and skills that have entries")
    made = add("search", "entries that hold all these words")
    made.add_argument("word", nargs="+")
    made = add("add", "record an entry")
    about = made.add_mutually_exclusive_group(required=True)
    about.add_argument("--category", metavar="ID", help="of the knowledge base, new or there")
    about.add_argument("--experience", metavar="SKILL", help="what was learnt with this skill")
    made.add_argument("--title", required=True, help="one line")
    made.add_argument("--keyword", action="append", default=[], help="may be given many times")
    made.add_argument("--body", default="", metavar="TEXT", help="Markdown; - is stdin")
    made.add_argument("--name", default="", help="of a new category, for people")
    _add_layers(made)
    _add_layers(add("init", "make the folders and empty indexes of a layer"))
    _add_layers(add("check", "name every difference between indexes and files"))
    _add_layers(add("reindex", "make the indexes again from the files"))


def _add_layers(made: argparse.ArgumentParser) -> None:
    where = made.add_mutually_exclusive_group()
    where.add_argument("--user", action="store_true", help="your own, for all projects")
    where.add_argument("--project", action="store_true", help="the project's, shared by git")


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


def _here() -> tuple[str, str]:
    start = paths.start_dir()
    return start, paths.project_root(start)


def _layers(options: argparse.Namespace) -> list[Layer]:
    """Return the layers that a command is about: the named one, else both."""
    from hooklib.knowledge import layer

    start, root = _here()
    if root and os.path.realpath(root) == os.path.realpath(os.path.expanduser("~")):
        start = root = ""
    mine, *theirs = layer.layers(start, root)
    if options.project and not theirs:
        raise terminal.Problem("this is no project: use --user")
    return [*([] if options.project else [mine]), *([] if options.user else theirs)]


def _target(options: argparse.Namespace) -> Layer:
    """Return the layer to write into: the project's, if there is one and nothing else is said."""
    found = _layers(options)
    return next((layer for layer in found if layer.name == "project"), found[0])


def _list(options: argparse.Namespace) -> terminal.Reply:
    from hooklib.knowledge.index import FIELD, PART, index_folders, merge
    from hooklib.knowledge.index_text import entry_counts, safe, shown_path
    from hooklib.knowledge.note_folders import KINDS

    start, root = _here()
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
            told = entry_counts((part["layer"], part["entries"]) for part in files)
            where = ", ".join(shown_path(part["file"], start, root) for part in files)
            rows.append((kind.folder, safe(id), told, where, ", ".join(keywords)))
    if rows:
        lines += terminal.table([("KIND", "ID", "ENTRIES", "FILES", "KEYWORDS"), *rows])
    return terminal.Reply(
        data, lines or ["no knowledge yet; `hookctl knowledge init` makes a layer"]
    )


def _search(options: argparse.Namespace) -> terminal.Reply:
    from hooklib.knowledge.find_entries import search
    from hooklib.knowledge.index_text import shown_path

    start, root = _here()
    found, problems = search(" ".join(options.word), start, root)
    lines = _warnings(problems)
    for hit in found[:_SHOWN]:
        where = "%s:%d" % (shown_path(hit["file"], start, root), hit["line"])
        lines.append(terminal.clean("%s [%s]  %s" % (hit["title"], hit["layer"], where)))
    if len(found) > _SHOWN:
        lines.append("and %d more" % (len(found) - _SHOWN))
    return terminal.Reply(found, lines if found else [*lines, "nothing found"])


def _warnings(problems: list[tuple[IndexFolder, str]]) -> list[str]:
    return [terminal.clean("warn  %s: %s" % (place.index, problem)) for place, problem in problems]


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
    done = record(layer, kind, options.category or options.experience or "", note, options.name)
    done.update(layer=layer.name, kind=kind.folder, title=note.title)
    done["file"] = os.path.join(layer.folder(kind), done["file"])
    told = entry_counts([(layer.name, done["entries"])])
    return terminal.Reply(done, [terminal.clean("recorded in %s: now %s" % (done["file"], told))])


def _init(options: argparse.Namespace) -> terminal.Reply:
    layer = _target(options)
    made = layer.make()
    data = {"layer": layer.name, "folder": layer.top, "made": made}
    return terminal.Reply(
        data, map(terminal.clean, ["made " + path for path in made] or ["it is there"])
    )


def _check(options: argparse.Namespace) -> terminal.Reply:
    from hooklib.knowledge import repair

    found = [problem for layer in _layers(options) for problem in repair.check(layer)]
    return _told(found, {"problems": found}, ["indexes and files agree"])


def _reindex(options: argparse.Namespace) -> terminal.Reply:
    from hooklib.knowledge import repair

    layers = _layers(options)
    changed = [path for layer in layers for path in repair.mend(layer)]
    found = [problem for layer in layers for problem in repair.check(layer)]
    lines = ["mended " + path for path in changed] or ["nothing to mend"]
    return _told(found, {"changed": changed, "problems": found}, lines)


def _told(found: list[dict[str, str]], data: Any, lines: list[str]) -> terminal.Reply:
    from hooklib.knowledge.index_text import shown_path

    here = _here()
    texts = ["%s: %s" % (shown_path(one["folder"], *here), one["text"]) for one in found]
    if texts:
        lines = [line for line in lines if line.startswith("mended")] + texts
    return terminal.Reply(data, map(terminal.clean, lines), 1 if found else 0)
