"""Sessions and turns of Gemini CLI, through the extension's launcher."""

from __future__ import annotations

import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from gemini_case import ADVICE, EVENTS, TRANSCRIPT, GeminiTestCase


class ChannelTest(GeminiTestCase):
    def test_advice_before_a_tool_is_told_with_its_result_once(self) -> None:
        once = {"COMPACT_THRESHOLD": "1"}
        self.assert_silent(self.send("BeforeTool.write_file", env=once))
        told = self.send("AfterTool.write_file", env=once).context
        self.assertIn(ADVICE, told)
        self.assertIn("/compress", told)
        self.assert_silent(self.send("AfterTool.write_file", env=once))

    def test_it_is_told_with_the_next_prompt_where_there_was_no_result(self) -> None:
        self.send("BeforeTool.write_file", env={"COMPACT_THRESHOLD": "1"})
        self.assertIn(ADVICE, self.send("BeforeAgent").context)

    def test_another_session_is_not_told(self) -> None:
        self.send("BeforeTool.write_file", env={"COMPACT_THRESHOLD": "1"})
        self.assert_silent(self.send("AfterTool.write_file", session_id="another"))
        self.assertIn(ADVICE, self.send("AfterTool.write_file").context)

    def test_a_session_that_begins_anew_is_not_told(self) -> None:
        self.send("BeforeTool.write_file", env={"COMPACT_THRESHOLD": "1"})
        self.send("SessionStart", source="clear")
        self.assert_silent(self.send("AfterTool.write_file"))

    def test_silence_where_there_is_nothing_to_say(self) -> None:
        for name in EVENTS:
            if name != "AfterModel":
                with self.subTest(name):
                    self.assert_silent(self.send(name))

    def test_the_switch_turns_everything_off(self) -> None:
        self.rules(Stop='echo \'{"decision": "block", "reason": "x"}\'')
        path = os.path.join(self.home, ".claude", "settings.json")
        with open(path, encoding="utf-8") as file:
            settings = {**json.load(file), "customSkills": {"enabled": False}}
        self.write("home/.claude/settings.json", settings)
        for name in EVENTS:
            self.assert_silent(self.send(name))
        self.assertEqual(self.log(), [])
        self.assertFalse(os.path.exists(os.path.join(self.data, "counters")))

    def test_without_a_data_folder_of_the_host_it_is_the_usual_one(self) -> None:
        self.send("BeforeTool.write_file", env={"CLAUDE_PLUGIN_DATA": ""})
        folder = ".claude/plugins/data/ecc-hooks-gemini-custom-skills"
        self.assertTrue(os.path.exists(os.path.join(self.home, folder, "hooks.log")))


class RepetitionTest(GeminiTestCase):
    def test_the_second_end_of_a_session_is_not_run(self) -> None:
        for _ in range(2):
            self.assert_silent(self.send("SessionEnd"))
        self.assertEqual(self.runs("session-end"), 1)
        self.send("SessionStart", source="resume")
        with ThreadPoolExecutor() as pool:
            list(pool.map(lambda _: self.send("SessionEnd"), range(4)))
        self.assertEqual(self.runs("session-end"), 2)

    def transcript(self, *sizes: int) -> str:
        records = [
            {"id": "a%d" % n, "type": "gemini", "content": "", "tokens": {"input": size}}
            for n, size in enumerate(sizes)
        ]
        lines = [json.dumps(record, separators=(",", ":")) for record in records]
        return self.write("chats/session.jsonl", "\n".join([*lines, '{"$set":{}}', ""]))

    def compress(self, *sizes: int, **fields: Any) -> int:
        """Send PreCompress after replies of these sizes; return how often it has run so far."""
        path = self.transcript(*sizes)
        self.assert_silent(self.send("PreCompress", transcript_path=path, **fields))
        return self.runs("pre-compact")

    def test_it_is_a_compression_only_where_the_context_is_full(self) -> None:
        self.assertEqual(self.compress(), 0)
        self.assertEqual(self.compress(100), 0)
        self.assertEqual(self.compress(524_287), 0)
        self.assertEqual(self.compress(524_288), 1)
        self.assertEqual(self.compress(524_288, 600_000), 1)  # it did not work: no second snapshot
        self.assertEqual(self.compress(600_000, 20_000), 1)
        self.assertEqual(self.compress(20_000, 700_000), 2)

    def test_one_that_the_user_asked_for_always_is(self) -> None:
        self.assertEqual(self.compress(100, trigger="manual"), 1)
        self.assertEqual(self.compress(100, trigger="manual"), 2)

    def test_the_clients_own_threshold_counts(self) -> None:
        self.write("home/.gemini/settings.json", {"model": {"compressionThreshold": 0.1}})
        self.assertEqual(self.compress(100_000), 0)
        self.assertEqual(self.compress(110_000), 1)
        for broken in ("{ // comment", {"model": 5}, {"model": {"compressionThreshold": "x"}}):
            self.write("home/.gemini/settings.json", broken)
            self.assertEqual(self.compress(110_000), 1)

    def test_what_waits_to_be_told_outlives_it(self) -> None:
        self.send("BeforeTool.write_file", env={"COMPACT_THRESHOLD": "1"})
        self.compress(100, trigger="manual")
        self.assertIn(ADVICE, self.send("AfterTool.write_file").context)

    def test_after_it_the_edits_are_counted_anew_and_the_model_is_told_what_it_lost(self) -> None:
        shutil.copy(TRANSCRIPT, os.path.join(self.base, "t.jsonl"))
        path = os.path.join(self.base, "t.jsonl")
        env = {"COMPACT_THRESHOLD": "2"}
        self.send("BeforeTool.write_file", env=env)
        self.send("AfterAgent", transcript_path=path)
        with open(path, "a", encoding="utf-8") as file:
            file.write('{"id":"z","type":"gemini","content":"","tokens":{"input":900000}}\n')
        self.assert_silent(self.send("PreCompress", transcript_path=path))
        self.assertEqual(self.runs("restart-compact-count"), 1)
        self.send("BeforeTool.write_file", env=env)
        told = self.send("AfterTool.write_file", env=env).context
        self.assertIn("before the compaction", told)
        self.assertIn("src/out.txt", told)
        self.assertNotIn(ADVICE, told)


class TurnTest(GeminiTestCase):
    AGAIN = 'echo \'{"decision": "block", "reason": "the tests are red"}\''

    def test_a_turn_is_kept_going_eight_times_and_no_more(self) -> None:
        self.rules(Stop=self.AGAIN)
        for _ in range(8):
            told = self.send("AfterAgent").answer
            self.assertEqual(told, {"decision": "deny", "reason": "the tests are red"})
            self.assert_silent(self.send("BeforeAgent", prompt="the tests are red"))
        self.assert_silent(self.send("AfterAgent"))
        self.assertIn("too often", self.log()[-1]["outcome"])

    def test_without_a_reason_the_model_is_still_told_something(self) -> None:
        self.rules(Stop='echo \'{"decision": "block"}\'')
        reason = self.send("AfterAgent").answer["reason"]
        self.assertTrue(reason)
        self.assert_silent(self.send("BeforeAgent", prompt=reason))

    def test_the_users_next_prompt_begins_a_new_count(self) -> None:
        self.rules(Stop=self.AGAIN)
        for _ in range(9):
            self.send("AfterAgent")
        self.send("BeforeAgent", prompt="try again")
        self.assertEqual(self.send("AfterAgent").answer["decision"], "deny")

    def test_the_reason_is_no_prompt_of_the_users(self) -> None:
        self.rules(Stop=self.AGAIN, UserPromptSubmit="echo asked")
        self.assertEqual(self.send("BeforeAgent").context, "asked")
        self.send("AfterAgent")
        self.assert_silent(self.send("BeforeAgent", prompt="the tests are red"))
        self.assertEqual(self.send("BeforeAgent", prompt="other").context, "asked")

    def test_a_rule_is_told_that_the_turn_was_kept_going(self) -> None:
        command = "cat > seen.json; " + self.AGAIN
        self.rules(Stop=command)
        for expected in (False, True):
            self.send("AfterAgent", stop_hook_active=False)
            with open(os.path.join(self.project, "seen.json"), encoding="utf-8") as file:
                self.assertIs(json.load(file)["stop_hook_active"], expected)
