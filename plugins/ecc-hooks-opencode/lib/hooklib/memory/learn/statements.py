"""Find the sentences in which somebody decides, sets a rule, or says what solved a problem."""

from __future__ import annotations

from hooklib.memory.learn.sentences import sentences
from hooklib.prose import labelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match

    from hooklib.memory.learn.sentences import Sentence

_TITLE, _BODY, _MOST = 80, 500, 20
_LABELLED = 0.95  # the confidence of a sentence that begins with the name of what it is
_SHORTEST = 12  # letters that say something; a Chinese one counts for three


class Remark:
    """What a sentence says that is worth keeping."""

    __slots__ = ("kind", "title", "body", "confidence")

    def __init__(self, kind: str, title: str, body: str, confidence: float) -> None:
        self.kind = kind  # decision, pattern, solution or preference
        self.title = title
        self.body = body
        self.confidence = confidence


def remarks(text: str) -> list[Remark]:
    """Return what text states, of two alike the later; not what it asks or only considers."""
    from hooklib.memory.learn.statement_patterns import GOES_ON, WORDS

    found: dict[str, Remark] = {}
    said = sentences(text)
    for at, sentence in enumerate(said):
        low = sentence.bare.lower()
        if sentence.is_question or not any(word in low for word in WORDS):
            continue
        remark = _remark(sentence)
        if remark is None:
            continue
        following = said[at + 1] if at + 1 < len(said) else sentence
        goes_on = following.bare.lower().startswith(GOES_ON)
        if goes_on and following.paragraph == sentence.paragraph:
            remark.body = (remark.body + " " + following.text)[:_BODY]
        found[remark.title.casefold()] = remark
        if len(found) == _MOST:
            break
    return list(found.values())


def _remark(sentence: Sentence) -> Remark | None:
    import re

    from hooklib.memory.learn.statement_patterns import NARRATION, RULES

    kind, text = labelled(sentence.text)
    if kind:
        return None if re.match(NARRATION, text, re.IGNORECASE) else _made(kind, text, _LABELLED)
    for kind, confidence, pattern in RULES:
        match = re.search(pattern, sentence.bare, re.IGNORECASE)
        if match is not None:
            doubtful = _is_doubtful(sentence.bare, match)
            return None if doubtful else _made(kind, sentence.text, confidence)
    return None


def _made(kind: str, text: str, confidence: float) -> Remark | None:
    """Return a remark, None where the text leads to a list or says too little."""
    size = sum(3 if char >= "\u2e80" else char.isalnum() for char in text)
    if text.endswith((":", "：")) or size < _SHORTEST:
        return None
    return Remark(kind, _title(text), text[:_BODY], confidence)


def _is_doubtful(text: str, match: Match[str]) -> bool:
    import re

    from hooklib.memory.learn.statement_patterns import DENIED, DOUBT, NARRATION

    return bool(
        re.search(DOUBT, text[: match.start()], re.IGNORECASE)
        or re.search(DENIED, text[: match.end() + 12], re.IGNORECASE)
        or re.match(NARRATION, text, re.IGNORECASE)
    )


def _title(text: str) -> str:
    text = " ".join(text.split()).rstrip(" .。!！;；,，")
    if len(text) <= _TITLE:
        return text
    head = text[: _TITLE - 1]
    space = head.rfind(" ")
    return (head[:space] if space > _TITLE // 2 else head).rstrip(" ,;:，；：") + "…"
