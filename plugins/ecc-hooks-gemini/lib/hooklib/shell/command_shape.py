"""The shape of a command: its main program and subcommand, without any arguments."""

from __future__ import annotations

from hooklib.shell.programs import (
    ALIASES,
    CHECKS,
    IGNORED_BY_RULES,
    INTERPRETERS,
    MINOR,
    NAMED_IN_RULES,
    NESTED_SUBCOMMANDS,
    RUNNERS,
    SHELLS,
    WITH_SUBCOMMANDS,
    WRAPPERS,
)
from hooklib.shell.simple_commands import simple_commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.shell.simple_commands import SimpleCommand

_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+:@-")
_MAX_NAME = 40  # characters
_MAX_DEPTH = 3  # levels of `sh -c` inside `sh -c`


def of_command(command: str) -> str:
    """Return the shape of a command, or '' if it has none."""
    return _main_shape(command, 0)[0]


def prefix(command: str) -> str:
    """Return the words that the main command starts with, for a permission rule, or ''.

    It is '' where a rule would not match: an option, a variable or a wrapper stands between them.
    """
    return _main_shape(command, 0)[1]


def _main_shape(command: str, depth: int) -> tuple[str, str]:
    main: tuple[int, str, str] = (0, "", "")
    pipeline_rank = 0
    for simple_command in simple_commands(command):
        shape, prefix_words = _shape_and_prefix(simple_command, depth)
        rank = weight(shape)
        # In a list the last command counts; in a pipeline the first, as the rest filter its output.
        if rank and rank >= main[0] + (simple_command.piped and rank <= pipeline_rank):
            main = (rank, shape, prefix_words)
        pipeline_rank = max(rank, pipeline_rank) if simple_command.piped else rank
    return main[1], main[2]


def weight(shape: str) -> int:
    """Return how much a command matters: 3 tests or builds, 2 other work, 1 minor, 0 no shape."""
    if not shape:
        return 0
    names = shape.split()
    if names[0] in MINOR:
        return 1
    parts = shape.replace(".", " ").replace(":", " ").replace("_", " ").replace("-", " ").split()
    return 2 if CHECKS.isdisjoint(names + parts) else 3


def _shape_and_prefix(simple_command: SimpleCommand, depth: int) -> tuple[str, str]:
    """Return the shape of a simple command and its prefix for a rule, '' if it has none."""
    words = simple_command.words
    at, plain = 0, True
    while at < len(words):
        if words[at].partition("=")[0].isidentifier() and "=" in words[at]:
            at, plain = at + 1, False
            continue
        name = _program(words[at])
        if name in WRAPPERS and at + 1 < len(words):
            first_option, at = at + 1, _after_options(words, at + 1, WRAPPERS[name])
            is_ignored = name in IGNORED_BY_RULES and first_option == 1
            plain = plain and at == first_option and (is_ignored or name in NAMED_IN_RULES)
            at += name == "timeout" and at < len(words)
            if is_ignored:
                words, at = words[at:], 0
            continue
        if name in SHELLS and depth < _MAX_DEPTH:
            for option, code in zip(words[at + 1 :], words[at + 2 :]):
                if not option.startswith("-"):
                    break
                if option.endswith("c"):
                    return _main_shape(code, depth + 1)[0], ""
        return _program_shape(words, at, name, plain, depth) if name else ("", "")
    return "", ""


def _program_shape(
    words: list[str], at: int, name: str, plain: bool, depth: int
) -> tuple[str, str]:
    if name in INTERPRETERS:
        code, options_with_value = INTERPRETERS[name]
        first = at + 1
        while first < len(words) and words[first].startswith("-"):
            if name == "python" and words[first] == "-m" and first + 1 < len(words):
                return _program_shape(words, first + 1, _program(words[first + 1]), plain, depth)
            if words[first] in code.split():
                return name, ""
            first += 2 if words[first] in options_with_value.split() else 1
        script = _program(words[first]) if first < len(words) else ""
        if not script:
            return name, ""
        if script in WITH_SUBCOMMANDS:
            return _program_shape(words, first, script, plain and first == at + 1, depth)
        return script, _joined_prefix(words[: first + 1], plain and first == at + 1)
    if name not in WITH_SUBCOMMANDS:
        return name, _joined_prefix(words[: at + 1], plain)
    shape, options_with_value, last = name, WITH_SUBCOMMANDS[name], at
    for _ in range(2):
        following = _after_options(words, last + 1, options_with_value)
        if following >= len(words) or not _is_name(words[following]):
            break
        plain = plain and following == last + 1
        last = following
        shape += " " + words[last]
        if shape in RUNNERS and depth < _MAX_DEPTH:
            inner = _shape_after_runner(words, last + 1, depth)
            if inner[0]:
                return inner[0], _joined_prefix(words[: last + 1], plain) and inner[1]
        if shape not in NESTED_SUBCOMMANDS:
            break
    return shape, _joined_prefix(words[: last + 1], plain)


def _shape_after_runner(words: list[str], at: int, depth: int) -> tuple[str, str]:
    from hooklib.shell.simple_commands import SimpleCommand

    rest = SimpleCommand(False)
    rest.words = words[_after_options(words, at, "--with --from --group -e -n -p") :]
    shape, inner_prefix = _shape_and_prefix(rest, depth + 1)
    whole_prefix = " ".join([*words[:at], inner_prefix])
    return shape, whole_prefix if inner_prefix and words[at:] == rest.words else ""


def _after_options(words: list[str], at: int, options_with_value: str) -> int:
    while at < len(words) and words[at][:1] in ("-", "+"):
        at += 2 if words[at] in options_with_value.split() else 1
    return min(at, len(words))


def _program(word: str) -> str:
    """Return the name of a program or script without folder, version or Windows extension."""
    name = word.replace("\\", "/").rsplit("/", 1)[-1]
    if name in ("[", "[[", "!", "."):
        return name
    if name.endswith((".exe", ".cmd", ".bat")):
        name = name[:-4]
    bare = name.rstrip("0123456789.")
    name = bare if bare in ("python", "pip") else ALIASES.get(name, name)
    return name if _is_name(name) else ""


def _is_name(word: str) -> bool:
    return 0 < len(word) <= _MAX_NAME and _NAME.issuperset(word) and word[0] not in "-+.:@"


def _joined_prefix(words: list[str], plain: bool) -> str:
    return " ".join(words) if plain and all(" " not in word for word in words) else ""
