"""Bench rows of Gemini CLI: the cost of its adapter, compared with Claude Code."""

from __future__ import annotations

import json

import gemini_wiring
from benchlab import Lab, Row
from wiring import Event, Plugin

OVER = 1.0  # floors on top of the same event under Claude Code
LAUNCH = 1.0  # of the floor: the launcher reads the settings files, without Python


def rows(lab: Lab, plugins: list[Plugin]) -> list[Row]:
    """Return pairs of rows: a silent event under Claude Code and under Gemini CLI."""
    text = "a line of text that is being edited\n" * 20
    edit = {"file_path": lab.path("project", "a.txt"), "old_string": text, "new_string": text}
    display = {"filePath": edit["file_path"], "originalContent": text, "newContent": text}
    result = {"llmContent": "Successfully modified file. " + text, "returnDisplay": display}
    tool = {"tool_name": "replace", "tool_input": {**edit, "instruction": "change it"}}
    claude_tool = {"tool_name": "Edit", "tool_input": edit, "tool_use_id": "toolu_1"}
    response = {"filePath": edit["file_path"], "oldString": text, "newString": text}
    pairs = [
        (lab.event("PreToolUse", **claude_tool), lab.event("BeforeTool", **tool)),
        (
            lab.event(
                "PostToolUse", **claude_tool, tool_response={**response, "originalFile": text}
            ),
            lab.event("AfterTool", **tool, tool_response=result),
        ),
        (lab.event("UserPromptSubmit", prompt=text), lab.event("BeforeAgent", prompt=text)),
        (lab.event("SessionStart", source="startup"), lab.event("SessionStart", source="startup")),
    ]
    table: list[Row] = []
    (extension,) = gemini_wiring.load_plugins()
    for plugin in [plugin for plugin in plugins if plugin.name == "ecc-hooks"]:
        for claude_event, event in pairs:
            name = "%s, ecc-hooks" % claude_event["hook_event_name"]
            twin = lab.row(name, plugin, claude_event)
            table.append(twin._replace(ratio=None, processes=None))
            table.append(_row(lab, extension, event)._replace(over=OVER, against=twin.name))
    model = {"model": "m", "messages": [{"role": "user", "content": text}]}
    row = _row(lab, extension, lab.event("BeforeModel", llm_request=model))
    env = {key: value for key, value in row.env.items() if key != "CLAUDE_PLUGIN_DATA"}
    table.append(row._replace(name=row.name + ", no rules", env=env, ratio=LAUNCH))
    return table


def _row(lab: Lab, extension: Plugin, event: Event) -> Row:
    """Return the row of the extension on an event, with its wired handler."""
    (handler,) = gemini_wiring.wired(extension, event)
    row = lab.row("%s, ecc-hooks-gemini" % event["hook_event_name"], extension, event)
    env = {key: value for key, value in row.env.items() if key != "CLAUDE_PLUGIN_ROOT"}
    env.update(gemini_wiring.environment(extension, handler, event))
    argv = gemini_wiring.command(handler, env)
    with open(row.stdin, "w", encoding="utf-8") as file:
        json.dump({**event, "timestamp": "2026-11-18T09:45:00.000Z"}, file)
    return row._replace(argv=argv, env=env, ratio=None, processes=None)
