"""tools/demo.py: the recorded session runs through the plugins as the host would run them."""

from __future__ import annotations

import json
import os
import shutil
import unittest
from typing import Any

from support import PYTHON, REPO, Done, HookTestCase

TOOL = os.path.join(REPO, "tools", "demo.py")
SESSION = os.path.join(REPO, "demo", "session.jsonl")


def say(text: str) -> str:
    """Return a command that tells the user text."""
    return "echo '%s'" % json.dumps({"systemMessage": text})


class DemoTestCase(HookTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.temporary = self.folder("temporary files")

    def demo(self, *args: str) -> Done:
        done = self.start([PYTHON, TOOL, *args], "", TMPDIR=self.temporary, SECRET="s3cret")
        self.assertEqual((os.listdir(self.temporary), os.listdir(self.home)), ([], []))
        return done

    def wire(self, hooks: object) -> Done:
        """Run the demo on one plugin with these hooks: {event: [(matcher, command), ...]}."""
        if isinstance(hooks, dict):
            hooks = {"hooks": {event: self.groups(pairs) for event, pairs in hooks.items()}}
        self.write("plugins/my-hooks/hooks/hooks.json", hooks)
        return self.demo("--plugins", os.path.join(self.base, "plugins"))

    def groups(self, pairs: list[tuple[str, str]]) -> list[dict[str, Any]]:
        groups = []
        for matcher, command in pairs:
            timeout = 1 if command.startswith("sleep") else 30
            handler = {"type": "command", "command": command, "timeout": timeout}
            groups.append({"matcher": matcher, "hooks": [handler]})
        return groups


class DemoTest(DemoTestCase):
    def test_the_session_shows_what_the_plugins_say(self) -> None:
        done = self.demo("--host", "claude")
        self.assertEqual((done.code, done.stderr), (0, ""))
        self.assertEqual(done.stdout.count("[strategic-compact]"), 1)
        self.assertEqual(done.stdout.count("[debug code] test_report.py"), 1)
        self.assertRegex(done.stdout, r"about \d+ tokens")
        self.assertIn("ecc-hooks: suggest-compact", done.stdout)
        self.assertIn("ecc-hooks: session-start, restart-compact-count", done.stdout)
        self.assertIn("model   | [Auto-Skill Knowledge Base]", done.stdout)
        self.assertIn("| [Auto-Skill Experience]", done.stdout)
        self.assertEqual(done.stdout.count("model   | [Auto-Skill] Notes on"), 1)
        self.assertIn("COMPACT_THRESHOLD=3", done.stdout)
        memory = done.stdout.rpartition("SessionStart")[2]  # of the next session
        self.assertIn("user    | loaded: session of ", memory)
        self.assertIn('- "Add a line with the total to the report, and a test for it"', memory)
        self.assertIn("- round sums to cents, floats do not add up exactly", memory)
        self.assertRegex(done.stdout, r"\n\d+ events, \d+ hook runs, \d+ texts to the model, ")
        for hidden in ("\033", self.temporary, "problem"):
            self.assertNotIn(hidden, done.stdout)

    def test_the_same_work_under_gemini_cli(self) -> None:
        done = self.demo("--host", "gemini")
        self.assertEqual((done.code, done.stderr), (0, ""))
        self.assertIn("A recorded Gemini CLI session", done.stdout)
        self.assertEqual(done.stdout.count("model   | [strategic-compact]"), 1)
        self.assertEqual(done.stdout.count("suggest /compress"), 1)
        self.assertEqual(done.stdout.count("model   | <session-history>"), 1)
        self.assertIn("files changed: report.py (edited); test_report.py (created)", done.stdout)
        for event in ("BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "PreCompress"):
            self.assertIn("  %s " % event, done.stdout)
        for hidden in (self.temporary, "problem"):
            self.assertNotIn(hidden, done.stdout)

    @unittest.skipUnless(shutil.which("node"), "node is missing")
    def test_the_same_work_under_opencode(self) -> None:
        done = self.demo("--host", "opencode")
        self.assertEqual((done.code, done.stderr), (0, ""))
        self.assertIn("A recorded OpenCode session", done.stdout)
        self.assertEqual(done.stdout.count("model   | [strategic-compact] 3 edits"), 1)
        self.assertEqual(done.stdout.count("model   | [debug code] test_report.py"), 1)
        self.assertEqual(done.stdout.count("An earlier session in this project"), 1)
        self.assertRegex(done.stdout, r"files changed: .*test_report.py \(created\)")
        for call in ("chat.message", "tool.execute.after", "session.compacting", "session.idle"):
            self.assertIn("  %s " % call, done.stdout)
        for hidden in (self.temporary, "problem"):
            self.assertNotIn(hidden, done.stdout)

    def test_every_event_of_the_session_is_shown(self) -> None:
        with open(SESSION, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        events = [line["hook_event_name"] for line in lines if "hook_event_name" in line]
        shown = [
            line.split()[1]
            for line in self.demo().stdout.splitlines()
            if line[:3].strip().isdigit()
        ]
        self.assertEqual(shown[: len(events)], events)

    def test_the_session_names_no_real_folder(self) -> None:
        with open(SESSION, encoding="utf-8") as file:
            for line in map(json.loads, file):
                self.assertEqual(line["cwd"], "{project}")
                given = line.get("tool_input", {})
                self.assertTrue(given.get("file_path", "{project}/").startswith("{project}/"))

    def test_wrong_arguments_are_a_usage_error(self) -> None:
        self.assertEqual(self.demo("--host", "nobody").code, 2)


class HostTest(DemoTestCase):
    """The demo's idea of the host, shown with a plugin made for it."""

    def test_matchers_are_the_hosts(self) -> None:
        edit = ["Edit", "Write, Edit", "Ed.t", "^Edit$", "*", ""]
        none = ["edit", "Edi", "Edit(x)", 'tool == "Edit"', "["]
        both = [(matcher, say("<%s>" % matcher)) for matcher in edit + none]
        done = self.wire({"PreToolUse": both})
        self.assertEqual(done.code, 0)
        for matcher in edit:
            self.assertIn("<%s>" % matcher, done.stdout)
        for matcher in none:
            self.assertNotIn("<%s>" % matcher, done.stdout)

    def test_each_event_is_matched_on_its_own_field(self) -> None:
        done = self.wire(
            {
                "SessionStart": [("startup", say("started")), ("resume", say("resumed"))],
                "Stop": [("ignored", say("stopped"))],
                "UserPromptSubmit": [("ignored", say("asked"))],
                "PostToolUseFailure": [("Bash", say("failed"))],
            }
        )
        for word, count in (
            ("started", 2),
            ("resumed", 0),
            ("stopped", 2),
            ("asked", 2),
            ("failed", 1),
        ):
            self.assertEqual(done.stdout.count("| " + word), count, word)

    def test_the_same_command_runs_once(self) -> None:
        done = self.wire({"PostToolUseFailure": [("Bash", say("once")), ("*", say("once"))]})
        self.assertEqual(done.stdout.count("| once"), 1)

    def test_the_environment_is_the_hosts_and_nothing_else(self) -> None:
        done = self.wire({"PreCompact": [("manual", "env | sed 's/=.*//' | sort | tr '\\n' ' '")]})
        self.assertEqual(done.code, 0)  # plain text is fine here: it becomes the instructions
        told = done.stdout.partition("model   |")[2].partition("\n 19 ")[0]
        told = told.replace("|", " ")
        ours = {"CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA", "CLAUDE_PROJECT_DIR", "PATH", "HOME"}
        shell = {"PWD", "OLDPWD", "SHLVL", "_"}
        self.assertEqual(set(told.split()) - shell, ours | {"COMPACT_THRESHOLD"})

    def test_a_hook_finds_the_file_that_the_tool_wrote(self) -> None:
        there = 'test -f test_report.py && cd "$CLAUDE_PROJECT_DIR" && git log -1 >/dev/null && '
        before, after = (
            ("Write", there + say("early") + " || true"),
            ("Write", there + say("there")),
        )
        done = self.wire({"PreToolUse": [before], "PostToolUse": [after]})
        self.assertEqual(done.code, 0)
        self.assertIn("user    | there", done.stdout)
        self.assertNotIn("early", done.stdout)

    def test_decisions_are_told_to_whom_they_reach(self) -> None:
        words = {"permissionDecision": "deny", "permissionDecisionReason": "not that"}
        deny = {"hookSpecificOutput": {"hookEventName": "PreToolUse", **words}}
        block = {"decision": "block", "reason": "not done"}
        done = self.wire(
            {
                "PreToolUse": [("Write", "echo '%s'" % json.dumps(deny))],
                "Stop": [("", "echo '%s'" % json.dumps(block))],
            }
        )
        self.assertEqual(done.code, 0)
        self.assertIn("model   | (deny) not that", done.stdout)
        self.assertIn("model   | (block) not done", done.stdout)


class BrokenTest(DemoTestCase):
    def test_what_a_hook_must_not_do_is_a_problem(self) -> None:
        other = '{"hookSpecificOutput": {"hookEventName": "Stop", "additionalContext": "x"}}'
        for name, command in {
            "exit 1": "exit 1",
            "exit 2": "echo no >&2; exit 2",
            "exit 127": '"$CLAUDE_PLUGIN_ROOT/missing"',
            "plain text": "echo hello",
            "two documents": "echo '{}'; echo '{}'",
            "an array": "echo '[]'",
            "cut off": "printf '{\"systemMessage\": '",
            "another event": "echo '%s'" % other,
            "not UTF-8": "printf '\\377'",
            "hangs": "sleep 30; true",
        }.items():
            with self.subTest(name):
                done = self.wire({"SessionEnd": [("", command)]})
                self.assertEqual(done.code, 1)
                self.assertIn("problem | ", done.stdout)

    def test_an_error_in_the_log_is_a_problem(self) -> None:
        line = json.dumps({"hook": "my-hook", "outcome": "error", "error": "KeyError"})
        done = self.wire(
            {"SessionEnd": [("", "echo '%s' >\"$CLAUDE_PLUGIN_DATA/hooks.log\"" % line)]}
        )
        self.assertEqual(done.code, 1)
        self.assertIn("KeyError", done.stdout)

    def test_broken_plugin_trees(self) -> None:
        for content in ("{", "[]", '{"PreToolUse": []}', '{"hooks": []}'):
            with self.subTest(content):
                done = self.wire(content)
                self.assertEqual(done.code, 1)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_no_plugins_at_all(self) -> None:
        self.assertEqual(self.demo("--plugins", self.folder("empty")).code, 1)
        self.assertEqual(self.demo("--plugins", os.path.join(self.base, "missing")).code, 1)
        self.folder("plugins", "no-hooks")
        self.assertEqual(self.demo("--plugins", os.path.join(self.base, "plugins")).code, 1)
