"""JSX: distinguish elements from comparisons and type parameters, and skip tags and their text."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.quality.debugcode.js_tokens import Lexer

_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$-.:")


def begins_element(lexer: Lexer, i: int) -> bool:
    """Return whether the `<` at i, where an operand is expected, begins an element."""
    text = lexer.text
    if text[i + 1] == ">":
        return True
    end = i + 1
    while text[end] in _NAME or text[end] >= "\x80":
        end += 1
    name = text[i + 1 : end]
    if not name or name[0] in "0123456789-.:" or name == "const":
        return False
    while text[end] in " \t\n":
        end += 1
    if text[end] in ",=":
        return False
    if text.startswith("extends", end):
        end += 7
        while text[end] in " \t\n":
            end += 1
        return text[end] in "=>/"
    # `<T>(...)` is a type parameter unless an element of that name is closed later
    return text[end] != ">" or lexer.last_position("</" + name) > i


def read_part(lexer: Lexer, i: int) -> int:
    """Read one part of a tag or of the text between tags; return where the next part begins."""
    if lexer.stack[-1] == "<kids":
        return _read_text(lexer, i)
    text = lexer.text
    char = text[i]
    if char == "{":
        return _open_code(lexer, i)
    if char == ">":
        lexer.stack[-1] = "<kids"
    elif char == "/":
        if text[i + 1] == ">":
            return _close_element(lexer, i + 2)
        if text[i + 1] == "*":
            at = text.find("*/", i + 2)
            return lexer.size if at < 0 else at + 2
        if text[i + 1] == "/":
            return lexer.end_of_line(i)
    elif char in "\"'":
        at = text.find(char, i + 1)
        return lexer.size if at < 0 else at + 1
    elif char == "<":
        at = i - 1
        while text[at] in " \t\n":
            at -= 1
        if text[at] != "=":
            return _type_arguments(text, i, lexer.size)
        lexer.stack.append("<tag")
    return i + 1


def _read_text(lexer: Lexer, i: int) -> int:
    text = lexer.text
    while i < lexer.size and text[i] != "{" and text[i] != "<":
        i += 1
    if text[i] == "{":
        return _open_code(lexer, i)
    if text[i] == "<" and text[i + 1] == "/":
        at = text.find(">", i)
        return _close_element(lexer, lexer.size if at < 0 else at + 1)
    if text[i] == "<" and (text[i + 1] in _NAME or text[i + 1] in ">" or text[i + 1] >= "\x80"):
        lexer.stack.append("<tag")
    return i + 1


def _open_code(lexer: Lexer, i: int) -> int:
    lexer.stack.append("{j")
    lexer.braces += 1
    lexer.after_operand = False
    return lexer.add("{j", i, i + 1)


def _close_element(lexer: Lexer, i: int) -> int:
    """Leave an element; the end of the outermost one is a token."""
    lexer.stack.pop()
    if not lexer.stack or lexer.stack[-1][0] != "<":
        lexer.after_operand = True
        lexer.add("</>", i, i)
    return min(i, lexer.size)


def _type_arguments(text: str, i: int, size: int) -> int:
    depth = 0
    while i < size:
        if text[i] == "<":
            depth += 1
        elif text[i] == ">" and text[i - 1] != "=":
            depth -= 1
            if not depth:
                return i + 1
        i += 1
    return size
