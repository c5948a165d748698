#!/usr/bin/env python3
"""Stop: run the checks that were deferred to the end of the turn."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

from hooklib import process
from hooklib.event import Event
from hooklib.output import Output
from hooklib.quality import at_stop


def run(event: Event, execute: process.Run = process.run) -> Output | None:
    return at_stop.late_checks(event, execute)


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
