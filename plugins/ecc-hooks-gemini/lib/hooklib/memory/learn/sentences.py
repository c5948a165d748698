"""Split the prose of people and agents into sentences, without code, quotations and logs."""

from __future__ import annotations

from hooklib.prose import MARKS, paragraphs

_LONGEST = 600  # characters; a longer text is not a sentence
_ENDS = "。！？!?；"
_ABBREVIATED = ("e.g", "i.e", "etc", "vs", "cf", "mr", "dr", "no", "approx", "incl")
_QUOTES = {'"': '"', "“": "”", "「": "」", "『": "』", "`": "`", "‘": "’", "«": "»", "《": "》"}


class Sentence:
    """A sentence as written and with its quotations blanked, and its paragraph's number."""

    __slots__ = ("text", "bare", "is_question", "paragraph")

    def __init__(self, text: str, bare: str, paragraph: int) -> None:
        self.text = text
        self.bare = bare  # as long as text, in simplified characters
        self.is_question = bare.rstrip(" *_)\"'”」").endswith(("?", "吗", "呢"))
        self.paragraph = paragraph


def sentences(text: str) -> list[Sentence]:
    """Return the sentences of a text in Markdown."""
    from hooklib.memory.search.hanzi import simplified

    found_sentences: list[Sentence] = []
    for number, line in enumerate(paragraphs(text.replace("’", "'"))):
        for part in _cut(line):
            part = part.strip(MARKS)
            if 4 <= len(part) <= _LONGEST:
                bare = _unquoted(part)
                found_sentences.append(
                    Sentence(part, bare if part.isascii() else simplified(bare), number)
                )
    return found_sentences


def _cut(line: str) -> list[str]:
    found_sentences: list[str] = []
    start = 0
    for at, char in enumerate(line):
        if char in _ENDS or (char == "." and _ends(line, at)):
            found_sentences.append(line[start : at + 1])
            start = at + 1
    return [*found_sentences, line[start:]]


def _ends(line: str, at: int) -> bool:
    """Return whether a full stop ends a sentence, unlike those in file.py, 3.9 and e.g."""
    if line[at + 1 : at + 2] not in ("", " ", ")", "*", '"'):
        return False
    word = line[:at].rsplit(" ", 1)[-1].lower().strip("(*_")
    return word not in _ABBREVIATED


def _unquoted(text: str) -> str:
    """Return text with quotations and code blanked."""
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
