#!/usr/bin/env python3
"""SessionEnd: complete the state with what git tells, and remove old states."""

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
    where = state_folder.of(event)
    end: session_state.State = {"when": clock.now(), "reason": event.text("reason")[:40]}

    def finish(held: session_state.State) -> None:
        transcript_reader.turn(held, where, event)
        held["end"] = end

    def add_git(held: session_state.State) -> bool:
        held["end"] = end
        return True

    held = state_writer.change(event, where, finish)  # first what must not get lost
    if session_state.is_real(held):
        end["git"] = git_summary.at_the_end(where.root, held.get("commit", ""), held["started"])
        state_writer.complete(
            where, event.session_key, add_git
        )  # another's end may have removed it
    state_writer.drop_old(event, where, thorough=True)


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
