"""The OpenCode adapter: calls of tools."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import Any

from opencode_case import (
    MAIN,
    AdapterTestCase,
    after,
    before,
    created,
    event,
    message,
    step,
    system,
)


class BeforeToolTest(AdapterTestCase):
    def test_names_are_claude_s(self) -> None:
        edit = {"filePath": "a.py", "oldString": "a", "newString": "b", "replaceAll": True}
        cases: list[tuple[str, Any, str, dict[str, Any]]] = [
            ("write", {"filePath": "/a.py", "content": "x"}, "Write", {"file_path": "/a.py"}),
            ("edit", edit, "Edit", {"file_path": os.path.join(self.project, "a.py")}),
            ("edit", edit, "Edit", {"old_string": "a", "new_string": "b", "replace_all": True}),
            ("bash", {"command": "ls", "workdir": "/"}, "Bash", {"command": "ls", "workdir": "/"}),
            ("grep", {"pattern": "a", "include": "*.py"}, "Grep", {"glob": "*.py"}),
            ("skill", {"name": "x"}, "Skill", {"skill": "x"}),
            ("task", {"subagent_type": "general"}, "Agent", {"subagent_type": "general"}),
            ("server_tool", {"name": "x"}, "server_tool", {"name": "x"}),
        ]
        self.drive(*[before(tool, args) for tool, args, _, _ in cases])
        for told, (_, _, name, fields) in zip(self.events("PreToolUse"), cases):
            self.assertEqual(told["tool_name"], name)
            self.assertEqual({key: told["tool_input"].get(key) for key in fields}, fields)
            self.assertEqual((told["session_id"], told["tool_use_id"]), (MAIN, "c1"))
            self.assertEqual(told["cwd"], self.project)
        self.assertEqual(len(self.events("PreToolUse")), len(cases))

    def test_a_refusal_is_thrown_with_its_bare_reason(self) -> None:
        self.answer("PreToolUse", permissionDecision="deny", permissionDecisionReason="No.")
        (result,) = self.drive(before("bash", {"command": "ls"}))["results"]
        self.assertEqual(result["error"], "No.")

    def test_ask_refuses_as_the_host_cannot_be_made_to(self) -> None:
        self.answer("PreToolUse", permissionDecision="ask", permissionDecisionReason="Sure?")
        (result,) = self.drive(before("bash", {"command": "ls"}))["results"]
        self.assertEqual(result["error"], "Sure? (ask the user first)")

    def test_allow_changes_nothing(self) -> None:
        self.answer("PreToolUse", permissionDecision="allow")
        self.assertEqual(self.one(before("bash", {"command": "ls"})), {"args": {"command": "ls"}})

    def test_a_changed_input_is_laid_over_the_host_s_object(self) -> None:
        self.answer("PreToolUse", updatedInput={"file_path": "/b", "new_string": "y"})
        args = {"filePath": "/a", "newString": "x", "replaceAll": True}
        output = self.one(before("edit", args))
        self.assertEqual(output, {"args": {"filePath": "/b", "newString": "y"}})

    def test_a_stop_refuses_and_ends_the_turn(self) -> None:
        self.say("PreToolUse", {"continue": False, "stopReason": "Enough."})
        done = self.drive(before("bash", {"command": "ls"}))
        self.assertEqual(done["results"][0]["error"], "Enough.")
        self.assertIn(["abort", {"path": {"id": MAIN}}], done["asked"])

    def test_its_context_is_in_the_output_of_the_tool(self) -> None:
        self.answer("PreToolUse", additionalContext="Mind the gap.")
        args = {"command": "ls"}
        output = self.one(before("bash", args), after("bash", args, "a.txt", exit=0))
        self.assertEqual(output["output"], "a.txt\n\nMind the gap.")

    def test_odd_calls_break_nothing(self) -> None:
        args: Any
        for args in (None, [], "text", {"filePath": 5}, {"patchText": 5}, {"filePath": None}):
            self.one(*[before(tool, args) for tool in ("edit", "apply_patch", "invalid", "bash")])
        self.one({"hook": "tool.execute.before", "input": {}, "output": {"args": {}}})

    def test_a_launcher_that_talks_nonsense_breaks_nothing(self) -> None:
        for nonsense in ("not json {{{", "[]", "5", "null", '{"hookSpecificOutput": 5}'):
            self.say("PreToolUse", nonsense)
            args = {"command": "ls"}
            self.assertEqual(self.one(before("bash", args)), {"args": args})
        self.assertEqual({line["outcome"] for line in self.host_log()}, {"error"})

    def test_a_launcher_that_is_gone_breaks_nothing(self) -> None:
        shutil.rmtree(os.path.join(self.plugin, "hooks"))
        self.one(created(), message("hi"), system(), before("bash", {"command": "ls"}))

    def test_an_event_has_the_time_that_the_facts_name(self) -> None:
        self.say("PreToolUse.sh", "sleep 100000")  # the usual limit is longer
        self.answer("PreToolUse", permissionDecision="deny")
        self.write(os.path.join(self.plugin, "facts.json"), {"seconds": {"PreToolUse": 0.5}})
        self.one(before("bash", {"command": "ls"}))
        self.assertEqual([line["outcome"] for line in self.host_log()], ["timeout"])

    def test_one_that_hangs_is_ended_with_its_children(self) -> None:
        pid = os.path.join(self.base, "pid")
        child = "sleep 100000 & echo $! >'%s'; wait" % pid
        self.say("PreToolUse.sh", child)
        self.answer("PreToolUse", permissionDecision="deny")
        result = self.drive(
            before("bash", {"command": "ls"}), env={"CUSTOM_SKILLS_OPENCODE_SECONDS": "3"}
        )["results"][0]
        self.assertIsNone(result["error"])
        self.assertGreaterEqual(result["ms"], 3000)
        self.assertEqual([line["outcome"] for line in self.host_log()], ["timeout"])
        with open(pid) as file:
            child = file.read().strip()
        alive = ["ps", "-o", "stat=", "-p", child]
        self.wait_until(
            lambda: subprocess.run(alive, capture_output=True).stdout[:1] in (b"", b"Z")
        )


class PatchTest(AdapterTestCase):
    PATCH = (
        "*** Begin Patch\n*** Add File: n.py\n+x = 1\n+y = 2\n*** Update File: b.py\n@@\n a\n-b\n"
        "+B\n*** Delete File: /d.py\n*** Update File: m.py\r\n*** Move to: m2.py\n@@ def f():\n"
        " one\n-two\n+*** Add File: no.py\n*** End Patch"
    )

    def call(self) -> dict[str, Any]:
        return before("apply_patch", {"patchText": self.PATCH})

    def path(self, name: str) -> str:
        return os.path.join(self.project, name)

    def test_every_file_of_it_is_an_event(self) -> None:
        self.one(self.call())
        told = {each["tool_input"].pop("file_path"): each for each in self.events("PreToolUse")}
        calls = {file: (each["tool_name"], each["tool_input"]) for file, each in told.items()}
        nothing = {"old_string": "", "new_string": ""}
        moved = {"old_string": "one\ntwo", "new_string": "one\n*** Add File: no.py"}
        self.assertEqual(
            calls,
            {
                self.path("n.py"): ("Write", {"content": "x = 1\ny = 2\n"}),
                self.path("b.py"): ("Edit", {"old_string": "a\nb", "new_string": "a\nB"}),
                "/d.py": ("Edit", nothing),
                self.path("m.py"): ("Edit", nothing),
                self.path("m2.py"): ("Edit", moved),
            },
        )

    def test_one_refused_file_refuses_all(self) -> None:
        deny = {"permissionDecision": "deny", "permissionDecisionReason": "No."}
        answer = json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", **deny}})
        self.say("PreToolUse.sh", "case $event in */d.py*) echo '%s' ;; esac" % answer)
        self.assertEqual(self.drive(self.call())["results"][0]["error"], "No.")

    def test_what_came_of_it_is_told_by_file(self) -> None:
        self.write(self.path("b.py"), "a\nb\n")
        self.write(self.path("m.py"), "one\ntwo\n")
        diff = "Index: x\n====\n--- x\n+++ x\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n"
        files = [
            {"filePath": self.path("n.py"), "type": "add", "patch": "@@ -0,0 +1,2 @@\n+x\n+y\n"},
            {"filePath": self.path("b.py"), "type": "update", "patch": diff},
            {"filePath": "/d.py", "type": "delete", "patch": "@@ -1 +0,0 @@\n-x\n"},
            {"filePath": self.path("m.py"), "movePath": self.path("m2.py"), "type": "move"},
        ]
        self.answer("PostToolUse", additionalContext="Checked.")
        args = {"patchText": self.PATCH}
        output = self.one(self.call(), after("apply_patch", args, "Success", files=files))
        self.assertEqual(output["output"], "Success\n\nChecked.")  # the same is said once
        told = {
            os.path.basename(e["tool_input"]["file_path"]): e for e in self.events("PostToolUse")
        }
        self.assertEqual(sorted(told), ["b.py", "m2.py", "n.py"])
        edit = told["b.py"]["tool_response"]
        hunk: dict[str, Any] = {"oldStart": 1, "oldLines": 2, "newStart": 1, "newLines": 2}
        hunk["lines"] = [" a", "-b", "+B"]
        self.assertEqual((edit["structuredPatch"], edit["originalFile"]), ([hunk], "a\nb\n"))
        self.assertEqual(told["m2.py"]["tool_response"]["originalFile"], "one\ntwo\n")
        new = told["n.py"]
        self.assertEqual((new["tool_name"], new["tool_response"]["type"]), ("Write", "create"))
        self.assertEqual(new["tool_input"]["content"], "x = 1\ny = 2\n")


class AfterToolTest(AdapterTestCase):
    def response(self, *steps: dict[str, Any]) -> Any:
        self.one(*steps)
        return self.events("PostToolUse")[-1]["tool_response"]

    def test_an_edit_has_its_patch_and_the_text_before(self) -> None:
        path = self.write(os.path.join(self.project, "a.py"), "one\n")
        args = {"filePath": path, "oldString": "one", "newString": "two"}
        diff = "--- a\n+++ a\n@@ -1 +1,2 @@\n-one\n+two\n+\n\\ No newline at end of file\n"
        told = self.response(before("edit", args), after("edit", args, diff=diff))
        lines = ["-one", "+two", "+"]
        hunk: dict[str, Any] = {
            "oldStart": 1,
            "oldLines": 1,
            "newStart": 1,
            "newLines": 2,
            "lines": lines,
        }
        self.assertEqual((told["structuredPatch"], told["originalFile"]), ([hunk], "one\n"))
        self.assertEqual((told["oldString"], told["newString"]), ("one", "two"))

    def test_a_file_written_over_has_a_patch_too(self) -> None:
        path = self.write(os.path.join(self.project, "a.py"), "a\nb\nc\n")
        args = {"filePath": path, "content": "a\nB\nB2\nc\n"}
        told = self.response(before("write", args), after("write", args, exists=True))
        hunk: dict[str, Any] = {"oldStart": 2, "oldLines": 1, "newStart": 2, "newLines": 2}
        self.assertEqual(told["structuredPatch"], [{**hunk, "lines": ["-b", "+B", "+B2"]}])
        self.assertEqual((told["type"], told["originalFile"]), ("update", "a\nb\nc\n"))

    def test_a_new_file_has_none(self) -> None:
        args = {"filePath": os.path.join(self.project, "n.py"), "content": "x\n"}
        told = self.response(before("write", args), after("write", args, exists=False))
        self.assertEqual((told["type"], told["structuredPatch"]), ("create", []))
        self.assertIsNone(told["originalFile"])

    def test_a_command_that_failed_is_a_failure(self) -> None:
        args = {"command": "false"}
        self.one(before("bash", args), after("bash", args, "oops\n", exit=3))
        self.one(before("bash", args), after("bash", args, "late", exit=None))
        self.assertEqual(self.events("PostToolUse"), [])
        errors = [each["error"] for each in self.events("PostToolUseFailure")]
        self.assertEqual(errors, ["Exit code 3\noops\n", "Command timed out\nlate"])

    def test_a_tool_that_failed_in_the_host_is_one_too_but_not_a_refused_one(self) -> None:
        state = {"status": "error", "input": {"filePath": "/a"}, "error": "not found"}
        part = {"type": "tool", "sessionID": MAIN, "callID": "c1", "tool": "read", "state": state}
        failed = event("message.part.updated", part=part)
        self.one(failed)
        (told,) = self.events("PostToolUseFailure")
        self.assertEqual((told["tool_name"], told["error"]), ("Read", "not found"))
        self.answer("PreToolUse", permissionDecision="deny")
        self.drive(before("read", {"filePath": "/a"}), failed)
        self.assertEqual(len(self.events("PostToolUseFailure")), 1)

    def test_silence_leaves_the_output_alone(self) -> None:
        args = {"command": "ls"}
        output = self.one(before("bash", args), after("bash", args, "a\n", exit=0))
        self.assertEqual(output["output"], "a\n")

    def test_a_block_and_a_context_are_both_told(self) -> None:
        answer: dict[str, Any] = {"decision": "block", "reason": "Wrong."}
        answer["hookSpecificOutput"] = {"hookEventName": "PostToolUse", "additionalContext": "So."}
        self.say("PostToolUse", answer)
        output = self.one(after("bash", {"command": "ls"}, "a", exit=0))
        self.assertEqual(output["output"], "a\n\nWrong.\n\nSo.")

    def test_an_output_can_be_replaced(self) -> None:
        for instead in ("masked", {"stdout": "masked"}):
            self.answer("PostToolUse", updatedToolOutput=instead)
            output = self.one(after("bash", {"command": "ls"}, "secret", exit=0))
            self.assertEqual(output["output"], "masked")

    def test_an_mcp_tool_is_told_in_its_own_form(self) -> None:
        self.answer("PostToolUse", additionalContext="So.")
        given = {"tool": "srv_x", "callID": "c1", "args": {}}
        output = self.one(step("tool.execute.after", {"content": []}, **given))
        self.assertEqual(output["content"], [{"type": "text", "text": "So."}])

    def test_a_binary_or_huge_file_is_not_read(self) -> None:
        for content in ("a\0b", "x" * 2_100_000):
            path = self.write(os.path.join(self.project, "a.bin"), content)
            args = {"filePath": path, "content": "y"}
            told = self.response(before("write", args), after("write", args, exists=True))
            self.assertIsNone(told["originalFile"])
