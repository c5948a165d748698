"""The command line: which commands there are, and the options of the one that is called."""

from __future__ import annotations

import argparse
import importlib
import sys

from hooklib.cli import handover

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

WRONG_USAGE = 2
# A command is the module of its name beside this one: `declare` adds its options, `run` is called
# with them. It is imported by name and alone: no plugin carries the commands of all topics.
COMMANDS = {
    "status": "what is on, in one screen",
    "list": "every hook, where it comes from and whether it is on",
    "validate": "every entry that is wrong, and why",
    "doctor": "check the installation and the wiring of all hooks",
    "test": "send an event through the hooks and show what each says",
    "replay": "send recorded events or a transcript through the hooks",
    "trust": "let this project's rules run commands",
    "enable": "switch a hook on",
    "disable": "switch a hook off",
    "migrate": "print a legacy hooks.json as settings.json",
    "log": "the newest lines of all plugins' logs",
    "stats": "runs, times and failures per hook, from the logs",
    "knowledge": "the notes that agents keep: look, add, check",
    "memory": "what is remembered of this project and by you",
    "sessions": "what is stored of this project's sessions",
}
# for other plugins' hookctl, not for people: the help is silent about it
_INTERNAL = ("answer",)


def parse(argv: list[str]) -> argparse.Namespace:
    """Return the options, with the command to call as `run`; SystemExit for help and errors.

    NotAboard where this plugin does not carry the command.
    """
    parser, commands = _parser()
    words = [word for word in argv if not word.startswith("-")]  # none before it takes a value
    named = words[1:2] if words[:1] == ["help"] else words[:1]
    if named and named[0] in (*COMMANDS, *_INTERNAL):
        module = _module(named[0])
        module.declare(commands[named[0]])
        commands[named[0]].set_defaults(run=module.run)
    options = parser.parse_args(argv)
    if options.version:
        from hooklib import paths
        from hooklib.cli import plugins

        print("hookctl " + (plugins.version(paths.PLUGIN_ROOT) or "outside a plugin"))
        raise SystemExit(0)
    if options.command is None:
        parser.print_help(sys.stderr)
        raise SystemExit(WRONG_USAGE)
    if options.command == "help":
        wanted = commands.get(options.topic) if options.topic else parser
        if wanted is None:
            parser.error("unknown command: " + options.topic)
        wanted.print_help()
        raise SystemExit(0)
    return options


def _module(command: str) -> ModuleType:
    name = "hooklib.cli." + command
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name or command not in handover.OWNERS:
            raise
        raise handover.NotAboard(command) from None


def _parser() -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    parser = argparse.ArgumentParser(
        prog="hookctl", description="look at, test and switch hooks", allow_abbrev=False
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--version", action="store_true", help="print the version")
    group = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands: dict[str, argparse.ArgumentParser] = {}
    for name, text in {**COMMANDS, "help": "show this, or how a command is called"}.items():
        command = group.add_parser(name, help=text, description=text, allow_abbrev=False)
        command.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
        commands[name] = command
    for name in _INTERNAL:
        commands[name] = group.add_parser(name, allow_abbrev=False)
    commands["help"].add_argument("topic", nargs="?", help="a command")
    return parser, commands
