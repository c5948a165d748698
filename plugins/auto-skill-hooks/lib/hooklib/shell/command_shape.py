"""The shape of a command: the program and subcommand that matter, never an argument."""

from __future__ import annotations

from hooklib.shell.programs import (
    ALIASES,
    BEFORE,
    GROUPS,
    IN_RULES,
    LANGUAGES,
    NESTED,
    RUNNERS,
    SHELLS,
    SMALL,
    TELLING,
    UNSEEN,
)
from hooklib.shell.simple_commands import simple_commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.shell.simple_commands import Simple

_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+:@-")
_LONGEST = 40  # characters of a name
_DEPTH = 3  # of sh -c inside sh -c


def of_command(command: str) -> str:
    """Return the shape of a command, '' where there is none to tell."""
    return _chosen(command, 0)[0]


def prefix(command: str) -> str:
    """Return the words that the command with this shape begins with; '' where it holds others."""
    return _chosen(command, 0)[1]


def _chosen(command: str, depth: int) -> tuple[str, str]:
    best: tuple[int, str, str] = (0, "", "")
    rank_of_pipe = 0
    for simple in simple_commands(command):
        shape, start = _read(simple, depth)
        rank = weight(shape)
        # the last of a list, but the first of a pipeline: what follows only looks at its output
        if rank and rank >= best[0] + (simple.piped and rank <= rank_of_pipe):
            best = (rank, shape, start)
        rank_of_pipe = max(rank, rank_of_pipe) if simple.piped else rank
    return best[1], best[2]


def weight(shape: str) -> int:
    """Return how much a command matters: 3 it tests or builds, 2 it does, 1 it is small, 0 none."""
    if not shape:
        return 0
    names = shape.split()
    if names[0] in SMALL:
        return 1
    parts = shape.replace(".", " ").replace(":", " ").replace("_", " ").replace("-", " ").split()
    return 2 if TELLING.isdisjoint(names + parts) else 3


def _read(simple: Simple, depth: int) -> tuple[str, str]:
    """Return the shape of a simple command, and the words it begins with if all are in it."""
    words = simple.words
    at, plain = 0, True
    while at < len(words):
        if words[at].partition("=")[0].isidentifier() and "=" in words[at]:
            at, plain = at + 1, False
            continue
        name = _program(words[at])
        if name in BEFORE and at + 1 < len(words):
            start, at = at + 1, _after_options(words, at + 1, BEFORE[name])
            unseen = name in UNSEEN and start == 1
            plain = plain and at == start and (unseen or name in IN_RULES)
            at += name == "timeout" and at < len(words)
            if unseen:
                words, at = words[at:], 0
            continue
        if name in SHELLS and depth < _DEPTH:
            for option, code in zip(words[at + 1 :], words[at + 2 :]):
                if not option.startswith("-"):
                    break
                if option.endswith("c"):
                    return _chosen(code, depth + 1)[0], ""
        return _named(words, at, name, plain, depth) if name else ("", "")
    return "", ""


def _named(words: list[str], at: int, name: str, plain: bool, depth: int) -> tuple[str, str]:
    if name in LANGUAGES:
        code, valued = LANGUAGES[name]
        first = at + 1
        while first < len(words) and words[first].startswith("-"):
            if name == "python" and words[first] == "-m" and first + 1 < len(words):
                return _named(words, first + 1, _program(words[first + 1]), plain, depth)
            if words[first] in code.split():
                return name, ""
            first += 2 if words[first] in valued.split() else 1
        script = _program(words[first]) if first < len(words) else ""
        if not script:
            return name, ""
        if script in GROUPS:
            return _named(words, first, script, plain and first == at + 1, depth)
        return script, _joined(words[: first + 1], plain and first == at + 1)
    if name not in GROUPS:
        return name, _joined(words[: at + 1], plain)
    shape, valued, last = name, GROUPS[name], at
    for _ in range(2):
        following = _after_options(words, last + 1, valued)
        if following >= len(words) or not _is_name(words[following]):
            break
        plain = plain and following == last + 1
        last = following
        shape += " " + words[last]
        if shape in RUNNERS and depth < _DEPTH:
            inner = _read_rest(words, last + 1, depth)
            if inner[0]:
                return inner[0], _joined(words[: last + 1], plain) and inner[1]
        if shape not in NESTED:
            break
    return shape, _joined(words[: last + 1], plain)


def _read_rest(words: list[str], at: int, depth: int) -> tuple[str, str]:
    from hooklib.shell.simple_commands import Simple

    rest = Simple(False)
    rest.words = words[_after_options(words, at, "--with --from --group -e -n -p") :]
    shape, start = _read(rest, depth + 1)
    return shape, " ".join([*words[:at], start]) if start and words[at:] == rest.words else ""


def _after_options(words: list[str], at: int, valued: str) -> int:
    while at < len(words) and words[at][:1] in ("-", "+"):
        at += 2 if words[at] in valued.split() else 1
    return min(at, len(words))


def _program(word: str) -> str:
    """Return the name of a program or script: no folder, no version, no ending of Windows."""
    name = word.replace("\\", "/").rsplit("/", 1)[-1]
    if name in ("[", "[[", "!", "."):
        return name
    if name.endswith((".exe", ".cmd", ".bat")):
        name = name[:-4]
    bare = name.rstrip("0123456789.")
    name = bare if bare in ("python", "pip") else ALIASES.get(name, name)
    return name if _is_name(name) else ""


def _is_name(word: str) -> bool:
    return 0 < len(word) <= _LONGEST and _NAME.issuperset(word) and word[0] not in "-+.:@"


def _joined(words: list[str], plain: bool) -> str:
    return " ".join(words) if plain and all(" " not in word for word in words) else ""
