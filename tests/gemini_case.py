"""What the tests of Gemini CLI share: events as the real client sends them, and its launcher."""

from __future__ import annotations

import json
import os
from typing import Any

from hooklib.event import Event
from hooklib.hosts.gemini import adapter, tool_names
from support import PLUGINS, REPO, Done, HookTestCase

ROOT = os.path.join(PLUGINS, "ecc-hooks-gemini")
SAMPLES = os.path.join(REPO, "tests", "samples")
TRANSCRIPT = os.path.join(SAMPLES, "gemini-transcript.jsonl")
with open(os.path.join(SAMPLES, "gemini.json"), encoding="utf-8") as _file:
    EVENTS: dict[str, Any] = json.load(_file)
# the events that Gemini CLI 0.61.0 has, and its tools
HOST_EVENTS = set(
    "SessionStart SessionEnd BeforeAgent AfterAgent BeforeModel AfterModel BeforeToolSelection"
    " BeforeTool AfterTool PreCompress Notification".split()
)
HOST_TOOLS = sorted(tool_names.TOOLS)
ADVICE = "[strategic-compact]"


def sample(name: str, **fields: object) -> dict[str, Any]:
    return {**json.loads(json.dumps(EVENTS[name])), **fields}


def decoded(name: str, **fields: object) -> Event:
    data = sample(name, **fields)
    return adapter.HOST.decode(data["hook_event_name"], json.dumps(data).encode())


class GeminiTestCase(HookTestCase):
    plugin = "ecc-hooks-gemini"

    def send(
        self, name: str, launcher: str = "run", env: dict[str, str] | None = None, **fields: Any
    ) -> Done:
        """Send a sample through the extension's own command for it."""
        given = sample(name, cwd=self.project, **fields)
        event = given["hook_event_name"]
        words = ["sh", os.path.join(self.root, "hooks", launcher), event]
        words += ["--host", "gemini"] if launcher == "run" else []
        return self.start(words, given, GEMINI_PROJECT_DIR=self.project, **(env or {}))

    def rules(self, path: str = "home/.claude/settings.json", **rules: str) -> None:
        """Write rules of the user's own: event -> command."""
        hooks = {
            event: [{"hooks": [{"type": "command", "command": command, "timeout": 10}]}]
            for event, command in rules.items()
        }
        self.write(path, {"customHooks": {"hooks": hooks}})

    def runs(self, hook: str) -> int:
        return sum(line["hook"] == hook for line in self.log())
