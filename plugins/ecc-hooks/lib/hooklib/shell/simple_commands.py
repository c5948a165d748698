"""Split a shell command line into its simple commands, without running or expanding anything."""

from __future__ import annotations

_MAX_TEXT = 20_000  # characters
_MAX_COMMANDS = 200  # more than any that a person or an agent types


class SimpleCommand:
    """One command: its words without quotes, and whether it reads its input from a pipe."""

    __slots__ = ("words", "piped")

    def __init__(self, piped: bool) -> None:
        self.words: list[str] = []
        self.piped = piped


def simple_commands(command: str) -> list[SimpleCommand]:
    """Return the commands of a line or script in order, without redirections and here-documents."""
    text = command[:_MAX_TEXT].replace("\\\r\n", " ").replace("\\\n", " ").replace("\r\n", "\n")
    commands = [SimpleCommand(False)]
    heredoc_labels: list[str] = []
    at, skip_target = 0, False
    while at < len(text) and len(commands) < _MAX_COMMANDS:
        char = text[at]
        if char == "\n" and heredoc_labels:
            at = _after_heredocs(text, at, heredoc_labels)
            heredoc_labels = []
            commands.append(SimpleCommand(False))
        elif char in " \t":
            at += 1
        elif char == "#":
            at = _line_end(text, at)
        elif char in "<>" or (char == "&" and text[at + 1 : at + 2] == ">"):
            at, is_heredoc = _redirection(text, at)
            if is_heredoc:
                word, at = _word(text, at)
                heredoc_labels.append(word)
            else:
                skip_target = True
        elif char in ";&|\n()" or (char in "{}" and text[at + 1 : at + 2] in ("", " ", ";", "\n")):
            piped = char == "|" and text[at + 1 : at + 2] != "|"
            at += 2 if text[at : at + 2] in ("&&", "||", "|&", ";;") else 1
            commands.append(SimpleCommand(piped))
            skip_target = False
        else:
            word, at = _word(text, at)
            if text[at : at + 1] in ("<", ">") and word.isdigit():
                continue  # the file descriptor of a redirection, as in 2>file
            if not skip_target:
                commands[-1].words.append(word)
            skip_target = False
    return [simple_command for simple_command in commands if simple_command.words]


def _redirection(text: str, at: int) -> tuple[int, bool]:
    """Return where a redirection operator ends, and whether a here-document's label follows."""
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


def _after_heredocs(text: str, at: int, labels: list[str]) -> int:
    """Return the end of the here-documents that begin after this line."""
    for label in labels:
        while True:
            at += 1
            line_end = _line_end(text, at)
            if at >= len(text) or text[at:line_end].strip("\t ") == label:
                break
            at = line_end
        at = line_end
    return at


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _word(text: str, at: int) -> tuple[str, int]:
    """Return a word without its quotes, and where it ends."""
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
    """Return the position behind the bracket that closes the one at `at`."""
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
