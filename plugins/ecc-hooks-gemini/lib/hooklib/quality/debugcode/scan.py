"""Find debug statements in the text of a source file."""

from __future__ import annotations

from hooklib.quality.edited_file import LANGUAGES

_LANGUAGES = {ending[1:]: name for name, endings in LANGUAGES.items() for ending in endings}
_MARKUP = ("vue", "svelte")
_JS_KEPT = (".error", ".warn", ".info")  # console methods that are no debug statements
_PHP_NAMES = ("var_dump", "print_r", "dd", "dump", "error_log", "ray", "xdebug_break")


class Found:
    """A debug statement: where it begins, in lines and characters from 1, and what it is."""

    __slots__ = ("column", "line", "what")

    def __init__(self, line: int, column: int, what: str) -> None:
        self.line, self.column, self.what = line, column, what

    def __repr__(self) -> str:
        return "%d:%d %s" % (self.line, self.column, self.what)


def language(path: str) -> str:
    """Return "python", "js" or "php" by the ending of a file's name, "" for anything else."""
    return _LANGUAGES.get(_ending(path), "")


def may_hold(language: str, text: str) -> bool:
    """Tell, without parsing, whether the text of a whole file may hold a debug statement."""
    if language == "python":
        return (
            "pprint" in text
            or "breakpoint" in text
            or "set_trace" in text
            or "builtins" in text
            or "icecream" in text
            or _has_word(text, "print", (".",))
            or _has_word(text, "ic", (".",))
        )
    if language == "js":
        return "debugger" in text or _has_word(text, "console", (), _JS_KEPT)
    if language == "php":
        lower = text.lower()
        return any(_has_word(lower, name, ("->", "::", "$")) for name in _PHP_NAMES)
    return False


def find(path: str, text: str, allowed: frozenset[str] = frozenset()) -> list[Found]:
    """Return the debug statements of a file in order; never raises, whatever the text is.

    Lines end with LF, CRLF or CR; a byte order mark is not counted. `allowed` holds names as
    Found.what has them, or the part before the dot ("console").
    """
    which = language(path)
    if not may_hold(which, text):
        return []
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.startswith("\ufeff"):
        text = text[1:]
    # each scanner is loaded only for its own language
    if which == "python":
        from hooklib.quality.debugcode import python_code

        hits = python_code.find(text)
    elif which == "js":
        from hooklib.quality.debugcode import js_code

        hits = _in_blocks(text) if _ending(path) in _MARKUP else js_code.find(text, _ending(path))
    else:
        from hooklib.quality.debugcode import php_code

        hits = php_code.find(text)
    hits = [hit for hit in sorted(set(hits)) if not _is_allowed(hit[1], allowed)]
    return _placed(text, hits)


def _in_blocks(text: str) -> list[tuple[int, str]]:
    from hooklib.quality.debugcode import js_code, script_blocks

    return [
        (start + offset, what)
        for start, end, ending in script_blocks.blocks(text)
        for offset, what in js_code.find(text[start:end], ending)
    ]


def _ending(path: str) -> str:
    name, dot, ending = path.rpartition(".")
    return ending.lower() if dot else ""


def _placed(text: str, hits: list[tuple[int, str]]) -> list[Found]:
    found, line, last = [], 1, 0
    for offset, what in hits:
        line += text.count("\n", last, offset)
        last = offset
        found.append(Found(line, offset - text.rfind("\n", 0, offset), what))
    return found


def _is_allowed(what: str, allowed: frozenset[str]) -> bool:
    return what in allowed or what.partition(".")[0] in allowed


def _has_word(text: str, word: str, before: tuple[str, ...], after: tuple[str, ...] = ()) -> bool:
    """Tell whether word stands in text as a name of its own, not after or before one of these."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        apart = not _in_name(text[at - 1 : at]) and not _in_name(text[end : end + 1])
        if apart and not text.startswith(after, end) and not text.endswith(before, 0, at):
            return True
        at = text.find(word, end)
    return False


def _in_name(char: str) -> bool:
    return char.isalnum() or char == "_"
