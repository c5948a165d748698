"""Parse and write the Markdown of a knowledge file: an entry is a `## ` heading and its text.

Headings in code blocks and comments, such as a template for entries, do not start an entry.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_COMMENT = "<!--"


class Entry:
    """One entry: its title, its line number, and the text below the heading."""

    __slots__ = ("title", "line", "text")

    def __init__(self, title: str, line: int, text: str) -> None:
        self.title = title
        self.line = line
        self.text = text


def split(text: str) -> list[Entry]:
    """Return the entries of a file, in order."""
    sections: list[tuple[str, int, list[str]]] = []
    for number, line, in_code in _lines(text):
        if not in_code and line.startswith("## "):
            sections.append((line[3:].strip(), number, []))
        elif sections:
            sections[-1][2].append(line)
    return [Entry(title, number, "\n".join(lines)) for title, number, lines in sections]


def heading(text: str) -> str:
    """Return the title of the file, or ''."""
    for _, line, in_code in _lines(text):
        if not in_code and line.startswith("# "):
            return line[2:].strip()
    return ""


def read_keywords(entry: Entry) -> list[str]:
    """Return the keywords in an entry's line `**Keywords:** a, b`."""
    for line in entry.text.splitlines():
        label, _, words = line.replace("：", ":").partition(":**")
        if label.strip().lower() == "**keywords":
            return split_keywords(words)
    return []


def split_keywords(text: str) -> list[str]:
    """Split a list of keywords at its commas, Western or Chinese."""
    words = text.replace("，", ",").replace("、", ",").split(",")
    return [word.strip() for word in words if word.strip()]


def unclosed_line(text: str) -> int:
    """Return the line where a code block or comment begins that is never closed, or 0."""
    first_line = 0
    for number, _, in_code in _lines(text):
        first_line = (first_line or number) if in_code else 0
    return first_line


def compose(title: str, date: str, keywords: list[str], body: str, skill: str = "") -> str:
    """Return a new entry; `#` and `##` headings in its body become `###`, so it stays one entry."""
    header = ["## " + title, "**Date:** " + date]
    if skill:
        header.append("**Skill:** " + skill)
    if keywords:
        header.append("**Keywords:** " + ", ".join(keywords))
    lines = []
    for _, line, in_code in _lines(body.strip("\n")):
        level, _, rest = line.partition(" ")
        lines.append("### " + rest if level in ("#", "##") and not in_code else line)
    return "\n".join([*header, *(["", *lines] if body.strip() else []), ""])


def _lines(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield each line's number, the line, and whether it is in a code block or a comment.

    The closing line counts as outside, so a text whose last line is inside is never closed.
    """
    open_mark = ""
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        stripped = line.strip()
        fence = stripped[: len(stripped) - len(stripped.lstrip(stripped[:1]))] if stripped else ""
        if open_mark == _COMMENT:
            open_mark = "" if "-->" in stripped else open_mark
        elif line.expandtabs(4).startswith("    "):
            pass  # an indented line neither opens nor closes a block
        elif open_mark:
            open_mark = "" if fence.startswith(open_mark) and stripped == fence else open_mark
        elif stripped.startswith(_COMMENT):
            open_mark = "" if "-->" in stripped else _COMMENT
        elif fence[:3] == "~~~" or (fence[:3] == "```" and "`" not in stripped[len(fence) :]):
            open_mark = fence
        yield number, line, bool(open_mark)
