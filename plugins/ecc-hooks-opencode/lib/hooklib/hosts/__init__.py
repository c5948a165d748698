"""One adapter per host: what it sends becomes an Event, an Output what it consumes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType


# found by name: a plugin carries the adapters of its own hosts alone
MODULES = {
    "claude": "hooklib.hosts.claude",
    "opencode": "hooklib.hosts.opencode",
    "gemini": "hooklib.hosts.gemini.adapter",
    "sdk": "hooklib.agent.sdk",
}


def reachable(text: str) -> str:
    """Return a text for the model in which hookctl can be called: only one host has it on PATH."""
    if "hookctl memory " not in text:
        return text
    import os

    from hooklib import paths

    path = os.path.join(paths.PLUGIN_ROOT, "bin", "hookctl").replace("'", "'\\''")
    return text.replace("hookctl memory ", "'%s' memory " % path)


def adapter(name: str) -> ModuleType:
    """Return the adapter module for a host; ValueError for a host that this plugin has none for."""
    module = MODULES.get(name)
    if module is None:
        raise ValueError("unknown host")
    try:
        return __import__(module, fromlist=("encode",))
    except ModuleNotFoundError as error:
        if not (module + ".").startswith("%s." % error.name):  # something that it needs
            raise
        raise ValueError("unknown host") from None
