"""Take a shell command apart into the simple commands in it, without running or expanding it."""

from __future__ import annotations

LIMIT = 20_000
_COMMANDS = 200  # more than any that a person or an agent types


class Simple:
    """One command: its words without quotes, and whether it reads from a pipe."""

    __slots__ = ("words", "piped")

    def __init__(self, piped: bool) -> None:
        self.words: list[str] = []
        self.piped = piped


def simple_commands(command: str) -> list[Simple]:
    """Return the commands of a line or script in order, without redirections and here-texts."""
    text = command[:LIMIT].replace("\\\r\n", " ").replace("\\\n", " ").replace("\r\n", "\n")
    found = [Simple(False)]
    here: list[str] = []
    at, skip = 0, False
    while at < len(text) and len(found) < _COMMANDS:
        char = text[at]
        if char == "\n" and here:
            at = _after_here(text, at, here)
            here = []
            found.append(Simple(False))
        elif char in " \t":
            at += 1
        elif char == "#":
            at = _line_end(text, at)
        elif char in "<>" or (char == "&" and text[at + 1 : at + 2] == ">"):
            at, opens = _redirection(text, at)
            if opens:
                word, at = _word(text, at)
                here.append(word)
            else:
                skip = True
        elif char in ";&|\n()" or (char in "{}" and text[at + 1 : at + 2] in ("", " ", ";", "\n")):
            piped = char == "|" and text[at + 1 : at + 2] != "|"
            at += 2 if text[at : at + 2] in ("&&", "||", "|&", ";;") else 1
            found.append(Simple(piped))
            skip = False
        else:
            word, at = _word(text, at)
            if text[at : at + 1] in ("<", ">") and word.isdigit():
                continue  # 2>file
            if not skip:
                found[-1].words.append(word)
            skip = False
    return [each for each in found if each.words]


def _redirection(text: str, at: int) -> tuple[int, bool]:
    """Return where a redirection's sign ends, and whether a here-text follows."""
    start = at
    while at < len(text) and text[at] in "<>&|" and at - start < 3:
        at += 1
    sign = text[start:at]
    if sign == "<<":
        at += text[at : at + 1] == "-"
        return _after_blanks(text, at), True
    return at, False


def _after_blanks(text: str, at: int) -> int:
    while text[at : at + 1] in (" ", "\t") and at < len(text):
        at += 1
    return at


def _after_here(text: str, at: int, ends: list[str]) -> int:
    """Return where the text of the here-documents that begin after this line is over."""
    for end in ends:
        while True:
            at += 1
            stop = _line_end(text, at)
            if at >= len(text) or text[at:stop].strip("\t ") == end:
                break
            at = stop
        at = stop
    return at


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _word(text: str, at: int) -> tuple[str, int]:
    """Return one word without its quotes, and where it ends."""
    parts: list[str] = []
    while at < len(text):
        char = text[at]
        if char == "'":
            end = text.find("'", at + 1)
            end = len(text) if end < 0 else end
            parts.append(text[at + 1 : end])
            at = end + 1
        elif char == '"':
            end = _quote_end(text, at + 1)
            parts.append(text[at + 1 : end])
            at = end + 1
        elif char == "`":
            end = text.find("`", at + 1)
            end = len(text) if end < 0 else end
            parts.append(text[at : end + 1])
            at = end + 1
        elif char == "\\":
            parts.append(text[at + 1 : at + 2])
            at += 2
        elif char in "$<>" and text[at + 1 : at + 2] in ("(", "{"):
            end = _bracket_end(text, at + 1)
            parts.append(text[at:end])
            at = end
        elif char in " \t;&|\n()<>":
            break
        else:
            parts.append(char)
            at += 1
    return "".join(parts), at


def _quote_end(text: str, at: int) -> int:
    while at < len(text) and text[at] != '"':
        at += 2 if text[at] == "\\" else 1
    return min(at, len(text))


def _bracket_end(text: str, at: int) -> int:
    """Return the place after the bracket that closes the one at this place."""
    opening, closing = text[at], ")" if text[at] == "(" else "}"
    depth = 0
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 1
        elif char == "'":
            end = text.find("'", at + 1)
            at = len(text) if end < 0 else end
        elif char == '"':
            at = _quote_end(text, at + 1)
        elif char == opening:
            depth += 1
        elif char == closing:
            depth -= 1
            if not depth:
                return at + 1
        at += 1
    return len(text)
