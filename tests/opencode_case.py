"""The OpenCode adapter under node, with a launcher that keeps the events it is sent."""

from __future__ import annotations

import atexit
import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from typing import Any

from support import HANGS, PLUGINS, REPO, HookTestCase

sys.path.append(os.path.join(REPO, "tools"))
import sync  # noqa: E402

NODE = shutil.which("node")
NAME = "ecc-hooks-opencode"
ADAPTER = os.path.join(PLUGINS, NAME, NAME + ".js")
FACTS = os.path.join(PLUGINS, NAME, "facts.json")
DRIVER = os.path.join(REPO, "tests", "opencode_driver.mjs")
# keeps the event, says what the test has put there
LAUNCHER = """#!/bin/sh
here=${0%/hooks/run}
event=$(cat)
printf '%s\\n' "$event" >>"$here/events.jsonl"
[ -f "$here/answers/$1.sh" ] && . "$here/answers/$1.sh"
[ -f "$here/answers/$1" ] && cat "$here/answers/$1"
exit 0
"""
EVENTS = (
    "PreToolUse PostToolUse PostToolUseFailure UserPromptSubmit SessionStart SubagentStart Stop"
    " SubagentStop PreCompact PostCompact SessionEnd"
).split()
MAIN, SUB = "ses_main", "ses_sub"


@functools.cache
def assembled() -> str:
    """Return the folder of the whole plugin, as the installer makes it; one for all tests."""
    folder = tempfile.mkdtemp(prefix="custom skills opencode ")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    root = os.path.join(os.path.realpath(folder), NAME)
    sync.assemble(sync.Library(PLUGINS), NAME, root)
    return root


def step(hook: str, output: Any, **given: Any) -> dict[str, Any]:
    return {"hook": hook, "input": {"sessionID": MAIN, **given}, "output": output}


def event(name: str, **properties: Any) -> dict[str, Any]:
    return {"event": {"type": name, "properties": properties}}


def created(name: str = MAIN, **info: Any) -> dict[str, Any]:
    return event("session.created", sessionID=name, info={"id": name, **info})


def before(tool: str, args: Any, call: str = "c1", **given: Any) -> dict[str, Any]:
    return step("tool.execute.before", {"args": args}, tool=tool, callID=call, **given)


def after(
    tool: str, args: Any, said: str = "done", call: str = "c1", **meta: Any
) -> dict[str, Any]:
    output = {"title": "", "output": said, "metadata": meta}
    return step("tool.execute.after", output, tool=tool, callID=call, args=args)


def message(text: str, session: str = MAIN) -> dict[str, Any]:
    parts = [{"type": "text", "text": text, "id": "prt_1"}]
    output = {"message": {"id": "msg_1", "agent": "build", "model": {"a": "b"}}, "parts": parts}
    return step("chat.message", output, sessionID=session)


def system(text: str = "You are opencode", session: str = MAIN) -> dict[str, Any]:
    return step("experimental.chat.system.transform", {"system": [text]}, sessionID=session)


@unittest.skipUnless(NODE, "node is missing")
class AdapterTestCase(HookTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.plugin = self.folder("a plugin's copy")
        self.adapter = shutil.copy(ADAPTER, self.plugin)
        shutil.copy(FACTS, self.plugin)
        self.write(os.path.join(self.plugin, "hooks", "run"), LAUNCHER)
        self.pipeline({name: [{"hooks": []}] for name in EVENTS})

    def pipeline(self, hooks: dict[str, Any]) -> None:
        self.write(os.path.join(self.plugin, "hooks", "pipeline.json"), {"hooks": hooks})

    def answer(self, name: str, **specific: Any) -> None:
        """Let the hooks of an event say this."""
        answer = {"hookSpecificOutput": {"hookEventName": name, **specific}}
        self.write(os.path.join(self.plugin, "answers", name), answer)

    def say(self, name: str, text: object) -> None:
        self.write(os.path.join(self.plugin, "answers", name), text)

    def drive(self, *steps: dict[str, Any], args: tuple[str, ...] = (), **more: Any) -> Any:
        """Call the hooks; `known` is what the client tells of sessions."""
        env = more.pop("env", {})
        given = {"plugin": self.adapter, "directory": self.project, "steps": steps, **more}
        done = subprocess.run(
            [str(NODE), DRIVER, *args],
            input=json.dumps(given).encode(),
            env=self.env(CLAUDE_PLUGIN_DATA="", **env),
            cwd=self.project,
            capture_output=True,
            timeout=HANGS,
        )
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return json.loads(done.stdout)

    def events(self, name: str = "") -> list[dict[str, Any]]:
        """The events that the launcher was sent."""
        try:
            with open(os.path.join(self.plugin, "events.jsonl"), encoding="utf-8") as file:
                found = [json.loads(line) for line in file]
        except FileNotFoundError:
            return []
        return [each for each in found if name in ("", each["hook_event_name"])]

    def one(self, *steps: dict[str, Any], **more: Any) -> dict[str, Any]:
        """Drive, let nothing be thrown, and return the last step's output."""
        results = self.drive(*steps, **more)["results"]
        self.assertEqual([one["error"] for one in results], [None] * len(steps))
        output: dict[str, Any] = results[-1].get("output", {})
        return output

    def host_log(self) -> list[dict[str, Any]]:
        path = os.path.join(self.home, ".claude/plugins/data/ecc-hooks-opencode-custom-skills")
        try:
            with open(os.path.join(path, "hooks.log"), encoding="utf-8") as file:
                return [json.loads(line) for line in file]
        except FileNotFoundError:
            return []
