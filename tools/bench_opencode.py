"""Bench rows of the OpenCode adapter: what it adds to an event that Claude Code sends too.

OpenCode calls the adapter in its own process, so the time inside the hook counts. Both rows are the
same node program, which loads the adapter and then sends one event after the other: to the launcher
directly, as Claude Code does, or through the adapter. The difference is the adapter's own work:
translating names, reading settings, writing its transcript. A single call would be lost in the
noise of node's start, so there are several.
"""

from __future__ import annotations

import json
import os
import shutil

import sync
from benchlab import Lab, Row
from install_opencode import NAME
from wiring import REPO, Plugin

CALLS = 5
ADDED = 1.0  # floors that the adapter may add to one event


def rows(lab: Lab, plugins: list[Plugin]) -> list[Row]:
    """Return the rows, or none without node."""
    node = shutil.which("node")
    if not node:
        return []
    script = os.path.join(REPO, "tools", "bench_opencode.mjs")
    sync.assemble(sync.Library(os.path.join(REPO, "plugins")), NAME, lab.path(NAME))
    adapter = lab.path(NAME, NAME + ".js")
    launcher = os.path.join(REPO, "plugins", "ecc-hooks", "hooks", "run")
    text = "a line of text that is being edited\n" * 20
    edit = {"file_path": lab.path("project", "a.txt"), "old_string": text, "new_string": text}
    event = lab.event("PreToolUse", tool_name="Edit", tool_input=edit, tool_use_id="c1")
    stdin = lab.path("opencode event")
    with open(stdin, "w", encoding="utf-8") as file:
        json.dump(event, file)
    argv = [node, script, adapter, str(CALLS)]
    env = {**lab.env(), "COMPACT_THRESHOLD": "1000000", "CLAUDE_PROJECT_DIR": lab.path("project")}
    direct = "%d x PreToolUse Edit, ecc-hooks, from node" % CALLS
    adapted = "%d x the same through the OpenCode adapter" % CALLS
    return [
        Row(direct, [*argv, launcher], _config(lab, env, "direct"), stdin),
        Row(
            adapted,
            argv,
            _config(lab, env, "adapted"),
            stdin,
            against=direct,
            over=ADDED * CALLS,
        ),
    ]


def _config(lab: Lab, env: dict[str, str], name: str) -> dict[str, str]:
    config = lab.path("opencode " + name)
    os.mkdir(config)
    return {**env, "CLAUDE_CONFIG_DIR": config}
