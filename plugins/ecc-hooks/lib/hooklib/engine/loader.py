"""Merge the user's rules, which are in key customHooks of the settings files, and their options."""

from __future__ import annotations

import os

from hooklib.engine import trust
from hooklib.engine.registry import RuleWarning, Source
from hooklib.engine.runner import Options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.config import Layer, Settings

KEY = "customHooks"
NATIVE_KEY = "hooks"
BEHAVIORS = ("ignore", "deny", "ask")
PROJECT_SCRIPTS = ("./.claude/hooks", "./hooks")
USER_SCRIPTS = ("./hooks",)  # of the configuration folder: ~/.claude/hooks
LEGACY = os.path.join(".claude", "hooks.json")
_KNOWN = frozenset(
    "enabled defaultTimeout timeoutBehavior failureBehavior maxConcurrentHooks hookScriptPaths"
    " disabled rules hooks $schema description".split()
)


class HookConfig:
    """The merged configuration of an engine."""

    def __init__(self) -> None:
        self.enabled = True
        self.options = Options()
        self.disabled: frozenset[str] = frozenset()  # for the user's own rules
        self.rules: list[tuple[Source, Any, str]] = []  # their source, the rules, their key
        self.warnings: list[RuleWarning] = []
        self.untrusted = 0  # how many commands and scripts need `hookctl trust`
        self.set_fields: frozenset[str] = frozenset()  # the fields set by a file or the environment


def load(
    layers: list[Layer], project: str, native: bool = False, switches: Settings | None = None
) -> HookConfig:
    """Merge the layers' rules, weakest layer first; native adds the host's own `hooks` field.

    A project's layers govern the project's rules alone: they cannot switch off, delay or weaken a
    rule of the user. Commands of a project that is not trusted do not run.
    """
    merged = HookConfig()
    keys = (KEY, NATIVE_KEY) if native else (KEY,)
    trusted = trust.is_trusted(layers, project, keys)
    layer_settings = [(layer, _settings(layer, merged.warnings)) for layer in layers]
    environment = _from_environment(merged.warnings)
    user_settings = [settings for layer, settings in layer_settings if settings and layer.own]
    all_settings = [settings for _, settings in layer_settings if settings]
    user = _Switches(user_settings, environment, switches.users if switches else None)
    with_project = _Switches(all_settings, environment, switches)
    merged.options, merged.disabled = user.options, user.disabled
    merged.enabled = user.enabled
    merged.set_fields = frozenset(user.values)
    for layer, settings in layer_settings:
        if layer.broken:
            merged.warnings.append(RuleWarning(layer.path, "", layer.broken))
        is_users = layer.name == "user"
        governing = user if is_users else with_project
        source = _source(layer, settings, is_users or trusted)
        governing.govern(source)
        for key in ("rules", "hooks"):
            if key in settings:
                merged.rules.append((source, settings[key], KEY + "." + key))
        if native and layer.data.get(NATIVE_KEY) is not None:
            merged.rules.append((source, layer.data[NATIVE_KEY], NATIVE_KEY))
    if not trusted and with_project.enabled:
        merged.untrusted = trust.command_count(layers, keys)
    legacy = os.path.join(project, LEGACY)
    if os.path.exists(legacy):
        reason = "no longer read; `hookctl migrate` prints what to put into settings.json"
        merged.warnings.append(RuleWarning(legacy, "", reason))
    return merged


class _Switches:
    """The merged switches of some layers, for the rules that they govern."""

    def __init__(
        self, layers: list[dict[str, Any]], environment: dict[str, Any], bundle: Settings | None
    ) -> None:
        self.values: dict[str, Any] = {}
        for settings in layers:
            self.values.update(settings)
        self.values.update(environment)
        self.enabled = self.values.get("enabled", True)
        self._in_bundle = bundle is None or bundle.enabled
        self.disabled = frozenset(id for settings in layers for id in settings.get("disabled", ()))
        self.disabled |= bundle.disabled if bundle else frozenset()
        self.profile = bundle.profile if bundle else "strict"
        self.options = _options(self.values)

    def govern(self, source: Source) -> None:
        source.enabled = self.enabled and self._in_bundle
        source.disabled = self.disabled
        source.profile = self.profile
        source.options = self.options


def from_value(value: Any, project: str = "") -> HookConfig:
    """Return the configuration in a program's own value, which has the shape of customHooks."""
    from hooklib.config import Layer

    merged = HookConfig()
    settings = _settings(Layer("config", "config", {KEY: value}), merged.warnings)
    scripts = settings.get("hookScriptPaths") or PROJECT_SCRIPTS
    source = Source("config", "config", project, tuple(scripts))
    switches = _Switches([settings], _from_environment(merged.warnings), None)
    switches.govern(source)
    for key in ("rules", "hooks"):
        merged.rules.append((source, settings.get(key), KEY + "." + key))
    merged.options, merged.disabled, merged.enabled = (
        switches.options,
        switches.disabled,
        switches.enabled,
    )
    merged.set_fields = frozenset(switches.values)
    return merged


def _settings(layer: Layer, warnings: list[RuleWarning]) -> dict[str, Any]:
    """Return a layer's valid values; add a warning for each of the others."""
    data = layer.data.get(KEY)
    if data is None:
        return {}
    if not isinstance(data, dict):
        warnings.append(RuleWarning(layer.path, KEY, "not an object"))
        return {}
    valid = {}
    for key, value in data.items():
        reason = _problem(key, value)
        if reason:
            warnings.append(RuleWarning(layer.path, KEY + "." + key, reason))
        else:
            valid[key] = value
    return valid


def _problem(key: str, value: Any) -> str:
    """Return why a field's value cannot be used, '' if it can."""
    if key not in _KNOWN:
        return "unknown key, ignored"
    if key == "enabled" and not isinstance(value, bool):
        return "not true or false"
    if key in ("timeoutBehavior", "failureBehavior") and value not in BEHAVIORS:
        return "not one of " + ", ".join(BEHAVIORS)
    if key == "defaultTimeout" and not (_number(value) and 0 < value < 1e6):
        return "not a number of seconds above 0"
    if key == "maxConcurrentHooks" and not (type(value) is int and 0 < value <= 100):
        return "not a whole number from 1 to 100"
    if key == "hooks" and not isinstance(value, dict):
        return "not an object of events"
    if key == "rules" and not isinstance(value, list):
        return "not a list of rules"
    if key in ("hookScriptPaths", "disabled") and not (
        isinstance(value, list) and all(isinstance(text, str) for text in value)
    ):
        return "not a list of texts"
    return ""


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _from_environment(warnings: list[RuleWarning]) -> dict[str, Any]:
    """Return the fields set by CUSTOM_HOOKS_ENABLED, CUSTOM_HOOKS_DEFAULT_TIMEOUT, ..."""
    fields: dict[str, Any] = {}
    for key, name in (
        ("enabled", "ENABLED"),
        ("defaultTimeout", "DEFAULT_TIMEOUT"),
        ("timeoutBehavior", "TIMEOUT_BEHAVIOR"),
        ("failureBehavior", "FAILURE_BEHAVIOR"),
        ("maxConcurrentHooks", "MAX_CONCURRENT_HOOKS"),
    ):
        text = os.environ.get("CUSTOM_HOOKS_" + name, "").strip()
        if not text:
            continue
        value = _value(text)
        if key == "enabled" and value in (0, 1):
            value = bool(value)
        if _problem(key, value):
            warnings.append(
                RuleWarning("environment", "CUSTOM_HOOKS_" + name, _problem(key, value))
            )
        else:
            fields[key] = value
    return fields


def _value(text: str) -> Any:
    if text.lower() in ("true", "on", "yes", "false", "off", "no"):
        return text.lower() in ("true", "on", "yes")
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _source(layer: Layer, settings: dict[str, Any], trusted: bool) -> Source:
    folder = os.path.dirname(layer.path)
    is_users = layer.name == "user"
    base = folder if is_users else os.path.dirname(folder)
    scripts = settings.get("hookScriptPaths") or (USER_SCRIPTS if is_users else PROJECT_SCRIPTS)
    return Source(layer.name, layer.path, base, tuple(scripts), trusted=trusted)


def _options(values: dict[str, Any]) -> Options:
    return Options(
        timeout=float(values.get("defaultTimeout", 30.0)),
        timeout_behavior=values.get("timeoutBehavior", "ignore"),
        failure_behavior=values.get("failureBehavior", "ignore"),
        max_concurrent=values.get("maxConcurrentHooks", 5),
    )
