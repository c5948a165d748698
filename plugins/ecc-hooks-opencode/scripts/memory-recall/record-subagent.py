#!/usr/bin/env python3
"""SubagentStop: record the result of a subagent in the session's journal."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

from hooklib.event import Event
from hooklib.memory.handlers import subagent


def run(event: Event) -> None:
    if event.agent_type:  # the host compacts with a subagent that has no type
        subagent.record_result(event)


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
