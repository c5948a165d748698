"""Cut text to a budget and remove terminal sequences."""

from __future__ import annotations

CUT_NOTE = "[cut: %d more characters]"


def cut_bytes(text: str, budget: int, mark: str = "…") -> str:
    """Return text in at most budget bytes of UTF-8, cut between characters; mark shows a cut."""
    if byte_length(text) <= budget:
        return text
    room = max(0, budget - len(mark.encode("utf-8")))
    head = text.encode("utf-8", "replace")[:room].decode("utf-8", "ignore")
    return head + mark if len(mark.encode("utf-8")) <= budget else head


def byte_length(text: str) -> int:
    """Return the number of bytes of text in UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def cut_lines(text: str, limit: int) -> str:
    """Return text in at most limit characters as the host counts them, cut after a line."""
    if host_length(text) <= limit:
        return text
    room = limit - len(CUT_NOTE) - 12  # the note's number
    head = text.encode("utf-16-le", "surrogatepass")[: 2 * room].decode("utf-16-le", "ignore")
    newline = head.rfind("\n")
    if newline > 0:
        head = head[:newline]
    return head + "\n" + CUT_NOTE % (len(text) - len(head))


def host_length(text: str) -> int:
    """Return the length in JavaScript: characters beyond the basic plane count twice."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def strip_ansi(text: str) -> str:
    """Remove terminal escape sequences and control characters other than tab and newline."""
    import re

    sequences = (
        r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours, cursor
        r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?"  # titles, links
        r"|\x1b[PX^_][^\x1b]*(?:\x1b\\)?"  # device strings
        r"|\x1b[ -/]*[0-~]?"  # the short ones
        r"|[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]"
    )
    return re.sub(sequences, "", text)
