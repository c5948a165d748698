"""hookctl sessions: look at what is stored of this project's sessions, name them, forget them."""

from __future__ import annotations

import os

from hooklib import paths
from hooklib.cli import terminal
from hooklib.event import file_name
from hooklib.sessions import aliases, briefing, retention, session_state
from hooklib.sessions.state_folder import StateFolder

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any


def declare(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    import argparse

    actions = parser.add_subparsers(dest="action", metavar="ACTION")

    def add(name: str, text: str) -> argparse.ArgumentParser:
        made = actions.add_parser(name, help=text, description=text, allow_abbrev=False)
        made.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
        return made

    which = "an alias, an id or its beginning; default: the latest"
    add("list", "the sessions that are kept, the latest first")
    add("show", "what a new session would be told").add_argument("session", nargs="?", help=which)
    made = add("alias", "give a session a name")
    made.add_argument("name", help="letters, digits, - _ and dots")
    made.add_argument("session", nargs="?", help=which.replace("the", "this one, else the"))
    add("unalias", "take a name away").add_argument("name")
    add("forget", "remove a session's state").add_argument("session", help=which[:31])


def run(options: argparse.Namespace) -> terminal.Reply:
    place = StateFolder(paths.project_root(paths.start_dir()))
    action = {
        "show": _show,
        "alias": _alias,
        "unalias": _unalias,
        "forget": _forget,
    }.get(options.action)
    return action(place, options) if action else _list(place)


def _list(place: StateFolder) -> terminal.Reply:
    names = aliases.read(place)
    data = []
    for key in retention.latest(place):
        held = session_state.load(place, key)
        if held:
            data.append({
                "session": key, "updated": held["updated"], "branch": held.get("branch", ""),
                "goals": len(held["goals"]), "files": len(held["files"]),
                "aliases": [name for name, named in names.items() if named == key],
                "path": place.file_of(key), "first": _first_goal(held),
            })  # fmt: skip
    rows = [
        (line["updated"], line["session"], line["branch"], ",".join(line["aliases"]), line["first"])
        for line in data
    ]
    titles = ("UPDATED", "SESSION", "BRANCH", "ALIAS", "FIRST GOAL")
    return terminal.Reply(
        data, terminal.table([titles, *rows]) if rows else ["no sessions are kept here"]
    )


def _first_goal(held: dict[str, Any]) -> str:
    text = held["goals"][0].get("text") if held["goals"] else ""
    return terminal.clean(text)[:60] if isinstance(text, str) else ""


def _show(place: StateFolder, options: argparse.Namespace) -> terminal.Reply:
    key = _find(place, options.session)
    held = session_state.load(place, key)
    if held is None:
        raise terminal.Problem("%s is not readable" % place.file_of(key))
    told = briefing.for_new_session(held, briefing.BUDGET)
    return terminal.Reply(
        held, [terminal.short_path(place.file_of(key)), *map(terminal.visible, told.split("\n"))]
    )


def _alias(place: StateFolder, options: argparse.Namespace) -> terminal.Reply:
    if not aliases.is_name(options.name):
        raise terminal.Usage("not a name for a session: %s" % options.name)
    key = _find(place, options.session or _running(place))
    with place.lock():
        named = {name: of for name, of in aliases.read(place).items() if name != options.name}
        aliases.write(place, {options.name: key, **named})
    return terminal.Reply({options.name: key}, ["%s is now %s" % (options.name, key)])


def _unalias(place: StateFolder, options: argparse.Namespace) -> terminal.Reply:
    named = aliases.read(place)
    if options.name not in named:
        raise terminal.Problem("no such alias: %s" % options.name)
    with place.lock():
        named = aliases.read(place)
        key = named.pop(options.name, "")
        aliases.write(place, named)
    return terminal.Reply({options.name: key}, ["%s is no alias any more" % options.name])


def _forget(place: StateFolder, options: argparse.Namespace) -> terminal.Reply:
    key = _find(place, options.session)
    with place.lock():
        retention.drop(place, [key])
        named = aliases.read(place)
        if key in named.values():
            aliases.write(place, {name: of for name, of in named.items() if of != key})
    return terminal.Reply({"forgotten": key}, ["forgotten: %s" % key])


def _running(place: StateFolder) -> str:
    """Return the session that this runs in, where it has a state: it is the one to be named."""
    key = os.environ.get("CLAUDE_CODE_SESSION_ID", "")
    return key if file_name(key) == key and os.path.exists(place.file_of(key)) else ""


def _find(place: StateFolder, wanted: str | None) -> str:
    """Return the session that is meant; Problem where there is none, or more than one."""
    keys = retention.latest(place)
    if not wanted:
        if not keys:
            raise terminal.Problem("no sessions are kept here")
        return keys[0]
    named = aliases.read(place).get(wanted)
    found = [named] if named else [key for key in keys if key.startswith(wanted)]
    if not named and file_name(wanted) == wanted and os.path.exists(place.file_of(wanted)):
        found = [wanted]  # also one with nothing in it yet
    if len(found) != 1:
        problem = "no such session: %s" if not found else "more than one session begins so: %s"
        raise terminal.Problem(problem % wanted)
    return found[0]
