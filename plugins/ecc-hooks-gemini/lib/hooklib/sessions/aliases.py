"""Names that the user gave to sessions of a project: a JSON file beside their states."""

from __future__ import annotations

import os

from hooklib import checked, state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.sessions.state_folder import Place

FILE = "sessions.aliases"  # no session's key holds a dot
MOST = 50
_EDGE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
_INNER = _EDGE | frozenset("-_.")


def is_name(name: object) -> bool:
    """Return whether name may be an alias: letters, digits, inside also - _ and dots."""
    if not isinstance(name, str) or not 0 < len(name) <= 50:
        return False
    return _INNER.issuperset(name) and name[0] in _EDGE and name[-1] in _EDGE


def read(place: Place) -> dict[str, str]:
    """Return the aliases, each with its session's key, the most recent first."""
    path = place.path(FILE)
    value = state.read_json(path) if os.path.exists(path) else None
    named = checked.mapping(checked.mapping(value).get("aliases"))
    good = [(name, key) for name, key in named.items() if is_name(name) and _is_key(key)]
    return dict(reversed(good[-MOST:]))


def write(place: Place, aliases: dict[str, str]) -> None:
    """Replace the aliases, the most recent first; the caller holds the folder's lock."""
    state.write_json(place.path(FILE), {"aliases": dict(reversed(list(aliases.items())[:MOST]))})


def _is_key(key: object) -> bool:
    from hooklib.event import file_name

    return isinstance(key, str) and file_name(key) == key
