"""Turn text into search tokens, in the same way for memories and for prompts.

A token consists of lower-case letters and digits, so that no full text index splits it.
"""

from __future__ import annotations

from hooklib.memory.search.synonyms import common, english, joined

_LIMIT = 20_000
_LONGEST = 64  # characters of a token
_STEP, _DOT, _JOINT = "/\\:", ".", "_-"  # what holds a path, a dotted name, an identifier together
_INSIDE = _STEP + _DOT + _JOINT
_STOP = frozenset(
    "a about above after again all also am an and any are as at be because been before being but"
    " by came can cannot could did do does doing don done each else etc even every for from get"
    " gets give go goes going gonna got had has have having he hello help her here hey hi him his"
    " how however i if im in into is isn it its just know let lets like ll looks may maybe me might"
    " more most much must my need needs no not now of off ok on once one only or other our out over"
    " own please re really same say says see shall she should so some still such sure tell than"
    " thank thanks that the their them then there these they thing things think this those though"
    " through to too under until up us ve very want wants was way we well were what when where"
    " which while who whose why will with won would yet you your https www com".split()
)
_ENDINGS = frozenset(  # of files: `openapi.json` is not about JSON
    "c cc cfg cpp cs css csv go h html ini java js json jsx kt lock md mjs php py rb rs sh sql toml"
    " ts tsx txt vue xml yaml yml".split()
)
_PARTICLES = "的了嗎吗呢吧啊喔麼么請请們们個个這这那哪些"  # they hold no meaning, and end a word
_VOWELS = frozenset("aeiouy")


def words(text: str) -> list[str]:
    """Return the search tokens of text in order, repetitions included."""
    tokens: list[str] = []
    text = text[:_LIMIT]
    if text.isascii():
        _add_names(text, tokens)
        return tokens
    from hooklib.memory.search.hanzi import simplified

    text = simplified(text)
    tokens += [stem(word) for word in english(text)]
    for run, gapless in _runs(text):
        if gapless:
            _add_pairs(run, tokens)
        else:
            _add_names(run, tokens)
    return tokens


def everyday() -> frozenset[str]:
    """Return the tokens of everyday words, which say little however rare they are in a project."""
    from hooklib.memory.search.synonyms import EVERYDAY

    return frozenset([stem(common(word)) for word in EVERYDAY])


def stem(word: str) -> str:
    """Return an English word without the ending of a plural, a tense or a noun made of a verb."""
    if len(word) < 3 or not word.isalpha() or not word.isascii():
        return word
    if word.endswith("s") and not word.endswith(("ss", "us", "sis", "xis", "dis")):
        word = word[:-3] + "y" if word.endswith("ies") and len(word) > 4 else word[:-1]
    for ending in ("ing", "ed", "ment"):
        rest = word[: -len(ending)]
        if word.endswith(ending) and len(rest) > 2 and rest[-1] != "e":
            if not _VOWELS.isdisjoint(rest):
                word = rest
            break
    if word.endswith(("tion", "sion")) and len(word) > 5:
        word = word[:-3]
    if word.endswith("e") and len(word) > 3:
        word = word[:-1]
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in _VOWELS:
        word = word[:-1]
    return word[:-1] + "i" if word.endswith("y") and len(word) > 3 else word


def _runs(text: str) -> list[tuple[str, bool]]:
    """Split text into runs of scripts with spaces between words and scripts without."""
    tokens: list[tuple[str, bool]] = []
    start, before = 0, False
    for at, char in enumerate(text):
        gapless = char >= "\u2e80" and "\u3005" <= char < "\uff00" and char.isalnum()
        if gapless != before:
            tokens.append((text[start:at], before))
            start, before = at, gapless
    tokens.append((text[start:], before))
    return tokens


def _add_pairs(run: str, tokens: list[str]) -> None:
    """Add every pair of neighbouring characters in a run of Chinese, or a single character."""
    for particle in _PARTICLES:
        if particle in run:
            run = run.replace(particle, " ")
    for part in run.split():
        if len(part) == 1:
            tokens.append(part)
        else:
            tokens += [part[at : at + 2] for at in range(len(part) - 1)]


def _add_names(text: str, tokens: list[str]) -> None:
    """Add words, and identifiers and paths both whole and in parts."""
    clean = "".join([char if char.isalnum() or char in _INSIDE else " " for char in text])
    before = ""
    for name in clean.split():
        if name.isalpha() and (name.islower() or name[1:].islower()):
            word = name.lower()
            both = joined(before, word)
            if both:
                if before not in _STOP:
                    tokens.pop()
                word = both
            _add_word(word, tokens)
            before = word
        else:
            _add_name(name.strip(_INSIDE), tokens)
            before = ""


def _add_name(name: str, tokens: list[str]) -> None:
    steps = _split(name, _STEP)
    for step in steps:
        dotted = _split(step, _DOT)
        is_file = len(dotted) > 1 and dotted[-1].lower() in _ENDINGS
        for piece in dotted[:-1] if is_file else dotted:
            parts = [part for joint in _split(piece, _JOINT) for part in _humps(joint)]
            for part in parts:
                _add_word(part.lower(), tokens)
            if len(parts) > 1:
                _add_whole(parts, tokens)
        if len(dotted) > 1:
            _add_whole(dotted, tokens)
    if len(steps) > 1:
        _add_whole(steps, tokens)


def _add_word(word: str, tokens: list[str]) -> None:
    if not word.isalnum():  # joints, and what lower case took apart
        word = "".join([char for char in word if char.isalnum()])
    if len(word) > 1 and word not in _STOP:
        tokens.append(stem(common(word))[:_LONGEST])


def _add_whole(parts: list[str], tokens: list[str]) -> None:
    whole = "".join(parts).lower()
    if len(whole) <= _LONGEST:
        _add_word(whole, tokens)


def _split(name: str, marks: str) -> list[str]:
    for mark in marks[1:]:
        name = name.replace(mark, marks[0])
    return [part for part in name.split(marks[0]) if part]


def _humps(name: str) -> list[str]:
    """Return the parts of a camelCase name: `parseHTTPHeader2` is parse, HTTP, Header2."""
    if name.islower() or name.isupper() or name.isdigit():
        return [name]
    tokens: list[str] = []
    start = 0
    for at in range(1, len(name)):
        if name[at].isupper() and (not name[at - 1].isupper() or name[at + 1 : at + 2].islower()):
            tokens.append(name[start:at])
            start = at
    return [*tokens, name[start:]]
