"""The state of one session: its fields, a new state, and the check of a stored one."""

from __future__ import annotations

from hooklib import clock
from hooklib.state import read_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.event import Event
    from hooklib.sessions.state_folder import StateFolder

    SessionState = dict[str, Any]

SCHEMA = 1
# Required fields. A file in which one has another type was not written by these hooks.
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
# Types of the entries. Loading drops others, so that no other module has to check them.
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
_TEXTS = ("branch", "model", "commit", "last_message", "seen", "since")


def new(event: Event, folder: StateFolder) -> SessionState:
    now = clock.now()
    state: SessionState = {"schema": SCHEMA, "session": event.session_id or event.session_key}
    state.update(host=event.host, project=event.project_name, root=folder.root)
    state.update(branch="", model="", commit="", started=now, updated=now, last_message="")
    state.update({name: kind() for name, kind in _TYPES.items() if name not in state})
    return state


def load(folder: StateFolder, key: str) -> SessionState | None:
    """Return a stored state, or None if it is missing, broken or of an unknown schema."""
    return checked(read_json(folder.file_of(key)))


def checked(value: object) -> SessionState | None:
    """Return value as a state without malformed entries, or None if it is not a state."""
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
        return [entry for entry in entries if isinstance(entry, kind)]
    return {key: entry for key, entry in entries.items() if isinstance(entry, kind)}


def is_real(state: SessionState) -> bool:
    """Return whether the session is worth keeping: it changed a file or had two prompts."""
    return bool(state["files"]) or state["prompts"] >= 2
