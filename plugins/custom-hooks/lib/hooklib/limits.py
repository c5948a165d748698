"""How long the library waits for others: limits that keep a hook from holding its host up.

CUSTOM_SKILLS_TIME_SCALE, a whole number from 1 to 100, multiplies them. It is for the tests, so
that what they find does not depend on how busy the machine is; only the environment sets it. The
limits that a user gives to rules stay as they are.
"""

from __future__ import annotations

import os

_MOST = 100


def scaled(seconds: float) -> float:
    """Return a limit as it counts in this process."""
    text = os.environ.get("CUSTOM_SKILLS_TIME_SCALE", "")
    scale = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 1
    return seconds * min(max(scale, 1), _MOST)
