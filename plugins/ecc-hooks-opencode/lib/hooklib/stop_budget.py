"""Limit how often the hooks of this plugin together may keep a turn from ending."""

from __future__ import annotations

from hooklib import hosts, state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.event import Event

OWN_BLOCKS = 2  # in a row; a host's own limit also counts the blocks of the user's rules
_COUNTER = "stop-blocks"


def is_silent(event: Event) -> bool:
    """Return whether to stay silent: a hook just kept the turn going, or work goes on behind it."""
    return bool(event.data.get("stop_hook_active") or event.data.get("background_tasks"))


def may_continue(event: Event) -> bool:
    """Return whether a hook may keep the turn going; not if a program waits for the last message.

    In profile strict it always may: there findings are to be fixed first.
    """
    return event.settings.profile == "strict" or hosts.adapter(event.host).attended()


def may_block(event: Event) -> bool:
    """Count one more block; return whether it is within the budget."""
    return may_continue(event) and state.increment(event.session_key, _COUNTER) <= OWN_BLOCKS


def clear(event: Event) -> None:
    """Reset the count, at the end of a turn without findings."""
    state.reset(event.session_key, _COUNTER)
