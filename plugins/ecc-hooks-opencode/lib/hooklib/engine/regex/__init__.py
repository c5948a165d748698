"""Match regular expressions and globs in time linear in the text, whatever the pattern.

A pattern of ten characters can keep `re` busy for years, nothing can stop it, and its import costs
most of a hook. Here a regular expression becomes a small program; the machine follows all of its
paths at once, character by character. The answer is yes or no; there are no captures.
"""

from __future__ import annotations

# Time grows with both limits. Only the beginning of a longer value (a heredoc, a file's text) is
# matched, so that the worst allowed pattern takes two to four seconds; most take milliseconds.
MAX_VALUE = 20_000
MAX_STATES = 2_000
SPECIAL = frozenset("\\^$.|?*+()[{")  # the characters with a special meaning


class PatternError(ValueError):
    """Raised for a pattern that cannot be used, with the position of the reason."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__("%s at %d" % (message, position))
        self.position = position
