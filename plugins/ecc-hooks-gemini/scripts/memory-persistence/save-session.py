#!/usr/bin/env python3
"""Stop, SubagentStop: save what the session or its subagent did since the last save."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

import time

from hooklib.event import Event
from hooklib.sessions import session_state, state_folder, state_writer, transcript_reader

PAUSES = (0, 0.03, 0.06, 0.12)  # seconds to wait for the host to finish its transcript


def run(event: Event) -> None:
    folder = state_folder.for_event(event)
    if event.name == "SubagentStop":
        if event.agent_type:  # the host compacts with a subagent that has no type
            state_writer.update(
                event, folder, lambda state: transcript_reader.add_subagent(state, folder, event)
            )
        return
    is_complete = False

    def save(state: session_state.SessionState) -> None:
        nonlocal is_complete
        is_complete = transcript_reader.add_turn(state, folder, event)

    for pause in PAUSES:
        time.sleep(pause)
        state_writer.update(event, folder, save)
        if is_complete:
            return


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
