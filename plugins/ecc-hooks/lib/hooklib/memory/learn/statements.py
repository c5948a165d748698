"""Find the sentences that state a decision, a rule, a preference or a solution."""

from __future__ import annotations

from hooklib.memory.learn.sentences import sentences
from hooklib.prose import labelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match

    from hooklib.memory.learn.sentences import Sentence

_TITLE, _BODY, _MOST = 80, 500, 20
_LABELLED = 0.95  # the confidence of a sentence that begins with a label such as `Decision:`
_SHORTEST = 12  # letters; a Chinese character counts as three


class Remark:
    """A statement that is worth keeping."""

    __slots__ = ("kind", "title", "body", "confidence")

    def __init__(self, kind: str, title: str, body: str, confidence: float) -> None:
        self.kind = kind  # decision, pattern, solution or preference
        self.title = title
        self.body = body
        self.confidence = confidence


def remarks(text: str) -> list[Remark]:
    """Return the statements in text, without questions and doubts; of equal titles the later."""
    from hooklib.memory.learn.statement_patterns import GOES_ON, WORDS

    by_title: dict[str, Remark] = {}
    all_sentences = sentences(text)
    for at, sentence in enumerate(all_sentences):
        low = sentence.bare.lower()
        if sentence.is_question or not any(word in low for word in WORDS):
            continue
        remark = _remark(sentence)
        if remark is None:
            continue
        following = all_sentences[at + 1] if at + 1 < len(all_sentences) else sentence
        goes_on = following.bare.lower().startswith(GOES_ON)
        if goes_on and following.paragraph == sentence.paragraph:
            remark.body = (remark.body + " " + following.text)[:_BODY]
        by_title[remark.title.casefold()] = remark
        if len(by_title) == _MOST:
            break
    return list(by_title.values())


def _remark(sentence: Sentence) -> Remark | None:
    import re

    from hooklib.memory.learn.statement_patterns import NARRATION, RULES

    kind, text = labelled(sentence.text)
    if kind:
        return (
            None if re.match(NARRATION, text, re.IGNORECASE) else _new_remark(kind, text, _LABELLED)
        )
    for kind, confidence, pattern in RULES:
        match = re.search(pattern, sentence.bare, re.IGNORECASE)
        if match is not None:
            is_doubtful = _is_doubtful(sentence.bare, match)
            return None if is_doubtful else _new_remark(kind, sentence.text, confidence)
    return None


def _new_remark(kind: str, text: str, confidence: float) -> Remark | None:
    """Return a remark, or None if the text introduces a list or is too short."""
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
