"""Split PHP into tokens: names in lower case, variables, operators, and a quote per string."""

from __future__ import annotations

_DIGITS = "0123456789"
_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_\\")
_SPACE = " \t\n\r\x0b\x0c"
_LONG_OPERATORS = ("?->", "->", "::", "#[", "=>")  # only those that matter here


def split(text: str) -> tuple[list[str], list[int]]:
    """Return the tokens of the code in a PHP file and their starts; HTML has no tokens."""
    values: list[str] = []
    starts: list[int] = []
    size = len(text)
    text += "\0\0\0"  # looking ahead then needs no check for the end
    i = _code_start(text, 0, size)
    while i < size:
        char = text[i]
        start = i
        if char in _SPACE:
            i += 1
            continue
        if char in _NAME or char >= "\x80":
            i = _name_end(text, i + 1)
            value = text[start:i].lower()
            if value == "__halt_compiler":
                break
        elif char == "$":
            i = _name_end(text, i + 1) if text[i + 1] not in "\\" + _DIGITS else i + 1
            value = text[start:i]
        elif char == "/" and text[i + 1] == "*":
            i = _after_marker(text, "*/", i + 2, size)
            continue
        elif (char == "/" and text[i + 1] == "/") or (char == "#" and text[i + 1] != "["):
            line_end = text.find("\n", i)
            line_end = size if line_end < 0 else line_end
            closing_tag = text.find("?>", i, line_end)  # ends the code even in a comment
            i = line_end if closing_tag < 0 else closing_tag
            continue
        elif char == "?" and text[i + 1] == ">":
            i = _code_start(text, i + 2, size)
            value = ";"
        elif char == "'":
            i, value = _single_end(text, i + 1, size), "'"
        elif char in '"`':
            i, value = _double_end(text, i, size), "'"
        elif text.startswith("<<<", i) and _label(text, i + 3):
            i, value = _heredoc_end(text, i + 3, size), "'"
        else:
            value = char
            for sign in _LONG_OPERATORS:
                if text.startswith(sign, i):
                    value = sign
                    break
            i += len(value)
        values.append(value)
        starts.append(start)
    return values, starts


def _after_marker(text: str, end: str, i: int, size: int) -> int:
    at = text.find(end, i)
    return size if at < 0 else at + len(end)


def _code_start(text: str, i: int, size: int) -> int:
    """Return where the code after the next <?php, <?= or <? begins."""
    while True:
        i = text.find("<?", i)
        if i < 0:
            return size
        if text[i + 2] == "=":
            return i + 3
        if text[i + 2 : i + 5].lower() == "php" and text[i + 5] in _SPACE + "\0":
            return i + 5
        if text[i + 2] in _SPACE:
            return i + 2
        i += 2


def _name_end(text: str, i: int) -> int:
    while text[i] in _NAME or text[i] >= "\x80":
        i += 1
    return i


def _single_end(text: str, i: int, size: int) -> int:
    while True:
        quote = text.find("'", i)
        if quote < 0:
            return size
        backslash = text.find("\\", i, quote)
        if backslash < 0:
            return quote + 1
        i = backslash + 2


def _double_end(text: str, i: int, size: int) -> int:
    """Return the end of a "..." or `...`; the code in its {$...} may contain further strings."""
    stack = [text[i]]
    i += 1
    while stack and i < size:
        char = text[i]
        if stack[-1] != "{":
            if char == "\\":
                i += 1
            elif char == stack[-1]:
                stack.pop()
            elif (char == "{" and text[i + 1] == "$") or (char == "$" and text[i + 1] == "{"):
                stack.append("{")
                i += char == "$"
        elif char == "{" or char in '"`':
            stack.append(char)
        elif char == "}":
            stack.pop()
        elif char == "'":
            i = _single_end(text, i + 1, size) - 1
        i += 1
    return min(i, size)


def _label(text: str, i: int) -> str:
    """Return the label of a heredoc whose <<< ends at i, or "" if it is no heredoc."""
    while text[i] in " \t":
        i += 1
    quote = text[i] if text[i] in "\"'" else ""
    i += len(quote)
    end = _name_end(text, i) if text[i] not in _DIGITS else i
    label = text[i:end]
    return label if text[end : end + len(quote)] == quote and "\\" not in label else ""


def _heredoc_end(text: str, i: int, size: int) -> int:
    """Return the end of a heredoc's closing label, which may be indented."""
    label = _label(text, i)
    while True:
        i = text.find("\n", i) + 1
        if i == 0:
            return size
        while text[i] in " \t":
            i += 1
        if text.startswith(label, i) and _name_end(text, i) == i + len(label):
            return i + len(label)
