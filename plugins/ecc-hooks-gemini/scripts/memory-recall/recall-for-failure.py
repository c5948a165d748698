#!/usr/bin/env python3
"""PostToolUseFailure: record the failure; show what resolved it here before."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

from hooklib.event import Event
from hooklib.memory.handlers import tool_use
from hooklib.output import Output


def run(event: Event) -> Output | None:
    if event.data.get("is_interrupt") is True:
        return None
    text = tool_use.record_failure(event)
    return Output(context=text) if text else None


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
