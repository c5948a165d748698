#!/usr/bin/env python3
"""PreCompact: save a snapshot, and name the facts that the summary must keep."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

from hooklib.event import Event
from hooklib.output import Output
from hooklib.sessions import (
    briefing,
    compaction,
    git_summary,
    session_state,
    state_folder,
    state_writer,
    transcript_reader,
)


def run(event: Event) -> Output | None:
    if event.agent_id:  # a subagent's context is not the session's
        return None
    folder = state_folder.for_event(event)
    git = git_summary.before_compaction(folder.root)

    def add_snapshot(state: session_state.SessionState) -> None:
        transcript_reader.add_turn(state, folder, event)
        compaction.take_snapshot(state, folder, event.text("trigger"), git)

    facts = briefing.for_summary(state_writer.update(event, folder, add_snapshot))
    return Output(context=facts) if facts else None


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
