"""OpenCode: its plugin sends Claude Code's events; the transcript is ours, as the host has none.

The plugin sends what happened as records of Claude Code's form, with the events whose hooks read
them. Here they are appended to a file per session, so that nothing else knows the host.
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
        """Return the event, with the path of the transcript that is kept for its session."""
        event = Event.from_json(name, raw, self.name)
        records = event.data.pop("records", None)
        own = _path(event.session_key)
        event.transcript_path = event.data["transcript_path"] = own
        if event.agent_id:
            own = event.data["agent_transcript_path"] = _path(file_name(event.agent_id))
        if isinstance(records, list) and records:
            _append(own, records)
        return event


def _path(key: str) -> str:
    from hooklib import paths

    return os.path.join(paths.data_dir(), "transcripts", key + ".jsonl")


def _append(path: str, records: list[Any]) -> None:
    """Add records to a transcript without the secrets in them; the oldest make room."""
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
        kept = files.read_tail(path, LIMIT // 2)
        files.write_atomic(path, kept[kept.find(b"\n") + 1 :])


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        from hooklib.redact import redact

        return redact(value)
    if isinstance(value, list):
        return [_clean(each) for each in value]
    if isinstance(value, dict):
        return {key: _clean(each) for key, each in value.items()}
    return value


HOST: Host = OpenCode()
