"""Bench rows of Gemini CLI: what its adapter adds to the same event under Claude Code."""

from __future__ import annotations

import json

import gemini_wiring
from benchlab import Lab, Row
from wiring import Event, Plugin

OVER = 1.0  # floors on top of the same event under Claude Code
LAUNCH = 1.0  # of the floor: a look at the settings files, without Python


def rows(lab: Lab, plugins: list[Plugin]) -> list[Row]:
    """Return pairs of rows: an event with nothing to say under one host and the other."""
    text = "a line of text that is being edited\n" * 20
    given = {"file_path": lab.path("project", "a.txt"), "old_string": text, "new_string": text}
    shown = {"filePath": given["file_path"], "originalContent": text, "newContent": text}
    result = {"llmContent": "Successfully modified file. " + text, "returnDisplay": shown}
    tool = {"tool_name": "replace", "tool_input": {**given, "instruction": "change it"}}
    ours = {"tool_name": "Edit", "tool_input": given, "tool_use_id": "toolu_1"}
    response = {"filePath": given["file_path"], "oldString": text, "newString": text}
    pairs = [
        (lab.event("PreToolUse", **ours), lab.event("BeforeTool", **tool)),
        (
            lab.event("PostToolUse", **ours, tool_response={**response, "originalFile": text}),
            lab.event("AfterTool", **tool, tool_response=result),
        ),
        (lab.event("UserPromptSubmit", prompt=text), lab.event("BeforeAgent", prompt=text)),
        (lab.event("SessionStart", source="startup"), lab.event("SessionStart", source="startup")),
    ]
    found: list[Row] = []
    (extension,) = gemini_wiring.load_plugins()
    for plugin in [plugin for plugin in plugins if plugin.name == "ecc-hooks"]:
        for theirs, event in pairs:
            twin = lab.row("%s, ecc-hooks" % theirs["hook_event_name"], plugin, theirs)
            found.append(twin._replace(ratio=None, processes=None))
            found.append(_row(lab, extension, event)._replace(over=OVER, against=twin.name))
    model = {"model": "m", "messages": [{"role": "user", "content": text}]}
    row = _row(lab, extension, lab.event("BeforeModel", llm_request=model))
    env = {key: value for key, value in row.env.items() if key != "CLAUDE_PLUGIN_DATA"}
    found.append(row._replace(name=row.name + ", no rules", env=env, ratio=LAUNCH))
    return found


def _row(lab: Lab, extension: Plugin, event: Event) -> Row:
    """Return the row of the extension on an event, as wired."""
    (handler,) = gemini_wiring.wired(extension, event)
    row = lab.row("%s, ecc-hooks-gemini" % event["hook_event_name"], extension, event)
    env = {key: value for key, value in row.env.items() if key != "CLAUDE_PLUGIN_ROOT"}
    env.update(gemini_wiring.environment(extension, handler, event))
    argv = gemini_wiring.command(handler, env)
    with open(row.stdin, "w", encoding="utf-8") as file:
        json.dump({**event, "timestamp": "2026-11-18T09:45:00.000Z"}, file)
    return row._replace(argv=argv, env=env, ratio=None, processes=None)
