"""What a session's state holds, and how the transcript is read for it: a bit at a time."""

from __future__ import annotations

import json
import os
import stat
import threading
import time
from typing import Any

from session_case import OTHER, SessionTestCase, Transcript

from support import SESSION

SECRET = "ghp_" + "Ab3" * 12


class StateTest(SessionTestCase):
    def test_the_state_holds_what_the_session_did(self) -> None:
        self.begin(SESSION)
        t = self.transcript
        t.prompt("Build the purple report")
        t.create(self.path("report.py"))
        t.edit(self.path("report.py"))
        t.edit("/elsewhere/notes.md")
        t.call("Read", {"file_path": self.path("report.py")})
        t.bash("make check", "Exit code 2\nmany words\nmypy: not found")
        t.prompt("Now the tests")
        t.say("All done.")
        self.stop(last="All done.")
        state = self.state()
        for key, value in {
            "schema": 1,
            "session": SESSION,
            "host": "claude",
            "project": "my project",
            "root": self.project,
            "branch": "main",
            "model": "claude-sonnet-4-5",
            "last_message": "All done.",
            "prompts": 2,
            "tools": {"Write": 1, "Edit": 2, "Read": 1, "Bash": 1},
            "failed": [{"command": "make check", "error": "Exit code 2: mypy: not found"}],
            "files": {
                "report.py": {"how": "created", "count": 2, "by": ["main"]},
                "/elsewhere/notes.md": {"how": "edited", "count": 1, "by": ["main"]},
            },
        }.items():
            self.assertEqual(state[key], value, key)
        goals = [goal["text"] for goal in state["goals"]]
        self.assertEqual(goals, ["Build the purple report", "Now the tests"])
        for when in (state["started"], state["updated"], state["goals"][0]["when"]):
            self.assertRegex(when, r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\Z")

    def test_files_are_private_and_of_no_interest_to_git(self) -> None:
        self.work()
        self.assertEqual(stat.S_IMODE(os.stat(self.sessions()).st_mode), 0o700)
        for name in os.listdir(self.sessions()):
            self.assertEqual(stat.S_IMODE(os.stat(self.sessions(name)).st_mode), 0o600, name)
        with open(self.sessions(".gitignore"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "*\n")

    def test_outside_a_repository_the_project_is_left_alone(self) -> None:
        self.project = self.folder("plain folder")
        self.work()
        self.assertEqual(os.listdir(self.project), [])
        (name,) = os.listdir(os.path.join(self.home, ".claude", "sessions"))
        self.assertRegex(name, r"\Aplain_folder-.+|\Aplain folder-")
        other = self.begin()
        self.assertIn("Build it", self.history(other))

    def test_the_home_folder_is_no_project(self) -> None:
        self.make_repository(self.home)
        self.project = self.home
        self.work()
        found = os.listdir(os.path.join(self.home, ".claude", "sessions"))
        self.assertTrue(all(os.path.isdir(self.sessions(name)) for name in found), found)

    def test_secrets_are_not_written(self) -> None:
        t = self.transcript
        t.prompt("deploy with %s please" % SECRET)
        t.bash("curl -H 'Authorization: Bearer %s' x" % SECRET, "Exit code 1\nbad " + SECRET)
        t.add("assistant", [{"type": "tool_use", "id": "t1", "name": "Bash",
                             "input": {"command": "echo " + SECRET}}])  # fmt: skip
        t.add("assistant", [{"type": "tool_use", "id": "t2", "name": "Write",
                             "input": {"file_path": "/tmp/" + SECRET}}])  # fmt: skip
        t.say("Decision: use " + SECRET)
        t.task(1, "rotate " + SECRET)
        self.stop(last="it is " + SECRET)
        self.send("PostCompact", trigger="auto", compact_summary="it was " + SECRET)
        with open(self.sessions(SESSION + ".json"), encoding="utf-8") as file:
            text = file.read()
        self.assertNotIn(SECRET[:20], text)
        self.assertGreaterEqual(text.count("[redacted]"), 8)

    def test_what_the_host_says_in_the_users_name_is_no_goal(self) -> None:
        t = self.transcript
        t.prompt(
            "<command-name>/compact</command-name>\n <command-message>compact</command-message>"
        )
        t.prompt("<local-command-stdout>Compacted</local-command-stdout>")
        t.prompt("Caveat: the messages below", isMeta=True)
        t.prompt("This session is being continued", isCompactSummary=True)
        t.prompt("[Request interrupted by user]")
        t.prompt("<task-notification>agent done</task-notification>")
        t.prompt("<bash-input>ls</bash-input>")
        t.prompt("<system-reminder>mind</system-reminder>")
        t.prompt("   ")
        t.add("user", [{"type": "image", "source": {}}])
        t.prompt("real <b>goal</b> <system-reminder>mind</system-reminder>")
        self.stop()
        state = self.state()
        self.assertEqual([goal["text"] for goal in state["goals"]], ["real <b>goal</b>"])
        self.assertEqual(state["prompts"], 1)

    def test_a_command_that_is_a_prompt_is_a_goal(self) -> None:
        form = "<command-message>x</command-message>\n<command-name>/%s</command-name>\n"
        self.transcript.prompt(form % "fix-issue" + "<command-args>123</command-args>")
        self.transcript.prompt(form % "review")
        self.transcript.prompt(form % "ecc-hooks:sessions" + "<command-args>list</command-args>")
        self.stop()
        goals = [goal["text"] for goal in self.state()["goals"]]
        self.assertEqual(goals, ["/fix-issue 123", "/review"])

    def test_decisions(self) -> None:
        t = self.transcript
        t.say("Some thoughts.\n**Decision:** keep the old API\nA decision: no line of its own")
        t.say("Decision: keep the old API")
        t.say("決定：用 SQLite")
        t.say("Agreed: one file per host\n```\nDecision: of a block of code\n```")
        answers = {"answers": {"Which colour?": "purple"}}
        t.call("AskUserQuestion", {"questions": []}, "answered", toolUseResult=answers)
        t.call("ExitPlanMode", {"plan": "first this,\nthen that"}, "approved")
        t.call("ExitPlanMode", {"plan": "something else"}, "rejected", True)
        self.stop()
        self.assertEqual(
            [decision["text"] for decision in self.state()["decisions"]],
            [
                "keep the old API",
                "用 SQLite",
                "one file per host",
                "Which colour? -> purple",
                "plan approved: first this, then that",
            ],
        )

    def test_tasks(self) -> None:
        t = self.transcript
        t.task(1, "mend the roof")
        t.task(2, "sweep the floor")
        t.call("TaskUpdate", {"taskId": "2", "status": "completed"})
        t.call("TaskUpdate", {"taskId": "1", "status": "in_progress"}, "no such task", True)
        self.stop()
        tasks = [(task["subject"], task["status"]) for task in self.state()["tasks"]]
        self.assertEqual(tasks, [("mend the roof", "pending"), ("sweep the floor", "completed")])
        todos = [{"content": "only this", "status": "in_progress"}, "garbage", {"content": 5}]
        t.call("TodoWrite", {"todos": todos})
        self.stop()
        tasks = [(task["subject"], task["status"]) for task in self.state()["tasks"]]
        self.assertEqual(tasks, [("only this", "in_progress")])

    def test_failures_that_are_none(self) -> None:
        t = self.transcript
        t.bash("make test", "Exit code 2\nbroken")
        t.bash("make test")  # it works now
        t.bash("grep x y", "Exit code 1")  # found nothing
        t.bash("rm -rf /", "The user doesn't want to proceed with this tool use.")
        t.bash("make lint", "Exit code 2\nred")
        t.call("Read", {"file_path": "/missing"}, "File does not exist.", True)
        t.call("Edit", {"file_path": self.path("a")}, "String to replace not found", True)
        self.stop()
        state = self.state()
        self.assertEqual([each["command"] for each in state["failed"]], ["make lint"])
        self.assertEqual(state["files"], {})

    def test_everything_has_a_limit(self) -> None:
        t = self.transcript
        for n in range(300):
            t.prompt("goal %d " % n + "long " * 500)
            t.create(self.path("file-%d.txt" % n))
            t.bash("false %d" % n, "Exit code 3\n" + "error " * 500)
            t.task(n, "task " * 200)
            t.say("Decision: number %d %s" % (n, "because " * 200))
            t.call("tool-%d" % n, {"x": "y" * 100})
            if n % 50 == 49:
                self.stop()
        self.stop(last="word " * 5_000)
        state = self.state()
        sizes = [len(state[key]) for key in ("goals", "files", "failed", "tasks", "decisions")]
        self.assertEqual(sizes, [20, 200, 10, 50, 20])
        self.assertTrue(state["goals"][0]["text"].startswith("goal 0 "))
        self.assertTrue(state["goals"][-1]["text"].startswith("goal 299 "))
        self.assertEqual((state["prompts"], list(state["files"])[-1]), (300, "file-299.txt"))
        self.assertLess(os.path.getsize(self.sessions(SESSION + ".json")), 120_000)


class ReadingTest(SessionTestCase):
    def counts(self) -> dict[str, int]:
        return {path: entry["count"] for path, entry in self.state()["files"].items()}

    def test_each_turn_is_added_once(self) -> None:
        self.transcript.prompt("one")
        self.transcript.create(self.path("a.txt"))
        self.stop()
        self.stop()
        self.transcript.prompt("two")
        self.transcript.edit(self.path("a.txt"))
        self.stop()
        self.stop()
        self.end()
        self.assertEqual(self.counts(), {"a.txt": 2})
        self.assertEqual((self.state()["prompts"], self.state()["tools"]["Write"]), (2, 1))

    def test_a_line_cut_in_the_middle_waits_for_its_end(self) -> None:
        self.transcript.prompt("one")
        whole = Transcript(self.path("x.jsonl"))
        whole.prompt("zwölf — 十二")
        with open(whole.path, "rb") as file:
            data = file.read()
        for cut in (5, len(data) - 14, len(data) - 1):  # also inside a character
            with open(self.transcript.path, "ab") as file:
                before = file.tell()
                file.write(data[:cut])
            self.stop()
            self.assertEqual(self.state()["prompts"], 1)
            os.truncate(self.transcript.path, before)
        with open(self.transcript.path, "ab") as file:
            file.write(data)
        self.stop()
        self.assertEqual([goal["text"] for goal in self.state()["goals"]], ["one", "zwölf — 十二"])

    def test_a_call_whose_result_comes_a_turn_later(self) -> None:
        given = {"file_path": self.path("late.txt")}
        block = {"type": "tool_use", "id": "toolu_late", "name": "Write", "input": given}
        self.transcript.add("assistant", [block])
        self.stop()
        self.assertEqual(self.counts(), {})
        result = {"type": "tool_result", "tool_use_id": "toolu_late", "content": "File created"}
        self.transcript.add("user", [result])
        self.stop()
        self.assertEqual((self.counts(), self.state()["pending"]), ({"late.txt": 1}, {}))

    def test_a_truncated_file_is_not_counted_twice(self) -> None:
        self.transcript.prompt("one")
        self.transcript.create(self.path("a.txt"))
        keep = os.path.getsize(self.transcript.path)
        self.transcript.create(self.path("b.txt"))
        self.stop()
        os.truncate(self.transcript.path, keep)
        self.stop()
        self.assertEqual(self.counts(), {"a.txt": 1, "b.txt": 1})
        self.transcript.create(self.path("c.txt"))
        self.stop()
        self.assertEqual(self.counts(), {"a.txt": 1, "b.txt": 1, "c.txt": 1})
        self.assertEqual(self.state()["prompts"], 1)

    def test_a_replaced_file_gives_only_what_is_newer(self) -> None:
        self.transcript.prompt("one")
        self.transcript.create(self.path("a.txt"))
        self.stop()
        with open(self.transcript.path, encoding="utf-8") as file:
            old = file.read()
        os.unlink(self.transcript.path)
        self.transcript.raw('{"type":"summary","summary":"rewritten"}\n' + old)
        self.transcript.edit(self.path("a.txt"))
        self.stop()
        self.assertEqual((self.counts(), self.state()["prompts"]), ({"a.txt": 2}, 1))

    def test_unknown_and_odd_records(self) -> None:
        t = self.transcript
        t.prompt("one")
        for line in (
            "",
            "not json",
            "[1, 2]",
            '"text"',
            "null",
            '{"type": "wormhole", "message": {"content": "x"}}',
            '{"type": "user", "message": null}',
            '{"type": "user", "message": "text"}',
            '{"type": "user", "message": {"content": 5}}',
            '{"type": "user", "message": {"content": [5, null, {"type": 7}]}}',
            '{"type": "assistant", "message": {"content": [{"type": "tool_use", "name": 5}]}}',
            '{"type": "assistant", "message": {"content": [{"type": "tool_use", "name": "Edit"}]}}',
            '{"type": "user", "message": {"content": [{"type": "tool_result"}]}}',
            '{"type": "user", "timestamp": [], "message": {"content": {}}}',
            '{"type": "assistant", "message": {"model": {}, "content": [{"type": "text"}]}}',
            '{"a":' * 5000,
            "\x00" * 100,
        ):
            t.raw(line + "\n")
        with open(t.path, "ab") as file:
            file.write(b'{"type": "user", "message": {"content": "\xff\xfe"}}\n')
        t.create(self.path("a.txt"))
        self.stop()
        self.assertEqual((self.state()["prompts"], self.counts()), (1, {"a.txt": 1}))
        self.assertEqual({line["outcome"] for line in self.log()}, {"silent"})

    def test_far_behind_only_the_last_part_is_read(self) -> None:
        t = self.transcript
        t.prompt("one")
        self.stop()
        t.create(self.path("lost.txt"))
        line = json.dumps({"type": "attachment", "message": {"x": "y" * 100_000}}) + "\n"
        t.raw(line * 60)
        t.create(self.path("found.txt"))
        self.stop()
        self.assertEqual(self.counts(), {"found.txt": 1})

    def test_never_read_before_only_the_last_part_is_read(self) -> None:
        t = self.transcript
        t.create(self.path("lost.txt"))
        t.raw(json.dumps({"type": "attachment", "x": "y" * 2_000_000}) + "\n")
        t.create(self.path("found.txt"))
        self.stop()
        self.assertEqual(self.counts(), {"found.txt": 1})

    def test_a_line_longer_than_what_is_read_at_once(self) -> None:
        t = self.transcript
        t.prompt("one")
        self.stop()
        t.raw(json.dumps({"type": "attachment", "x": "y" * 5_000_000}))
        self.stop()
        self.assertEqual(self.state()["prompts"], 1)
        t.raw("\n")
        t.create(self.path("found.txt"))
        self.stop()
        self.assertEqual(self.counts(), {"found.txt": 1})

    def test_a_transcript_that_is_no_file(self) -> None:
        for number, path in enumerate(("", "relative.jsonl", self.project, "/dev/zero", "/a\0b")):
            session = "odd-%d" % number
            given = {"session_id": session, "transcript_path": path, "cwd": self.project}
            given.update(hook_event_name="Stop", last_assistant_message="bye")
            self.assert_silent(self.run_event(given))
            self.assertEqual(self.state(session)["last_message"], "bye")
        os.mkfifo(self.path("pipe"))
        self.assert_silent(self.run_event({**given, "transcript_path": self.path("pipe")}))
        self.assertEqual({line["outcome"] for line in self.log()}, {"silent"})

    def test_a_turn_that_the_host_has_not_written_yet_is_waited_for(self) -> None:
        def write_once_saved() -> None:
            while not os.path.exists(self.sessions(SESSION + ".json")):
                time.sleep(0.005)
            late = self.new_transcript(age=0)
            late.prompt("a quick one")
            late.create(self.path("a.txt"))
            late.say("Done.")

        thread = threading.Thread(target=write_once_saved)
        thread.start()
        self.stop(last="Done.")
        thread.join()
        self.assertEqual(self.counts(), {"a.txt": 1})
        self.stop(last="Done.")  # said before, and nothing comes: it ends all the same
        self.assertEqual((self.counts(), self.state()["prompts"]), ({"a.txt": 1}, 1))

    def test_only_a_short_turn_can_be_late(self) -> None:
        from hooklib.event import Event
        from hooklib.sessions import session_state, state_folder, transcript_reader

        given = {"session_id": SESSION, "transcript_path": self.transcript.path}
        event = Event("Stop", {**given, "last_assistant_message": "Done."})
        where = state_folder.StateFolder(self.project)

        def late(age: float, *said: str) -> bool:
            """Whether a turn misses its end, whose last record is so old."""
            held = session_state.new(event, where)
            if os.path.exists(self.transcript.path):
                os.unlink(self.transcript.path)
            if age:
                self.transcript = self.new_transcript(age=age)
                self.transcript.prompt("go")
            for text in said:
                self.transcript.say(text)
            return not transcript_reader.add_turn(held, where, event)

        self.assertTrue(late(0))  # nothing is there
        self.assertTrue(late(0.1))  # it has only just begun
        self.assertFalse(late(0.1, "Done."))
        self.assertTrue(late(0.1, "Let me see."))
        self.assertFalse(late(5))  # the model took its time: all else is there
        self.assertFalse(late(5, "Let me see."))
        held = session_state.new(event, where)
        self.transcript.say("Done.")
        self.assertTrue(transcript_reader.add_turn(held, where, event))
        self.transcript.raw('{"type":"attachment"}\n')  # of the next turn there is only this
        self.assertFalse(transcript_reader.add_turn(held, where, event))

    def test_hooks_that_came_later_see_when_it_began(self) -> None:
        transcript = self.new_transcript(age=3_600)
        transcript.prompt("one")
        self.stop()
        self.assertEqual(self.state()["started"], self.state()["goals"][0]["when"])
        self.assertLess(self.state()["started"], self.state()["updated"])

    def test_a_fork_does_not_count_what_it_copied(self) -> None:
        self.transcript.prompt("one")
        self.transcript.create(self.path("a.txt"))
        self.stop()
        with open(self.transcript.path, encoding="utf-8") as file:
            copied = file.read()
        self.begin(OTHER, "fork")
        self.new_transcript(OTHER).raw(copied[:100])  # the host is slow to write
        self.stop(OTHER)
        fork = self.new_transcript(OTHER, age=-1)
        fork.raw(copied[100:])
        fork.prompt("two")
        fork.create(self.path("b.txt"))
        self.stop(OTHER)
        state = self.state(OTHER)
        self.assertEqual([goal["text"] for goal in state["goals"]], ["two"])
        self.assertEqual((list(state["files"]), state["prompts"]), (["b.txt"], 1))


class SubagentTest(SessionTestCase):
    def agent(self, name: str = "a8382c86010e583d2") -> Transcript:
        folder = os.path.join(self.transcripts, SESSION, "subagents")
        return Transcript(os.path.join(folder, "agent-%s.jsonl" % name), agent=True)

    def agent_stops(self, name: str = "a8382c86010e583d2", kind: str = "Explore") -> None:
        path = os.path.join(self.transcripts, SESSION, "subagents", "agent-%s.jsonl" % name)
        more: dict[str, Any] = {"agent_id": name, "agent_type": kind, "agent_transcript_path": path}
        self.assert_silent(self.send("SubagentStop", last_assistant_message="sub done", **more))

    def by(self) -> dict[str, tuple[int, list[str]]]:
        files = self.state()["files"]
        return {path: (entry["count"], entry["by"]) for path, entry in files.items()}

    def test_its_edits_are_its_own_and_counted_once(self) -> None:
        self.transcript.prompt("one")
        self.transcript.create(self.path("both.txt"))
        agent = self.agent()
        agent.prompt("SUBTASK")
        agent.edit(self.path("both.txt"))
        agent.create(self.path("sub.txt"))
        agent.say("Decision: not the session's")
        for _ in range(2):  # it may stop more than once
            self.agent_stops()
        self.stop(last="main done")
        self.stop(last="main done")
        self.end()
        wanted = {"both.txt": (2, ["main", "Explore"]), "sub.txt": (1, ["Explore"])}
        self.assertEqual(self.by(), wanted)
        state = self.state()
        self.assertEqual((state["agents"], state["prompts"]), ({"Explore": 1}, 1))
        self.assertEqual((state["decisions"], state["last_message"]), ([], "main done"))
        self.assertEqual(state["tools"], {"Write": 2, "Edit": 1})

    def test_what_the_host_writes_late_is_added_by_the_next_event(self) -> None:
        self.agent_stops()  # its transcript is not there yet
        self.agent().create(self.path("late.txt"))
        self.stop()
        self.assertEqual(self.by(), {"late.txt": (1, ["Explore"])})
        self.agent().edit(self.path("later.txt"))
        self.end()
        self.assertEqual(self.state()["agents"], {"Explore": 1})
        self.assertEqual(self.by()["later.txt"], (1, ["Explore"]))

    def test_two_of_a_kind(self) -> None:
        for name in ("a1", "a2"):
            self.agent(name).create(self.path(name + ".txt"))
            self.agent_stops(name)
        self.assertEqual(self.state()["agents"], {"Explore": 2})
        self.assertEqual(sorted(self.by()), ["a1.txt", "a2.txt"])

    def test_the_hosts_own_compaction_agent_is_none(self) -> None:
        self.agent().create(self.path("x.txt"))
        self.agent_stops(kind="")
        self.assertFalse(os.path.exists(self.sessions()))

    def test_its_compaction_is_not_the_sessions(self) -> None:
        self.transcript.task(1, "mend the roof")
        self.stop()
        more: dict[str, Any] = {"agent_id": "a1", "agent_type": "Explore"}
        self.assert_silent(self.send("PreCompact", trigger="auto", **more))
        self.assert_silent(self.send("PostCompact", trigger="auto", compact_summary="x", **more))
        self.assertEqual(self.state()["compactions"], [])
        self.assertNotIn("summary", self.state())

    def test_many_agents(self) -> None:
        self.begin(SESSION)
        cursors = {"old-%d" % n: {"agent": "x", "path": "/x"} for n in range(99)}
        self.change_state(cursors={**cursors, "main": {}})
        self.agent("new").create(self.path("n.txt"))
        self.agent_stops("new")
        self.assertEqual(len(self.state()["cursors"]), 100)
        self.assertIn("main", self.state()["cursors"])
        self.assertEqual(list(self.by()), ["n.txt"])
