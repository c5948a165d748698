"""OpenCode's side of the library: its events are Claude Code's, the transcript is kept by us."""

from __future__ import annotations

import json
import os
import time
from typing import Any

from opencode_case import assembled

from hooklib.hosts import opencode
from support import Done, HookTestCase

SESSION = "ses_1"


def record(kind: str, content: Any, **more: Any) -> dict[str, Any]:
    when = "2026-11-18T09:00:00.000Z"
    return {"type": kind, "timestamp": when, "message": {"role": kind, "content": content, **more}}


class OpenCodeHostTest(HookTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.root = assembled()

    def send(self, name: str, **fields: Any) -> Done:
        given = {"session_id": SESSION, "transcript_path": "", "cwd": self.project}
        command = ["sh", os.path.join(self.root, "hooks", "run"), name, "--host", "opencode"]
        return self.start(command, {**given, "hook_event_name": name, **fields})

    def transcript(self, key: str = SESSION) -> str:
        return os.path.join(self.data, "transcripts", key + ".jsonl")

    def lines(self, key: str = SESSION) -> list[dict[str, Any]]:
        with open(self.transcript(key), encoding="ascii") as file:
            return [json.loads(line) for line in file]

    def state(self) -> dict[str, Any]:
        os.makedirs(os.path.join(self.project, ".git"), exist_ok=True)
        path = os.path.join(self.project, ".claude", "sessions", SESSION + ".json")
        with open(path, encoding="utf-8") as file:
            state: dict[str, Any] = json.load(file)
        return state

    def test_records_become_the_session_s_state(self) -> None:
        os.makedirs(os.path.join(self.project, ".git"))
        path = os.path.join(self.project, "a.py")
        use = {"type": "tool_use", "id": "c1", "name": "Write", "input": {"file_path": path}}
        result = {"type": "tool_result", "tool_use_id": "c1", "content": "File created"}
        records = [record("user", "Paint it"), record("assistant", [use], model="gpt")]
        self.assert_silent(self.send("Stop", records=[*records, record("user", [result])]))
        self.assert_silent(self.send("Stop", records=[record("user", "And again")]))
        state = self.state()
        self.assertEqual((state["host"], state["model"], state["prompts"]), ("opencode", "gpt", 2))
        self.assertEqual(state["files"]["a.py"]["how"], "created")
        self.assertEqual(os.stat(self.transcript()).st_mode & 0o777, 0o600)

    def test_a_subagent_has_a_transcript_of_its_own(self) -> None:
        told = [{**record("user", "sub"), "isSidechain": True}]
        self.send("SubagentStop", agent_id="ses_2", agent_type="general", records=told)
        self.assertEqual(len(self.lines("ses_2")), 1)
        self.assertFalse(os.path.exists(self.transcript()))

    def test_secrets_are_not_written(self) -> None:
        secret = "ghp_" + "a1B2c3D4" * 5
        use = {"type": "tool_use", "id": "1", "name": "Bash", "input": {"command": "use " + secret}}
        self.send("Stop", records=[record("user", "my key " + secret), record("assistant", [use])])
        self.assertEqual(len(self.lines()), 2)
        self.assertNotIn(secret, json.dumps(self.lines()))

    def test_no_records_no_file(self) -> None:
        odd: Any
        for odd in (None, [], {}, "text", 5):
            self.assert_silent(self.send("Stop", records=odd))
        self.assertFalse(os.path.exists(os.path.dirname(self.transcript())))

    def test_a_session_s_name_cannot_leave_the_folder(self) -> None:
        self.send("Stop", session_id="../../evil", records=[record("user", "x")])
        (name,) = os.listdir(os.path.join(self.data, "transcripts"))
        self.assertNotIn("..", name)

    def test_it_is_bounded_and_old_ones_go(self) -> None:
        old = self.write(self.transcript("ses_old"), "{}\n")
        past = time.time() - 40 * 24 * 3600
        os.utime(old, (past, past))
        many = [record("user", "x" * 7000) for _ in range(150)]
        for _ in range(3):
            self.send("Stop", records=many)
        self.assertFalse(os.path.exists(old))
        size = os.path.getsize(self.transcript())
        self.assertTrue(opencode.LIMIT / 4 < size < opencode.LIMIT, size)
        self.assertTrue(all(line["type"] == "user" for line in self.lines()))

    def test_the_user_s_rules_run_here(self) -> None:
        run = [{"type": "command", "command": "echo no >&2; exit 2"}]
        rules = {"customHooks": {"rules": [{"event": "PreToolUse", "matcher": "Bash", "run": run}]}}
        self.write(os.path.join(self.home, ".claude", "settings.json"), rules)
        done = self.send("PreToolUse", tool_name="Bash", tool_input={"command": "ls"})
        told = json.loads(done.stdout)["hookSpecificOutput"]
        self.assertEqual(told["permissionDecision"], "deny")
        self.assert_silent(self.send("PreToolUse", tool_name="Read", tool_input={}))
