#!/usr/bin/env python3
"""SessionEnd: complete the state with a summary from git, and remove old states."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

from hooklib import clock
from hooklib.event import Event
from hooklib.sessions import (
    git_summary,
    session_state,
    state_folder,
    state_writer,
    transcript_reader,
)


def run(event: Event) -> None:
    folder = state_folder.for_event(event)
    end: session_state.SessionState = {"when": clock.now(), "reason": event.text("reason")[:40]}

    def finish(state: session_state.SessionState) -> None:
        transcript_reader.add_turn(state, folder, event)
        state["end"] = end

    def add_git(state: session_state.SessionState) -> bool:
        state["end"] = end
        return True

    state = state_writer.update(event, folder, finish)  # git may take longer than the host waits
    if session_state.is_real(state):
        end["git"] = git_summary.at_the_end(folder.root, state.get("commit", ""), state["started"])
        # the end of another session may have removed this state in the meantime
        state_writer.update_stored(folder, event.session_key, add_git)
    state_writer.remove_old(event, folder, thorough=True)


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
