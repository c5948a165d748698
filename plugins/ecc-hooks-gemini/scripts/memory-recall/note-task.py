#!/usr/bin/env python3
"""PreToolUse: note a subagent's task, so that it can be shown memories about it."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

from hooklib.event import Event
from hooklib.memory.handlers import subagent


def run(event: Event) -> None:
    subagent.remember_task(event)


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
