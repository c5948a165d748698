"""What happens in a session is recorded, failures find their solutions, advice stays rare."""

import json
import os
from typing import Any

from memory_case import FENCE, MemoryTestCase

from support import LIB, PYTHON, Done

ERROR = (
    "Exit code 1\nTraceback (most recent call last):\n"
    '  File "/tmp/x%d/test_report.py", line %d\nAssertionError: total was %d at 0x7f%d\n'
)


def error(n: int = 1, text: str = ERROR) -> str:
    return text % (n, n, n, n)


class FailureTest(MemoryTestCase):
    def solve(self, session: str = "s1", **fields: object) -> None:
        """A failure, a change, a success."""
        self.bash_failure("pytest -q tests", error(1), session, **fields)
        self.edit("src/report.py", session, **fields)
        self.bash("cd . && pytest -q tests -x", session, **fields)

    def test_a_known_failure_is_told_what_resolved_it(self) -> None:
        self.solve()
        self.end()
        told = self.bash_failure("python3 -m pytest tests/test_report.py", error(2), "s2").context
        for part in (
            FENCE, "Failed here once before", "resolved it once", "memory://project/solution/",
            "changed: src/report.py",
            "then worked: cd . && pytest -q tests -x",
        ):  # fmt: skip
            self.assertIn(part, told)
        self.assertLessEqual(len(told.encode()), 1200)
        self.assert_silent(self.bash_failure("pytest", error(3), "s2"))  # once per session

    def test_a_learnt_solution_waits_for_its_failure(self) -> None:
        self.solve()
        self.end()
        self.assert_silent(self.ask("run pytest again please", "s2"))
        told = self.ask("the report fails: AssertionError, the total was wrong", "s2").context
        self.assertIn("memory://project/solution/", told)
        self.assertIn("this resolved it", self.bash_failure("pytest", error(4), "s2").context)

    def test_in_the_same_session_after_the_turn_and_within_it(self) -> None:
        self.solve()
        self.assertIn("src/report.py", self.bash_failure("pytest", error(5)).context)

    def test_how_often_it_held(self) -> None:
        for n in range(3):
            self.bash_failure("pytest", error(n), "s%d" % n)
            self.edit("src/report.py", "s%d" % n)
            self.bash("pytest", "s%d" % n)
            self.send("Stop", "s%d" % n)
        told = self.bash_failure("pytest", error(9), "s9").context
        self.assertIn("Failed here 3 times before", told)
        self.assertIn("resolved it 3 times", told)
        self.assertEqual(len(self.listed("--kind", "solution")), 1)

    def test_a_command_can_be_the_solution(self) -> None:
        text = "Exit code 1\nModuleNotFoundError: No module named 'requests'"
        self.bash_failure("pytest", text)
        self.bash("pip install requests")
        self.bash("pytest")
        self.end()
        self.assertIn(
            "ran: pip install requests",
            self.bash_failure("pytest", text, "s2").context,
        )

    def test_a_subagents_changes_resolve_the_sessions_failure(self) -> None:
        self.bash_failure("pytest", error())
        self.edit("src/sub.py", agent_id="a1", agent_type="x")
        self.bash("pytest")
        self.end()
        self.assertIn("src/sub.py", self.bash_failure("pytest", error(), "s2").context)

    def play(self, step: str, session: str) -> None:
        what, _, about = step.partition(" ")
        if what == "fail":
            self.bash_failure(
                about, "Exit code 1" if about.startswith("grep") else error(), session
            )
        else:
            (self.edit if what == "edit" else self.bash)(about, session)

    def test_what_is_no_solution(self) -> None:
        cases = (
            "fail pytest, bash pytest",  # nothing changed
            "fail pytest, edit a, bash ls, bash mypy .",  # another command
            "fail pytest, edit a, fail pytest",  # never worked
            "fail grep x y, edit a, bash grep x y",  # no error to hold on to
            "fail pytest, bash cat a, bash pytest",  # only looked
            "edit a, bash pytest, fail pytest",  # it worked before
            "fail pytest a, bash pytest b, bash git diff, bash pytest a",  # it was lucky
        )
        for n, case in enumerate(cases):
            with self.subTest(case):
                for step in case.split(", "):
                    self.play(step, "n%d" % n)
                self.end("n%d" % n)
                self.assertEqual(self.listed("--kind", "solution"), [])
        self.assertEqual(self.errors(), [])

    def test_a_run_of_other_tests_in_between_does_not_hide_it(self) -> None:
        self.bash_failure("pytest tests/a.py", error())
        self.bash("pytest tests/b.py")  # another one works: that tells nothing
        self.edit("a.py")
        self.bash("pytest tests/a.py")
        self.end()
        self.assertEqual(len(self.listed("--kind", "solution")), 1)

    def test_other_failures_are_silent(self) -> None:
        self.solve()
        self.end()
        for command, text in (
            ("pytest", "Exit code 1\nKeyError: 'other'"),
            ("pytest", "Exit code 1"),
            ("ls", ""),
        ):
            done = self.send(
                "PostToolUseFailure",
                "s2",
                tool_name="Bash",
                tool_input={"command": command},
                error=text,
            )
            self.assert_silent(done)
        self.assert_silent(self.bash_failure("pytest", error(), "s2", is_interrupt=True))
        given = {"file_path": "/nonexistent"}
        read = {"tool_name": "Read", "tool_input": given, "error": "File does not exist."}
        self.assert_silent(self.send("PostToolUseFailure", "s2", **read))
        off = {"CUSTOM_SKILLS_DISABLED": "recall-for-failure"}
        self.assert_silent(self.bash_failure("pytest", error(), "s3", env=off))

    def test_a_solution_that_somebody_rewrote_stays_as_it_is(self) -> None:
        self.solve()
        self.end()
        (solution,) = self.listed("--kind", "solution")
        self.hookctl("edit", solution["uri"], "--body", "the rounding, see docs")
        self.solve("s2")
        self.end("s2")
        told = self.bash_failure("pytest", error(), "s3").context
        self.assertIn("the rounding, see docs", told)
        self.assertIn("resolved it 2 times", told)

    def test_a_forgotten_solution_is_not_told(self) -> None:
        self.solve()
        self.end()
        (solution,) = self.listed("--kind", "solution")
        self.hookctl("forget", solution["uri"])
        self.assert_silent(self.bash_failure("pytest", error(), "s2"))
        self.assertEqual(self.bytes_with("AssertionError: total", self.database + "-x"), [])

    def test_secrets_in_errors_and_commands(self) -> None:
        secret = "ghp_" + "Zt5m" * 9
        text = "Exit code 1\nValueError: bad token %s" % secret
        self.bash_failure("curl -H 'Authorization: Bearer %s'; pytest" % secret, text)
        self.edit("a.py")
        self.bash("make -v %s" % secret)
        self.bash("TOKEN=%s pytest" % secret)
        self.end()
        self.assertEqual(self.bytes_with(secret[:12]), [])
        self.assertEqual(len(self.listed("--kind", "solution")), 1)


class AdviceTest(MemoryTestCase):
    def create(self, path: str, session: str = "", kind: str = "create", **fields: Any) -> Done:
        whole = self.write(os.path.join(self.project, path), "x")
        given = {"file_path": whole, "content": "x"}
        response = {"type": kind, "filePath": whole}
        return self.send(
            "PostToolUse",
            session,
            tool_name="Write",
            tool_input=given,
            tool_response=response,
            **fields,
        )

    def test_new_structure_is_noticed_twice_at_most(self) -> None:
        told = self.create("package.json").context
        self.assertIn("package.json", told)
        self.assertIn("hookctl memory add --kind structure", told)
        told = self.create("services/mail.py").context
        self.assertIn("services/", told)
        self.assertIn('--file "services/**"', told)
        self.assert_silent(self.create("Cargo.toml"))
        self.assertTrue(self.create("Cargo.toml", "another session").context)

    def test_other_files_are_silent(self) -> None:
        self.create("src/first.py")
        for path in (
            "src/other.py",
            "src/deep/x.py",
            "notes.txt",
            "src/fixtures/package.json",
            ".cache/x",
        ):
            self.assert_silent(self.create(path, "s2"))
        self.assert_silent(self.create("package.json", "s2", kind="update"))
        self.assert_silent(self.create("go.mod", "s2", agent_id="a1", agent_type="x"))
        off = {"CUSTOM_SKILLS_DISABLED": "record-operation"}
        self.assert_silent(self.create("pom.xml", "s2", env=off))
        self.assert_silent(self.edit("a.py", "s2"))

    def test_repeated_work_is_noticed_once(self) -> None:
        said = [bool(self.bash("make test").context) for _ in range(12)]
        self.assertEqual(said, [n == 4 for n in range(12)])
        self.assert_silent(self.bash("ls"))
        for _ in range(7):
            self.assert_silent(self.bash("git status", "s2"))


class PermissionTest(MemoryTestCase):
    def permission(self, command: str, name: str = "PermissionRequest", session: str = "") -> Done:
        given = {"tool_name": "Bash", "tool_input": {"command": command}}
        return self.send(name, session, **given)

    def preferences(self) -> dict[str, tuple[int, int, int, str]]:
        told = json.loads(self.hookctl("preferences", "--json"))
        return {p["rule"]: (p["asked"], p["allowed"], p["refused"], p["always"]) for p in told}

    def test_what_is_always_allowed_or_refused(self) -> None:
        for _ in range(3):
            self.assert_silent(self.permission("npm test"))
            self.bash("npm test")
            self.assert_silent(self.permission("git push origin main"))
            self.assert_silent(self.send("Stop"))
        told = self.preferences()
        self.assertEqual(told["Bash(npm test:*)"], (3, 3, 0, "allow"))
        self.assertEqual(told["Bash(git push:*)"], (3, 0, 3, "deny"))
        text = self.hookctl("preferences")
        self.assertIn('{"permissions": {"allow": ["Bash(npm test:*)"]}}', text)
        self.assertIn('{"permissions": {"deny": ["Bash(git push:*)"]}}', text)

    def test_it_never_decides(self) -> None:
        for _ in range(5):
            self.permission("npm test")
            self.bash("npm test")
        self.assert_silent(self.permission("npm test"))
        self.assert_silent(self.permission("npm test", "PermissionDenied"))

    def test_mixed_answers_and_few_are_no_habit(self) -> None:
        self.permission("npm test")
        self.bash("npm test")
        self.permission("npm test")
        self.send("Stop")
        self.permission("make deploy", "PermissionDenied")
        self.assertEqual(
            {rule: told[3] for rule, told in self.preferences().items()},
            {"Bash(npm test:*)": "", "Bash(make deploy:*)": ""},
        )
        self.assertNotIn("settings.json", self.hookctl("preferences"))

    def test_answers_are_counted_once_however_often_they_are_looked_at(self) -> None:
        self.permission("npm test")
        self.bash("npm test")
        first = self.preferences()
        self.assertEqual(self.preferences(), first)
        self.end()
        self.assertEqual(self.preferences(), first)

    def test_small_commands_count_too(self) -> None:
        self.permission("touch x")
        self.bash("touch x")
        self.permission("npm test")
        self.bash_failure("npm test", "Exit code 1\nno tests")
        self.send("Stop")
        self.assertEqual({told[:3] for told in self.preferences().values()}, {(1, 1, 0)})

    def test_a_prompt_ends_an_interrupted_turn(self) -> None:
        self.ask("first")
        self.permission("npm test")
        self.ask("second")
        self.bash("npm test")
        self.assertEqual(self.preferences(), {"Bash(npm test:*)": (1, 0, 1, "")})


class StopTest(MemoryTestCase):
    def work(self, count: int, session: str = "s1") -> None:
        """So many edits, in the record as the hook writes it."""
        self.edit("a.py", session)
        path = os.path.join(self.memory, "sessions", session + ".jsonl")
        with open(path) as file:
            line = file.readlines()[-1]
        with open(path, "a") as file:
            file.write(line * (count - 1))

    def stop(self, session: str = "s1", **fields: Any) -> Done:
        return self.send("Stop", session, **fields)

    def test_it_asks_once_above_the_threshold(self) -> None:
        self.work(30)
        self.assert_silent(self.stop())
        self.edit("a.py")
        answer = self.stop().answer
        self.assertEqual(answer["decision"], "block")
        self.assertIn("31 operations", answer["reason"])
        self.assertIn("hookctl memory add", answer["reason"])
        self.assert_silent(self.stop(stop_hook_active=True))
        self.work(40)
        self.assert_silent(self.stop())

    def test_a_saved_memory_covers_what_was_done(self) -> None:
        self.work(40)
        self.add("saved", CLAUDE_CODE_SESSION_ID="s1")
        self.assert_silent(self.stop())
        self.work(31)
        self.assertIn("31 operations", self.stop().answer["reason"])

    def test_one_saved_from_a_shell_or_as_the_users_own_covers_too(self) -> None:
        self.work(40)
        self.add("saved", "--user")
        self.assert_silent(self.stop())

    def test_silent_stops(self) -> None:
        self.assert_silent(self.stop("never seen"))
        self.work(100)
        self.assert_silent(self.stop(stop_hook_active=True))
        self.assert_silent(self.stop(background_tasks=[{"id": "1"}]))
        self.assert_silent(self.stop(env={"CUSTOM_SKILLS_DISABLED": "remind-to-save"}))
        self.assert_silent(self.stop(env={"CUSTOM_SKILLS_PROFILE": "minimal"}))
        for value in (0, 100, 5000):
            settings = {"customSkills": {"unsavedThreshold": value}}
            self.write("my project/.claude/settings.json", settings)
            self.assert_silent(self.stop())

    def test_nobody_is_held_up_where_a_program_waits_for_the_answer(self) -> None:
        self.work(100)
        for sign in (
            {"CLAUDE_CODE_SESSION_ATTENDED": "0"},
            {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"},
            {"CLAUDE_CODE_ENTRYPOINT": "sdk-py"},
            {"CLAUDE_CODE_SESSION_ATTENDED": "0", "CLAUDE_CODE_ENTRYPOINT": "cli"},
        ):
            self.assert_silent(self.stop(env=sign))
        seen = {"CLAUDE_CODE_SESSION_ATTENDED": "1", "CLAUDE_CODE_ENTRYPOINT": "sdk-ts"}
        self.assertEqual(self.stop(env=seen).answer["decision"], "block")

    def test_profile_strict_holds_up_unattended_sessions_too(self) -> None:
        self.work(100)
        strict = {"CLAUDE_CODE_SESSION_ATTENDED": "0", "CUSTOM_SKILLS_PROFILE": "strict"}
        self.assertEqual(self.stop(env=strict).answer["decision"], "block")

    def test_the_threshold_is_a_setting(self) -> None:
        self.write("my project/.claude/settings.json", {"customSkills": {"unsavedThreshold": 2}})
        self.work(2)
        self.assert_silent(self.stop())
        self.edit("b.py")
        self.assertEqual(self.stop().answer["decision"], "block")

    def test_nonsense_thresholds_mean_the_default(self) -> None:
        self.work(31)
        value: Any
        for n, value in enumerate((-1, "x", None, 1.5, True, [])):
            settings = {"customSkills": {"unsavedThreshold": value}}
            self.write("my project/.claude/settings.json", settings)
            self.work(31, "n%d" % n)
            self.assertEqual(self.stop("n%d" % n).answer.get("decision"), "block", value)

    def test_all_hooks_together_block_twice_in_a_row_at_most(self) -> None:
        script = (
            "import sys; sys.path.insert(0, %r)\n"
            "from hooklib import stop_budget as stopping\n"
            "from hooklib.event import Event\n"
            "event = Event('Stop', {'session_id': 's'})\n"
            "for turn in range(6):\n"
            "    print(int(stopping.may_block(event)), end='')\n"
            "    turn == 3 and stopping.clear(event)\n"
        )
        self.assertEqual(self.start([PYTHON, "-c", script % LIB], "").stdout, "110011")

    def test_looking_around_is_no_operation(self) -> None:
        for command in ("ls", "cat a", "grep x -r .", "cd x && pwd"):
            self.bash(command)
        self.assertFalse(os.path.exists(os.path.join(self.memory, "sessions", "s1.jsonl")))


class CompactionTest(MemoryTestCase):
    def compact(self, *messages: tuple[str, str], session: str = "s1", **fields: Any) -> Done:
        lines = []
        for role, text in messages:
            content = [{"type": "text", "text": text}]
            lines.append({"type": role, "message": {"role": role, "content": content}, **fields})
        path = os.path.join(self.base, "t.jsonl")
        with open(path, "a", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)
        return self.send("PreCompact", session, trigger="manual", transcript_path=path)

    def test_what_was_decided_is_kept_and_recalled_later(self) -> None:
        done = self.compact(
            ("user", "how shall we store dates?"),
            (
                "assistant",
                "Decision: we store all dates as UTC in the database, because servers move.",
            ),
            ("user", "我们决定使用消息队列来通知仓库。"),
        )
        self.assertEqual(done.code, 0)
        outcomes = {line["hook"]: line["outcome"] for line in self.log()}
        self.assertEqual(outcomes["extract-memories"], "silent")  # else it becomes instructions
        told = self.listed()
        self.assertEqual(len(told), 2)
        self.assertTrue(all(m["source"] == "compaction" and m["confidence"] < 1.0 for m in told))
        self.assertIn("UTC", self.ask("how do we store dates in the database?", "s2").context)
        self.assertIn("消息队列", self.ask("仓库是怎么通知的? 用消息队列吗?", "s3").context)

    def test_twice_is_once(self) -> None:
        said = ("assistant", "Decision: we use pnpm for all packages.")
        self.compact(said)
        self.compact()
        self.assertEqual(len(self.listed("--all")), 1)

    def test_of_two_alike_the_later_is_kept(self) -> None:
        said = "Decision: we store the sessions in SQLite. Because %s."
        self.compact(
            ("assistant", said % "of the first reason"),
            ("user", "hm"),
            ("assistant", said % "of the second reason"),
        )
        self.assertRegex(self.listed()[0]["body"], "second reason.$")
        both = said % "of the third reason" + "\n\n" + said % "of the fourth reason"
        self.compact(("assistant", both))
        self.assertRegex(self.listed()[0]["body"], "fourth reason.$")

    def test_the_parts_of_a_message_come_latest_first_too(self) -> None:
        from hooklib.memory.handlers import pre_compact

        parts = [{"type": "text", "text": text} for text in ("first", "second")]
        record = {"type": "assistant", "message": {"content": parts}}
        self.assertEqual(list(pre_compact._texts([record, record])), ["second", "first"] * 2)

    def test_silent_transcripts(self) -> None:
        self.compact(("user", "hello"), ("assistant", "The tests pass. Shall we use pnpm?"))
        self.compact(("assistant", "Decision: from a subagent."), isSidechain=True)
        self.compact(("user", "Decision: of the host."), isMeta=True)
        self.compact(("user", "Decision: of a summary."), isCompactSummary=True)
        self.send("PreCompact", trigger="auto", transcript_path="/nonexistent")
        self.assertFalse(os.path.exists(self.database))

    def test_what_somebody_wrote_down_stands(self) -> None:
        said = ("assistant", "Decision: we use pnpm for all packages.")
        self.compact(said)
        (memory,) = self.listed()
        self.hookctl("edit", memory["uri"], "--body", "in my own words")
        self.compact(("assistant", "Decision: we use pnpm for all packages. Because I say so."))
        self.assertEqual([m["body"] for m in self.listed()], ["in my own words"])

    def test_secrets_are_left_out(self) -> None:
        secret = "ghp_" + "Vb2n" * 9
        self.compact(("assistant", "Decision: we deploy with the token %s from now on." % secret))
        self.assertEqual(len(self.listed()), 1)
        os.unlink(os.path.join(self.base, "t.jsonl"))
        self.assertEqual(self.bytes_with(secret[:12]), [])


class AloneTest(MemoryTestCase):
    def test_every_script_works_by_itself_and_survives_garbage(self) -> None:
        folder = os.path.join(self.root, "scripts", "memory-recall")
        scripts = sorted(name for name in os.listdir(folder) if name.endswith(".py"))
        self.assertEqual(len(scripts), 13)
        for name in scripts:
            for given in ("not json {{{", "[]", "", '{"session_id": 5, "tool_input": []}', "{}"):
                with self.subTest(script=name, given=given):
                    done = self.run_script("memory-recall/" + name, given)
                    self.assertEqual((done.code, done.stderr), (0, ""))
                    self.assertEqual(done.stdout, "")

    def test_rehearsals_touch_nothing(self) -> None:
        self.add("x", "--file", "a.py")
        before = self.contents()
        command = [
            "sh",
            os.path.join(self.root, "bin", "hookctl"),
            "test",
            "PreToolUse",
            "--tool",
            "Read",
            "--file",
            os.path.join(self.project, "a.py"),
            "--plugin",
            "ecc-hooks",
        ]
        done = self.start(command, "")
        self.assertIn("recalled-memory", done.stdout)
        self.assertEqual(self.contents(), before)

    def contents(self) -> dict[str, bytes]:
        found = {}
        for top, _, names in os.walk(self.memory):
            for name in names:
                with open(os.path.join(top, name), "rb") as file:
                    found[os.path.join(top, name)] = file.read()
        return found
