"""Find debug statements in the text of a source file."""

from __future__ import annotations

from hooklib.quality.edited_file import LANGUAGES

_LANGUAGES = {ending[1:]: name for name, endings in LANGUAGES.items() for ending in endings}
_MARKUP = ("vue", "svelte")
_ALLOWED_METHODS = (".error", ".warn", ".info")  # console methods that do not count as debugging
_PHP_NAMES = ("var_dump", "print_r", "dd", "dump", "error_log", "ray", "xdebug_break")


class DebugStatement:
    """A debug statement: the line and column where it begins, counted from 1, and its name."""

    __slots__ = ("column", "line", "what")

    def __init__(self, line: int, column: int, what: str) -> None:
        self.line, self.column, self.what = line, column, what

    def __repr__(self) -> str:
        return "%d:%d %s" % (self.line, self.column, self.what)


def language(path: str) -> str:
    """Return "python", "js" or "php" by the extension of a file, or "" for any other."""
    return _LANGUAGES.get(_extension(path), "")


def may_contain(language: str, text: str) -> bool:
    """Return, without parsing, whether the text of a whole file may contain a debug statement."""
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
        return "debugger" in text or _has_word(text, "console", (), _ALLOWED_METHODS)
    if language == "php":
        lower = text.lower()
        return any(_has_word(lower, name, ("->", "::", "$")) for name in _PHP_NAMES)
    return False


def find(path: str, text: str, allowed: frozenset[str] = frozenset()) -> list[DebugStatement]:
    """Return the debug statements of a file in order; never raises, whatever the text is.

    Lines end with LF, CRLF or CR; a byte order mark is not counted. `allowed` contains names to
    skip, as in DebugStatement.what, or only their part before the dot ("console").
    """
    kind = language(path)
    if not may_contain(kind, text):
        return []
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.startswith("\ufeff"):
        text = text[1:]
    # import only the scanner of this language
    if kind == "python":
        from hooklib.quality.debugcode import python_code

        hits = python_code.find(text)
    elif kind == "js":
        from hooklib.quality.debugcode import js_code

        extension = _extension(path)
        hits = _in_blocks(text) if extension in _MARKUP else js_code.find(text, extension)
    else:
        from hooklib.quality.debugcode import php_code

        hits = php_code.find(text)
    hits = [hit for hit in sorted(set(hits)) if not _is_allowed(hit[1], allowed)]
    return _with_positions(text, hits)


def _in_blocks(text: str) -> list[tuple[int, str]]:
    from hooklib.quality.debugcode import js_code, script_blocks

    return [
        (start + offset, name)
        for start, end, extension in script_blocks.blocks(text)
        for offset, name in js_code.find(text[start:end], extension)
    ]


def _extension(path: str) -> str:
    name, dot, extension = path.rpartition(".")
    return extension.lower() if dot else ""


def _with_positions(text: str, hits: list[tuple[int, str]]) -> list[DebugStatement]:
    statements, line, last_offset = [], 1, 0
    for offset, name in hits:
        line += text.count("\n", last_offset, offset)
        last_offset = offset
        statements.append(DebugStatement(line, offset - text.rfind("\n", 0, offset), name))
    return statements


def _is_allowed(name: str, allowed: frozenset[str]) -> bool:
    return name in allowed or name.partition(".")[0] in allowed


def _has_word(
    text: str, word: str, not_after: tuple[str, ...], not_before: tuple[str, ...] = ()
) -> bool:
    """Return whether text has word as a whole name, except after or before the given strings."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        whole = not _in_name(text[at - 1 : at]) and not _in_name(text[end : end + 1])
        if whole and not text.startswith(not_before, end) and not text.endswith(not_after, 0, at):
            return True
        at = text.find(word, end)
    return False


def _in_name(char: str) -> bool:
    return char.isalnum() or char == "_"
