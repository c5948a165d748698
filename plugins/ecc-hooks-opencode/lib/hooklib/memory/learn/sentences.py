"""Cut what people and agents write into sentences, without code, quotations and logs."""

from __future__ import annotations

LIMIT = 20_000
_LONGEST = 600  # characters of a sentence; what is longer is no sentence
_MARKS = " \t*_#-+•·–—"
_ENDS = "。！？!?；"
_ITEMS = ("- ", "* ", "+ ")
_WRAPPED = 56  # columns; a shorter line was ended by the writer
_ABBREVIATED = ("e.g", "i.e", "etc", "vs", "cf", "mr", "dr", "no", "approx", "incl")
_QUOTES = {'"': '"', "“": "”", "「": "」", "『": "』", "`": "`", "‘": "’", "«": "»", "《": "》"}
_NO_PROSE = (  # how lines of logs, quotations, tables and code begin
    "INFO", "WARN", "DEBUG", "ERROR", "TRACE", "FATAL", "info:", "warning:", "error:", "at ", "$ ",
    ">", "% ", "|", "diff ", "@@", "+++", "---", "#!", "//", "/*", "import ", "def ", "class ",
    "const ", "let ", "var ", "func ", "return ", "Traceback", "[",
)  # fmt: skip
# Headings that say what stands below them.
_HEADINGS = frozenset(
    "decision|decisions|root cause|cause|fix|the fix|solution|convention|conventions|决定|決定|结论"
    "|結論|根本原因|根因|原因|解决方法|解決方法|解决方案|解決方案|修复方法|修復方法|惯例|慣例".split(
        "|"
    )
)


class Sentence:
    """A sentence as written, the same with what it quotes blanked, and its paragraph's number."""

    __slots__ = ("text", "bare", "is_question", "paragraph")

    def __init__(self, text: str, bare: str, paragraph: int) -> None:
        self.text = text
        self.bare = bare  # as long as text, in simplified characters
        self.is_question = bare.rstrip(" *_)\"'”」").endswith(("?", "吗", "呢"))
        self.paragraph = paragraph


def sentences(text: str) -> list[Sentence]:
    """Return the sentences of a text in Markdown."""
    from hooklib.memory.search.hanzi import simplified

    found: list[Sentence] = []
    for number, line in enumerate(_prose(text[:LIMIT].replace("’", "'"))):
        for part in _cut(line):
            part = part.strip(_MARKS)
            if 4 <= len(part) <= _LONGEST:
                bare = _unquoted(part)
                found.append(Sentence(part, bare if part.isascii() else simplified(bare), number))
    return found


def _prose(text: str) -> list[str]:
    """Return the paragraphs and list items of a text, the lines of each joined."""
    found: list[str] = []
    fence = heading = ""
    wrapped = False
    for line in text.splitlines():
        bare = _plain(line.strip())
        is_item = bare.startswith(_ITEMS) or _is_numbered(bare)
        if fence:
            fence = "" if bare.startswith(fence) else fence
        elif bare.startswith(("```", "~~~")):
            fence = bare[:3]
        elif bare and not _is_code(line, bare):
            name = _heading(line)
            if wrapped and not is_item:
                found[-1] += _gap(found[-1], bare) + bare
            elif name:
                heading = name if name in _HEADINGS else ""
            else:
                start = heading.rstrip("s") + ": " if heading else ""
                found.append(start + _without_mark(bare))
                heading = heading if is_item else ""
            wrapped = not name and _width(line) >= _WRAPPED and bare[-1] not in ".。:："
            continue
        wrapped = False
    return found


def _plain(line: str) -> str:
    """Return a line without bold marks; those of a glob stay."""
    parts = line.split("**")
    kept = parts[0]
    for part in parts[1:]:
        kept += ("**" if kept.endswith("/") or part.startswith("/") else "") + part
    return kept


def _heading(line: str) -> str:
    """Return the words of a line that is a heading, '' where it is none."""
    line = line.strip()
    if not line.startswith("#") and not (
        line.startswith("**") and line.rstrip(":：").endswith("**")
    ):
        return ""
    return line.strip("#*:： ").lower()


def _is_code(line: str, bare: str) -> bool:
    indented = line.startswith(("    ", "\t")) and not bare.startswith(_ITEMS)
    dated = bare[:4].isdigit() and bare[4:5] == "-"
    return indented or dated or bare.startswith(_NO_PROSE) or bare.endswith(("{", "};", ");"))


def _is_numbered(bare: str) -> bool:
    return bare[:1].isdigit() and bare.lstrip("0123456789")[:2] in (". ", ") ")


def _without_mark(bare: str) -> str:
    return bare.lstrip("0123456789")[2:] if _is_numbered(bare) else bare.lstrip(_MARKS)


def _width(line: str) -> int:
    return len(line) + sum(char >= "\u2e80" for char in line)


def _gap(before: str, after: str) -> str:
    return "" if before[-1] >= "\u2e80" and after[0] >= "\u2e80" else " "


def _cut(line: str) -> list[str]:
    found: list[str] = []
    start = 0
    for at, char in enumerate(line):
        if char in _ENDS or (char == "." and _ends(line, at)):
            found.append(line[start : at + 1])
            start = at + 1
    return [*found, line[start:]]


def _ends(line: str, at: int) -> bool:
    """Whether a full stop ends a sentence: not in file.py, 3.9 or e.g."""
    if line[at + 1 : at + 2] not in ("", " ", ")", "*", '"'):
        return False
    word = line[:at].rsplit(" ", 1)[-1].lower().strip("(*_")
    return word not in _ABBREVIATED


def _unquoted(text: str) -> str:
    """Return text with what stands in quotes or is code blanked."""
    parts: list[str] = []
    at = 0
    while at < len(text):
        closing = _QUOTES.get(text[at], "")
        end = text.find(closing, at + 1) if closing else -1
        if end > 0:
            parts.append(text[at] + "x" * (end - at - 1) + closing)
            at = end + 1
        else:
            parts.append(text[at])
            at += 1
    return "".join(parts)
