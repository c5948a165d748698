#!/usr/bin/env python3
"""SessionStart: tell the model what the last session in this project did."""

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
    where = state_folder.of(event)
    if source == "compact":
        return start.after_compaction(event, where)
    if source == "resume":  # all of it is in the context already
        return None
    try:
        state_writer.change(event, where, lambda held: start.begin(held, source))
    except OSError as error:  # nothing can be written here: what is known is told all the same
        log.failure(event.name, "session-start", error)
    return None if source == "fork" else start.from_nothing(event, where)


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
