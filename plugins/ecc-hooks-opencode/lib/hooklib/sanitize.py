"""Texts made fit to keep: no secrets, no control characters, no length; prompts as typed."""

from __future__ import annotations

from hooklib.text import cut_bytes

_ROOM = 8_000  # what is looked at of a text, at least
# what the host puts into the user's messages: "name" also stands for "name-anything"
_HOSTS = (
    "system-reminder",
    "command",
    "local-command",
    "task-notification",
    "bash",
    "user-memory-input",
    "ide_",
)


def kept(text: str, limit: int) -> str:
    """Return text for the state: clean, without secrets, in at most limit bytes."""
    text = text[: max(_ROOM, 4 * limit)]
    if not text.replace("\n", "").replace("\t", "").isprintable():
        from hooklib.text import strip_ansi

        text = strip_ansi(text)
    from hooklib.redact import redact

    return cut_bytes(redact(text).strip(), limit)


def prompt(text: str) -> str:
    """Return what the user typed, without what the host put in; '' where that is nothing."""
    if text.startswith("<command-message>"):  # a command that is a prompt; the host's own are not
        name = _between(text, "<command-name>", "</command-name>")
        args = _between(text, "<command-args>", "</command-args>")
        return "" if "-hooks:" in name else (name + " " + args).strip()  # ours only look at things
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
