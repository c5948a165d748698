#!/usr/bin/env python3
"""SessionEnd: apply the session's journal and remove temporary memories."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

from hooklib.event import Event
from hooklib.memory.handlers import turn_end


def run(event: Event) -> None:
    turn_end.end_session(event)


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
