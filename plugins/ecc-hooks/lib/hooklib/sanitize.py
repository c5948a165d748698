"""Clean texts before they are stored: no secrets, no control characters, bounded length."""

from __future__ import annotations

from hooklib.text import cut_bytes

_ROOM = 8_000  # characters of a text that are read, at least
# tags that the host adds to the user's messages: "name" also means "name-anything"
_HOSTS = (
    "system-reminder",
    "command",
    "local-command",
    "task-notification",
    "bash",
    "user-memory-input",
    "ide_",
)


def clean(text: str, limit: int) -> str:
    """Return text without secrets and control characters, in at most limit bytes."""
    text = text[: max(_ROOM, 4 * limit)]
    if not text.replace("\n", "").replace("\t", "").isprintable():
        from hooklib.text import strip_ansi

        text = strip_ansi(text)
    from hooklib.redact import redact

    return cut_bytes(redact(text).strip(), limit)


def prompt(text: str) -> str:
    """Return what the user typed, without the host's additions; '' if nothing remains."""
    if text.startswith("<command-message>"):  # a command with a prompt, not one of the host's own
        name = _between(text, "<command-name>", "</command-name>")
        args = _between(text, "<command-args>", "</command-args>")
        # commands of this bundle only look at things: they say nothing about the task
        return "" if "-hooks:" in name else (name + " " + args).strip()
    start = text.find("<")
    while start >= 0:
        name = text[start + 1 : start + 40].partition(">")[0]
        end = text.find("</" + name + ">", start) if name.startswith(_HOSTS) else -1
        if end >= 0:
            text = text[:start] + text[end + len(name) + 3 :]
            start -= 1
        start = text.find("<", start + 1)
    text = text.strip()
    return "" if text.startswith("[Request interrupted") else text


def _between(text: str, start: str, end: str) -> str:
    return text.partition(start)[2].partition(end)[0]
