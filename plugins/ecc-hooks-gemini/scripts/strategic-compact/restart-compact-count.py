#!/usr/bin/env python3
"""SessionStart: after a compaction, count edits from zero again."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

from hooklib import state
from hooklib.event import Event


def run(event: Event) -> None:
    if event.text("source") == "compact":
        state.reset(event.session_key, "edits")


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
