#!/usr/bin/env python3
"""PreCompact: save the decisions, patterns and solutions that were spoken of."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

from hooklib.event import Event
from hooklib.memory.handlers import pre_compact


def run(event: Event) -> None:  # whatever is printed here becomes the instructions
    pre_compact.from_transcript(event)


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
