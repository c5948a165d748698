"""How often the end of a turn may be held up: by all hooks of this plugin together."""

from __future__ import annotations

from hooklib import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.event import Event

MOST = 2  # in a row; then the turn ends, whatever there is left to say
_COUNTER = "stop-blocks"


def may_block(event: Event) -> bool:
    """Count a block that is about to be made; False where it would be one too many."""
    if event.data.get("stop_hook_active") is not True:  # the turn ends for the first time
        state.reset(event.session_key, _COUNTER)
    return state.increment(event.session_key, _COUNTER) <= MOST
