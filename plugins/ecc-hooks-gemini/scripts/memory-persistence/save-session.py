#!/usr/bin/env python3
"""Stop, SubagentStop: save what the session, or a subagent of it, did since the last time."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

from hooklib.event import Event
from hooklib.session import fold, place, record


def run(event: Event) -> None:
    where = place.of(event)
    if event.name != "SubagentStop":
        record.change(event, where, lambda held: fold.turn(held, where, event))
    elif event.agent_type:  # the host compacts with a subagent that has no type
        record.change(event, where, lambda held: fold.subagent(held, where, event))


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
