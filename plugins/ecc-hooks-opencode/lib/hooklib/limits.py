"""Scale the library's own time limits, so that tests do not depend on the load of the machine.

CUSTOM_SKILLS_TIME_SCALE, a whole number from 1 to 100, multiplies them; only the environment sets
it. The limits that users set for rules are not scaled.
"""

from __future__ import annotations

import os

_MOST = 100


def scaled(seconds: float) -> float:
    """Return a time limit multiplied by the scale of this process."""
    text = os.environ.get("CUSTOM_SKILLS_TIME_SCALE", "")
    scale = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 1
    return seconds * min(max(scale, 1), _MOST)
