"""Find the topics whose keywords occur in a prompt, and name each once per session."""

from __future__ import annotations

import os

from hooklib import paths
from hooklib.knowledge.index import FIELD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.knowledge.note_folders import Kind

BUDGET = 600  # bytes
_HEAD = "[Auto-Skill] There are notes on what this prompt names; read those that matter:"
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
    """Tell whether word is in text without a letter or digit that belongs to it on either side."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        before, after = text[at - 1 : at] if at else "", text[end : end + 1]
        if not (_joins(before) and _joins(word[0])) and not (_joins(word[-1]) and _joins(after)):
            return True
        at = text.find(word, at + 1)
    return False


def _joins(char: str) -> bool:
    """Whether char makes one word with its like beside it: 'API' stands alone in 這個API很慢 and
    C++ in C++20, but api not in APIs. Chinese, kana, Hangul, Thai, ... put no gaps between words.
    """
    gapless = char >= "\u2e80" or "\u0e00" <= char < "\u10a0" or "\u1100" <= char < "\u1200"
    return char == "_" or (char.isalnum() and not gapless)


def reminder(key: str, found: list[tuple[Kind, str]], start: str, root: str) -> str:
    """Return what to tell of the topics that this session has not been told of, '' for nothing."""
    from hooklib import state
    from hooklib.event import file_name
    from hooklib.knowledge.index_text import describe

    shown: list[str] = []
    most = room = BUDGET - len(_HEAD)
    for kind, line in found:
        text = describe(kind, line, start, root)
        size = len(text.encode("utf-8", "replace")) + 1
        if not text or size > most:
            continue
        if size > room:
            break  # the rest at the next prompt
        id = line.split("\t")[1]
        name = "%s%s-%s" % (_COUNTER, kind.list, file_name(id))
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
            from hooklib import state

            state.reset(key, name[len(key) + 1 :])
