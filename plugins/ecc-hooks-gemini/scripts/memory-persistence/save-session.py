#!/usr/bin/env python3
"""Stop, SubagentStop: save what the session, or a subagent of it, did since the last time."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

import time

from hooklib.event import Event
from hooklib.sessions import session_state, state_folder, state_writer, transcript_reader

PAUSES = (0, 0.03, 0.06, 0.12)  # seconds: the host writes its transcript that far behind


def run(event: Event) -> None:
    where = state_folder.of(event)
    if event.name == "SubagentStop":
        if event.agent_type:  # the host compacts with a subagent that has no type
            state_writer.change(
                event, where, lambda held: transcript_reader.subagent(held, where, event)
            )
        return
    whole = False

    def save(held: session_state.State) -> None:
        nonlocal whole
        whole = transcript_reader.turn(held, where, event)

    for pause in PAUSES:
        time.sleep(pause)
        state_writer.change(event, where, save)
        if whole:
            return


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
