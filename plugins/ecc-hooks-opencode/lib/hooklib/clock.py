"""Write moments in UTC, as text that sorts by time."""

from __future__ import annotations

import time


def now() -> str:
    return stamp(time.time())


def stamp(seconds: float) -> str:
    """Return a moment to the second: 2026-01-31T23:59:59Z."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def precise(seconds: float) -> str:
    """Return a moment to the millisecond, as the host writes it into transcripts."""
    return "%s.%03dZ" % (stamp(seconds)[:19], seconds % 1 * 1000)
