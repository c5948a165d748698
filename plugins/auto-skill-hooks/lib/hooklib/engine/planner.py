"""Choose which hooks run for an event, and in what order."""

from __future__ import annotations

from hooklib import config
from hooklib.engine import matcher

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hooklib.engine.registry import Hook


def plan(subject: str, hooks: Iterable[Hook], disabled: frozenset[str], profile: str) -> list[Hook]:
    """Return the hooks that are switched on and match subject, each once, in registry order."""
    level = config.PROFILES.index(profile)
    chosen: dict[str, Hook] = {}
    for hook in hooks:
        if hook.id in disabled or hook.rule in disabled:
            continue
        if config.PROFILES.index(hook.profile) <= level and matcher.matches(hook.matcher, subject):
            chosen.setdefault(hook.id, hook)
    return list(chosen.values())
