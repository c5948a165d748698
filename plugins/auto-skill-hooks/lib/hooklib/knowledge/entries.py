"""The Markdown of a knowledge file: an entry is a `## ` heading and its text.

A heading in a code block or in a comment, such as a template for entries, is none.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_COMMENT = "<!--"


class Entry:
    """One entry: its title, the number of its line, and the text below the heading."""

    __slots__ = ("title", "line", "text")

    def __init__(self, title: str, line: int, text: str) -> None:
        self.title = title
        self.line = line
        self.text = text


def split(text: str) -> list[Entry]:
    """Return the entries of a file, in order."""
    found: list[tuple[str, int, list[str]]] = []
    for number, line, in_code in _lines(text):
        if not in_code and line.startswith("## "):
            found.append((line[3:].strip(), number, []))
        elif found:
            found[-1][2].append(line)
    return [Entry(title, number, "\n".join(lines)) for title, number, lines in found]


def heading(text: str) -> str:
    """Return the file's own title, '' where it has none."""
    for _, line, in_code in _lines(text):
        if not in_code and line.startswith("# "):
            return line[2:].strip()
    return ""


def keywords(entry: Entry) -> list[str]:
    """Return what an entry's own line `**Keywords:** a, b` says."""
    for line in entry.text.splitlines():
        label, _, words = line.replace("：", ":").partition(":**")
        if label.strip().lower() == "**keywords":
            return words_of(words)
    return []


def words_of(text: str) -> list[str]:
    """Return the keywords in a text that lists them with commas, Chinese ones too."""
    words = text.replace("，", ",").replace("、", ",").split(",")
    return [word.strip() for word in words if word.strip()]


def open_code(text: str) -> int:
    """Return the line of a code block or comment that is never closed, 0 where there is none."""
    opened = 0
    for number, _, in_code in _lines(text):
        opened = (opened or number) if in_code else 0
    return opened


def compose(title: str, date: str, words: list[str], body: str, skill: str = "") -> str:
    """Return a new entry; headings in its body are lowered, or they would be entries themselves."""
    head = ["## " + title, "**Date:** " + date]
    if skill:
        head.append("**Skill:** " + skill)
    if words:
        head.append("**Keywords:** " + ", ".join(words))
    lines = []
    for _, line, in_code in _lines(body.strip("\n")):
        level, _, rest = line.partition(" ")
        lines.append("### " + rest if level in ("#", "##") and not in_code else line)
    return "\n".join([*head, *(["", *lines] if body.strip() else []), ""])


def _lines(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield each line with its number and whether it belongs to a code block or a comment.

    The line that closes one does not any more, so that what ends in one was never closed.
    """
    opened = ""
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        bare = line.strip()
        mark = bare[: len(bare) - len(bare.lstrip(bare[:1]))] if bare else ""
        if opened == _COMMENT:
            opened = "" if "-->" in bare else opened
        elif line.expandtabs(4).startswith("    "):
            pass  # neither opens nor closes anything
        elif opened:
            opened = "" if mark.startswith(opened) and bare == mark else opened
        elif bare.startswith(_COMMENT):
            opened = "" if "-->" in bare else _COMMENT
        elif mark[:3] == "~~~" or (mark[:3] == "```" and "`" not in bare[len(mark) :]):
            opened = mark
        yield number, line, bool(opened)
