#!/usr/bin/env python3
"""PreToolUse Read: show the memories of a file and its changes in earlier sessions."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

from hooklib.event import Event
from hooklib.memory.handlers import file_read
from hooklib.output import Output


def run(event: Event) -> Output | None:
    path = event.file_path
    text = file_read.memories_for_file(event, path) if path else ""
    return Output(context=text) if text else None


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
