"""Load the hooks of the plugin that holds this library, and the user's rules if it runs them."""

from __future__ import annotations

import os

from hooklib import files, jsonio, paths
from hooklib.engine import registry
from hooklib.engine.runner import Options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.engine.registry import Hook, RuleWarning
    from hooklib.event import Event

_LIMIT = 2_000_000


class Rules:
    """The hooks for one event and the options to run them with."""

    __slots__ = ("hooks", "warnings", "options", "notice")

    def __init__(self) -> None:
        self.hooks: list[Hook] = []
        self.warnings: list[RuleWarning] = []
        self.options = Options()
        self.notice = ""  # for the user, about the rules themselves

    @property
    def invalid(self) -> int:
        return len(self.warnings)


def read_pipeline(root: str) -> dict[str, Any]:
    """Return a plugin's hooks/pipeline.json; raise OSError or ValueError if it cannot be read."""
    data = jsonio.loads(files.read_bounded(os.path.join(root, "hooks", "pipeline.json"), _LIMIT))
    if not isinstance(data, dict):
        raise ValueError("pipeline.json is not an object")
    return data


def load(event: Event, user_rules: bool = False) -> Rules:
    """Return this plugin's hooks for event; with user_rules the user's too, as on some hosts."""
    rules = Rules()
    root = paths.PLUGIN_ROOT
    pipeline = read_pipeline(root)
    source = registry.Source(
        paths.plugin_name(), os.path.join("hooks", "pipeline.json"), root, bundled=True
    )
    settings = event.settings
    source.enabled = settings.enabled
    source.disabled, source.profile = settings.disabled, settings.profile
    rules.hooks, rules.warnings = registry.collect(pipeline.get("hooks"), source, event.name)
    if pipeline.get("userRules") is True or user_rules:
        _add_user_rules(rules, event)
    return rules


def _add_user_rules(rules: Rules, event: Event) -> None:
    from hooklib.engine import loader

    config = loader.load(event.layers, event.project_root, switches=event.settings)
    rules.warnings += config.warnings
    rules.options = config.options
    for source, hooks, key_path in config.rules:
        user_hooks, warnings = registry.collect(hooks, source, event.name, key_path)
        rules.hooks += user_hooks
        rules.warnings += warnings
    if config.untrusted:
        rules.notice = (
            "custom-hooks: %d commands of this project are not trusted and do not run: "
            "`hookctl trust`" % config.untrusted
        )
