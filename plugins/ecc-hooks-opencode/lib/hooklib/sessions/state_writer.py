"""Change the state of a session while no other hook does, and keep the sessions that count."""

from __future__ import annotations

from hooklib import clock, state
from hooklib.sessions import git_head, retention, session_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

    from hooklib.event import Event
    from hooklib.sessions.session_state import State
    from hooklib.sessions.state_folder import Place

# many sessions may end a turn at once on a busy machine, and what is not saved then is lost; with
# the other locks of an event this is still less than its limit in hooks.json
_SAVE_SECONDS = 6.0


def change(event: Event, place: Place, step: Callable[[State], object]) -> State:
    """Change the session's state while no other hook does, and return it."""
    place.make()
    with place.lock(_SAVE_SECONDS):
        found = session_state.load(place, event.session_key)
        held = found or session_state.new(event, place)
        if found is None:
            held["commit"] = git_head.commit(place.root)
            retention.set_up(place)
        step(held)
        held["branch"] = git_head.branch(place.root) or held.get("branch", "")
        held["updated"] = clock.now()
        if session_state.is_real(held):  # first in the list: a kill leaves nothing unlisted
            retention.put(place, event.session_key)
        state.write_json(place.path(event.session_key), held)
    return held


def complete(place: Place, key: str, step: Callable[[State], bool]) -> State | None:
    """Let step add to a session that is there, without new life for it; it tells whether it did."""
    with place.lock():
        held = session_state.load(place, key)
        if held is not None and step(held):
            seen = held.get("seen", "")[:19]
            held["updated"] = seen + "Z" if seen > held["updated"] else held["updated"]
            state.write_json(place.path(key), held)
    return held


def drop_old(event: Event, place: Place, thorough: bool = False) -> None:
    """Keep the newest sessions, the named ones and this one."""
    from hooklib.sessions import aliases

    with place.lock():
        spared = {event.session_key, *aliases.read(place).values()}
        retention.prune(place, spared)
        if thorough:
            retention.sweep(place, spared)
