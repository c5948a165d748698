#!/usr/bin/env python3
"""SessionStart: show the model the important memories, and import the repository's."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

from hooklib.event import Event
from hooklib.memory.handlers import session_start
from hooklib.output import Output


def run(event: Event) -> Output | None:
    source = event.text("source")
    if source == "compact":
        session_start.note_compaction(event)
    else:
        session_start.open_session(event)
    if source in ("resume", "fork"):  # the context holds the memories already
        return None
    text = session_start.memories_at_start(event)
    return Output(context=text) if text else None


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
