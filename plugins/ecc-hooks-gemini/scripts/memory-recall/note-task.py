#!/usr/bin/env python3
"""PreToolUse: note what a subagent is called for, so that it can be told what helps."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

from hooklib.event import Event
from hooklib.memory.handlers import subagent


def run(event: Event) -> None:
    subagent.called(event)


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
