#!/usr/bin/env python3
"""Stop: ask once per session to save what is worth keeping."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

from hooklib.event import Event
from hooklib.memory.handlers import turn_end
from hooklib.output import Output


def run(event: Event) -> Output | None:
    reason = turn_end.end_turn(event)
    return Output(decision="block", reason=reason) if reason else None


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
