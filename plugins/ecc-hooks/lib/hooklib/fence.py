"""Put stored text between tags for the model; no text inside can close or imitate a tag."""

from __future__ import annotations

from hooklib.sanitize import clean
from hooklib.text import cut_bytes

HISTORY, MEMORY = "session-history", "recalled-memory"
_TAGS = (HISTORY, MEMORY, "system-reminder")  # ours and the host's


def around(tag: str, record: str, budget: int) -> str:
    """Return record between its tags, in at most budget bytes including the tags."""
    return "<%s>\n%s\n</%s>" % (tag, cut_bytes(record, room(tag, budget)), tag)


def room(tag: str, budget: int) -> int:
    """Return the bytes of budget that the tags leave for the record."""
    return budget - len("<>\n\n</>") - 2 * len(tag)


def text(stored: object, limit: int) -> str:
    """Return stored text, redacted again, in at most limit bytes; '' if it is not a text."""
    # removing secrets can bring a tag together: escape last
    return cut_bytes(_escaped(clean(stored, limit)), limit) if isinstance(stored, str) else ""


def line(stored: object, limit: int) -> str:
    """Return stored text on one line."""
    return text(" ".join(stored.split()), limit) if isinstance(stored, str) else ""


def indented(stored: object, limit: int) -> str:
    """Return stored text with every line indented, so that none looks like one of ours."""
    lines = text(stored, limit).splitlines()
    return cut_bytes("\n".join("  " + line for line in lines if line.strip()), limit)


def _escaped(text: str) -> str:
    """Break up closing tags, and opening tags that are ours or the host's."""
    text = text.replace("</", "< /")
    for name in _TAGS:
        lower, start = text.lower(), 0
        while "<" + name in lower[start:]:
            start = lower.index("<" + name, start) + 1
            text = text[:start] + " " + text[start:]
            lower = text.lower()
    return text
