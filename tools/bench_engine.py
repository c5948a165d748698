"""Bench rows of the engine: a silent event, and user rules that do not match."""

from __future__ import annotations

import json
import os
from typing import Any

from benchlab import Lab, Row
from wiring import Plugin, wired


def rows(lab: Lab, plugins: list[Plugin]) -> list[Row]:
    """Return the rows of a silent event, for each plugin that is wired to it."""
    text = "a line of text that is being edited\n" * 20
    tool_input = {"file_path": lab.path("project", "a.txt"), "old_string": text, "new_string": text}
    tool = {"tool_name": "Edit", "tool_input": tool_input, "tool_use_id": "toolu_1"}
    table: list[Row] = []
    for name in ("PreToolUse", "PostToolUse"):
        event = lab.event(name, **tool)
        for plugin in [plugin for plugin in plugins if wired(plugin, event)] or plugins[:1]:
            label = "%s Edit, %s, silent" % (name, plugin.name)
            note = "" if wired(plugin, event) else " (not wired yet)"
            table.append(lab.row(label + note, plugin, event))
            if name == "PreToolUse":
                table.append(lab.row(label + ", python3 is a shim", plugin, event, "shim"))
    for plugin in plugins:
        starts = [lab.event("SessionStart", source=source) for source in ("startup", "compact")]
        for event in [event for event in starts if wired(plugin, event)][:1]:
            name = "SessionStart %s, %s, silent" % (event["source"], plugin.name)
            row = lab.row(name, plugin, event)
            # ecc-hooks is silent, but begins the session's journal
            table.append(row._replace(ratio=4.0) if plugin.name == "ecc-hooks" else row)
    return table + rule_rows(lab, plugins)


def rule_rows(lab: Lab, plugins: list[Plugin]) -> list[Row]:
    """Return the rows of user rules that do not match: one rule, and a hundred of all forms."""
    event = lab.event("PreToolUse", tool_name="Bash", tool_input={"command": "ls -la src"})
    table: list[Row] = []
    for plugin in [plugin for plugin in plugins if plugin.name == "custom-hooks"]:
        for count in (1, 100):
            name = "PreToolUse Bash, custom-hooks, %d rules, none matches" % count
            row = lab.row(name, plugin, event)
            config = lab.path("config %d" % count)
            os.mkdir(config)
            with open(os.path.join(config, "settings.json"), "w", encoding="utf-8") as file:
                json.dump({"customHooks": {"hooks": {"PreToolUse": rules(count)}}}, file)
            row = row._replace(env={**row.env, "CLAUDE_CONFIG_DIR": config})
            table.append(row._replace(ratio=1.5, against=table[0].name) if table else row)
    return table


def rules(count: int) -> list[dict[str, Any]]:
    """Return rules with every form of matcher in turn."""
    forms: list[Any] = [
        'tool == "Bash" && tool_input.command matches "git push*"',
        "Edit|Write",
        "mcp__.*__(read|write)",
        {"tools": "Bash", "commands": "rm -rf .*|git reset --hard"},
        {"paths": "src/**/*.{ts,tsx}"},
    ]
    hooks = [{"type": "command", "command": "true"}]
    return [{"matcher": forms[n % len(forms)], "hooks": hooks} for n in range(count)]
