"""hookctl doctor: one line per check, `ok|warn|fail  what  -> remedy`."""

from __future__ import annotations

import os

from hooklib import paths
from hooklib.cli import (
    host_check,
    machine_check,
    misplaced_rules,
    overview,
    plugins,
    settings_check,
    terminal,
    validate,
    wiring_check,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from hooklib.cli.overview import Setup
    from hooklib.cli.plugins import Plugin

    Check = tuple[str, str, str]  # ok, warn or fail; what; remedy


def declare(parser: argparse.ArgumentParser) -> None:
    """Add nothing: this command has no options."""


def run(options: argparse.Namespace) -> terminal.Reply:
    setup = overview.Setup()
    found: list[Check] = []
    for check in (
        machine_check.interpreter,
        machine_check.launchers,
        _plugins,
        _settings_files,
        _hooks_allowed,
        _wiring,
        _rules,
        settings_check.check,
        machine_check.data_folders,
        machine_check.copies,
        host_check.check,
    ):
        found += check(setup)
    data = [{"level": level, "what": what, "remedy": remedy} for level, what, remedy in found]
    lines = [
        "%-4s  %s%s" % (level, terminal.clean(what), terminal.clean(remedy and "  -> " + remedy))
        for level, what, remedy in found
    ]
    return terminal.Reply(data, lines, 1 if any(level != "ok" for level, _, _ in found) else 0)


def _plugins(setup: Setup) -> Iterator[Check]:
    for plugin in setup.plugins:
        text = "plugin %s %s" % (plugin.name, plugin.version)
        if plugin.state == "on":
            yield "ok", text + " is enabled", ""
        elif plugin.state == "off":
            yield "ok", "%s is disabled by %s" % (text, plugin.by), ""
        else:
            yield "ok", text + " is not enabled in any settings file", ""
    for plugin in plugins.enabled(setup.layers):
        if plugin.state == "on" and not plugin.root:
            name = "%s@%s" % (plugin.name, plugin.marketplace)
            what = "plugin %s is enabled in %s, but not installed" % (name, plugin.by)
            yield "warn", what, "claude plugin install " + name


def _settings_files(setup: Setup) -> Iterator[Check]:
    for layer in setup.layers:
        if layer.broken:
            yield "fail", "%s: %s" % (layer.path, layer.broken), "fix it: it is ignored as a whole"
        place = misplaced_rules.find(layer.data)
        if place:
            what = "%s: because of %s Claude Code ignores this whole file" % (layer.path, place)
            yield "fail", what, "`hookctl migrate %s` prints it in the right form" % layer.path


def _hooks_allowed(setup: Setup) -> Iterator[Check]:
    off = [layer.path for layer in setup.layers if layer.data.get("disableAllHooks") is True]
    for path in off:
        yield "warn", "disableAllHooks in %s: no hook runs" % path, "remove it"
    if setup.off_by:
        yield "warn", "this bundle is switched off by " + setup.off_by, "remove the switch"
    if setup.rules_off_by:
        yield "warn", "your rules are switched off by " + setup.rules_off_by, "remove the switch"


def _wiring(setup: Setup) -> Iterator[Check]:
    """Check every hook that the host itself reads: in settings files and in all enabled plugins."""
    for layer in setup.layers:
        hooks = layer.data.get("hooks")
        if hooks is not None:
            yield from _checked(
                layer.path, wiring_check.check(hooks, layer.path, "", setup.start), hooks
            )
    by_root = {
        plugin.root: plugin for plugin in plugins.enabled(setup.layers) if plugin.state == "on"
    }
    by_root.update({plugin.root: plugin for plugin in setup.plugins if setup.active(plugin)})
    for root, plugin in by_root.items():
        if root:
            yield from _plugin_wiring(plugin, setup)


def _plugin_wiring(plugin: Plugin, setup: Setup) -> Iterator[Check]:
    main = os.path.join(plugin.root, "hooks", "hooks.json")
    entry = plugins.manifest(plugin.root).get("hooks")
    more = [entry] if isinstance(entry, (str, dict)) else entry if isinstance(entry, list) else []
    files = [main] if os.path.exists(main) else []
    for part in more:
        if isinstance(part, dict):
            inline = os.path.join(plugin.root, ".claude-plugin", "plugin.json")
            yield from _checked(
                inline, wiring_check.check(part, inline, plugin.root, setup.start), part
            )
        elif isinstance(part, str):
            files.append(os.path.normpath(os.path.join(plugin.root, part)))
    for file in dict.fromkeys(files):
        broken, data = machine_check.read_json(file)
        if broken:
            yield "fail", "%s: %s: no hook of the plugin loads" % (file, broken), "fix it"
        elif "hooks" not in data and "modules" not in data:
            yield (
                "fail",
                file + ": no `hooks` at the top level",
                'wrap the events in {"hooks": ...}',
            )
        else:
            hooks = data.get("hooks")
            yield from _checked(
                file, wiring_check.check(hooks, file, plugin.root, setup.start), hooks
            )


def _checked(file: str, findings: Iterator[wiring_check.Finding], hooks: object) -> Iterator[Check]:
    valid = True
    for finding in findings:
        valid = False
        yield finding.level, "%s: %s: %s" % (file, finding.path, finding.what), finding.remedy
    if valid:
        count = len(hooks) if isinstance(hooks, dict) else 0
        yield "ok", "%s: hooks for %d events" % (file, count), ""


def _rules(setup: Setup) -> Iterator[Check]:
    # A rule that never fires on one host may be meant for another: count what is wrong on all.
    per_host = [validate.of_setup(setup, host) for host in host_check.with_bundle(setup)]
    count = len(set.intersection(*({(w.file, w.path) for w in wrong} for wrong in per_host)))
    if count:
        yield "warn", "%d rule entries are invalid" % count, "hookctl validate"
    else:
        yield "ok", "all rules are valid", ""
    if setup.config.untrusted:
        what = "%d commands in this project's rules are not trusted" % setup.config.untrusted
        yield "warn", what, "hookctl trust"
    waiting = [
        row for row in overview.rows(setup) if not row.bundled and row.state == "plugin disabled"
    ]
    if waiting:
        remedy = "claude plugin enable %s@%s" % (overview.RULES_PLUGIN, paths.MARKETPLACE)
        yield "warn", "%d rules need the plugin %s" % (len(waiting), overview.RULES_PLUGIN), remedy
