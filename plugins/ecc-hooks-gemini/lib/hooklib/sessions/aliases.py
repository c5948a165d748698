"""Aliases that the user gave to sessions of a project: a JSON file beside their states."""

from __future__ import annotations

import os

from hooklib import checked, state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.sessions.state_folder import StateFolder

FILE = "sessions.aliases"  # no session's key holds a dot
MOST = 50
_EDGE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
_INNER = _EDGE | frozenset("-_.")


def is_name(name: object) -> bool:
    """Return whether name may be an alias: letters and digits, also - _ and dots inside."""
    if not isinstance(name, str) or not 0 < len(name) <= 50:
        return False
    return _INNER.issuperset(name) and name[0] in _EDGE and name[-1] in _EDGE


def read(folder: StateFolder) -> dict[str, str]:
    """Return the session keys by alias, the most recent alias first."""
    path = folder.file_of(FILE)
    value = state.read_json(path) if os.path.exists(path) else None
    aliases = checked.mapping(checked.mapping(value).get("aliases"))
    valid = [(name, key) for name, key in aliases.items() if is_name(name) and _is_key(key)]
    return dict(reversed(valid[-MOST:]))


def write(folder: StateFolder, aliases: dict[str, str]) -> None:
    """Replace the aliases, given the most recent first; the caller holds the folder's lock."""
    latest = list(aliases.items())[:MOST]
    state.write_json(folder.file_of(FILE), {"aliases": dict(reversed(latest))})


def _is_key(key: object) -> bool:
    from hooklib.event import file_name

    return isinstance(key, str) and file_name(key) == key
