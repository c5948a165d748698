"""The event: a typed, bounded view of the host's JSON. Values of a wrong type read as missing."""

from __future__ import annotations

import os

from hooklib import checked, config, jsonio, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.quality.edited_file import EditFacts

EDIT_TOOLS = ("Edit", "Write", "MultiEdit", "NotebookEdit")  # in the matchers of hooks.json too
MAX_BYTES = 64_000_000  # a 3 MB Write makes 6 MB of stdin
MAX_NAME = 4096  # names and paths
MAX_TEXT = 20_000  # commands and prompts
_SAFE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
# the field that a matcher is compared with, by event; other events have no such field
_SUBJECT = {
    "PreToolUse": "tool_name",
    "PostToolUse": "tool_name",
    "PostToolUseFailure": "tool_name",
    "PermissionRequest": "tool_name",
    "PermissionDenied": "tool_name",
    "SessionStart": "source",
    "SessionEnd": "reason",
    "PreCompact": "trigger",
    "PostCompact": "trigger",
    "Notification": "notification_type",
    "SubagentStart": "agent_type",
    "SubagentStop": "agent_type",
}
_TEXTS = ("session_id", "cwd", "transcript_path", "tool_name", "agent_id", "agent_type")


class Event:
    """One event in Claude Code's terms, whichever host sent it."""

    def __init__(self, name: str, data: dict[str, Any], host: str = "claude") -> None:
        self.name = name
        self.data = data
        self.host = host
        self.session_id = self.text("session_id")
        self.cwd = self.text("cwd")
        self.transcript_path = self.text("transcript_path")
        self.tool_name = self.text("tool_name")
        self.tool_input: dict[str, Any] = checked.mapping(self.data.get("tool_input"))
        self.agent_id = self.text("agent_id")  # set inside a subagent
        self.agent_type = self.text("agent_type")
        self.edit_facts: EditFacts | None = None  # shared by the quality hooks of this event
        self._layers: list[config.Layer] | None = None
        self._settings: config.Settings | None = None
        self._root: str | None = None

    @classmethod
    def from_json(cls, name: str, raw: bytes, host: str = "claude") -> Event:
        """Parse raw; raise ValueError if it is not a JSON object."""
        if len(raw) > MAX_BYTES:
            raise ValueError("event over %d bytes" % MAX_BYTES)
        data = jsonio.loads(raw)
        if not isinstance(data, dict):
            raise ValueError("event is no JSON object")
        return cls(name, data, host)

    def text(self, key: str, limit: int = MAX_NAME) -> str:
        """Return a text field, cut to limit characters; '' if it is missing or not a text."""
        return checked.text(self.data.get(key), limit)

    @property
    def subject(self) -> str | None:
        """The text a matcher is compared with: a tool's name, a session's source, ... or None."""
        key = _SUBJECT.get(self.name)
        return self.text(key) if key else None

    @property
    def file_path(self) -> str:
        """The path in the tool's input, '' if it has none."""
        for key in ("file_path", "notebook_path", "path"):
            value = self.tool_input.get(key)
            if isinstance(value, str):
                return value[:MAX_NAME]
        return ""

    @property
    def command(self) -> str:
        return checked.text(self.tool_input.get("command"), MAX_TEXT)

    def update_input(self, changes: dict[str, Any]) -> None:
        """Change fields of the tool's input for the hooks that run later."""
        self.tool_input = {**self.tool_input, **changes}
        self.data["tool_input"] = self.tool_input

    def field(self, name: str) -> str:
        """Return the field that a matcher's expression names, as text; '' if it is missing."""
        if name == "event":
            return self.name
        value: Any = self.data
        for part in ("tool_name" if name == "tool" else name).split("."):
            value = value.get(part) if isinstance(value, dict) else None
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, (int, float)):
            return repr(value)
        return checked.text(value, MAX_TEXT)

    def spellings_of_path(self, path: str) -> list[str]:
        """Return path relative to the project's root if it lies below it, and the absolute path."""
        if not path:
            return []
        absolute = os.path.normpath(os.path.join(self.cwd or self.start_dir, path))
        root = self.project_root.rstrip(os.sep) + os.sep
        return [absolute[len(root) :], absolute] if absolute.startswith(root) else [absolute]

    @property
    def odd_fields(self) -> list[str]:
        """The names of known fields whose value has a type that no host sends."""
        odd = [k for k in _TEXTS if not isinstance(self.data.get(k, ""), (str, type(None)))]
        if not isinstance(self.data.get("tool_input", {}), dict):
            odd.append("tool_input")
        return odd

    @property
    def start_dir(self) -> str:
        """The folder in which the session was started."""
        return paths.start_dir(self.cwd)

    @property
    def project_root(self) -> str:
        if self._root is None:
            self._root = paths.project_root(self.start_dir)
        return self._root

    @property
    def project_name(self) -> str:
        return paths.project_name(self.project_root)

    @property
    def session_key(self) -> str:
        """The name under which this session keeps its state; safe as a file name.

        Never the parent's pid and never random: both differ from call to call.
        """
        for candidate in (
            self.session_id,
            os.environ.get("CLAUDE_SESSION_ID", ""),
            os.environ.get("CLAUDE_CODE_SESSION_ID", ""),
        ):
            if candidate:
                return file_name(candidate)
        return file_name(self.project_name)

    @property
    def layers(self) -> list[config.Layer]:
        """The settings files that apply to this event, read once per event."""
        if self._layers is None:
            self._layers = config.layers(self.start_dir, self.project_root)
        return self._layers

    @property
    def settings(self) -> config.Settings:
        if self._settings is None:
            self._settings = config.merge(self.layers)
        return self._settings


def file_name(text: str) -> str:
    """Return text if it is a safe file name on any system, else a name derived from it."""
    if text and len(text) <= 100 and _SAFE.issuperset(text) and not _reserved(text):
        return text
    import hashlib

    readable = "".join(c if c in _SAFE else "_" for c in text[:40])
    return readable + "-" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _reserved(name: str) -> bool:
    """Return whether name means a device to Windows."""
    upper = name.upper()
    return upper in ("CON", "PRN", "AUX", "NUL") or (
        len(upper) == 4 and upper[:3] in ("COM", "LPT") and upper[3].isdigit()
    )
