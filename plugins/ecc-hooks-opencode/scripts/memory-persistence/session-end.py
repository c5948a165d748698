#!/usr/bin/env python3
"""SessionEnd: complete the state with what git tells, and remove old states."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

from hooklib.event import Event
from hooklib.session import facts, fold, place, record


def run(event: Event) -> None:
    where = place.of(event)
    end: record.State = {"when": record.now(), "reason": event.text("reason")[:40]}

    def finish(held: record.State) -> None:
        fold.turn(held, where, event)
        held["end"] = end

    def add_git(held: record.State) -> bool:
        held["end"] = end
        return True

    held = record.change(event, where, finish)  # first what must not get lost
    if record.is_real(held):
        end["git"] = facts.at_the_end(where.root, held.get("commit", ""), held["started"])
        record.complete(where, event.session_key, add_git)  # another's end may have removed it
    record.drop_old(event, where, thorough=True)


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
