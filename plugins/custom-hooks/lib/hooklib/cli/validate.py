"""hookctl validate: list every invalid entry as `file: JSON path: reason`."""

from __future__ import annotations

import os

from hooklib import config, hosts
from hooklib.cli import misplaced_rules, overview, terminal, wiring_check
from hooklib.engine import bundle, event_names, loader, matcher, registry
from hooklib.engine.registry import RuleWarning
from hooklib.hosts import MODULES

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from typing import Any

    from hooklib.config import Layer
    from hooklib.engine.registry import Source


def declare(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("file", nargs="?", help="check only this file")
    parser.add_argument(
        "--host", choices=tuple(MODULES), default="claude", help="the host that runs the rules"
    )


def run(options: argparse.Namespace) -> terminal.Reply:
    warnings = (
        of_file(options.file, options.host)
        if options.file
        else of_setup(overview.Setup(), options.host)
    )
    unique = list({str(warning): warning for warning in warnings}.values())
    data = [{"file": w.file, "path": w.path, "reason": w.reason} for w in unique]
    lines = [terminal.clean(_line(warning)) for warning in unique]
    return terminal.Reply(data, lines or ["all valid"], 1 if data else 0)


def _line(warning: RuleWarning) -> str:
    return ": ".join(filter(None, (warning.file, warning.path, warning.reason)))


def of_setup(setup: overview.Setup, host: str) -> list[RuleWarning]:
    """Return the warnings about the rules of all layers and the plugins' pipelines."""
    warnings = list(setup.config.warnings)
    owner = setup.rules_plugin.root
    wired = wiring_check.events(owner) if owner and host == "claude" else None
    for source, hooks, where in setup.config.rules:
        warnings += check(hooks, source, where, host, wired)
    for layer in setup.layers if host == "claude" else ():
        warnings += _ignored_by_the_host(layer)
    for plugin in setup.plugins:
        warnings += of_pipeline(plugin.name, plugin.root)
    return warnings


def _ignored_by_the_host(layer: Layer) -> list[RuleWarning]:
    path = misplaced_rules.find(layer.data)
    return [RuleWarning(layer.path, path, misplaced_rules.REASON)] if path else []


def of_pipeline(name: str, root: str) -> list[RuleWarning]:
    file = os.path.join(root, "hooks", "pipeline.json")
    try:
        hooks = bundle.read_pipeline(root).get("hooks")
    except (OSError, ValueError, RecursionError) as error:
        return [RuleWarning(file, "", str(error))]
    source = registry.Source(name, file, root, bundled=True)
    return list(check(hooks, source, "hooks", "claude", wiring_check.events(root)))


def of_file(path: str, host: str) -> list[RuleWarning]:
    """Return the warnings about one file: settings, a pipeline or a host's hooks.json."""
    path = os.path.abspath(path)
    if not os.path.exists(path):
        raise terminal.Problem("%s: no such file" % path)
    layer = config.read_layer("project", path)
    if layer.broken:
        return [RuleWarning(path, "", layer.broken)]
    folder, name = os.path.split(path)
    if name == "hooks.json" and os.path.basename(folder) == ".claude":
        reason = "no longer read; `hookctl migrate` converts it for settings.json"
        return [RuleWarning(path, "", reason)]
    if name == "pipeline.json" or "userRules" in layer.data:
        root = os.path.dirname(folder)
        source = registry.Source(os.path.basename(root), path, root, bundled=True)
        return list(check(layer.data.get("hooks"), source, "hooks", host, None))
    if os.path.normcase(folder) == os.path.normcase(os.path.dirname(_user_settings())):
        layer.name = "user"
    rules = loader.load([layer], "")
    warnings = list(rules.warnings)
    for source, hooks, where in rules.rules:
        warnings += check(hooks, source, where, host, None)
    warnings += _ignored_by_the_host(layer) if host == "claude" else []
    plugin = os.path.dirname(folder) if name == "hooks.json" else ""
    for finding in wiring_check.check(layer.data.get("hooks"), path, plugin):
        warnings.append(RuleWarning(path, finding.path, finding.what))
    return warnings


def _user_settings() -> str:
    from hooklib import paths

    return os.path.join(os.path.abspath(paths.config_dir()), "settings.json")


def check(
    hooks: Any, source: Source, where: str, host: str, wired: frozenset[str] | None
) -> Iterator[RuleWarning]:
    """Yield the warnings about one `hooks` value; wired are the events that its plugin receives."""
    for event in sorted(event_names.EVENTS):
        yield from registry.collect(hooks, source, event, where)[1]
    if isinstance(hooks, list) and where == "hooks":
        yield RuleWarning(source.file, where, "not an object of events")
    for event, path in _named_events(hooks, where):
        reason = _never_fires(str(event_names.ALIASES.get(event, event)), host, wired)
        if reason:
            yield RuleWarning(source.file, path, reason)
    for rule, path, key in _each_rule(hooks, where):
        if isinstance(rule, dict):
            yield from _check_rule(rule, source, path, key)


def _named_events(value: Any, where: str) -> Iterator[tuple[str, str]]:
    """Yield each event that the rules name, in either form, with its JSON path."""
    for event in value if isinstance(value, dict) else ():
        yield str(event), "%s.%s" % (where, event)
    for number, rule in enumerate(value) if isinstance(value, list) else ():
        named = rule.get("event") if isinstance(rule, dict) else None
        for event in named if isinstance(named, list) else [named]:
            if isinstance(event, str):
                yield event, "%s[%d].event" % (where, number)


def _each_rule(value: Any, where: str) -> Iterator[tuple[Any, str, str]]:
    """Yield each rule in either form, with its JSON path and the key of its hooks."""
    for number, rule in enumerate(value) if isinstance(value, list) else ():
        yield rule, "%s[%d]" % (where, number), "run"
    for event, rules in value.items() if isinstance(value, dict) else ():
        for number, rule in enumerate(rules) if isinstance(rules, list) else ():
            yield rule, "%s.%s[%d]" % (where, event, number), "hooks"


def _check_rule(rule: dict[str, Any], source: Source, path: str, key: str) -> Iterator[RuleWarning]:
    """Yield warnings that the registry does not give: about the matcher and missing scripts."""
    reason, usable = matcher.problem(rule.get("matcher"))
    if reason:
        text = reason + ("" if usable else "; the rule is left out")
        yield RuleWarning(source.file, path + ".matcher", text)
    entries = rule.get(key)
    for number, entry in enumerate(entries) if isinstance(entries, list) else ():
        if not isinstance(entry, dict) or entry.get("type") != "script":
            continue
        if isinstance(entry.get("script"), str) and entry["script"].strip():
            hook = registry.Hook("", {}, "", entry)
            hook.source = source
            reason = overview.cannot_start(hook)
            if reason:
                yield RuleWarning(source.file, "%s.%s[%d].script" % (path, key, number), reason)


def _never_fires(event: str, host: str, wired: frozenset[str] | None) -> str:
    if event not in event_names.EVENTS:
        import difflib

        near = difflib.get_close_matches(event, [*event_names.EVENTS, *event_names.ALIASES], 1)
        return "unknown event" + ("; did you mean %s?" % near[0] if near else "")
    if event in hosts.SILENT_ON[host]:
        return "never fires on " + host
    if wired is not None and event not in wired:
        return "the plugin's hooks.json does not listen to it"
    return ""
