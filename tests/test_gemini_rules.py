"""Rules of the user's own in Gemini CLI."""

from __future__ import annotations

import os
import shutil

from gemini_case import EVENTS, GeminiTestCase


class RulesTest(GeminiTestCase):
    DENY = 'echo \'{"decision": "block", "reason": "not here"}\''

    def test_a_rule_in_claudes_words_decides(self) -> None:
        rule = {"matcher": 'tool == "Write" && tool_input.file_path matches "src/*"'}
        hooks = [{"type": "command", "command": self.DENY}]
        settings = {"customHooks": {"hooks": {"PreToolUse": [{**rule, "hooks": hooks}]}}}
        self.write("home/.claude/settings.json", settings)
        told = self.send("BeforeTool.write_file").answer
        self.assertEqual(told, {"decision": "deny", "reason": "not here"})
        self.assert_silent(self.send("BeforeTool.run_shell_command"))

    def test_a_rule_rewrites_a_command(self) -> None:
        self.rules(PreToolUse='echo \'{"updatedInput": {"command": "ls"}}\'')
        told = self.send("BeforeTool.run_shell_command").answer["hookSpecificOutput"]
        given = EVENTS["BeforeTool.run_shell_command"]["tool_input"]
        self.assertEqual(told["tool_input"], {**given, "command": "ls"})

    def test_hookctl_tries_a_rule_as_this_host_would_run_it(self) -> None:
        self.rules(BeforeModel='echo \'{"llm_response": {"text": "no"}}\'')
        tool = ["sh", os.path.join(self.root, "bin", "hookctl"), "test", "BeforeModel", "--json"]
        (told,) = self.start([*tool, "--host", "gemini"], "").answer["plugins"]
        self.assertEqual((told["plugin"], told["runs"]), ("ecc-hooks-gemini", True))
        self.assertEqual(told["answer"]["decision"], "deny")

    def test_a_rule_for_failures(self) -> None:
        self.rules(PostToolUseFailure='echo \'{"additionalContext": "look there"}\'')
        self.assertEqual(self.send("AfterTool.run_shell_command.failed").context, "look there")
        self.assert_silent(self.send("AfterTool.run_shell_command"))

    def test_a_projects_commands_wait_for_trust(self) -> None:
        self.rules("my project/.claude/settings.json", PreToolUse=self.DENY)
        told = self.send("BeforeTool.write_file").answer
        self.assertNotIn("decision", told)
        self.assertIn("hookctl trust", told["systemMessage"])

    def test_whatever_a_rule_does_the_host_sees_success(self) -> None:
        for command in ("exit 1", "exit 127", "kill -9 $$", "echo {{{", "echo '[]'", "/no/such"):
            self.rules(PreToolUse=command, BeforeModel=command, Stop=command)
            for name, launcher in (
                ("BeforeTool.write_file", "run"),
                ("AfterAgent", "run"),
                ("BeforeModel", "rules"),
            ):
                with self.subTest(command=command, event=name):
                    done = self.send(name, launcher)
                    self.assertEqual((done.code, done.stderr), (0, ""))
                    self.assertNotIn("decision", done.answer)


class RulesLauncherTest(GeminiTestCase):
    """hooks/rules: for events in which only the user's rules take part."""

    MODEL = 'echo \'{"llm_request": {"messages": []}}\''

    def started(self, name: str = "BeforeModel") -> bool:
        """Return whether the launcher went on to Python, which leaves its path behind."""
        shutil.rmtree(self.data, ignore_errors=True)
        done = self.send(name, "rules")
        self.assertEqual((done.code, done.stderr), (0, ""))
        return os.path.exists(os.path.join(self.data, "python"))

    def test_without_rules_nothing_is_started(self) -> None:
        self.assertFalse(self.started())
        self.assertFalse(self.started("Notification"))
        self.write("home/.claude/settings.json", {"hooks": {}, "model": "x"})
        self.assertFalse(self.started())

    def test_a_rule_for_another_event_of_the_model_starts_nothing(self) -> None:
        self.rules(BeforeToolSelection=self.MODEL)
        self.assertFalse(self.started("BeforeModel"))
        self.assertTrue(self.started("BeforeToolSelection"))
        self.assertTrue(self.started("Notification"))

    def test_rules_are_found_wherever_the_engine_reads_them(self) -> None:
        for path in (
            "home/.claude/settings.json",
            "my project/.claude/settings.json",
            "my project/.claude/settings.local.json",
        ):
            self.rules(path, BeforeModel=self.MODEL)
            self.assertTrue(self.started(), path)
            os.unlink(os.path.join(self.base, path))
        self.assertFalse(self.started())

    def test_from_a_folder_below_the_top_of_a_repository(self) -> None:
        self.folder("my project", ".git")
        self.rules("my project/.claude/settings.json", BeforeModel=self.MODEL)
        self.project = self.folder("my project", "deep", "er")
        self.assertTrue(self.started())

    def test_with_a_configuration_folder_elsewhere(self) -> None:
        config = self.folder("else where")
        self.rules("else where/settings.json", BeforeModel=self.MODEL)
        done = self.send("BeforeModel", "rules", {"CLAUDE_CONFIG_DIR": config})
        told = done.answer["hookSpecificOutput"]
        self.assertEqual(told, {"hookEventName": "BeforeModel", "llm_request": {"messages": []}})
