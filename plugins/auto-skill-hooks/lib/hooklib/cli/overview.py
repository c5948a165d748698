"""Collect what applies in this project: settings, plugins, and each hook with its state."""

from __future__ import annotations

import os

from hooklib import config, paths
from hooklib.cli import plugins
from hooklib.engine import bundle, event_names, loader, matcher, planner, registry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.cli.plugins import Plugin
    from hooklib.engine.registry import Hook, RuleWarning, Source

RULES_PLUGIN = "custom-hooks"


class Row:
    """One hook or one invalid entry, its state and the reason for it."""

    __slots__ = ("id", "rule", "event", "matcher", "type", "source", "file", "state", "why", "hook")

    def __init__(self, id: str, event: str, source: str, file: str) -> None:
        self.id = id
        self.rule = ""
        self.event = event
        self.matcher: Any = None
        self.type = ""
        self.source = source
        self.file = file
        self.state = "on"  # on, off, untrusted, invalid, plugin disabled
        self.why = ""
        self.hook: Hook | None = None

    @property
    def bundled(self) -> bool:
        return self.hook is not None and self.hook.source.bundled

    def as_json(self) -> dict[str, Any]:
        keys = ("id", "rule", "event", "matcher", "type", "source", "file", "state", "why")
        return {key: getattr(self, key) for key in keys}


class Setup:
    """The settings files, switches, rules and plugins that apply in this folder."""

    def __init__(self) -> None:
        self.start = paths.start_dir()
        self.root = paths.project_root(self.start)
        self.layers = config.layers(self.start, self.root)
        self.settings = config.merge(self.layers)
        self.config = loader.load(self.layers, self.root, switches=self.settings)
        self.plugins = plugins.bundle(self.layers)

    def active(self, plugin: Plugin) -> bool:
        """Return whether the host runs a plugin; all of them if no settings file names any."""
        if plugin.state == "absent":
            return all(other.state == "absent" for other in self.plugins)
        return plugin.state == "on"

    @property
    def off_by(self) -> str:
        """The setting or variable that switches everything off, or ''."""
        if self.settings.enabled:
            return ""
        if os.environ.get("CUSTOM_SKILLS", "").strip():
            return "CUSTOM_SKILLS=" + os.environ["CUSTOM_SKILLS"].strip()
        return "customSkills.enabled in " + self.file_with(config.KEY, "enabled")

    @property
    def rules_off_by(self) -> str:
        """The setting or variable that switches the user's rules off, or ''."""
        if self.config.enabled:
            return ""
        if os.environ.get("CUSTOM_HOOKS_ENABLED", "").strip():
            return "CUSTOM_HOOKS_ENABLED=" + os.environ["CUSTOM_HOOKS_ENABLED"].strip()
        return self._project_off_by

    @property
    def _project_off_by(self) -> str:
        return "customHooks.enabled in " + self.file_with(loader.KEY, "enabled")

    def file_with(self, key: str, name: str) -> str:
        """Return the settings file whose value for key.name counts, or ''."""
        files = [
            layer.path
            for layer in self.layers
            if isinstance(layer.data.get(key), dict) and name in layer.data[key]
        ]
        return files[-1] if files else ""

    def switched_off_by(self, hook: Hook) -> str:
        """Return the setting or variable that switches hook off, or ''."""
        if not hook.source.enabled:
            return self.off_by or self.rules_off_by or self._project_off_by
        layers = [layer for layer in self.layers if hook.source.name != "user" or layer.own]
        for name in filter(None, (hook.id, hook.rule)):
            listed = os.environ.get("CUSTOM_SKILLS_DISABLED", "").split(",")
            if name in (part.strip() for part in listed):
                return "CUSTOM_SKILLS_DISABLED"
            for layer in layers:
                for key in (config.KEY,) if hook.source.bundled else (config.KEY, loader.KEY):
                    if name in disabled_in(layer.data, key):
                        return "%s.disabled in %s" % (key, layer.path)
        return ""

    @property
    def rules_plugin(self) -> Plugin:
        """The plugin that runs the user's rules; one without a root if it is not installed."""
        rootless = plugins.Plugin(RULES_PLUGIN, "", "", "on", "")
        return next((p for p in self.plugins if p.name == RULES_PLUGIN), rootless)


def disabled_in(data: dict[str, Any], key: str) -> list[Any]:
    """Return the list `disabled` of one settings file, or []."""
    switches = data.get(key)
    listed = switches.get("disabled") if isinstance(switches, dict) else None
    return listed if isinstance(listed, list) else []


def rows(setup: Setup) -> list[Row]:
    """Return every hook and every invalid entry, of all plugins and layers."""
    collected: list[Row] = []
    for plugin in setup.plugins:
        file = os.path.join(plugin.root, "hooks", "pipeline.json")
        source = registry.Source(plugin.name, file, plugin.root, bundled=True)
        settings = setup.settings
        source.enabled, source.profile = settings.enabled, settings.profile
        source.disabled = settings.disabled
        try:
            hooks = bundle.read_pipeline(plugin.root).get("hooks")
        except (OSError, ValueError, RecursionError) as error:
            collected.append(_invalid("", plugin.name, file, str(error)))
            continue
        collected += _rows(setup, hooks, source, "hooks", plugin)
    owner = setup.rules_plugin
    for source, hooks, where in setup.config.rules:
        collected += _rows(setup, hooks, source, where, owner)
    return collected


def _rows(setup: Setup, hooks: Any, source: Source, where: str, plugin: Plugin) -> list[Row]:
    collected = []
    warned: dict[str, RuleWarning] = {}
    for event in sorted(event_names.EVENTS):
        valid, warnings = registry.collect(hooks, source, event, where)
        collected += [_row(setup, hook, plugin) for hook in valid]
        warned.update({str(warning): warning for warning in warnings})
    for warning in warned.values():
        if not warning.reason.endswith("ignored"):
            collected.append(_invalid(warning.path, source.name, source.file, warning.reason))
    return collected


def _row(setup: Setup, hook: Hook, plugin: Plugin) -> Row:
    row = Row(hook.id, hook.event, hook.source.name, hook.source.file)
    row.rule, row.matcher, row.type, row.hook = hook.rule, hook.matcher, hook.type, hook
    row.state, row.why = _state(setup, hook, plugin)
    return row


def _state(setup: Setup, hook: Hook, plugin: Plugin) -> tuple[str, str]:
    reason, usable = matcher.problem(hook.matcher)
    if reason and not usable:
        return "invalid", "matcher: " + reason
    broken = cannot_start(hook)
    if broken:
        return "invalid", broken
    if not setup.active(plugin):
        by = "by " + plugin.by if plugin.by else "not enabled in any settings file"
        return "plugin disabled", "%s, %s" % (plugin.name, by)
    off = planner.switched_off(hook)
    if off:
        by = setup.switched_off_by(hook)
        return "off", "by " + by if by else off
    return ("on", reason) if hook.runnable else ("untrusted", "see `hookctl trust`")


def cannot_start(hook: Hook) -> str:
    """Return why a hook's script would be refused, or ''."""
    if hook.type != "script":
        return ""
    if hook.source.bundled:
        path = os.path.join(hook.source.base, *hook.entry["script"].split("/"))
        return "" if os.path.isfile(path) else "no such script: " + hook.entry["script"]
    from hooklib.engine import user_command

    try:
        user_command.script_path(hook)
    except user_command.Refused as error:
        return "%s: %s" % (hook.entry["script"], error)
    return ""


def _invalid(path: str, source: str, file: str, reason: str) -> Row:
    event = path.partition(".hooks.")[2] or path.partition("hooks.")[2]
    row = Row(path or "-", event.partition("[")[0].partition(".")[0], source, file)
    row.state, row.why = "invalid", reason
    return row
