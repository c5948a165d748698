"""Decide whether a rule's matcher fits an event.

Forms: absent, "" or "*" (all); names `Edit|Write` or `Edit, Write`; a regular expression searched
in the tool's name, as Claude Code does; an object {tools, paths, commands}, all of whose parts must
fit; an expression (see expression.py).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.event import Event

_NAME_SIGNS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-,| ")
_EXPRESSION_SIGNS = ("==", "!=", '"', "'", "&&", "||", " matches ", " contains ")
_PARTS = ("tools", "paths", "commands")


def fits(matcher: Any, event: Event) -> bool:
    """Return whether matcher fits event; raise ValueError if `problem` finds it unusable."""
    if matcher is None or matcher == "" or matcher == "*":
        return True
    if isinstance(matcher, dict):
        return _object_fits(matcher, event)
    if not isinstance(matcher, str):
        raise ValueError("not a text and not an object")
    if is_expression(matcher):
        from hooklib.engine import expression

        return expression.holds(expression.parse(matcher), event)
    return _subject_fits(matcher, event, whole=False)


def problem(matcher: Any) -> tuple[str, bool]:
    """Return (the problem of matcher or '', whether the rule can be used nevertheless)."""
    if matcher is None or isinstance(matcher, str):
        if matcher and is_expression(matcher):
            from hooklib.engine import expression

            try:
                expression.parse(matcher)
            except ValueError as error:
                return str(error), False
        elif matcher and matcher != "*" and not _NAME_SIGNS.issuperset(matcher):
            return _regex_problem(matcher), True
        return "", True
    if not isinstance(matcher, dict):
        return "neither a text nor an object", False
    unknown = [name for name in matcher if name not in _PARTS]
    if unknown:
        return "unknown key %s; known are %s" % (unknown[0], ", ".join(_PARTS)), False
    for part, value in matcher.items():
        if not _texts(value):
            return "%s is neither a text nor a list of texts" % part, False
        for text in _texts(value) if part == "commands" else ():
            if _regex_problem(text):
                return _regex_problem(text), True
    return "", True


def is_expression(matcher: str) -> bool:
    return any(sign in matcher for sign in _EXPRESSION_SIGNS)


def _object_fits(matcher: dict[str, Any], event: Event) -> bool:
    for part, value in matcher.items():
        texts = _texts(value)
        if part not in _PARTS or not texts:
            raise ValueError("not an object of tools, paths and commands")
        if part == "tools":
            part_fits = any(_subject_fits(text, event, whole=True) for text in texts)
        elif part == "paths":
            part_fits = _path_fits(texts, event.spellings_of_path(event.file_path))
        else:
            part_fits = bool(event.command) and any(_search(text, event.command) for text in texts)
        if not part_fits:
            return False
    return True


def _path_fits(globs: list[str], paths: list[str]) -> bool:
    endings = [glob for glob in globs if glob[:2] == "*." and glob[2:].isalnum()]
    if any(path.endswith(ending[1:]) for ending in endings for path in paths):
        return True
    if len(endings) == len(globs):  # the usual case: do not import and compile globs
        return False
    from hooklib.engine.regex.globs import path_glob

    compiled = [path_glob(glob) for glob in globs]
    return any(glob.match(path) for glob in compiled for path in paths)


def _subject_fits(matcher: str, event: Event, whole: bool) -> bool:
    """Compare names or a regular expression with the event's subject."""
    subject = event.subject
    if matcher == "*" or subject is None:  # a prompt or the end of a turn has no subject
        return True
    if _NAME_SIGNS.issuperset(matcher):
        return subject in (name.strip() for name in matcher.replace(",", "|").split("|"))
    from hooklib.engine.regex import PatternError
    from hooklib.engine.regex.pattern import regex

    try:
        compiled = regex(matcher)
    except PatternError:
        return subject == matcher
    return compiled.fullmatch(subject) if whole else compiled.search(subject)


def _search(text: str, value: str) -> bool:
    from hooklib.engine.regex import PatternError
    from hooklib.engine.regex.pattern import regex

    try:
        return regex(text).search(value)
    except PatternError:
        return value == text


def _regex_problem(text: str) -> str:
    from hooklib.engine.regex import PatternError
    from hooklib.engine.regex.pattern import regex

    try:
        regex(text)
    except PatternError as error:
        return "%s is no regular expression (%s) and is compared as it is" % (text, error)
    return ""


def _texts(value: Any) -> list[str]:
    """Return the texts of a matcher's part, [] if it is neither a text nor a list of texts."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, list) and all(isinstance(text, str) for text in value):
        return value
    return []
