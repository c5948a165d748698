#!/usr/bin/env python3
"""PostToolUse: record the operation; advise at most twice to save something new."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

from hooklib.event import Event
from hooklib.memory.handlers import tool_use
from hooklib.output import Output


def run(event: Event) -> Output | None:
    advice = tool_use.record_operation(event)
    return Output(context=advice) if advice else None


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
