"""Find the end of a quoted string."""

from __future__ import annotations


def quote_end(text: str, i: int, quote: str, limit: int) -> int:
    """Return the offset behind the quote that ends the string around i, or -1 if past limit."""
    quote_at = text.find(quote, i, limit)
    while quote_at >= 0:
        backslash = text.find("\\", i, quote_at)
        if backslash < 0:
            return quote_at + len(quote)
        i = backslash + 2
        if i > quote_at:
            quote_at = text.find(quote, i, limit)
    return -1
