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
    if event.agent_id:  # a subagent's own context
        return None
    where = state_folder.of(event)
    git = git_summary.before_compaction(where.root)

    def take(held: session_state.State) -> None:
        transcript_reader.turn(held, where, event)
        compaction.snapshot(held, where, event.text("trigger"), git)

    keep = briefing.to_keep(state_writer.change(event, where, take))
    return Output(context=keep) if keep else None


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
