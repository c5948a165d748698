"""The command line: which commands there are and what they take."""

from __future__ import annotations

import argparse
import sys

from hooklib.cli import knowledge, memory, sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

WRONG_USAGE = 2
HOSTS = ("claude", "opencode", "gemini", "sdk")


class _Module:
    """A command's module, loaded when the command is called."""

    def __init__(self, name: str, function: str = "run") -> None:
        self.name = name
        self.function = function

    def __call__(self, given: argparse.Namespace) -> Any:
        import importlib

        module = importlib.import_module("hooklib.cli." + self.name)
        return getattr(module, self.function)(given)


def parse(argv: list[str]) -> argparse.Namespace:
    """Return the options, with the command to call as `run`; SystemExit for help and errors."""
    parser, commands = _parser()
    if argv[:1] == ["help"]:
        wanted = commands.get(argv[1]) if len(argv) > 1 else parser
        if wanted is None:
            parser.error("unknown command: " + argv[1])
        wanted.print_help()
        raise SystemExit(0)
    given = parser.parse_args(argv)
    if given.version:
        from hooklib import paths
        from hooklib.cli import plugins

        print("hookctl " + (plugins.version(paths.PLUGIN_ROOT) or "outside a plugin"))
        raise SystemExit(0)
    if given.command is None:
        parser.print_help(sys.stderr)
        raise SystemExit(WRONG_USAGE)
    return given


def _parser() -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    parser = argparse.ArgumentParser(
        prog="hookctl", description="look at, test and switch hooks", allow_abbrev=False
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--version", action="store_true", help="print the version")
    group = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands: dict[str, argparse.ArgumentParser] = {}

    def add(name: str, text: str, run: _Module) -> argparse.ArgumentParser:
        made = group.add_parser(name, help=text, description=text, allow_abbrev=False)
        made.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
        made.set_defaults(run=run)
        commands[name] = made
        return made

    add("status", "what is on, in one screen", _Module("status"))
    add("list", "every hook, where it comes from and whether it is on", _Module("list_hooks"))
    _add_checking(add)
    _add_trying(add)
    _add_changing(add)
    _add_looking_back(add)
    knowledge.declare(
        add("knowledge", "the notes that agents keep: look, add, check", _Module("knowledge"))
    )
    memory.declare(
        add("memory", "what is remembered of this project and by you", _Module("memory"))
    )
    sessions.declare(
        add("sessions", "what is stored of this project's sessions", _Module("sessions"))
    )
    add("help", "show this, or how a command is called", _Module("status")).add_argument(
        "topic", nargs="?", help="a command"
    )
    return parser, commands


def _add_checking(add: Any) -> None:
    made = add("validate", "every entry that is wrong, and why", _Module("validate"))
    made.add_argument("file", nargs="?", help="check this file alone")
    made.add_argument("--host", choices=HOSTS, default="claude", help="where the rules shall run")
    add("doctor", "check the installation and the wiring of all hooks", _Module("doctor"))


def _add_trying(add: Any) -> None:
    made = add("test", "send an event through the hooks and show what each says", _Module("test"))
    made.add_argument("event_name", nargs="?", metavar="EVENT", help="PreToolUse, Stop, ...")
    made.add_argument("--event", metavar="FILE", help="the event as JSON; - is stdin")
    made.add_argument("--tool", help="the tool's name")
    made.add_argument("--file", help="the file that the tool is about")
    made.add_argument("--command", dest="shell_command", metavar="TEXT", help="Bash's command")
    made.add_argument("--prompt", help="what the user typed")
    made.add_argument("--source", metavar="TEXT", help="startup, compact, manual, ...")
    _add_runs(made)
    made = add(
        "replay", "send recorded events or a transcript through the hooks", _Module("replay")
    )
    made.add_argument("file", help="JSON lines, a JSON array or a Claude Code transcript")
    _add_runs(made)


def _add_runs(made: argparse.ArgumentParser) -> None:
    made.add_argument("--plugin", action="append", metavar="NAME", help="this plugin's hooks alone")
    made.add_argument("--host", choices=HOSTS, default="claude", help="whose answer to show")
    made.add_argument("--dry-run", action="store_true", help="run nothing, only say what would")


def _add_changing(add: Any) -> None:
    made = add("trust", "let this project's rules run commands", _Module("trust"))
    made.add_argument("--yes", action="store_true", help="do not ask")
    made.add_argument("--forget", action="store_true", help="take the trust back")
    for name, function in (("enable", "enable"), ("disable", "disable")):
        made = add(
            name,
            "switch a hook %s" % ("on" if name == "enable" else "off"),
            _Module("enable", function),
        )
        made.add_argument("id", help="of a hook or a rule, see `hookctl list`")
        where = made.add_mutually_exclusive_group()
        where.add_argument("--project", action="store_true", help="in .claude/settings.json")
        where.add_argument("--local", action="store_true", help="in .claude/settings.local.json")


def _add_looking_back(add: Any) -> None:
    made = add("migrate", "print a legacy hooks.json as settings.json", _Module("migrate"))
    made.add_argument("file", nargs="?", help="default: .claude/hooks.json of the project")
    made = add("log", "the newest lines of all plugins' logs", _Module("logs", "log"))
    made.add_argument("-n", type=_count, default=20, metavar="N", help="how many (20)")
    made.add_argument("--hook", metavar="ID", help="of this hook alone")
    made.add_argument("--errors", action="store_true", help="failures and timeouts alone")
    add("stats", "runs, times and failures per hook, from the logs", _Module("logs", "stats"))


def _count(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
    if number < 1:
        raise argparse.ArgumentTypeError("not a number above 0: %r" % text)
    return number
