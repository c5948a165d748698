"""Bench rows of the engine: an event with nothing to say, rules of the user's that do not match."""

from __future__ import annotations

import json
import os
from typing import Any

from benchlab import Lab, Row
from wiring import Plugin, wired


def rows(lab: Lab, plugins: list[Plugin]) -> list[Row]:
    """Return what an event with nothing to say costs, with each plugin that is wired to it."""
    text = "a line of text that is being edited\n" * 20
    given = {"file_path": lab.path("project", "a.txt"), "old_string": text, "new_string": text}
    tool = {"tool_name": "Edit", "tool_input": given, "tool_use_id": "toolu_1"}
    found: list[Row] = []
    for name in ("PreToolUse", "PostToolUse"):
        event = lab.event(name, **tool)
        for one in [plugin for plugin in plugins if wired(plugin, event)] or plugins[:1]:
            label = "%s Edit, %s, silent" % (name, one.name)
            note = "" if wired(one, event) else " (not wired yet)"
            found.append(lab.row(label + note, one, event))
            if name == "PreToolUse":
                found.append(lab.row(label + ", python3 is a shim", one, event, "shim"))
    for one in plugins:
        starts = [lab.event("SessionStart", source=source) for source in ("startup", "compact")]
        for event in [event for event in starts if wired(one, event)][:1]:
            row = lab.row("SessionStart %s, %s, silent" % (event["source"], one.name), one, event)
            # ecc-hooks says nothing, but begins the session's record
            found.append(row._replace(ratio=4.0) if one.name == "ecc-hooks" else row)
    return found + rule_rows(lab, plugins)


def rule_rows(lab: Lab, plugins: list[Plugin]) -> list[Row]:
    """Return what rules of the user's cost that do not match: one, and a hundred of all kinds."""
    event = lab.event("PreToolUse", tool_name="Bash", tool_input={"command": "ls -la src"})
    found: list[Row] = []
    for plugin in [plugin for plugin in plugins if plugin.name == "custom-hooks"]:
        for count in (1, 100):
            name = "PreToolUse Bash, custom-hooks, %d rules, none matches" % count
            row = lab.row(name, plugin, event)
            config = lab.path("config %d" % count)
            os.mkdir(config)
            with open(os.path.join(config, "settings.json"), "w", encoding="utf-8") as file:
                json.dump({"customHooks": {"hooks": {"PreToolUse": rules(count)}}}, file)
            row = row._replace(env={**row.env, "CLAUDE_CONFIG_DIR": config})
            found.append(row._replace(ratio=1.5, against=found[0].name) if found else row)
    return found


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
