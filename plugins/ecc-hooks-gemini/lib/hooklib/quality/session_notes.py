"""Notes of the quality hooks about a session's edits, in one small file per session."""

from __future__ import annotations

import os

from hooklib import checked, paths, state
from hooklib.quality import edited_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    from hooklib.event import Event

    Notes = dict[str, Any]

# files   path -> checksums of its old lines if no repository has them, else null
# late    tool -> paths to check at the end of the turn
# slow    keys of checkers that ran out of time
# folders tool folder -> whether it is committed
# told    tool and path -> checksums of the errors that the model has seen
# debug   checksums of the debug statements already reported
_PARTS: dict[str, type] = {
    "files": dict,
    "late": dict,
    "slow": list,
    "folders": dict,
    "told": dict,
    "debug": list,
}
_MOST = 500  # entries of each part; the oldest go


def read(event: Event) -> Notes:
    """Return the notes, as first read or last changed during this event."""
    facts = edited_file.facts(event)
    if facts.notes is None:
        facts.notes = _checked(state.read_json(_path(event)))
    return facts.notes


def change(event: Event, step: Callable[[Notes], object]) -> bool:
    """Change the notes under their lock; return False if they cannot be written."""
    path = _path(event)

    def apply(value: Any) -> Notes:
        notes = _checked(value)
        step(notes)
        return {name: _newest(part) for name, part in notes.items()}

    new = not os.path.exists(path)
    facts = edited_file.facts(event)
    try:
        facts.notes = state.update_json(path, apply)
        if new:
            state.remove_old(os.path.dirname(path))
    except OSError:  # go on with the notes in memory only
        facts.notes = apply(read(event))
        return False
    return True


def folder(name: str) -> str:
    """Return a folder for the caches of a tool."""
    return os.path.join(paths.data_dir(), "quality", name)


def _path(event: Event) -> str:
    return os.path.join(folder("sessions"), event.session_key + ".json")


def _checked(value: Any) -> Notes:
    """Return the parts of value that have the right type, with empty ones for the rest."""
    parts = {name: checked.mapping(value).get(name) for name in _PARTS}
    return {n: part if isinstance(part, _PARTS[n]) else _PARTS[n]() for n, part in parts.items()}


def _newest(part: Any) -> Any:
    if isinstance(part, dict) and len(part) > _MOST:
        return dict(list(part.items())[-_MOST:])
    return part[-_MOST:] if isinstance(part, list) else part
