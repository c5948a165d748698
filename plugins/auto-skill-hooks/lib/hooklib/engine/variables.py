"""The variables in rules: $TOOL $FILE $COMMAND $CWD $EVENT $SESSION_ID $PROMPT $PROJECT_DIR."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.event import Event

NAMES = ("TOOL", "FILE", "COMMAND", "CWD", "EVENT", "SESSION_ID", "PROMPT", "PROJECT_DIR")
_WORD = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")


def for_event(event: Event) -> dict[str, str]:
    """Return the values for event; without NULs and lone surrogates, to fit an environment."""
    values = {
        "TOOL": event.tool_name,
        "FILE": event.file_path,
        "COMMAND": event.command,
        "CWD": event.cwd,
        "EVENT": event.name,
        "SESSION_ID": event.session_id,
        "PROMPT": event.text("prompt", 20_000),
        "PROJECT_DIR": event.project_root,
    }
    return {
        name: value.replace("\0", "").encode("utf-8", "replace").decode("utf-8")
        for name, value in values.items()
    }


def expand(text: str, values: dict[str, str]) -> str:
    """Replace $NAME and ${NAME} of known names; do not expand the values in turn."""
    pieces = text.split("$")
    result = [pieces[0]]
    for piece in pieces[1:]:
        name, rest = _name(piece)
        result.append(values[name] + rest if name in values else "$" + piece)
    return "".join(result)


def _name(piece: str) -> tuple[str, str]:
    """Split the text after a $ into the variable's name and the rest."""
    if piece.startswith("{"):
        name, closed, rest = piece[1:].partition("}")
        return (name, rest) if closed else ("", piece)
    end = next((at for at, char in enumerate(piece) if char not in _WORD), len(piece))
    return piece[:end], piece[end:]
