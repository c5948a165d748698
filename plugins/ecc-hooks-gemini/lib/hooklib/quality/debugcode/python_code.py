"""Find debug statements in Python by the syntax tree and its scopes.

The running interpreter builds the tree; importing `ast` would cost several milliseconds. Text
that does not parse (unfinished, or newer than the interpreter) goes to python_lines.

print and pprint do not count with a named stream (`file=sys.stderr`), in a block
`if __name__ == "__main__"` or in a script with a shebang. A breakpoint counts there too.
"""

from __future__ import annotations

import sys

from hooklib.quality.debugcode.python_scopes import WATCHED
from hooklib.quality.debugcode.python_walk import Walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.quality.debugcode.python_walk import Hit

_ONLY_AST = 0x400  # ast.PyCF_ONLY_AST
_LARGE = 100_000  # characters; twice that in one expression crashes Python before 3.11


def find(text: str) -> list[tuple[int, str]]:
    """Return the offset and name of every debug statement."""
    tree = _parse(text)
    if tree is None:
        from hooklib.quality.debugcode import python_lines

        return python_lines.find(text)
    walk = Walk(_watched_counts(text))
    walk.run(tree)
    if walk.has_aliases:  # an alias may be called on lines without a watched name
        walk = Walk(None)
        walk.run(tree)
    return _with_offsets(text, walk.hits(text.startswith("#!")))


def _parse(text: str) -> Any:
    if sys.version_info < (3, 11) and len(text) > _LARGE and _has_large_statement(text):
        return None
    import warnings  # a warning about the user's file must not reach our output

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(text, "<text>", "exec", _ONLY_AST, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None


def _has_large_statement(text: str) -> bool:
    """Return whether a statement may be too large, by the lines that seem to begin one."""
    size, goes_on = 0, False
    for line in text.split("\n"):
        line = line.strip()
        if line[:1].isalpha() and not goes_on:
            size = 0
        size += len(line)
        if size > _LARGE:
            return True
        goes_on = line[-1:] in tuple("([{,.+-*/%=<>|&\\")
    return False


def _watched_counts(text: str) -> list[int]:
    """Return for each line how many watched names and star imports the text has up to its end."""
    counts = [0] * (text.count("\n") + 3)
    for word in (*WATCHED, "import *"):
        line, last = 1, 0
        at = text.find(word)
        while at >= 0:
            line += text.count("\n", last, at)
            last = at
            counts[line] += 1
            at = text.find(word, at + 1)
    for line in range(1, len(counts)):
        counts[line] += counts[line - 1]
    return counts


def _with_offsets(text: str, hits: list[Hit]) -> list[tuple[int, str]]:
    """Convert the tree's lines and columns (in bytes of UTF-8) into offsets."""
    if not hits:
        return []
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def offset(line: int, column: int) -> int:
        content = lines[line - 1]
        if not content.isascii():
            column = len(content.encode("utf-8")[:column].decode("utf-8", "ignore"))
        return starts[line - 1] + column

    located, in_fstrings = [], []
    for hit in hits:
        if hit[2] is not None and sys.version_info < (3, 12):
            in_fstrings.append(hit)
        else:
            located.append((offset(hit[0].lineno, hit[0].col_offset), hit[1]))
    if in_fstrings:
        from hooklib.quality.debugcode import python_strings

        located += python_strings.locate(text, in_fstrings, offset)
    return located
