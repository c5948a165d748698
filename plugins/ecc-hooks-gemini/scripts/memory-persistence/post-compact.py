#!/usr/bin/env python3
"""PostCompact: store the summary that the model has just written."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

from hooklib.event import Event
from hooklib.sessions import compaction, state_folder, state_writer

LIMIT = 100_000


def run(event: Event) -> None:
    summary = event.text("compact_summary", LIMIT)
    if summary.strip() and not event.agent_id:  # a subagent's own context is not the session's
        state_writer.update(
            event,
            state_folder.for_event(event),
            lambda state: compaction.keep_summary(state, summary, event.text("trigger")),
        )


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
