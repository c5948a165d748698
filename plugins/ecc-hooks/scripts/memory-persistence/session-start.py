#!/usr/bin/env python3
"""SessionStart: brief the model about the last session in this project."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

from hooklib import log
from hooklib.event import Event
from hooklib.output import Output
from hooklib.sessions import start, state_folder, state_writer


def run(event: Event) -> Output | None:
    source = event.text("source")
    folder = state_folder.for_event(event)
    if source == "compact":
        return start.after_compaction(event, folder)
    if source == "resume":  # the context holds the briefing already
        return None
    try:
        state_writer.update(event, folder, lambda state: start.begin(state, source))
    except OSError as error:  # nothing can be written here: brief the model all the same
        log.failure(event.name, "session-start", error)
    return None if source == "fork" else start.for_new_context(event, folder)


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
