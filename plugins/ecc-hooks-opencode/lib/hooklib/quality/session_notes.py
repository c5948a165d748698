"""What the hooks of a session remember about its edits: one small file per session."""

from __future__ import annotations

import os

from hooklib import checked, paths, state
from hooklib.quality import edited_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    from hooklib.event import Event

    Book = dict[str, Any]

# files   path -> checksums of the lines it had before, where no repository keeps them, else null
# late    tool -> paths to be checked at the end of the turn
# slow    tool and root that ran out of time
# folders tool folder -> whether it came with the repository
# told    tool and path -> errors that the model knows
# debug   checksums of the debug statements that somebody was told of
_PARTS: dict[str, type] = {
    "files": dict,
    "late": dict,
    "slow": list,
    "folders": dict,
    "told": dict,
    "debug": list,
}
_MOST = 500  # entries of each part; the oldest go


def read(event: Event) -> Book:
    """Return the book as it was when this event first asked, or changed it."""
    facts = edited_file.facts(event)
    if facts.book is None:
        facts.book = _checked(state.read_json(_path(event)))
    return facts.book


def change(event: Event, step: Callable[[Book], object]) -> bool:
    """Change the book while no other hook does; False where it cannot be kept."""
    path = _path(event)

    def apply(value: Any) -> Book:
        book = _checked(value)
        step(book)
        return {name: _newest(part) for name, part in book.items()}

    new = not os.path.exists(path)
    facts = edited_file.facts(event)
    try:
        facts.book = state.update_json(path, apply)
        if new:
            state.remove_old(os.path.dirname(path))
    except OSError:  # the work goes on without a memory
        facts.book = apply(read(event))
        return False
    return True


def folder(name: str) -> str:
    """Return a folder in which a tool may keep what makes its next run fast."""
    return os.path.join(paths.data_dir(), "quality", name)


def _path(event: Event) -> str:
    return os.path.join(folder("sessions"), event.session_key + ".json")


def _checked(value: Any) -> Book:
    """Return the parts of value that have the right type, and empty ones for the rest."""
    parts = {name: checked.mapping(value).get(name) for name in _PARTS}
    return {n: part if isinstance(part, _PARTS[n]) else _PARTS[n]() for n, part in parts.items()}


def _newest(part: Any) -> Any:
    if isinstance(part, dict) and len(part) > _MOST:
        return dict(list(part.items())[-_MOST:])
    return part[-_MOST:] if isinstance(part, list) else part
