"""hookctl status: show what is on, in one screen."""

from __future__ import annotations

import os

from hooklib import config
from hooklib.cli import log_lines, overview, plugins, terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from hooklib.cli.overview import Row, Setup

_STATES = ("on", "off", "plugin disabled", "untrusted", "invalid")


def declare(parser: argparse.ArgumentParser) -> None:
    """Add nothing: this command has no options."""


def run(options: argparse.Namespace) -> terminal.Reply:
    setup = overview.Setup()
    rows = overview.rows(setup)
    data: dict[str, Any] = {
        "enabled": not setup.off_by,
        "enabledBy": setup.off_by,
        "rulesEnabled": not setup.rules_off_by,
        "rulesEnabledBy": setup.rules_off_by,
        "profile": setup.settings.profile,
        "profileBy": _profile_by(setup),
        "project": setup.root,
        "plugins": [_plugin(setup, plugin, rows) for plugin in setup.plugins],
        "hooks": {state: sum(row.state == state for row in rows) for state in _STATES},
        "settings": [
            {"layer": layer.name, "file": layer.path, "broken": layer.broken}
            for layer in setup.layers
            if layer.data or layer.broken
        ],
        "data": plugins.data_folders(setup.plugins),
        "lastError": log_lines.last_error(setup.plugins),
    }
    return terminal.Reply(data, _lines(data))


def _plugin(setup: Setup, plugin: plugins.Plugin, rows: list[Row]) -> dict[str, Any]:
    return {
        "name": plugin.name,
        "version": plugin.version,
        "state": plugin.state,
        "active": setup.active(plugin),
        "by": plugin.by,
        "folder": plugin.root,
        "hooks": sum(row.bundled and row.source == plugin.name for row in rows),
    }


def _profile_by(setup: Setup) -> str:
    if os.environ.get("CUSTOM_SKILLS_PROFILE") in config.PROFILES:
        return "CUSTOM_SKILLS_PROFILE"
    from_file = setup.settings.values.get("profile") in config.PROFILES
    return setup.file_with(config.KEY, "profile") if from_file else "default"


def _lines(data: dict[str, Any]) -> list[str]:
    on = "on" if data["enabled"] else "off, by " + terminal.short_path(data["enabledBy"])
    rules = "" if data["rulesEnabled"] else "your rules are off, by " + data["rulesEnabledBy"]
    counts = ", ".join("%d %s" % (data["hooks"][s], s) for s in _STATES if data["hooks"][s])
    rows: list[tuple[str, str]] = [
        ("hooks", on),
        ("profile", "%s (%s)" % (data["profile"], terminal.short_path(data["profileBy"]))),
        ("project", terminal.short_path(data["project"])),
    ]
    rows += [("rules", rules)] if rules else []
    for plugin in data["plugins"]:
        rows.append(("plugin", "%(name)s %(version)s: " % plugin + _state(plugin)))
    rows.append(("count", counts or "no hooks"))
    rows += [("settings", _settings(layer)) for layer in data["settings"]]
    rows += [
        ("data, log", terminal.short_path(folder))
        for folder in data["data"]
        if os.path.isdir(folder)
    ]
    rows.append(
        ("last error", log_lines.one_line(data["lastError"]) if data["lastError"] else "none")
    )
    return terminal.table(rows)


def _state(plugin: dict[str, Any]) -> str:
    if plugin["state"] == "absent":
        return "not enabled in any settings file"
    return "%s, by %s" % (plugin["state"], terminal.short_path(plugin["by"]))


def _settings(layer: dict[str, Any]) -> str:
    broken = " is broken: " + layer["broken"] if layer["broken"] else ""
    return "%s %s%s" % (layer["layer"], terminal.short_path(layer["file"]), broken)
