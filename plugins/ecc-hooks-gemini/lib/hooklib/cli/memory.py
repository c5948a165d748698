"""hookctl memory: what is remembered of this project and by you; add to it, search it, forget."""

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
        made = actions.add_parser(name, help=text, description=text, allow_abbrev=False)
        made.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
        return made

    made = add("add", "store a memory; one of the same kind and title is superseded")
    made.add_argument("--kind", choices=KINDS, required=True)
    made.add_argument("--title", required=True, help="one line, what it says")
    made.add_argument("--supersedes", action="append", default=[], metavar="URI")
    made.add_argument("--temporary", action="store_true", help="until this session ends")
    _add_parts(made)
    _add_scope(made)
    made = add("list", "memories, the important ones first")
    made.add_argument("--kind", choices=KINDS)
    made.add_argument("--tag")
    made.add_argument("--all", action="store_true", help="superseded ones too")
    _add_scope(made)
    add("show", "all of a memory").add_argument("uri", metavar="URI")
    made = add("search", "the memories that some words or files are about")
    made.add_argument("word", nargs="*")
    made.add_argument("--file", action="append", default=[], metavar="PATH")
    made = add("edit", "change parts of a memory")
    made.add_argument("uri", metavar="URI")
    made.add_argument("--title")
    _add_parts(made)
    made = add("forget", "remove memories, down to the last byte")
    made.add_argument("uri", nargs="+", metavar="URI")
    made = add("export", "write all memories to a file that git can merge")
    made.add_argument("file", nargs="?", help="default: .claude/memory/memories.jsonl; - is stdout")
    _add_scope(made)
    made = add("import", "read memories from such a file")
    made.add_argument("file", nargs="?", help="default: .claude/memory/memories.jsonl")
    _add_scope(made)
    add("stats", "how many there are, how large the databases, and whether they are sound")
    add("preferences", "what you always allow or refuse, and the rule that would say so")


def _add_parts(made: argparse.ArgumentParser) -> None:
    made.add_argument("--body", metavar="TEXT", help="more about it; - is stdin")
    made.add_argument("--file", action="append", metavar="GLOB", help="files it belongs to")
    made.add_argument("--tag", action="append", help="may be given many times")
    made.add_argument("--priority", type=int, choices=range(6), help="0 highest, 5 lowest")


def _add_scope(made: argparse.ArgumentParser) -> None:
    made.add_argument("--user", action="store_true", help="yours, for all projects")


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
