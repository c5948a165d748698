"""hookctl test."""

from __future__ import annotations

import json
import os
from typing import Any

from hookctl_case import NO_PUSH, PROJECT, USER, HookctlTestCase, command, listed, rule, rules


class TryTest(HookctlTestCase):
    def tried(
        self, *args: str, code: int = 0, plugin: str = "custom-hooks", **env: str
    ) -> dict[str, Any]:
        told = self.json("test", *args, code=code, **env)
        return next(each for each in told["plugins"] if each["plugin"] == plugin)

    def test_what_matches_and_why_not_the_others(self) -> None:
        other = rule("Write|Edit", command("x"), id="edits")
        off = rule("", command("x"), id="off")
        settings = listed(PreToolUse=[NO_PUSH, other, off])
        settings["customHooks"]["disabled"] = ["off"]
        path = self.write(USER, settings)
        told = self.tried("PreToolUse", "--tool", "Bash", "--command", "git push origin")
        hook = told["hooks"][0]
        self.assertEqual((hook["id"], hook["outcome"]), ("no-push", "spoke"))
        self.assertEqual(hook["output"], {"decision": "deny", "reason": "no pushing"})
        self.assertGreater(hook["ms"], 0)
        reasons = {left["id"]: left["reason"] for left in told["leftOut"]}
        self.assertEqual(reasons["edits"], "does not match Write|Edit; this event is about Bash")
        self.assertEqual(reasons["off"], "switched off by customHooks.disabled in " + path)
        self.assertEqual(
            told["answer"]["hookSpecificOutput"]["permissionDecisionReason"], "no pushing"
        )
        text = self.hookctl("test", "PreToolUse", "--command", "git push").stdout
        self.assertIn("the host gets  {", text)
        self.assertEqual(self.tried("PreToolUse", "--command", "git status")["hooks"], [])

    def test_a_chain_of_changes_arrives_merged(self) -> None:
        def change(name: str) -> dict[str, Any]:
            answer = {"hookSpecificOutput": {"updatedInput": {name: "new"}}}
            return rule("Edit", command("echo '%s'" % json.dumps(answer)))

        self.write(USER, rules(PreToolUse=[change("a"), change("b")]))
        told = self.tried("PreToolUse", "--file", "x.py")
        changed = told["answer"]["hookSpecificOutput"]["updatedInput"]
        self.assertEqual((changed["a"], changed["b"]), ("new", "new"))
        self.assertEqual(changed["file_path"], os.path.join(self.project, "x.py"))

    def test_after_a_denial_nobody_is_asked(self) -> None:
        self.write(USER, rules(PreToolUse=[NO_PUSH, rule("Bash", command("true"), id="late")]))
        told = self.tried("PreToolUse", "--command", "git push")
        self.assertEqual([h["outcome"] for h in told["hooks"]], ["spoke", "not run"])

    def test_dry_run_runs_nothing(self) -> None:
        mark = os.path.join(self.base, "mark")
        self.write(USER, rules(Stop=[rule("", command("touch '%s'" % mark), id="toucher")]))
        told = self.tried("Stop", "--dry-run")
        self.assertEqual([(h["id"], h["outcome"]) for h in told["hooks"]], [("toucher", "matches")])
        self.assertFalse(os.path.exists(mark))
        self.tried("Stop")
        self.assertTrue(os.path.exists(mark))

    def test_the_real_state_and_log_stay_as_they_are(self) -> None:
        for _ in range(2):
            told = self.tried(
                "PreToolUse", "--file", "x", plugin="ecc-hooks", COMPACT_THRESHOLD="1"
            )
            self.assertIn("1 edits", told["hooks"][0]["output"]["context"])
        self.assertEqual(sorted(os.listdir(self.data)), ["pycache", "python"])
        self.assertFalse(os.path.exists(os.path.join(self.home, ".claude/plugins/data")))
        for name in ("SessionStart", "Stop", "PreCompact", "SessionEnd"):
            self.assertEqual(self.hookctl("test", name).code, 0)
        self.assertEqual(os.listdir(self.project), [".git"])

    def test_failures_timeouts_and_refusals_are_shown(self) -> None:
        self.write(
            USER,
            rules(
                Stop=[
                    rule("", command("echo oops >&2; exit 1", id="one")),
                    rule("", command("sleep 9", id="two", timeout=0.2)),
                    rule("", {"type": "script", "script": "no.py", "id": "three"}),
                ]
            ),
        )
        told = self.tried("Stop", code=1)
        outcomes = {hook["id"]: hook["outcome"] for hook in told["hooks"]}
        self.assertEqual(outcomes, {"one": "error", "two": "timeout", "three": "refused"})
        self.assertIn("oops", told["hooks"][0]["detail"])
        self.assertIsNone(told["answer"])

    def test_when_the_host_does_not_even_start_the_plugin(self) -> None:
        told = self.tried("PreToolUse", "--tool", "Bash", plugin="ecc-hooks")
        self.assertFalse(told["runs"])
        self.assertIn("listens only to Edit|Write", told["why"])
        self.assertIn("does not listen", self.tried("Stop", plugin="auto-skill-hooks")["why"])

    def test_untrusted_rules_do_not_run(self) -> None:
        mark = os.path.join(self.base, "mark")
        self.write(PROJECT, rules(Stop=[rule("", command("touch '%s'" % mark), id="toucher")]))
        told = self.tried("Stop")
        self.assertEqual(told["leftOut"], [{"id": "toucher", "reason": "not trusted"}])
        self.assertIn("hookctl trust", told["notice"])
        self.assertFalse(os.path.exists(mark))

    def test_an_event_from_a_file_or_stdin(self) -> None:
        self.write(USER, rules(PreToolUse=[NO_PUSH]))
        given: dict[str, Any] = {"hook_event_name": "PreToolUse", "session_id": "real"}
        given.update(tool_name="Bash", tool_input={"command": "git push"})
        path = self.write("event.json", given)
        self.assertEqual(len(self.tried("--event", path)["hooks"]), 1)
        self.assertEqual(self.tried("--event", path, "--command", "ls")["hooks"], [])
        done = self.hookctl("test", "--event", "-", "--json", given=given)
        self.assertEqual((done.code, done.stderr), (0, ""))
        self.assertIn("no pushing", done.stdout)
        self.assertNotIn("hooks", self.fails("test", "--event", "nowhere.json"))
        for text in ("{", "[]", "5", ""):
            self.fails("test", "--event", self.write("event.json", text))
        self.fails("test", "--event", self.write("event.json", "{}"), code=2)

    def test_fields_of_odd_types_in_a_file(self) -> None:
        given = {"tool_name": 5, "tool_input": [], "cwd": 5, "session_id": {}, "prompt": []}
        path = self.write("event.json", given)
        for name in ("PreToolUse", "Stop", "SessionStart", "UserPromptSubmit"):
            done = self.hookctl("test", name, "--event", path)
            self.assertEqual((done.code, done.stderr), (0, ""), name)

    def test_aliases_sources_and_prompts(self) -> None:
        self.write(
            USER,
            rules(
                PreCompact=[rule("auto", command("echo keep"))],
                SessionStart=[rule("compact", command("echo again"))],
                UserPromptSubmit=[rule('prompt contains "deploy"', command("echo careful"))],
            ),
        )
        self.assertEqual(self.tried("Compaction")["hooks"], [])
        self.assertEqual(len(self.tried("Compaction", "--source", "auto")["hooks"]), 1)
        told = self.tried("SessionStart", "--source", "compact")
        self.assertIn("again", json.dumps(told["answer"]))
        told = self.tried("UserPromptSubmit", "--prompt", "please deploy")
        self.assertIn("careful", json.dumps(told["answer"]))

    def test_what_an_event_cannot_deliver(self) -> None:
        answer = json.dumps({"hookSpecificOutput": {"additionalContext": "x"}})
        self.write(USER, rules(SessionEnd=[rule("", command("echo '%s'" % answer))]))
        self.assertEqual(self.tried("SessionEnd")["lost"], ["context"])

    def test_all_switched_off(self) -> None:
        done = self.hookctl("test", "Stop", CUSTOM_SKILLS="0")
        self.assertIn("everything is switched off by CUSTOM_SKILLS=0", done.stdout)

    def test_only_one_plugin(self) -> None:
        told = self.json("test", "Stop", "--plugin", "custom-hooks")
        self.assertEqual([each["plugin"] for each in told["plugins"]], ["custom-hooks"])

    def test_a_file_name_is_data(self) -> None:
        self.write(USER, rules(PostToolUse=[rule("Edit", command('echo "[$FILE]"'))]))
        told = self.tried("PostToolUse", "--file", "$(touch pwned) ;.py")
        self.assertIn("$(touch pwned) ;.py]", told["hooks"][0]["output"]["message"])
        self.assertEqual(os.listdir(self.project), [".git"])
