"""OpenCode: its plugin sends Claude Code's events; we write the transcript, as the host has none.

The plugin adds records in Claude Code's form to the events whose hooks read them. They are appended
here to a file per session, so that the rest of the library need not know this host.
"""

from __future__ import annotations

import os

from hooklib.event import Event, file_name
from hooklib.hosts.claude import ClaudeCode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.hosts.base import Host

LIMIT = 2_000_000


class OpenCode(ClaudeCode):
    name = "opencode"
    user_rules = True  # the host has no second plugin for them
    hookctl_on_path = False

    def attended(self) -> bool:
        """Return True: an unattended `opencode run` ends before a hook could keep it going."""
        return True

    def decode(self, name: str, raw: bytes) -> Event:
        """Return the event with the path of our transcript of its session."""
        event = Event.from_json(name, raw, self.name)
        records = event.data.pop("records", None)
        transcript = _path(event.session_key)
        event.transcript_path = event.data["transcript_path"] = transcript
        if event.agent_id:
            transcript = event.data["agent_transcript_path"] = _path(file_name(event.agent_id))
        if isinstance(records, list) and records:
            _append(transcript, records)
        return event


def _path(key: str) -> str:
    from hooklib import paths

    return os.path.join(paths.data_dir(), "transcripts", key + ".jsonl")


def _append(path: str, records: list[Any]) -> None:
    """Append records without their secrets to a transcript; remove the oldest ones beyond LIMIT."""
    from hooklib import files, jsonio, state

    folder = os.path.dirname(path)
    files.make_private_dir(folder)
    if not os.path.exists(path):
        state.remove_old(folder)
    lines = [jsonio.dumps(_clean(record)) + "\n" for record in records]
    fd = files.open_end(path)
    try:
        os.write(fd, "".join(lines).encode("ascii"))
        size = os.fstat(fd).st_size
    finally:
        os.close(fd)
    if size > LIMIT:
        tail = files.read_tail(path, LIMIT // 2)
        files.write_atomic(path, tail[tail.find(b"\n") + 1 :])


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        from hooklib.redact import redact

        return redact(value)
    if isinstance(value, list):
        return [_clean(item) for item in value]
    if isinstance(value, dict):
        return {key: _clean(item) for key, item in value.items()}
    return value


HOST: Host = OpenCode()
