"""The names of events: which there are, what else they are called, how their hooks are run."""

from __future__ import annotations

SERIAL = frozenset(
    "PreToolUse PermissionRequest Stop SubagentStop BeforeModel AfterModel"
    " BeforeToolSelection".split()
)
EVENTS = SERIAL | frozenset(
    "PostToolUse PostToolUseFailure PostToolBatch UserPromptSubmit SessionStart SessionEnd"
    " SubagentStart Notification PreCompact PostCompact PermissionDenied".split()
)
# the same event under another host's name
ALIASES = {
    "Compaction": "PreCompact",
    "PreCompress": "PreCompact",
    "BeforeTool": "PreToolUse",
    "AfterTool": "PostToolUse",
    "BeforeAgent": "UserPromptSubmit",
    "AfterAgent": "Stop",
}
MODEL_EVENTS = frozenset(("BeforeModel", "AfterModel", "BeforeToolSelection"))


def spellings(event: str) -> list[str]:
    """Return every key under which a configuration may hold rules for event."""
    return [event, *(alias for alias, name in ALIASES.items() if name == event)]
