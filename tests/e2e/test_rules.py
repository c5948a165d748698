"""custom-hooks in the real Claude Code: a user's rules decide, rewrite, speak and are switched."""

from __future__ import annotations

import json
import os
import shlex
from typing import Any

from bundle import BundleTestCase, bash, call, hook_lines, marketplace
from claude_lab import Run
from tui import Tui

PUSH_RULE = {
    "id": "no-push",
    "event": "PreToolUse",
    "matcher": 'tool == "Bash" && tool_input.command matches "git push*"',
    "run": [{"type": "command", "command": "echo 'ask me before pushing' >&2; exit 2"}],
}


def answer(document: object) -> dict[str, Any]:
    return {"type": "command", "args": ["printf", "%s", json.dumps(document)]}


class RulesTestCase(BundleTestCase):
    def rules(self, *rules: dict[str, Any]) -> str:
        """Add rules to the user's settings, which the client has written; return their path."""
        path = os.path.join(self.lab.config, "settings.json")
        with open(path, encoding="utf-8") as file:
            settings = json.load(file)
        return self.lab.write(path, {**settings, "customHooks": {"rules": rules}})

    def result(self, run: Run, number: int) -> str:
        """What the model got back in its request of that number."""
        return run.requests[number].newest


class RulesTest(RulesTestCase):
    def test_a_command_is_denied_with_its_reason_and_another_runs(self) -> None:
        self.rules(PUSH_RULE)
        run = self.lab.run([bash("git push origin main"), bash("git status"), "bye"], "go")
        self.assertIn("ask me before pushing", self.result(run, 1))
        self.assertNotIn("fatal", self.result(run, 1))  # git itself was never started
        self.assertIn("On branch", self.result(run, 2))

    def test_a_chain_of_two_rewrites_arrives_at_the_tool(self) -> None:
        first = answer({"hookSpecificOutput": {"updatedInput": {"command": "echo one"}}})
        add = (
            "import json, sys\n"
            "def run(event):\n"
            "    command = event['tool_input']['command'] + '; echo two'\n"
            "    return {'hookSpecificOutput': {'updatedInput': {'command': command}}}\n"
        )
        self.lab.write(os.path.join(self.lab.config, "hooks", "add.py"), add)
        second = {"type": "script", "script": "hooks/add.py"}
        self.rules({"event": "PreToolUse", "matcher": "Bash", "run": [first, second]})
        run = self.session([bash("echo original")])
        self.assertIn("one\ntwo", self.result(run, 1))

    def test_a_prompt_rule_reaches_the_user(self) -> None:
        say = {"type": "prompt", "prompt": "$TOOL: mind the step"}
        self.rules({"event": "PreToolUse", "matcher": "Bash", "run": [say]})
        run = self.session([bash("echo hi")])
        self.assertIn("Bash: mind the step", json.dumps(run.events))
        self.assertFalse(run.sent("mind the step"))

    def test_a_rule_on_markdown_adds_context_and_is_silent_on_other_files(self) -> None:
        rule = {
            "event": "PostToolUse",
            "matcher": {"tools": "Edit|Write", "paths": "docs/**/*.md"},
            "run": [answer({"additionalContext": "Keep the docs short."})],
        }
        self.rules(rule)
        run = self.session(self.writes("docs/a.md", "src.py", "b.md"))
        self.assertEqual(run.counts("Keep the docs short."), [0, 1, 1, 1])

    def test_switching_a_rule_off_takes_effect_at_the_next_call(self) -> None:
        path = self.rules({**PUSH_RULE, "matcher": "Write"})
        code = (
            "import json, sys; p = sys.argv[1]; s = json.load(open(p)); "
            "s['customHooks']['disabled'] = ['no-push']; json.dump(s, open(p, 'w'))"
        )
        switch = bash("python3 -c %s %s" % (shlex.quote(code), shlex.quote(path)))
        first, second = self.writes("a.txt", "b.txt")
        run = self.lab.run([first, switch, second, "bye"], "go")
        self.assertIn("ask me before pushing", self.result(run, 1))
        self.assertFalse(os.path.exists(self.lab.path("a.txt")))
        self.assertEqual(self.lab.read("b.txt"), "text\n")

    def test_a_stop_rule_keeps_the_agent_going_once(self) -> None:
        document = {"continue": True, "reason": "The changelog is missing."}
        script = "test -e done || { touch done; printf %s; }" % shlex.quote(json.dumps(document))
        self.rules({"event": "Stop", "run": [{"type": "command", "command": script}]})
        run = self.lab.run(["first end", "second end"], "go")
        self.assertIn("The changelog is missing.", self.result(run, 1))
        self.assertEqual(len(run.requests), 2)

    def test_no_rules_no_word(self) -> None:
        run = self.session([bash("echo hi"), *self.writes("a.md")])
        self.assertFalse(run.sent("custom-hooks"))
        self.assertEqual(run.failed_calls, [])


class UntrustedTest(RulesTestCase):
    def test_a_cloned_projects_commands_do_not_run_and_one_line_says_so(self) -> None:
        mark = self.lab.path("pwned")
        command = {"type": "command", "command": "touch " + shlex.quote(mark)}
        rule = {"event": ["SessionStart", "PreToolUse", "Stop"], "run": [command]}
        settings = {"customHooks": {"rules": [rule]}}
        self.lab.write(self.lab.path(".claude", "settings.json"), settings)
        with Tui(self.lab, [*self.writes("a.txt"), "That is all."]) as tui:
            tui.type("write it")
            tui.wait("That is all.")
            shown = hook_lines(tui.wait(" · done "))
        self.assertFalse(os.path.exists(mark))
        said = [line for line in shown if "not trusted" in line]
        self.assertEqual(len(said), 1, shown)
        self.assertIn("SessionStart:startup says:", said[0])


class SlashCommandTest(RulesTestCase):
    def setUp(self) -> None:
        # the client leaves a plugin's bin/ with a quote or a dollar in its path out of PATH
        self.lab = self.new_lab(marketplace(), prefix="lab with space ")

    def test_status_list_doctor_and_test_on_the_screen(self) -> None:
        self.rules(PUSH_RULE)
        for command, expected in (
            ("status", "custom-hooks"),
            ("list", "no-push"),
            ("doctor", "interpreter"),
            ("test PreToolUse --tool Bash --command 'git push'", "ask me before pushing"),
        ):
            with self.subTest(command), Tui(self.lab, ["Shown."]) as tui:
                tui.type("/custom-hooks:" + command)
                tui.wait("Shown.")
                told = "\n".join(request.text for request in tui.model.requests)
                self.assertIn(expected, told)


class ContextTest(RulesTestCase):
    def test_a_call_that_matches_nothing_is_left_alone(self) -> None:
        self.rules(PUSH_RULE)
        run = self.session([call("Read", file_path=self.lab.path("README.md")), bash("ls")])
        self.assertFalse(run.sent("ask me before pushing"))
