"""The Markdown of a knowledge file: an entry is a `## ` heading outside of code, and its text."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


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
            return [word.strip() for word in words.replace("，", ",").split(",") if word.strip()]
    return []


def open_code(text: str) -> int:
    """Return the line of a code block that is never closed, 0 where there is none."""
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
    lines = [
        "#" * (3 - len(line.split(" ")[0])) + line
        if not in_code and line.startswith(("# ", "## "))
        else line.rstrip()
        for _, line, in_code in _lines(body.strip("\r\n"))
    ]
    return "\n".join([*head, *(["", *lines] if any(lines) else []), ""])


def _lines(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield each line with its number and whether it belongs to a fenced code block.

    The line that closes a block is not code any more, so that what ends in code was never closed.
    """
    fence = ""
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        bare = line.strip()
        indented = len(line) - len(line.lstrip(" ")) > 3
        mark = bare[:1] * (len(bare) - len(bare.lstrip(bare[:1]))) if bare else ""
        if fence:
            if mark.startswith(fence) and bare == mark and not indented:
                fence = ""
        elif not indented and len(mark) >= 3 and _opens(mark[0], bare[len(mark) :]):
            fence = mark
        yield number, line, bool(fence)


def _opens(char: str, rest: str) -> bool:
    return char == "~" or (char == "`" and "`" not in rest)
