"""Find the topics whose keywords occur in a prompt, and show each once per session."""

from __future__ import annotations

import os

from hooklib import paths
from hooklib.knowledge.index import FIELD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.knowledge.note_folders import Kind

BUDGET = 600  # bytes
_HEADING = "[Auto-Skill] Notes on what this prompt names:"
_COUNTER = "told-"


def matching_topics(prompt: str, lines: list[str]) -> list[str]:
    """Return the topics with a keyword that occurs in prompt, in their order."""
    text = " ".join(prompt.casefold().split())
    topics = []
    for line in lines:
        for word in line[line.rfind("\t") + 1 :].casefold().split(FIELD):
            if word in text and word and _stands_alone(word, text):
                topics.append(line)
                break
    return topics


def _stands_alone(word: str, text: str) -> bool:
    """Return whether word occurs in text as a word of its own, not as part of a longer one."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        before, after = text[at - 1 : at] if at else "", text[end : end + 1]
        starts_inside = _joins_words(before) and _joins_words(word[0])
        if not starts_inside and not (_joins_words(word[-1]) and _joins_words(after)):
            return True
        at = text.find(word, at + 1)
    return False


def _joins_words(char: str) -> bool:
    """Return whether char forms one word with such a character beside it.

    So API is found in 這個API很慢 and C++ in C++20, but not api in APIs: Chinese, kana, Hangul,
    Thai and the like are written without spaces between words.
    """
    gapless = char >= "\u2e80" or "\u0e00" <= char < "\u10a0" or "\u1100" <= char < "\u1200"
    return char == "_" or (char.isalnum() and not gapless)


def reminder(key: str, topics: list[tuple[Kind, str]], start: str, root: str) -> str:
    """Return a reminder of the topics not yet shown in this session, or ''."""
    from hooklib import state
    from hooklib.event import file_name
    from hooklib.knowledge.index_text import describe_topic

    shown: list[str] = []
    max_size = room = BUDGET - len(_HEADING)
    for kind, line in topics:
        text = describe_topic(kind, line, start, root)
        size = len(text.encode("utf-8", "replace")) + 1
        if not text or size > max_size:
            continue
        if size > room:
            break  # the rest is shown at a later prompt
        id = line.split("\t")[1]
        name = "%s%s-%s" % (_COUNTER, kind.list_key, file_name(id))
        if state.increment(key, name) == 1:
            shown.append(text)
            room -= size
    return "\n".join([_HEADING, *shown]) if shown else ""


def forget_shown_topics(key: str) -> None:
    """Allow every topic to be shown again, as earlier reminders are no longer in the context."""
    try:
        names = os.listdir(os.path.join(paths.data_dir(), "counters"))
    except OSError:
        return
    for name in names:
        if name.startswith(key + "." + _COUNTER):
            from hooklib import state

            state.reset(key, name[len(key) + 1 :])
