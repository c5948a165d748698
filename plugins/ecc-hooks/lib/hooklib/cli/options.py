"""Parse the command line: the list of commands, and the options of the one that is called."""

from __future__ import annotations

import argparse
import importlib
import sys

from hooklib.cli import handover

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

WRONG_USAGE = 2
# Each command is a module of this package: `declare` adds its options, `run` runs it. Only the
# called one is imported, by name: no plugin carries the commands of all topics.
COMMANDS = {
    "status": "show what is on, in one screen",
    "list": "list every hook, its source and whether it is on",
    "validate": "list every invalid entry, and why",
    "doctor": "check the installation and the wiring of all hooks",
    "test": "send an event through the hooks and show what each returns",
    "replay": "send recorded events or a transcript through the hooks",
    "trust": "allow this project's rules to run commands",
    "enable": "switch a hook on",
    "disable": "switch a hook off",
    "migrate": "convert a legacy hooks.json for settings.json, and print it",
    "log": "show the newest lines of all plugins' logs",
    "stats": "count runs, times and failures per hook, from the logs",
    "knowledge": "list, search, add and check the agents' notes",
    "memory": "list, search, add and remove memories",
    "sessions": "show, name and remove this project's stored sessions",
}
# called by other plugins' hookctl; the help does not list it
_INTERNAL = ("answer",)


def parse(argv: list[str]) -> argparse.Namespace:
    """Return the options, with the command's function as `run`.

    Raise SystemExit after help or an error, NotCarried if this plugin does not carry the command.
    """
    parser, commands = _parser()
    words = [
        word for word in argv if not word.startswith("-")
    ]  # no option before the command takes a value
    name = "".join(words[1:2] if words[:1] == ["help"] else words[:1])
    if name in (*COMMANDS, *_INTERNAL):
        module = _module(name)
        module.declare(commands[name])
        commands[name].set_defaults(run=module.run)
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
        raise handover.NotCarried(command) from None


def _parser() -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    parser = argparse.ArgumentParser(
        prog="hookctl", description="show, test and switch hooks", allow_abbrev=False
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--version", action="store_true", help="print the version")
    group = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands: dict[str, argparse.ArgumentParser] = {}
    for name, text in {**COMMANDS, "help": "show this, or the help of a command"}.items():
        command = group.add_parser(name, help=text, description=text, allow_abbrev=False)
        command.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
        commands[name] = command
    for name in _INTERNAL:
        commands[name] = group.add_parser(name, allow_abbrev=False)
    commands["help"].add_argument("topic", nargs="?", help="a command")
    return parser, commands
