#!/usr/bin/env python3
"""PermissionRequest, PermissionDenied: record the question or the refusal."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

from hooklib.event import Event
from hooklib.memory.handlers import tool_use


def run(event: Event) -> None:
    tool_use.record_permission(event, "denied" if event.name == "PermissionDenied" else "asked")


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
