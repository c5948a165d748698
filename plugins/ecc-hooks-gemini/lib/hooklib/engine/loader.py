"""Read the user's rules: key customHooks of the settings files. The only part that knows files."""

from __future__ import annotations

import os

from hooklib.engine import trust
from hooklib.engine.registry import Source, Warning
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
    """The merged configuration as values: what an engine is given."""

    def __init__(self) -> None:
        self.enabled = True
        self.options = Options()
        self.disabled: frozenset[str] = frozenset()  # for the user's own rules
        self.rules: list[tuple[Source, Any, str]] = []  # where from, the rules, their key
        self.warnings: list[Warning] = []
        self.untrusted = 0  # commands and scripts that wait for `hookctl trust`
        self.given: frozenset[str] = frozenset()  # the fields that a file or the environment sets


def load(
    layers: list[Layer], project: str, native: bool = False, switches: Settings | None = None
) -> HookConfig:
    """Merge the layers' rules, weakest layer first; native adds the host's own `hooks` field.

    What a project's layers say counts for the project's rules alone: none of them switches off,
    delays or weakens a rule of the user's. Commands of a project that is not trusted do not run.
    """
    merged = HookConfig()
    keys = (KEY, NATIVE_KEY) if native else (KEY,)
    trusted = trust.is_trusted(layers, project, keys)
    found = [(layer, _settings(layer, merged.warnings)) for layer in layers]
    environment = _from_environment(merged.warnings)
    of_user = [settings for layer, settings in found if settings and layer.own]
    of_all = [settings for _, settings in found if settings]
    user = _Switches(of_user, environment, switches.users if switches else None)
    project_too = _Switches(of_all, environment, switches)
    merged.options, merged.disabled = user.options, user.disabled
    merged.enabled = user.enabled
    merged.given = frozenset(user.values)
    for layer, settings in found:
        if layer.broken:
            merged.warnings.append(Warning(layer.path, "", layer.broken))
        users = layer.name == "user"
        governing = user if users else project_too
        source = _source(layer, settings, users or trusted)
        governing.govern(source)
        for key in ("rules", "hooks"):
            if key in settings:
                merged.rules.append((source, settings[key], KEY + "." + key))
        if native and layer.data.get(NATIVE_KEY) is not None:
            merged.rules.append((source, layer.data[NATIVE_KEY], NATIVE_KEY))
    if not trusted and project_too.enabled:
        merged.untrusted = trust.waiting(layers, keys)
    legacy = os.path.join(project, LEGACY)
    if os.path.exists(legacy):
        reason = "no longer read; `hookctl migrate` prints what to put into settings.json"
        merged.warnings.append(Warning(legacy, "", reason))
    return merged


class _Switches:
    """What some layers together say about the rules that they govern."""

    def __init__(
        self, layers: list[dict[str, Any]], environment: dict[str, Any], bundle: Settings | None
    ) -> None:
        self.values: dict[str, Any] = {}
        for settings in layers:
            self.values.update(settings)
        self.values.update(environment)
        self.enabled = self.values.get("enabled", True)
        self._in_bundle = bundle is None or bundle.enabled
        self.disabled = frozenset(id for each in layers for id in each.get("disabled", ()))
        self.disabled |= bundle.disabled if bundle else frozenset()
        self.profile = bundle.profile if bundle else "strict"
        self.options = _options(self.values)

    def govern(self, source: Source) -> None:
        source.enabled = self.enabled and self._in_bundle
        source.disabled = self.disabled
        source.profile = self.profile
        source.options = self.options


def from_value(value: Any, project: str = "") -> HookConfig:
    """Return a program's own value of the customHooks shape as a configuration; reads no file."""
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
    merged.given = frozenset(switches.values)
    return merged


def _settings(layer: Layer, warnings: list[Warning]) -> dict[str, Any]:
    """Return a layer's valid values; each other one is a warning."""
    data = layer.data.get(KEY)
    if data is None:
        return {}
    if not isinstance(data, dict):
        warnings.append(Warning(layer.path, KEY, "not an object"))
        return {}
    good = {}
    for key, value in data.items():
        reason = _wrong(key, value)
        if reason:
            warnings.append(Warning(layer.path, KEY + "." + key, reason))
        else:
            good[key] = value
    return good


def _wrong(key: str, value: Any) -> str:
    """Return why a field's value cannot be used, '' where it can."""
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


def _from_environment(warnings: list[Warning]) -> dict[str, Any]:
    """Return the fields set by CUSTOM_HOOKS_ENABLED, CUSTOM_HOOKS_DEFAULT_TIMEOUT, ..."""
    found: dict[str, Any] = {}
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
        if _wrong(key, value):
            warnings.append(Warning("environment", "CUSTOM_HOOKS_" + name, _wrong(key, value)))
        else:
            found[key] = value
    return found


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
    own = layer.name == "user"
    base = folder if own else os.path.dirname(folder)
    scripts = settings.get("hookScriptPaths") or (USER_SCRIPTS if own else PROJECT_SCRIPTS)
    return Source(layer.name, layer.path, base, tuple(scripts), trusted=trusted)


def _options(values: dict[str, Any]) -> Options:
    return Options(
        timeout=float(values.get("defaultTimeout", 30.0)),
        timeout_behavior=values.get("timeoutBehavior", "ignore"),
        failure_behavior=values.get("failureBehavior", "ignore"),
        max_concurrent=values.get("maxConcurrentHooks", 5),
    )
