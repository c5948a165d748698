"""The end of a quoted string."""

from __future__ import annotations


def closing(text: str, i: int, quote: str, limit: int) -> int:
    """Return the offset behind the quote that ends the string begun before i; -1 = not by limit."""
    close = text.find(quote, i, limit)
    while close >= 0:
        slash = text.find("\\", i, close)
        if slash < 0:
            return close + len(quote)
        i = slash + 2
        if i > close:
            close = text.find(quote, i, limit)
    return -1
