"""Read the comments, strings, templates, regular expressions and numbers of JavaScript."""

from __future__ import annotations

from hooklib.quality.debugcode import js_markup
from hooklib.quality.debugcode.quotes import quote_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.quality.debugcode.js_tokens import Lexer

NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$\\")


def read_literal(lexer: Lexer, char: str, i: int) -> int:
    """Read the comment, string, template, regex, number or operator at i; return its end."""
    text = lexer.text
    next_char = text[i + 1]
    if char == "/":
        if next_char == "/":
            return line_comment_end(lexer, i)
        if next_char == "*":
            end = text.find("*/", i + 2)
            return lexer.size if end < 0 else end + 2
        end = 0 if lexer.after_operand or i < lexer.no_regex else _regex_end(text, i + 1)
        if not end and not lexer.after_operand:
            lexer.no_regex = lexer.end_of_line(i)  # do not search this line again
        lexer.after_operand = bool(end)
        return lexer.add("/re/" if end else "/", i, end or i + 1)
    if char == "<":
        if lexer.html and text.startswith("<!--", i):
            return line_comment_end(lexer, i)
        if lexer.jsx and not lexer.after_operand and js_markup.begins_element(lexer, i):
            lexer.stack.append("<tag")
            lexer.add("<>", i, i + 1)
            return i + 1
        lexer.after_operand = False
        return lexer.add("<", i, i + 1)
    if char == "`":
        return read_template(lexer, i + 1, i)
    if char in "\"'":
        end = _string_end(lexer, char, i + 1)
        lexer.after_operand = True
        return lexer.add(text[i:end], i, end)
    if char == "." and not next_char.isdigit():
        end = i + 3 if text.startswith("...", i) else i + 1
        lexer.after_operand = False
        return lexer.add(text[i:end], i, end)
    lexer.after_operand = True
    return lexer.add("0", i, _number_end(text, i))


def line_comment_end(lexer: Lexer, i: int) -> int:
    end = lexer.end_of_line(i)
    for mark in ("\u2028", "\u2029"):
        at = lexer.text.find(mark, i, end)
        end = end if at < 0 else at
    return end


def _string_end(lexer: Lexer, quote: str, i: int) -> int:
    while True:
        limit = lexer.end_of_line(i)
        end = quote_end(lexer.text, i, quote, limit)
        if end >= 0:
            return end
        line = lexer.text[i:limit]
        if (len(line) - len(line.rstrip("\\"))) % 2 == 0 or limit >= lexer.size:  # never closed
            return limit
        i = limit + 1


def read_template(lexer: Lexer, i: int, token_start: int) -> int:
    """Read the text of a template from i to its end or to the next code in it."""
    text = lexer.text
    while i < lexer.size and text[i] != "`":
        if text[i] == "\\":
            i += 1
        elif text[i] == "$" and text[i + 1] == "{":
            if token_start < i:
                lexer.add("`", token_start, i)
            lexer.stack.append("${")
            lexer.braces += 1
            lexer.after_operand = False
            return lexer.add("${", i, i + 2)
        i += 1
    lexer.after_operand = True
    i = min(i + 1, lexer.size)
    return lexer.add(text[token_start:i] if text[token_start] == "`" else "`", token_start, i)


def _regex_end(text: str, i: int) -> int:
    """Return the end of a regular expression and its flags, or 0 if there is none."""
    in_class = False
    while text[i] not in "\n\0\u2028\u2029":
        char = text[i]
        if char == "\\":
            i += 1
            if text[i] == "\n":
                return 0
        elif char == "[":
            in_class = True
        elif char == "]":
            in_class = False
        elif char == "/" and not in_class:
            i += 1
            while text[i] in NAME:
                i += 1
            return i
        i += 1
    return 0


def _number_end(text: str, i: int) -> int:
    is_decimal = text[i : i + 2].lower() not in ("0x", "0b", "0o")
    dots = 0
    while True:
        char = text[i]
        if char == "." and is_decimal and not dots:
            dots = 1
        elif char in "+-" and is_decimal and text[i - 1] in "eE":
            pass
        elif char not in NAME:
            return i
        i += 1
