#!/usr/bin/env python3
"""PostToolUse: show the model the errors that PHPStan finds in the edited file."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

from hooklib import process
from hooklib.event import Event
from hooklib.output import Output
from hooklib.quality import check_file


def run(event: Event, execute: process.Run = process.run) -> Output | None:
    return check_file.run(event, "phpstan", execute)


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
