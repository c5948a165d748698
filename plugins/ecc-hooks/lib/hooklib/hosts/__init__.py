"""One adapter per host: what it sends becomes an Event, an Output what it consumes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType


def reachable(text: str) -> str:
    """Return a text for the model in which hookctl can be called: only one host has it on PATH."""
    if "hookctl memory " not in text:
        return text
    import os

    from hooklib import paths

    path = os.path.join(paths.PLUGIN_ROOT, "bin", "hookctl").replace("'", "'\\''")
    return text.replace("hookctl memory ", "'%s' memory " % path)


def adapter(name: str) -> ModuleType:
    """Return the adapter module for a host; ValueError for a host we do not know."""
    if name == "claude":
        from hooklib.hosts import claude

        return claude
    if name == "gemini":
        from hooklib.hosts.gemini import adapter

        return adapter
    if name == "opencode":
        from hooklib.hosts import opencode

        return opencode
    if name == "sdk":
        from hooklib.agent import sdk

        return sdk
    raise ValueError("unknown host")
