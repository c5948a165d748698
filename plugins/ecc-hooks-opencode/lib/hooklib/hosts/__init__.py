"""The hosts: one adapter each, loaded by name, so that a plugin holds only those it needs."""

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
# events that a host never fires, though it takes rules for them: of use without its adapter
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
    """Return the adapter for a host; ValueError for one that is not known, or not in this copy."""
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
