"""Decide whether a rule's matcher fits an event."""

from __future__ import annotations


def matches(matcher: str, subject: str) -> bool:
    """Return whether matcher names subject: `Edit|Write` or `Edit, Write`; '' and * fit all."""
    if matcher in ("", "*"):
        return True
    return subject in (name.strip() for name in matcher.replace(",", "|").split("|"))
