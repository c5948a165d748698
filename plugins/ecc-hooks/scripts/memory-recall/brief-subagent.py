#!/usr/bin/env python3
"""SubagentStart: show a subagent the core memories and those that its task is about."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

from hooklib.event import Event
from hooklib.memory.handlers import subagent
from hooklib.output import Output


def run(event: Event) -> Output | None:
    text = subagent.memories_for_subagent(event) if event.agent_type else ""
    return Output(context=text) if text else None


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
