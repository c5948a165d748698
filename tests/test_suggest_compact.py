"""strategic-compact: counts edits per session and speaks at the threshold, not before."""

import json
import os
import subprocess
from typing import Any

from support import SESSION, HookTestCase, edit, event


class SuggestCompactTest(HookTestCase):
    script = "strategic-compact/suggest-compact.py"

    def count(self, key: str = SESSION) -> int:
        with open(os.path.join(self.data, "counters", key + ".edits")) as file:
            return int(file.read())

    def speaks_at(self, calls: int, **env: str) -> list[Any]:
        """The numbers of those of so many edits at which the model is told something."""
        return [n for n in range(1, calls + 1) if self.run_event(edit(), **env).context]

    def test_speaks_at_the_threshold_and_every_25_edits_after(self) -> None:
        self.assertEqual(self.speaks_at(54, COMPACT_THRESHOLD="3"), [3, 28, 53])

    def test_default_threshold_is_50(self) -> None:
        self.write(os.path.join(self.data, "counters", SESSION + ".edits"), "%020d" % 48)
        self.assertEqual(self.speaks_at(3), [2])

    def test_nonsense_thresholds_mean_the_default(self) -> None:
        for value in ("", "0", "-1", "x", "1.5", "１", "²", "9" * 40, "0x1", " ", "1e1", "nan"):
            with self.subTest(value):
                self.assert_silent(self.run_event(edit(), COMPACT_THRESHOLD=value))

    def test_the_threshold_can_be_set_in_settings(self) -> None:
        self.write("my project/.claude/settings.json", {"customSkills": {"compactThreshold": 2}})
        self.assertEqual(self.speaks_at(3), [2])
        self.assertEqual(
            self.speaks_at(3, COMPACT_THRESHOLD="5"), [2]
        )  # 4, 5, 6: the variable wins

    def test_the_advice_says_when_it_is_wise(self) -> None:
        said = self.run_event(edit(), COMPACT_THRESHOLD="1").context
        for part in ("1 edits", "/compact", "exploration", "milestone", "change of topic"):
            self.assertIn(part, said)
        self.assertNotIn("tokens", said)

    def test_the_advice_tells_the_context_size_from_the_transcript(self) -> None:
        path = self.write("t.jsonl", self.transcript(180_000, 20, 0))
        said = self.run_event(edit(transcript_path=path), COMPACT_THRESHOLD="1").context
        self.assertIn("about 180025 tokens", said)

    def transcript(self, *cached: int) -> str:
        def record(tokens: int, **more: object) -> str:
            usage = {"input_tokens": 5, "cache_read_input_tokens": tokens, "output_tokens": 20}
            return json.dumps({"type": "assistant", "message": {"usage": usage}, **more})

        lines = ['{"usage": "of a line cut in the mi', record(1), record(cached[0])]
        lines += ['{"type": "user", "message": {"content": "\\"usage\\""}}']
        lines += [record(cached[1], isSidechain=True), '{"type": "assistant", "message": {"usa']
        return "\n".join(lines)

    def test_an_unreadable_transcript_costs_only_the_size(self) -> None:
        odd = self.write("odd.jsonl", '"usage"\n{"usage": 1, "message": {"usage": []}}\n[]\n\x00')
        for path in ("/no/such/file", self.base, "/dev/zero", odd, "\x00", "a" * 5000):
            with self.subTest(path):
                self.data = self.folder("data", str(hash(path)))
                done = self.run_event(edit(transcript_path=path), COMPACT_THRESHOLD="1")
                self.assertIn("/compact", done.context)
                self.assertNotIn("tokens", done.context)

    def test_other_tools_do_not_count(self) -> None:
        for tool in ("Read", "Bash", "edit", "EditX", "Edit|Write", "", "mcp__x__Edit"):
            given = event("PreToolUse", tool_name=tool, tool_input={})
            self.assert_silent(self.run_event(given, COMPACT_THRESHOLD="1"))
        self.assertNotIn("suggest-compact", [line["hook"] for line in self.log()])

    def test_each_editing_tool_counts(self) -> None:
        for n, tool in enumerate(("Edit", "Write", "MultiEdit", "NotebookEdit"), 1):
            self.run_event(event("PreToolUse", tool_name=tool, tool_input={}))
            self.assertEqual(self.count(), n)

    def test_a_subagents_edits_do_not_count(self) -> None:
        given = edit(agent_id="a1", agent_type="general-purpose")
        self.assert_silent(self.run_event(given, COMPACT_THRESHOLD="1"))
        self.assertFalse(os.path.exists(os.path.join(self.data, "counters")))

    def test_sessions_are_counted_apart(self) -> None:
        for session in ("one", "two", "one"):
            self.run_event(edit(session_id=session))
        self.assertEqual((self.count("one"), self.count("two")), (2, 1))

    def test_the_session_key_falls_back_to_variables_then_to_the_project(self) -> None:
        nameless = edit()
        del nameless["session_id"]
        self.run_event(nameless, CLAUDE_SESSION_ID="a", CLAUDE_CODE_SESSION_ID="b")
        self.run_event(nameless, CLAUDE_CODE_SESSION_ID="b")
        self.run_event(nameless)
        keys = sorted(os.listdir(os.path.join(self.data, "counters")))
        self.assertEqual(keys[:2], ["a.edits", "b.edits"])
        self.assertTrue(keys[2].startswith("my_project-"), keys)

    def test_a_session_id_cannot_leave_its_folder(self) -> None:
        for n, bad in enumerate(
            ("../../../evil", "/etc/passwd", "a\x00b", "con", "..", "a" * 5000)
        ):
            self.run_event(edit(session_id=bad))
            self.assertEqual(len(os.listdir(os.path.join(self.data, "counters"))), n + 1, bad)
        self.assertEqual(sorted(os.listdir(self.base)), ["home", "my project", "plugin data"])

    def test_switched_off_in_every_way(self) -> None:
        off = {"customSkills": {"disabled": ["suggest-compact"]}}
        for env in (
            {"CUSTOM_SKILLS_DISABLED": "suggest-compact"},
            {"CUSTOM_SKILLS_DISABLED": "other, suggest-compact"},
            {"CUSTOM_SKILLS_DISABLED": "strategic-compact"},
            {"CUSTOM_SKILLS": "0"},
        ):
            self.assert_silent(self.run_event(edit(), COMPACT_THRESHOLD="1", **env))
        for path in (
            "home/.claude/settings.json",
            "my project/.claude/settings.json",
            "my project/.claude/settings.local.json",
        ):
            with self.subTest(path):
                settings = self.write(path, off)
                self.assert_silent(self.run_event(edit(), COMPACT_THRESHOLD="1"))
                os.unlink(settings)
        self.write("home/.claude/settings.json", {"customSkills": {"enabled": False}})
        self.assert_silent(self.run_event(edit(), COMPACT_THRESHOLD="1"))
        self.assertEqual(self.log(), [])
        self.assertIn(
            "/compact", self.run_event(edit(), COMPACT_THRESHOLD="1", CUSTOM_SKILLS="1").context
        )

    def test_the_minimal_profile_includes_it(self) -> None:
        done = self.run_event(edit(), COMPACT_THRESHOLD="1", CUSTOM_SKILLS_PROFILE="minimal")
        self.assertIn("/compact", done.context)

    def test_broken_settings_change_nothing(self) -> None:
        for text in (
            "{",
            "[]",
            "null",
            '{"customSkills": []}',
            '{"customSkills": {"disabled": 5}}',
        ):
            with self.subTest(text):
                self.write("my project/.claude/settings.json", text)
                self.data = self.folder("data", str(hash(text)))
                self.assertIn("/compact", self.run_event(edit(), COMPACT_THRESHOLD="1").context)

    def test_settings_that_never_end_do_not_hang(self) -> None:
        path = os.path.join(self.folder("my project", ".claude"), "settings.json")
        os.symlink("/dev/zero", path)
        self.assertIn("/compact", self.run_event(edit(), COMPACT_THRESHOLD="1").context)

    def test_50_at_once_are_50(self) -> None:
        run = ["sh", os.path.join(self.root, "hooks", "run"), "PreToolUse"]
        given = json.dumps(edit()).encode()
        started = [
            subprocess.Popen(
                run,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=self.env(COMPACT_THRESHOLD="25"),
            )
            for _ in range(50)
        ]
        for process in started:
            assert process.stdin and process.stdout and process.stderr
            process.stdin.write(given)
            process.stdin.close()
        spoke = 0
        for process in started:
            assert process.stdout and process.stderr
            spoke += b"/compact" in process.stdout.read()
            self.assertEqual(process.stderr.read(), b"")
            self.assertEqual(process.wait(), 0)
            process.stdout.close()
            process.stderr.close()
        self.assertEqual(self.count(), 50)
        self.assertEqual(spoke, 2)  # the 25th and the 50th, whichever processes they are
        self.assertEqual(len(self.log()), 50)

    def test_the_script_works_by_itself(self) -> None:
        self.assert_silent(self.run_script(self.script, edit(), COMPACT_THRESHOLD="2"))
        self.assertIn(
            "/compact", self.run_script(self.script, edit(), COMPACT_THRESHOLD="2").context
        )
        self.assert_silent(self.run_script(self.script, edit(), CUSTOM_SKILLS="0"))

    def test_after_a_compaction_it_counts_from_zero(self) -> None:
        self.speaks_at(2)
        for source in ("startup", "resume", "clear", "fork", ""):
            self.run_event(event("SessionStart", source=source))
        self.assertEqual(self.count(), 2)
        self.assert_silent(self.run_event(event("SessionStart", source="compact")))
        self.assertEqual(self.count(), 0)
        self.assertEqual(self.speaks_at(3, COMPACT_THRESHOLD="2"), [2])

    def test_a_compaction_without_edits_makes_no_counter(self) -> None:
        self.assert_silent(self.run_event(event("SessionStart", source="compact")))
        self.assertFalse(os.path.exists(os.path.join(self.data, "counters")))
