"""One adapter per host: what it sends becomes an Event, an Output what it consumes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType


def adapter(name: str) -> ModuleType:
    """Return the adapter module for a host; ValueError for a host we do not know."""
    if name == "claude":
        from hooklib.hosts import claude

        return claude
    if name == "gemini":
        from hooklib.hosts import gemini

        return gemini
    if name == "opencode":
        from hooklib.hosts import opencode

        return opencode
    if name == "sdk":
        from hooklib.hosts import sdk

        return sdk
    raise ValueError("unknown host")
