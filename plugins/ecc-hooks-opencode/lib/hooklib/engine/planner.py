"""Choose the hooks to run for an event, their order, and whether they run in parallel."""

from __future__ import annotations

from hooklib import config
from hooklib.engine import event_names, matcher

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hooklib.engine.registry import Hook
    from hooklib.event import Event


class Plan:
    """The hooks to run, whether they run serially, and the reason why each other one does not."""

    __slots__ = ("hooks", "serial", "left_out")

    def __init__(self) -> None:
        self.hooks: list[Hook] = []
        self.serial = False
        self.left_out: list[tuple[Hook, str]] = []


def plan(event: Event, hooks: Iterable[Hook]) -> Plan:
    """Return the hooks that are on, trusted and match event, each once, in order."""
    chosen = Plan()
    seen: set[str] = set()
    for hook in hooks:
        reason = switched_off(hook) or _mismatch(hook, event)
        if not reason and hook.key in seen:
            reason = "the same runs already"
        if reason:
            chosen.left_out.append((hook, reason))
            continue
        seen.add(hook.key)
        chosen.hooks.append(hook)
    chosen.serial = event.name in event_names.SERIAL or any(
        hook.sequential for hook in chosen.hooks
    )
    return chosen


def switched_off(hook: Hook) -> str:
    """Return why a hook is off, by its id or by the profile; '' if it is on."""
    source = hook.source
    if (
        not source.enabled
        or hook.id in source.disabled
        or (hook.rule and hook.rule in source.disabled)
    ):
        return "switched off"
    level = config.PROFILES.index
    if level(hook.profile) > level(source.profile):
        return "not in profile " + source.profile
    return ""


def _mismatch(hook: Hook, event: Event) -> str:
    try:
        fits = matcher.fits(hook.matcher, event)
    except ValueError as error:
        return "broken matcher: %s" % error
    if not fits:
        return "does not match"
    return "" if hook.runnable else "not trusted"
