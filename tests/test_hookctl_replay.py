"""hookctl replay."""

from __future__ import annotations

import json
import os
from typing import Any

from hookctl_case import NO_PUSH, USER, HookctlTestCase, command, rule, rules


class ReplayTest(HookctlTestCase):
    def transcript(self) -> str:
        def record(kind: str, *blocks: object, **more: object) -> str:
            message = {"role": kind, "content": list(blocks)}
            base = {"type": kind, "message": message, "cwd": self.project, "sessionId": "s"}
            return json.dumps({**base, **more})

        def call(id: str, tool: str, **given: object) -> dict[str, Any]:
            return {"type": "tool_use", "id": id, "name": tool, "input": given}

        def result(id: str, **more: object) -> dict[str, Any]:
            return {"type": "tool_result", "tool_use_id": id, "content": "text", **more}

        first = {"type": "user", "message": {"role": "user", "content": "do x"}}
        return "\n".join(
            (
                json.dumps({"type": "queue-operation"}),
                json.dumps({**first, "cwd": self.project, "sessionId": "s"}),
                "{broken",
                record("assistant", call("1", "Bash", command="git push"), {"type": "thinking"}),
                record("user", result("1", is_error=True), toolUseResult="Error"),
                record("assistant", call("2", "Edit", file_path="a.md"), isSidechain=True),
                record("user", result("2"), toolUseResult={"filePath": "a.md"}, isSidechain=True),
                record("user", {"type": "text", "text": "caveat"}, isMeta=True),
                record("assistant", {"type": "text", "text": "done"}),
                record("user", {"type": "text", "text": "more"}),
                record("assistant", call("3", "Read", file_path="b")),
            )
        )

    def test_a_transcript(self) -> None:
        self.write(USER, rules(PreToolUse=[NO_PUSH], Stop=[rule("", command("true"), id="end")]))
        path = self.write("t.jsonl", self.transcript())
        data = self.json("replay", path)
        self.assertEqual(
            [(entry["event"], entry["about"]) for entry in data],
            [
                ("UserPromptSubmit", "do x"),
                ("PreToolUse", "Bash git push"),
                ("PostToolUseFailure", "Bash git push"),
                ("PreToolUse", "Edit a.md"),
                ("PostToolUse", "Edit a.md"),
                ("Stop", ""),
                ("UserPromptSubmit", "more"),
                ("PreToolUse", "Read b"),
                ("Stop", ""),
            ],
        )
        done = self.hookctl("replay", path)
        self.assertIn("no pushing", done.stdout)
        self.assertIn("9 events, 1 answered", done.stdout)

    def test_a_list_of_events_counts_in_a_state_of_its_own(self) -> None:
        event = {"hook_event_name": "PreToolUse", "tool_name": "Edit", "session_id": "real"}
        for text in (json.dumps([event] * 3), "\n".join([json.dumps(event)] * 3)):
            path = self.write("events", text)
            data = self.json("replay", path, "--plugin", "ecc-hooks", COMPACT_THRESHOLD="2")
            said = [bool(entry["plugins"][0]["answer"]) for entry in data]
            self.assertEqual(said, [False, True, False])
        self.assertFalse(os.path.exists(os.path.join(self.data, "counters")))
        self.assertEqual(self.log(), [])

    def test_dry_run(self) -> None:
        mark = os.path.join(self.base, "mark")
        self.write(USER, rules(Stop=[rule("", command("touch '%s'" % mark), id="toucher")]))
        path = self.write("e.json", json.dumps([{"hook_event_name": "Stop"}]))
        self.assertIn("matches   toucher", self.hookctl("replay", path, "--dry-run").stdout)
        self.assertFalse(os.path.exists(mark))

    def test_files_that_hold_nothing(self) -> None:
        for text in ("", "[]", "[", "{}", "text", '[{"hook_event_name": "Nope"}]', "[5]"):
            self.fails("replay", self.write("x", text))
        self.assertIn("No such file", self.fails("replay", "nowhere"))
        self.fails("replay", self.base)

    def test_records_of_odd_types(self) -> None:
        odd = [
            {"type": "user", "message": 5},
            {"type": "user", "message": {"content": 5}},
            {
                "type": "user",
                "message": {"content": [5, {"type": "tool_result"}, {"type": "text"}]},
            },
            {"type": "assistant", "message": {"content": [{"type": "tool_use", "input": 5}]}},
            {"type": "user", "message": {"content": "x\x1b[2J"}, "cwd": 5, "sessionId": []},
        ]
        done = self.hookctl("replay", self.write("x", json.dumps(odd)))
        self.assertEqual((done.code, done.stderr), (0, ""))
        self.assertNotIn("\x1b", done.stdout)
