"""The hosts. Each has an adapter, loaded by name, so that a plugin carries only those it needs."""

from __future__ import annotations

from hooklib.engine.event_names import MODEL_EVENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.hosts.base import Host

MODULES = {
    "claude": "hooklib.hosts.claude",
    "gemini": "hooklib.hosts.gemini.adapter",
    "opencode": "hooklib.hosts.opencode",
    "sdk": "hooklib.agent.sdk",
}
# events that a host accepts rules for but never fires; known here without loading its adapter
SILENT_ON = {
    "claude": MODEL_EVENTS,
    "opencode": MODEL_EVENTS | {"PermissionDenied", "PostToolBatch"},
    "gemini": frozenset(
        "PostToolBatch PermissionRequest PermissionDenied PostCompact SubagentStart"
        " SubagentStop".split()
    ),
    "sdk": MODEL_EVENTS | {"SessionStart", "SessionEnd", "Notification"},
}


def adapter(name: str) -> Host:
    """Return the adapter of a host; raise ValueError if it is unknown or not in this copy."""
    module = MODULES.get(name)
    if module is None:
        raise ValueError("unknown host")
    try:
        host: Host = __import__(module, fromlist=["HOST"]).HOST
    except ModuleNotFoundError as error:
        if not (module + ".").startswith("%s." % error.name):  # the adapter is here, but broken
            raise
        raise ValueError("unknown host") from None
    return host
