"""hookctl memory: list, search, add and remove memories of this project and of the user."""

from __future__ import annotations

from hooklib.cli import terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def declare(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    import argparse

    from hooklib.memory.store.entry import KINDS

    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    def add(name: str, text: str) -> argparse.ArgumentParser:
        parser = actions.add_parser(name, help=text, description=text, allow_abbrev=False)
        parser.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
        return parser

    new = add("add", "store a memory; it supersedes one of the same kind and title")
    new.add_argument("--kind", choices=KINDS, required=True)
    new.add_argument("--title", required=True, help="what it says, in one line")
    new.add_argument("--supersedes", action="append", default=[], metavar="URI")
    new.add_argument("--temporary", action="store_true", help="until this session ends")
    _add_parts(new)
    _add_scope(new)
    listing = add("list", "list memories, the important ones first")
    listing.add_argument("--kind", choices=KINDS)
    listing.add_argument("--tag")
    listing.add_argument("--all", action="store_true", help="include superseded ones")
    _add_scope(listing)
    add("show", "show a whole memory").add_argument("uri", metavar="URI")
    search = add("search", "find memories by words or files")
    search.add_argument("word", nargs="*")
    search.add_argument("--file", action="append", default=[], metavar="PATH")
    edit = add("edit", "change parts of a memory")
    edit.add_argument("uri", metavar="URI")
    edit.add_argument("--title")
    _add_parts(edit)
    forget = add("forget", "remove memories completely")
    forget.add_argument("uri", nargs="+", metavar="URI")
    export = add("export", "write all memories to a file that git can merge")
    export.add_argument(
        "file", nargs="?", help="default: .claude/memory/memories.jsonl; - for stdout"
    )
    _add_scope(export)
    importing = add("import", "read memories from such a file")
    importing.add_argument("file", nargs="?", help="default: .claude/memory/memories.jsonl")
    _add_scope(importing)
    add("stats", "count memories, and show the databases' size and whether they are intact")
    add("preferences", "show what you always allow or refuse, and the rule for it")


def _add_parts(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--body", metavar="TEXT", help="details; - for stdin")
    parser.add_argument("--file", action="append", metavar="GLOB", help="files that it is about")
    parser.add_argument("--tag", action="append", help="can be repeated")
    parser.add_argument("--priority", type=int, choices=range(6), help="0 highest, 5 lowest")


def _add_scope(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--user", action="store_true", help="yours, for all projects")


def run(options: argparse.Namespace) -> terminal.Reply:
    from hooklib.cli import memory_actions
    from hooklib.memory.store.sqlite import DatabaseError

    action = getattr(memory_actions, "do_" + options.action)
    try:
        reply: terminal.Reply = action(options)
        return reply
    except ValueError as error:
        raise terminal.Usage(str(error)) from None
    except (OSError, DatabaseError) as error:
        raise terminal.Problem(getattr(error, "strerror", None) or str(error)) from None
