"""Cut what people and agents write into sentences, without code, quotations and logs."""

from __future__ import annotations

LIMIT = 20_000
_LONGEST = 600  # characters of a sentence; what is longer is no sentence
_MARKS = " \t*_#-+•·–—"
_ENDS = "。！？!?；"
_ITEMS = ("- ", "* ", "+ ", "#")
_WRAPPED = 56  # columns; a shorter line was ended by the writer
_ABBREVIATED = ("e.g", "i.e", "etc", "vs", "cf", "mr", "dr", "no", "approx", "incl")
_QUOTES = {'"': '"', "“": "”", "「": "」", "『": "』", "`": "`", "‘": "’", "«": "»", "《": "》"}
_LOGS = (  # how lines of logs, quotations, tables and code begin
    "info", "warn", "debug", "error", "trace", "fatal", "at ", "$ ", ">", "% ", "|", "diff ", "@@",
    "+++", "---", "#!", "//", "/*", "import ", "def ", "class ", "const ", "let ", "var ", "func ",
    "return ", "traceback",
)  # fmt: skip


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
    from hooklib.memory.hanzi import simplified

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
    fence, wrapped = "", False
    for line in text.splitlines():
        bare = line.strip().replace("**", "").replace("__", "")
        if fence:
            fence = "" if bare.startswith(fence) else fence
            wrapped = False
        elif bare.startswith(("```", "~~~")):
            fence, wrapped = bare[:3], False
        elif not bare or _is_code(line, bare):
            wrapped = False
        else:
            if wrapped and not bare.startswith(_ITEMS) and not _is_numbered(bare):
                found[-1] += _gap(found[-1], bare) + bare
            else:
                found.append(_without_number(bare))
            wrapped = _width(line) >= _WRAPPED and not bare.endswith((".", "。", ":", "："))
    return found


def _is_code(line: str, bare: str) -> bool:
    low = bare.lower()
    if low.startswith(_LOGS) and not low.startswith(("let us ", "return to ")):
        return True
    indented = line.startswith(("    ", "\t")) and not bare.startswith(_ITEMS)
    dated = bare[:4].isdigit() and bare[4:5] == "-"
    return indented or dated or bare.startswith("[") or bare.endswith(("{", "};", ");"))


def _is_numbered(bare: str) -> bool:
    return bare[:1].isdigit() and bare.lstrip("0123456789")[:2] in (". ", ") ")


def _without_number(bare: str) -> str:
    return bare.lstrip("0123456789")[2:] if _is_numbered(bare) else bare


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
