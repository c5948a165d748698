"""The OpenCode adapter under node, with a launcher that keeps what it is told."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
import unittest
from typing import Any

from support import PLUGINS, REPO, HookTestCase

NODE = shutil.which("node")
ADAPTER = os.path.join(PLUGINS, "ecc-hooks-opencode", "ecc-hooks-opencode.js")
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
            timeout=60,
        )
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return json.loads(done.stdout)

    def told(self, name: str = "") -> list[dict[str, Any]]:
        """The events that the launcher was given."""
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


class ModuleTest(AdapterTestCase):
    def test_every_export_is_a_plugin_and_nothing_is_imported_but_node(self) -> None:
        self.assertEqual(self.drive()["kinds"], ["function"])
        with open(ADAPTER, encoding="utf-8") as file:
            source = file.read()
        imported = re.findall(r'(?:from|import|require)\s*\(?"([^"]+)"', source)
        self.assertEqual([name for name in imported if not name.startswith("node:")], [])

    def test_only_hooks_that_the_host_calls(self) -> None:
        known = {
            "config", "chat.message", "experimental.chat.system.transform", "event", "dispose",
            "experimental.text.complete", "experimental.session.compacting", "tool.execute.before",
            "tool.execute.after",
        }  # fmt: skip
        self.assertEqual(set(self.drive()["hooks"]), known)

    def test_the_version_is_the_original_s(self) -> None:
        versions = []
        for path in ("ecc-hooks/.claude-plugin/plugin.json", "ecc-hooks-opencode/package.json"):
            with open(os.path.join(PLUGINS, path), encoding="utf-8") as file:
                versions.append(json.load(file)["version"])
        self.assertEqual(*versions)


class BeforeToolTest(AdapterTestCase):
    def test_names_are_claude_s(self) -> None:
        edit = {"filePath": "a.py", "oldString": "a", "newString": "b", "replaceAll": True}
        cases = [
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
        for told, (_, _, name, fields) in zip(self.told("PreToolUse"), cases):
            self.assertEqual(told["tool_name"], name)
            self.assertEqual({key: told["tool_input"].get(key) for key in fields}, fields)
            self.assertEqual((told["session_id"], told["tool_use_id"]), (MAIN, "c1"))
            self.assertEqual(told["cwd"], self.project)
        self.assertEqual(len(self.told("PreToolUse")), len(cases))

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

    def test_one_that_hangs_is_ended_with_its_children(self) -> None:
        mark = os.path.join(self.base, "alive")
        child = "(sleep 3; : >'%s') & sleep 100" % mark
        self.say("PreToolUse.sh", child)
        self.answer("PreToolUse", permissionDecision="deny")
        result = self.drive(
            before("bash", {"command": "ls"}), env={"CUSTOM_SKILLS_OPENCODE_SECONDS": "1"}
        )["results"][0]
        self.assertIsNone(result["error"])
        self.assertGreaterEqual(result["ms"], 1000)
        self.assertEqual([line["outcome"] for line in self.host_log()], ["timeout"])
        time.sleep(3.5)
        self.assertFalse(os.path.exists(mark))


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
        told = {each["tool_input"].pop("file_path"): each for each in self.told("PreToolUse")}
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
        told = {os.path.basename(e["tool_input"]["file_path"]): e for e in self.told("PostToolUse")}
        self.assertEqual(sorted(told), ["b.py", "m2.py", "n.py"])
        edit = told["b.py"]["tool_response"]
        hunk = {"oldStart": 1, "oldLines": 2, "newStart": 1, "newLines": 2}
        hunk["lines"] = [" a", "-b", "+B"]
        self.assertEqual((edit["structuredPatch"], edit["originalFile"]), ([hunk], "a\nb\n"))
        self.assertEqual(told["m2.py"]["tool_response"]["originalFile"], "one\ntwo\n")
        new = told["n.py"]
        self.assertEqual((new["tool_name"], new["tool_response"]["type"]), ("Write", "create"))
        self.assertEqual(new["tool_input"]["content"], "x = 1\ny = 2\n")


class AfterToolTest(AdapterTestCase):
    def response(self, *steps: dict[str, Any]) -> Any:
        self.one(*steps)
        return self.told("PostToolUse")[-1]["tool_response"]

    def test_an_edit_has_its_patch_and_the_text_before(self) -> None:
        path = self.write(os.path.join(self.project, "a.py"), "one\n")
        args = {"filePath": path, "oldString": "one", "newString": "two"}
        diff = "--- a\n+++ a\n@@ -1 +1,2 @@\n-one\n+two\n+\n\\ No newline at end of file\n"
        told = self.response(before("edit", args), after("edit", args, diff=diff))
        lines = ["-one", "+two", "+"]
        hunk = {"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 2, "lines": lines}
        self.assertEqual((told["structuredPatch"], told["originalFile"]), ([hunk], "one\n"))
        self.assertEqual((told["oldString"], told["newString"]), ("one", "two"))

    def test_a_file_written_over_has_a_patch_too(self) -> None:
        path = self.write(os.path.join(self.project, "a.py"), "a\nb\nc\n")
        args = {"filePath": path, "content": "a\nB\nB2\nc\n"}
        told = self.response(before("write", args), after("write", args, exists=True))
        hunk = {"oldStart": 2, "oldLines": 1, "newStart": 2, "newLines": 2}
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
        self.assertEqual(self.told("PostToolUse"), [])
        errors = [each["error"] for each in self.told("PostToolUseFailure")]
        self.assertEqual(errors, ["Exit code 3\noops\n", "Command timed out\nlate"])

    def test_a_tool_that_failed_in_the_host_is_one_too_but_not_a_refused_one(self) -> None:
        state = {"status": "error", "input": {"filePath": "/a"}, "error": "not found"}
        part = {"type": "tool", "sessionID": MAIN, "callID": "c1", "tool": "read", "state": state}
        failed = event("message.part.updated", part=part)
        self.one(failed)
        (told,) = self.told("PostToolUseFailure")
        self.assertEqual((told["tool_name"], told["error"]), ("Read", "not found"))
        self.answer("PreToolUse", permissionDecision="deny")
        self.drive(before("read", {"filePath": "/a"}), failed)
        self.assertEqual(len(self.told("PostToolUseFailure")), 1)

    def test_silence_leaves_the_output_alone(self) -> None:
        args = {"command": "ls"}
        output = self.one(before("bash", args), after("bash", args, "a\n", exit=0))
        self.assertEqual(output["output"], "a\n")

    def test_a_block_and_a_context_are_both_told(self) -> None:
        answer = {"decision": "block", "reason": "Wrong."}
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
        for content in ("a\0b", "x" * 1_100_000):
            path = self.write(os.path.join(self.project, "a.bin"), content)
            args = {"filePath": path, "content": "y"}
            told = self.response(before("write", args), after("write", args, exists=True))
            self.assertIsNone(told["originalFile"])


class SilenceTest(AdapterTestCase):
    def test_a_tool_that_no_hook_is_about_starts_nothing(self) -> None:
        self.pipeline({"PreToolUse": [{"matcher": "Edit|Write", "hooks": []}]})
        self.drive(
            *[before(tool, {"command": "ls"}) for tool in ("bash", "read", "grep")],
            after("bash", {"command": "ls"}, exit=0),
            message("hi"), system(), event("session.idle", sessionID=MAIN),
            event("file.watcher.updated", file="/a", event="add"),
            event("todo.updated", sessionID=MAIN, todos=[{"content": "a", "status": "pending"}]),
        )  # fmt: skip
        self.assertEqual(self.told(), [])
        self.drive(before("edit", {"filePath": "/a"}))
        self.assertEqual(len(self.told()), 1)

    def test_an_expression_is_left_to_the_engine(self) -> None:
        self.pipeline({"PreToolUse": [{"matcher": 'tool == "Bash"', "hooks": []}]})
        self.drive(before("read", {"filePath": "/a"}))
        self.assertEqual(len(self.told()), 1)

    def test_a_rule_of_the_user_s_starts_it_in_any_settings_file(self) -> None:
        self.pipeline({})
        rule = {"customHooks": {"rules": [{"event": "PreToolUse", "run": []}]}}
        folder = self.folder("my project", ".claude")
        files = [os.path.join(folder, name) for name in ("settings.json", "settings.local.json")]
        files.append(os.path.join(self.home, ".claude", "settings.json"))
        for path in files:
            self.write(path, rule)
            count = len(self.told())
            self.drive(before("read", {"filePath": "/a"}), message("hi"))
            self.assertEqual(
                [each["hook_event_name"] for each in self.told()[count:]], ["PreToolUse"]
            )
            os.unlink(path)
        self.drive(before("read", {"filePath": "/a"}))
        self.assertEqual(len(self.told()), len(files))

    def test_a_second_copy_does_nothing(self) -> None:
        other = shutil.copytree(self.plugin, os.path.join(self.base, "another copy"))
        again = os.path.join(other, os.path.basename(ADAPTER))
        loader = "import { EccHooks } from %s\nimport * as one from %s\n" % (
            json.dumps(self.adapter), json.dumps(again),
        )  # fmt: skip
        loader += (
            "export const Both = async (input) => {\n  const second = await one.EccHooks(input)\n"
            "  const first = await EccHooks(input)\n"
            "  return { ...second, probe: async () => {\n"
            "    if (Object.keys(first).length) throw new Error('both')\n  } }\n}\n"
        )
        self.adapter = self.write("loader.mjs", loader)
        self.one({"hook": "probe", "input": {}, "output": {}})


class SessionTest(AdapterTestCase):
    def test_the_start_is_in_every_request_but_a_title_s(self) -> None:
        self.answer("SessionStart", additionalContext="Last time...")
        title = system("You are a title generator. You output")
        done = self.drive(created(), message("hi"), title, system(), system())["results"]
        self.assertEqual(
            [one["output"]["system"][1:] for one in done[2:]],
            [[], ["Last time..."], ["Last time..."]],
        )
        (told,) = self.told("SessionStart")
        self.assertEqual((told["source"], told["session_id"]), ("startup", MAIN))

    def test_a_prompt_of_the_user_s_for_titles_is_known_too(self) -> None:
        self.answer("SessionStart", additionalContext="Last time...")
        config = {"hook": "config", "input": {"agent": {"title": {"prompt": "Name this."}}}}
        self.assertEqual(self.one(config, system("Name this. Now"))["system"], ["Name this. Now"])

    def test_a_session_that_goes_on_says_the_same(self) -> None:
        self.answer("SessionStart", additionalContext="Last time...")
        self.one(created(), system())
        os.unlink(os.path.join(self.plugin, "answers", "SessionStart"))
        known = {MAIN: {"id": MAIN, "time": {"created": 1000}}}
        self.assertEqual(self.one(system(), known=known)["system"][1:], ["Last time..."])
        self.assertEqual(
            [each["source"] for each in self.told("SessionStart")], ["startup", "resume"]
        )
        kept = os.path.join(self.home, ".claude/plugins/data/ecc-hooks-opencode-custom-skills")
        self.assertEqual(os.stat(os.path.join(kept, "starts", MAIN)).st_mode & 0o777, 0o600)

    def test_a_compaction_adds_to_it_and_hears_of_the_summary(self) -> None:
        answer = '{"hookSpecificOutput":{"additionalContext":"%s"}}'
        self.say("SessionStart", answer % "start")
        lost = "case $event in *compact*) echo '%s'; exit ;; esac" % (answer % "lost")
        self.say("SessionStart.sh", lost)
        self.say("PreCompact", "Keep this.")
        info = {"id": "msg_s", "role": "assistant", "sessionID": MAIN, "summary": True}
        part = {"type": "compaction", "auto": False, "sessionID": MAIN}
        compacting = step("experimental.session.compacting", {"context": []})
        done = self.drive(
            created(), message("hi"), system(), event("message.part.updated", part=part),
            compacting, event("message.updated", info=info),
            step("experimental.text.complete", {"text": "A summary."}, messageID="msg_s"),
            event("session.compacted", sessionID=MAIN), {"wait": 0.5}, system(), system(),
        )["results"]  # fmt: skip
        self.assertEqual(done[2]["output"]["system"][1:], ["start"])
        self.assertEqual(done[4]["output"]["context"], ["Keep this."])
        self.assertEqual([one["output"]["system"][1] for one in done[-2:]], ["start\n\nlost"] * 2)
        (told,) = self.told("PostCompact")
        self.assertEqual((told["compact_summary"], told["trigger"]), ("A summary.", "manual"))

    def test_the_prompt_and_its_context(self) -> None:
        self.answer("UserPromptSubmit", additionalContext="By the way.")
        parts = self.one(created(), message("hi"))["parts"]
        self.assertEqual(self.told("UserPromptSubmit")[0]["prompt"], "hi")
        self.assertEqual([part["text"] for part in parts], ["hi", "By the way."])
        self.assertTrue(parts[1]["synthetic"] and parts[1]["id"] > parts[0]["id"])
        self.assertEqual(parts[1]["messageID"], "msg_1")

    def test_a_refused_prompt_is_not_sent(self) -> None:
        self.say("UserPromptSubmit", {"decision": "block", "reason": "No."})
        done = self.drive(created(), message("hi"))
        self.assertEqual(done["results"][1]["error"], "No.")
        toast = {"body": {"message": "No.", "variant": "info"}}
        self.assertIn(["toast", toast], done["asked"])

    def test_a_message_for_the_user_is_shown(self) -> None:
        self.say("SessionStart", {"systemMessage": "loaded: 1 session"})
        done = self.drive(created(), message("hi"))
        toasts = [call["body"]["message"] for name, call in done["asked"] if name == "toast"]
        self.assertEqual(toasts, ["loaded: 1 session"])

    def test_a_subagent_is_part_of_its_session(self) -> None:
        self.answer("SubagentStart", additionalContext="You are a helper.")
        output = self.drive(
            created(), message("hi"), created(SUB, parentID=MAIN, agent="explore"),
            message("do it", SUB), system(session=SUB),
            before("bash", {"command": "ls"}, sessionID=SUB),
            event("session.idle", sessionID=SUB),
        )["results"]  # fmt: skip
        self.assertEqual(output[4]["output"]["system"][1:], ["You are a helper."])
        self.assertEqual(len(self.told("UserPromptSubmit")), 1)
        for name in ("SubagentStart", "PreToolUse", "SubagentStop"):
            (told,) = self.told(name)
            who = (told["session_id"], told["agent_id"], told["agent_type"])
            self.assertEqual(who, (MAIN, SUB, "explore"))
        self.assertEqual(self.told("Stop"), [])
        self.assertEqual(len(self.told("SessionEnd")), 1)  # the main one's


class TurnTest(AdapterTestCase):
    IDLE = event("session.idle", sessionID=MAIN)

    def prompts(self, *steps: dict[str, Any], **more: Any) -> list[str]:
        """What the session was told to go on with."""
        done = self.drive(created(), message("hi"), *steps, {"wait": 0.3}, **more)
        calls = [call["body"] for name, call in done["asked"] if name == "prompt"]
        self.assertTrue(all(body["model"] == {"a": "b"} for body in calls))
        return [body["parts"][0]["text"] for body in calls]

    def test_the_end_of_a_turn_is_told_with_what_was_said(self) -> None:
        said = step("experimental.text.complete", {"text": "All done."}, messageID="m")
        self.assertEqual(self.prompts(said, self.IDLE), [])
        (told,) = self.told("Stop")
        self.assertEqual(told["last_assistant_message"], "All done.")
        self.assertEqual((told["stop_hook_active"], told["background_tasks"]), (False, []))

    def test_a_refused_end_goes_on_three_times_at_most(self) -> None:
        self.say("Stop", {"decision": "block", "reason": "Mend it."})
        again = (self.IDLE, {"wait": 0.5}, message("Mend it."))  # the host comes with our words
        self.assertEqual(
            self.prompts(*again, *again, *again, self.IDLE, self.IDLE), ["Mend it."] * 3
        )
        active = [each["stop_hook_active"] for each in self.told("Stop")]
        self.assertEqual(active, [False, True, True, True, True])
        self.assertEqual(len(self.told("UserPromptSubmit")), 1)  # our own words are no prompt

    def test_a_user_who_stopped_it_has_the_last_word(self) -> None:
        self.say("Stop", {"decision": "block", "reason": "Mend it."})
        error = {"name": "MessageAbortedError"}
        aborted = event("session.error", sessionID=MAIN, error=error)
        self.assertEqual(self.prompts(aborted, self.IDLE), [])
        rejected = event("permission.replied", sessionID=MAIN, reply="reject")
        self.assertEqual(self.prompts(rejected, self.IDLE), [])
        self.assertEqual(len(self.told("Stop")), 2)  # it is saved all the same

    def test_opencode_run_ends_whatever_is_asked_of_it(self) -> None:
        self.say("Stop", {"decision": "block", "reason": "Mend it."})
        self.assertEqual(self.prompts(self.IDLE, args=("run",)), [])
        self.assertIn("cannot be delivered: decision", [one["outcome"] for one in self.host_log()])

    def test_the_end_waits_for_what_has_begun(self) -> None:
        self.say("Stop.sh", "sleep 1")
        self.drive(created(), message("hi"), self.IDLE)
        names = [each["hook_event_name"] for each in self.told()]
        self.assertEqual(names[-2:], ["Stop", "SessionEnd"])

    def test_what_happened_is_recorded_in_claude_s_form(self) -> None:
        args = {"command": "false"}
        path = os.path.join(self.project, "a.py")
        new = {"filePath": path, "content": "secret text"}
        info = {"id": "m", "role": "assistant", "sessionID": MAIN, "modelID": "gpt"}
        info["time"] = {"completed": 1}
        info["tokens"] = {"input": 7, "output": 1, "cache": {"read": 2, "write": 3}}
        todos = [{"content": "a", "status": "pending"}]
        self.pipeline({"Stop": [{"hooks": []}]})
        self.drive(
            created(), message("hi"),
            after("bash", args, "oops", exit=2), after("write", new, call="c2", exists=False),
            event("todo.updated", sessionID=MAIN, todos=todos),
            event("message.updated", info=info), event("message.updated", info={"role": "user"}),
            self.IDLE,
        )  # fmt: skip
        records = self.told("Stop")[0]["records"]
        shapes = [(one["type"], one["message"]["content"]) for one in records]
        ran = {"type": "tool_use", "id": "c1", "name": "Bash", "input": args}
        failed = {"type": "tool_result", "tool_use_id": "c1", "content": "Exit code 2\noops"}
        wrote = {"type": "tool_use", "id": "c2", "name": "Write", "input": {"file_path": path}}
        made = {"type": "tool_result", "tool_use_id": "c2", "content": "File created successfully"}
        listed = {"type": "tool_use", "name": "TodoWrite", "input": {"todos": todos}}
        self.assertEqual(
            shapes,
            [
                ("user", "hi"),
                ("assistant", [ran]),
                ("user", [{**failed, "is_error": True}]),
                ("assistant", [wrote]),
                ("user", [made]),
                ("assistant", [listed]),
                ("assistant", []),
            ],
        )
        usage = {"input_tokens": 7, "output_tokens": 1}
        usage.update(cache_read_input_tokens=2, cache_creation_input_tokens=3)
        self.assertEqual(records[-1]["message"]["usage"], usage)

    def test_a_permission_is_answered_by_a_rule(self) -> None:
        self.pipeline({name: [{"hooks": []}] for name in ("PermissionRequest", "Notification")})
        asked = {"id": "per_1", "sessionID": MAIN, "permission": "bash", "patterns": ["ls"]}
        asked.update(metadata={}, tool={"callID": "c1"})
        steps = [created(), before("bash", {"command": "ls"}), event("permission.asked", **asked)]
        for behavior, reply in (("allow", ["once"]), ("deny", ["reject"]), ("", [])):
            self.answer("PermissionRequest", decision={"behavior": behavior})
            done = self.drive(*steps, {"wait": 0.5})
            replies = [call for name, call in done["asked"] if name == "permission"]
            self.assertEqual([one["body"]["response"] for one in replies], reply)
        told = self.told("PermissionRequest")[0]
        self.assertEqual((told["tool_name"], told["tool_input"]), ("Bash", {"command": "ls"}))
        self.assertEqual(self.told("Notification")[0]["notification_type"], "permission_prompt")
