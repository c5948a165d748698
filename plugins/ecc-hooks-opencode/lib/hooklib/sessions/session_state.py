"""The state of one session: what it holds, how a new one begins, how a stored one is checked."""

from __future__ import annotations

from hooklib import clock, state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.event import Event
    from hooklib.sessions.state_folder import Place

    State = dict[str, Any]

SCHEMA = 1
# what a state must hold; a file in which one of these is something else is not ours
_TYPES: dict[str, type] = {
    "session": str,
    "root": str,
    "started": str,
    "updated": str,
    "prompts": int,
    "goals": list,
    "tasks": list,
    "files": dict,
    "failed": list,
    "tools": dict,
    "agents": dict,
    "decisions": list,
    "compactions": list,
    "cursors": dict,
    "pending": dict,
}
# what their entries are: others are left out, so that nobody else need look
_ENTRIES: dict[str, type] = {
    "goals": dict,
    "tasks": dict,
    "files": dict,
    "failed": dict,
    "tools": int,
    "agents": int,
    "decisions": dict,
    "compactions": dict,
    "cursors": dict,
    "pending": list,
}
# many sessions may end a turn at once on a busy machine, and what is not saved then is lost; with
# the other locks of an event this is still less than its limit in hooks.json
_SAVE_SECONDS = 6.0
_TEXTS = ("branch", "model", "commit", "last_message", "seen", "since")


def new(event: Event, place: Place) -> State:
    when = clock.now()
    made: State = {"schema": SCHEMA, "session": event.session_id or event.session_key}
    made.update(host=event.host, project=event.project_name, root=place.root)
    made.update(branch="", model="", commit="", started=when, updated=when, last_message="")
    made.update({name: kind() for name, kind in _TYPES.items() if name not in made})
    return made


def load(place: Place, key: str) -> State | None:
    """Return a stored state; None where it is missing, broken, or of a schema we do not know."""
    return checked(state.read_json(place.path(key)))


def checked(value: object) -> State | None:
    if not isinstance(value, dict) or value.get("schema") != SCHEMA:
        return None
    if not all(isinstance(value.get(name), kind) for name, kind in _TYPES.items()):
        return None
    for name, kind in _ENTRIES.items():
        value[name] = _only(value[name], kind)
    for name in _TEXTS:
        if not isinstance(value.get(name, ""), str):
            del value[name]
    return value


def _only(entries: Any, kind: type) -> Any:
    if isinstance(entries, list):
        return [each for each in entries if isinstance(each, kind)]
    return {key: each for key, each in entries.items() if isinstance(each, kind)}


def is_real(held: State) -> bool:
    """Return whether there is something to remember: an edit, or a conversation."""
    return bool(held["files"]) or held["prompts"] >= 2
