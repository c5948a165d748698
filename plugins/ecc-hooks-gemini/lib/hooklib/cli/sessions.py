"""hookctl sessions: show, name and remove the stored sessions of this project."""

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
        parser = actions.add_parser(name, help=text, description=text, allow_abbrev=False)
        parser.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
        return parser

    which = "an alias, an id or its beginning"
    add("list", "list the stored sessions, the latest first")
    show = add("show", "show what a new session reads about it")
    show.add_argument("session", nargs="?", help=which + "; default: the latest")
    alias = add("alias", "give a session a name")
    alias.add_argument("name", help="letters, digits, - _ and dots")
    alias.add_argument("session", nargs="?", help=which + "; default: this one, else the latest")
    add("unalias", "remove a name").add_argument("name")
    add("forget", "remove a session's state").add_argument("session", help=which)


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
        state = session_state.load(place, key)
        if state:
            data.append({
                "session": key, "updated": state["updated"], "branch": state.get("branch", ""),
                "goals": len(state["goals"]), "files": len(state["files"]),
                "aliases": [name for name, session in names.items() if session == key],
                "path": place.file_of(key), "first": _first_goal(state),
            })  # fmt: skip
    rows = [
        (line["updated"], line["session"], line["branch"], ",".join(line["aliases"]), line["first"])
        for line in data
    ]
    titles = ("UPDATED", "SESSION", "BRANCH", "ALIAS", "FIRST GOAL")
    return terminal.Reply(data, terminal.table([titles, *rows]) if rows else ["no stored sessions"])


def _first_goal(state: dict[str, Any]) -> str:
    text = state["goals"][0].get("text") if state["goals"] else ""
    return terminal.clean(text)[:60] if isinstance(text, str) else ""


def _show(place: StateFolder, options: argparse.Namespace) -> terminal.Reply:
    key = _find(place, options.session)
    state = session_state.load(place, key)
    if state is None:
        raise terminal.Problem("%s is not readable" % place.file_of(key))
    text = briefing.for_new_session(state, briefing.BUDGET)
    return terminal.Reply(
        state, [terminal.short_path(place.file_of(key)), *map(terminal.visible, text.split("\n"))]
    )


def _alias(place: StateFolder, options: argparse.Namespace) -> terminal.Reply:
    if not aliases.is_name(options.name):
        raise terminal.Usage("not a name for a session: %s" % options.name)
    key = _find(place, options.session or _running(place))
    with place.lock():
        others = {name: id for name, id in aliases.read(place).items() if name != options.name}
        aliases.write(place, {options.name: key, **others})
    return terminal.Reply({options.name: key}, ["%s is now %s" % (options.name, key)])


def _unalias(place: StateFolder, options: argparse.Namespace) -> terminal.Reply:
    if options.name not in aliases.read(place):
        raise terminal.Problem("no such alias: %s" % options.name)
    with place.lock():
        names = aliases.read(place)
        key = names.pop(options.name, "")
        aliases.write(place, names)
    return terminal.Reply({options.name: key}, ["%s is no longer an alias" % options.name])


def _forget(place: StateFolder, options: argparse.Namespace) -> terminal.Reply:
    key = _find(place, options.session)
    with place.lock():
        retention.drop(place, [key])
        names = aliases.read(place)
        if key in names.values():
            aliases.write(place, {name: id for name, id in names.items() if id != key})
    return terminal.Reply({"forgotten": key}, ["forgotten: %s" % key])


def _running(place: StateFolder) -> str:
    """Return the session that runs this command if it has a state, else ''."""
    key = os.environ.get("CLAUDE_CODE_SESSION_ID", "")
    return key if file_name(key) == key and os.path.exists(place.file_of(key)) else ""


def _find(place: StateFolder, wanted: str | None) -> str:
    """Return the session that an alias, id or prefix names; raise Problem if not exactly one."""
    keys = retention.latest(place)
    if not wanted:
        if not keys:
            raise terminal.Problem("no stored sessions")
        return keys[0]
    aliased = aliases.read(place).get(wanted)
    matches = [aliased] if aliased else [key for key in keys if key.startswith(wanted)]
    if not aliased and file_name(wanted) == wanted and os.path.exists(place.file_of(wanted)):
        matches = [wanted]  # a full id, even if its state is still empty
    if len(matches) != 1:
        problem = "more than one session begins with %s" if matches else "no such session: %s"
        raise terminal.Problem(problem % wanted)
    return matches[0]
