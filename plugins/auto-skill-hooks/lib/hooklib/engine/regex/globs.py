"""Compile globs for plain values and for paths."""

from __future__ import annotations

from hooklib.engine.regex import MAX_STATES, MAX_VALUE, PatternError
from hooklib.engine.regex.pattern import Pattern, in_order, regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hooklib.engine.regex.pattern import Test

_WILD = frozenset("?[\\")


class PathGlob:
    """A compiled path glob: tests for the name, and for the segments of a path; None is `**`."""

    __slots__ = ("_names", "_paths")

    def __init__(self, names: list[Test], paths: list[list[Test | None]]) -> None:
        self._names = names
        self._paths = paths

    def match(self, path: str) -> bool:
        """Return whether the glob matches path, which may have backslashes."""
        path = path[:MAX_VALUE].replace("\\", "/")
        name = path.rpartition("/")[2]
        for test in self._names:
            if test(name):
                return True
        if not self._paths:
            return False
        parts = (path[2:] if path.startswith("./") else path).split("/")
        return any(_along(segments, parts) for segments in self._paths)


def glob(text: str) -> Pattern:
    """Compile a glob for plain values, in which `*` also spans slashes and newlines."""
    tests = [_wildcards(alternative) for alternative in _alternatives(text)]
    whole = tests[0] if len(tests) == 1 else lambda value: any(test(value) for test in tests)
    return Pattern(whole, whole)


def path_glob(text: str) -> PathGlob:
    """Compile a glob for paths; without a slash it matches the name, else the whole path."""
    names: list[Test] = []
    paths: list[list[Test | None]] = []
    for alternative in _alternatives(text):
        name = alternative
        while name.startswith("**/"):  # any folder, as with no slash at all
            name = name[3:]
        if "/" not in name:
            names.append(_segment(name))
            continue
        segments = (alternative[2:] if alternative.startswith("./") else alternative).split("/")
        if segments[-1] == "**":  # what is below, not the folder itself
            segments.append("*")
        path: list[Test | None] = []
        for segment in segments:
            if segment != "**":
                path.append(_segment(segment))
            elif path[-1:] != [None]:
                path.append(None)
        paths.append(path)
    return PathGlob(names, paths)


def _alternatives(text: str) -> Iterable[str]:
    """Expand {a,b} into all alternatives; braces without a comma stay."""
    if len(text) > MAX_STATES:
        raise PatternError("pattern too big", MAX_STATES)
    if "{" not in text:
        return (text,)
    pending, expanded = {text}, set()
    while pending:
        text = pending.pop()
        open_braces: list[list[int]] = []  # the positions of each open brace and its commas
        signs = enumerate(text)
        for at, sign in signs:
            if sign == "\\":
                next(signs, None)
            elif sign == "{":
                open_braces.append([at])
            elif sign == "," and open_braces:
                open_braces[-1].append(at)
            elif sign == "}" and open_braces:
                cuts = [*open_braces.pop(), at]
                if len(cuts) > 2:
                    head, tail = text[: cuts[0]], text[at + 1 :]
                    pending.update(head + text[a + 1 : b] + tail for a, b in zip(cuts, cuts[1:]))
                    break
        else:
            expanded.add(text)
        if sum(map(len, pending)) + sum(map(len, expanded)) > MAX_STATES:
            raise PatternError("too many alternatives", 0)
    return expanded


def _segment(text: str) -> Test:
    return bool if text in ("*", "**") else _wildcards(text)  # a name is never empty


def _wildcards(text: str) -> Test:
    """Return the test for a glob without braces."""
    if _WILD.isdisjoint(text):
        return in_order(text.split("*"))
    try:
        return regex(_as_regex(text)).fullmatch
    except PatternError:
        raise PatternError("glob too big or with a bad range", 0) from None


def _as_regex(text: str) -> str:
    """Return a glob without braces as a regular expression."""
    parts = ["(?s)"]
    at, end = 0, -1  # end of the class opened last
    while at < len(text):
        char = text[at]
        if at == end or (at < end and char == "-"):
            parts.append(char)
        elif at > end and char in "*?":
            parts.append(".*" if char == "*" else ".")
        elif at > end and char == "[" and (end := _class_end(text, at + 1)) > 0:
            negated = text[at + 1] in "!^"
            parts.append("[^" if negated else "[")
            at += negated
        else:
            if char == "\\" and at + 1 < len(text):
                at += 1
                char = text[at]
            parts.append(char if char.isalnum() else "\\" + char)
        at += 1
    return "".join(parts)


def _class_end(text: str, at: int) -> int:
    """Return the end of the class whose bracket is before at, -1 if it has none."""
    at += text.startswith(("!", "^"), at)
    at += text.startswith("]", at)  # []a] has a bracket in it
    while at < len(text) and text[at] != "]":
        at += 2 if text[at] == "\\" else 1
    return at if at < len(text) else -1


def _along(segments: list[Test | None], parts: list[str]) -> bool:
    """Return whether segments match parts, trying all ways at once."""
    active = {0}
    for part in parts:
        reached = set()
        for at in active:
            while at < len(segments) and segments[at] is None:
                reached.add(at)  # `**` takes this part; or it takes none and the next is tried
                at += 1
            test = segments[at] if at < len(segments) else None
            if test is not None and test(part):
                reached.add(at + 1)
        if not reached:
            return False
        active = reached
    return len(segments) in active
