"""What the host's transcript tells, read from its end: its size must not matter."""

from __future__ import annotations

from hooklib import files, jsonio

_TAIL = 256_000
_PARTS = (
    "input_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "output_tokens",
)


def context_tokens(path: str) -> int:
    """Return the tokens that the main conversation held at its last reply; 0 if unknown."""
    if not path:
        return 0
    try:
        tail = files.read_tail(path, _TAIL)
    except OSError:
        return 0
    for line in reversed(tail.split(b"\n")):
        if b'"usage"' not in line:
            continue
        try:
            record = jsonio.loads(line)
        except (ValueError, RecursionError):
            continue  # cut in the middle, or not finished yet
        tokens = _tokens(record)
        if tokens:
            return tokens
    return 0


def _tokens(record: object) -> int:
    if not isinstance(record, dict) or record.get("isSidechain"):  # a subagent has its own context
        return 0
    message = record.get("message")
    usage = message.get("usage") if isinstance(message, dict) else None
    if not isinstance(usage, dict):
        return 0
    return sum(n for n in (usage.get(part) for part in _PARTS) if isinstance(n, int) and n > 0)
