"""The names of events, their aliases, and whether their hooks run one after the other."""

from __future__ import annotations

SERIAL = frozenset(
    "PreToolUse PermissionRequest Stop SubagentStop BeforeModel AfterModel"
    " BeforeToolSelection".split()
)
EVENTS = SERIAL | frozenset(
    "PostToolUse PostToolUseFailure PostToolBatch UserPromptSubmit SessionStart SessionEnd"
    " SubagentStart Notification PreCompact PostCompact PermissionDenied".split()
)
# another host's name of the same event
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
    """Return all names under which a configuration may list rules for event."""
    return [event, *(alias for alias, name in ALIASES.items() if name == event)]
