"""Match regular expressions and globs in time linear in the text, whatever the pattern.

`re` can be kept busy for years by ten characters, cannot be stopped, and costs most of a hook to
import. Here a regular expression becomes a small program, all of whose paths are followed at once,
character by character. The answer is yes or no; there are no captures.
"""

from __future__ import annotations

# Time grows with both. A longer value (a heredoc, a file's text) is judged by its beginning, so
# that the worst pattern allowed ends in two to four seconds; an ordinary one takes milliseconds.
MAX_VALUE = 20_000
MAX_STATES = 2_000
SPECIAL = frozenset("\\^$.|?*+()[{")  # the signs that are more than themselves


class PatternError(ValueError):
    """A pattern that cannot be used, and where in it the reason stands."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__("%s at %d" % (message, position))
        self.position = position
