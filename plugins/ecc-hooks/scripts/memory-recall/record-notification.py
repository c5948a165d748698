#!/usr/bin/env python3
"""Notification: record the important ones in the session's journal."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

from hooklib.event import Event
from hooklib.memory.store import journal

UNIMPORTANT = ("idle_prompt", "auth_success")
LIMIT = 300


def run(event: Event) -> None:
    kind, message = event.text("notification_type"), event.text("message")
    if message and kind not in UNIMPORTANT:
        from hooklib.sanitize import clean

        journal.record(event, "note", about="notification", text=clean(message, LIMIT))


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
