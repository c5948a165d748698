"""The OpenCode adapter: sessions and turns."""

from __future__ import annotations

import os
from typing import Any

from opencode_case import (
    MAIN,
    SUB,
    AdapterTestCase,
    after,
    before,
    created,
    event,
    message,
    step,
    system,
)


class SessionTest(AdapterTestCase):
    def test_the_start_is_in_every_request_but_a_title_s(self) -> None:
        self.answer("SessionStart", additionalContext="Last time...")
        title = system("You are a title generator. You output")
        done = self.drive(created(), message("hi"), title, system(), system())["results"]
        self.assertEqual(
            [one["output"]["system"][1:] for one in done[2:]],
            [[], ["Last time..."], ["Last time..."]],
        )
        (told,) = self.events("SessionStart")
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
            [each["source"] for each in self.events("SessionStart")], ["startup", "resume"]
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
        (told,) = self.events("PostCompact")
        self.assertEqual((told["compact_summary"], told["trigger"]), ("A summary.", "manual"))

    def test_the_prompt_and_its_context(self) -> None:
        self.answer("UserPromptSubmit", additionalContext="By the way.")
        parts = self.one(created(), message("hi"))["parts"]
        self.assertEqual(self.events("UserPromptSubmit")[0]["prompt"], "hi")
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
        self.assertEqual(len(self.events("UserPromptSubmit")), 1)
        for name in ("SubagentStart", "PreToolUse", "SubagentStop"):
            (told,) = self.events(name)
            who = (told["session_id"], told["agent_id"], told["agent_type"])
            self.assertEqual(who, (MAIN, SUB, "explore"))
        self.assertEqual(self.events("Stop"), [])
        self.assertEqual(len(self.events("SessionEnd")), 1)  # the main one's


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
        (told,) = self.events("Stop")
        self.assertEqual(told["last_assistant_message"], "All done.")
        self.assertEqual((told["stop_hook_active"], told["background_tasks"]), (False, []))

    def test_a_refused_end_goes_on_three_times_at_most(self) -> None:
        self.say("Stop", {"decision": "block", "reason": "Mend it."})
        again = (self.IDLE, {"wait": 0.5}, message("Mend it."))  # the host comes with our words
        self.assertEqual(
            self.prompts(*again, *again, *again, self.IDLE, self.IDLE), ["Mend it."] * 3
        )
        active = [each["stop_hook_active"] for each in self.events("Stop")]
        self.assertEqual(active, [False, True, True, True, True])
        self.assertEqual(len(self.events("UserPromptSubmit")), 1)  # our own words are no prompt

    def test_a_user_who_stopped_it_has_the_last_word(self) -> None:
        self.say("Stop", {"decision": "block", "reason": "Mend it."})
        error = {"name": "MessageAbortedError"}
        aborted = event("session.error", sessionID=MAIN, error=error)
        self.assertEqual(self.prompts(aborted, self.IDLE), [])
        rejected = event("permission.replied", sessionID=MAIN, reply="reject")
        self.assertEqual(self.prompts(rejected, self.IDLE), [])
        self.assertEqual(len(self.events("Stop")), 2)  # it is saved all the same

    def test_opencode_run_ends_whatever_is_asked_of_it(self) -> None:
        self.say("Stop", {"decision": "block", "reason": "Mend it."})
        self.assertEqual(self.prompts(self.IDLE, args=("run",)), [])
        self.assertIn("cannot be delivered: decision", [one["outcome"] for one in self.host_log()])

    def test_the_end_waits_for_what_has_begun(self) -> None:
        self.say("Stop.sh", "sleep 1")
        self.drive(created(), message("hi"), self.IDLE)
        names = [each["hook_event_name"] for each in self.events()]
        self.assertEqual(names[-2:], ["Stop", "SessionEnd"])

    def test_what_happened_is_recorded_in_claude_s_form(self) -> None:
        args = {"command": "false"}
        path = os.path.join(self.project, "a.py")
        new = {"filePath": path, "content": "secret text"}
        info: dict[str, Any] = {"id": "m", "role": "assistant", "sessionID": MAIN, "modelID": "gpt"}
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
        records = self.events("Stop")[0]["records"]
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
        asked: dict[str, Any] = {
            "id": "per_1",
            "sessionID": MAIN,
            "permission": "bash",
            "patterns": ["ls"],
        }
        asked.update(metadata={}, tool={"callID": "c1"})
        steps = [created(), before("bash", {"command": "ls"}), event("permission.asked", **asked)]
        for behavior, reply in (("allow", ["once"]), ("deny", ["reject"]), ("", [])):
            self.answer("PermissionRequest", decision={"behavior": behavior})
            done = self.drive(*steps, {"wait": 0.5})
            replies = [call for name, call in done["asked"] if name == "permission"]
            self.assertEqual([one["body"]["response"] for one in replies], reply)
        told = self.events("PermissionRequest")[0]
        self.assertEqual((told["tool_name"], told["tool_input"]), ("Bash", {"command": "ls"}))
        self.assertEqual(self.events("Notification")[0]["notification_type"], "permission_prompt")
