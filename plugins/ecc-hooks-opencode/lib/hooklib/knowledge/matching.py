"""Find the topics whose keywords occur in a prompt, and name each once per session."""

from __future__ import annotations

import os

from hooklib import paths, state
from hooklib.knowledge.folders import KNOWLEDGE
from hooklib.knowledge.index import FIELD
from hooklib.knowledge.telling import describe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.knowledge.folders import Kind

BUDGET = 600  # bytes
_HEAD = "[Auto-Skill] Known about this, not yet named in this session:"
_COUNTER = "told-"


def matches(prompt: str, lines: list[str]) -> list[str]:
    """Return the topics of which a keyword occurs in prompt, in their order."""
    text = " ".join(prompt.casefold().split())
    found = []
    for line in lines:
        for word in line[line.rfind("\t") + 1 :].casefold().split(FIELD):
            if word in text and word and _stands_alone(word, text):
                found.append(line)
                break
    return found


def _stands_alone(word: str, text: str) -> bool:
    """Tell whether word is in text as a whole word; where words have no gaps, anywhere."""
    if any(_is_gapless(char) for char in word):
        return True
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not _is_word(text[at - 1 : at] if at else "") and not _is_word(text[end : end + 1]):
            return True
        at = text.find(word, at + 1)
    return False


def _is_word(char: str) -> bool:
    """Whether char would make a word longer: 'API' stands alone in 這個API很慢, not in APIs."""
    return char == "_" or (char.isalnum() and not _is_gapless(char))


def _is_gapless(char: str) -> bool:
    """Whether char is of a script that puts no spaces between words: Chinese, kana, Thai, ..."""
    return char >= "\u2e80" or "\u0e00" <= char < "\u10a0" or "\u1100" <= char < "\u1200"


def reminder(key: str, found: list[tuple[Kind, str]], start: str, root: str) -> str:
    """Return what to tell of the topics that this session has not been told of, '' for nothing."""
    from hooklib.event import file_name

    shown: list[str] = []
    room = BUDGET - len(_HEAD)
    for kind, line in found:
        text = describe(kind, line, start, root).partition(" | keywords: ")[0]
        size = len(text.encode("utf-8", "replace")) + 1
        if not text or size > room:
            continue
        id = line.split("\t")[1]
        name = _COUNTER + ("" if kind is KNOWLEDGE else "skill-") + file_name(id)
        if state.increment(key, name) == 1:
            shown.append(text)
            room -= size
    return "\n".join([_HEAD, *shown]) if shown else ""


def forget(key: str) -> None:
    """Let every topic be named again: what was said is no longer in the context."""
    try:
        names = os.listdir(os.path.join(paths.data_dir(), "counters"))
    except OSError:
        return
    for name in names:
        if name.startswith(key + "." + _COUNTER):
            state.reset(key, name[len(key) + 1 :])
