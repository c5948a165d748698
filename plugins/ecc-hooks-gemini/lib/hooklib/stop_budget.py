"""How often the end of a turn may be held up: by all hooks of this plugin together."""

from __future__ import annotations

from hooklib import hosts, state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.event import Event

OWN_BLOCKS = 2  # turns in a row; a host's limit counts those of the user's rules as well
_COUNTER = "stop-blocks"


def is_silent(event: Event) -> bool:
    """Return whether this is no moment to speak: we just did, or the turn is not over yet."""
    return bool(event.data.get("stop_hook_active") or event.data.get("background_tasks"))


def may_continue(event: Event) -> bool:
    """Return whether the model may be made to go on: not where a program waits for its answer.

    What the model says last is that answer. Profile strict asks for findings to be mended first.
    """
    return event.settings.profile == "strict" or hosts.adapter(event.host).attended()


def may_block(event: Event) -> bool:
    """Count a block that is about to be made; False where it would be one too many."""
    return may_continue(event) and state.increment(event.session_key, _COUNTER) <= OWN_BLOCKS


def clear(event: Event) -> None:
    """Begin to count anew: there was nothing to hold a turn up for."""
    state.reset(event.session_key, _COUNTER)
