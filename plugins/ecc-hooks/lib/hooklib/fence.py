"""Stored text for the model: a record between two tags, which nothing in it can end or pass for."""

from __future__ import annotations

from hooklib.sanitize import kept
from hooklib.text import cut_bytes

HISTORY, MEMORY = "session-history", "recalled-memory"
_TAGS = (HISTORY, MEMORY, "system-reminder")  # ours and the host's


def around(tag: str, record: str, budget: int) -> str:
    """Return a record between its tags, in at most budget bytes with them."""
    return "<%s>\n%s\n</%s>" % (tag, cut_bytes(record, room(tag, budget)), tag)


def room(tag: str, budget: int) -> int:
    """Return how many bytes of a budget the tags leave."""
    return budget - len("<>\n\n</>") - 2 * len(tag)


def text(stored: object, limit: int) -> str:
    """Return stored text, redacted again, in at most limit bytes; '' for what is no text."""
    # what is taken out may have hidden a tag: escape last
    return cut_bytes(_escaped(kept(stored, limit)), limit) if isinstance(stored, str) else ""


def line(stored: object, limit: int) -> str:
    """Return stored text on one line."""
    return text(" ".join(stored.split()), limit) if isinstance(stored, str) else ""


def indented(stored: object, limit: int) -> str:
    """Return longer stored text, indented: no line of it passes for one of ours."""
    lines = text(stored, limit).splitlines()
    return cut_bytes("\n".join("  " + line for line in lines if line.strip()), limit)


def _escaped(text: str) -> str:
    """Return text in which no tag closes, and none of ours or the host's opens."""
    text = text.replace("</", "< /")
    for name in _TAGS:
        lower, done = text.lower(), 0
        while "<" + name in lower[done:]:
            done = lower.index("<" + name, done) + 1
            text = text[:done] + " " + text[done:]
            lower = text.lower()
    return text
