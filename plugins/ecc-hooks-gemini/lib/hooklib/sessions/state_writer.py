"""Update session states under the folder's lock, and remove old ones."""

from __future__ import annotations

from hooklib import clock
from hooklib.sessions import git_head, retention, session_state
from hooklib.state import write_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

    from hooklib.event import Event
    from hooklib.sessions.session_state import SessionState
    from hooklib.sessions.state_folder import StateFolder

# Many sessions may end a turn at once on a busy machine, and what is not saved then is lost. With
# the other locks of an event this is still less than its limit in hooks.json.
_SAVE_SECONDS = 6.0


def update(
    event: Event, folder: StateFolder, change: Callable[[SessionState], object]
) -> SessionState:
    """Apply change to the state of the event's session, new or stored; write and return it."""
    folder.make()
    with folder.lock(_SAVE_SECONDS):
        stored = session_state.load(folder, event.session_key)
        state = stored or session_state.new(event, folder)
        if stored is None:
            state["commit"] = git_head.commit(folder.root)
            retention.ensure_index(folder)
        change(state)
        state["branch"] = git_head.branch(folder.root) or state.get("branch", "")
        state["updated"] = clock.now()
        if session_state.is_real(state):  # index first: a kill then leaves no state unlisted
            retention.add(folder, event.session_key)
        write_json(folder.file_of(event.session_key), state)
    return state


def update_stored(
    folder: StateFolder, key: str, change: Callable[[SessionState], bool]
) -> SessionState | None:
    """Apply change to a stored state and return it; write it if change returns True.

    Its `updated` time is that of its last record, so that it does not pass for a live session.
    """
    with folder.lock():
        state = session_state.load(folder, key)
        if state is not None and change(state):
            seen = state.get("seen", "")[:19]
            state["updated"] = seen + "Z" if seen > state["updated"] else state["updated"]
            write_json(folder.file_of(key), state)
    return state


def remove_old(event: Event, folder: StateFolder, thorough: bool = False) -> None:
    """Remove old sessions; keep the newest ones, those with an alias and the event's own."""
    from hooklib.sessions import aliases

    with folder.lock():
        protected = {event.session_key, *aliases.read(folder).values()}
        retention.prune(folder, protected)
        if thorough:
            retention.sweep(folder, protected)
