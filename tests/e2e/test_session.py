"""Session memory in the real Claude Code: what one session did is there in the next."""

from __future__ import annotations

import glob
import json
import os
import subprocess
import time
from typing import Any

from bundle import BundleTestCase, bash, call, hook_lines, marketplace
from claude_lab import MODEL, ClaudeLab
from fake_anthropic import FakeAnthropic
from lab import commit, kill
from tui import Tui

FENCE = "<session-history>"
GOAL = "Build the purple report"


class SessionTestCase(BundleTestCase):
    def states(self, lab: ClaudeLab | None = None) -> dict[str, dict[str, Any]]:
        """The stored states of the lab's project, each valid JSON."""
        folder = os.path.join((lab or self.lab).project, ".claude", "sessions")
        found = {}
        for path in glob.glob(os.path.join(glob.escape(folder), "*.json")):
            name = os.path.basename(path)[: -len(".json")]
            if "." not in name:
                with open(path, encoding="utf-8") as file:
                    found[name] = json.load(file)
        return found

    def history(self, text: str) -> str:
        """The fenced part of a request's text."""
        self.assertEqual((text.count(FENCE), text.count("</session-history>")), (1, 1))
        return text.partition(FENCE)[2].partition("</session-history>")[0]


class NextSessionTest(SessionTestCase):
    def test_the_next_session_is_told_goal_and_files(self) -> None:
        first = self.session(self.writes("a.txt", "b.txt"), GOAL)
        self.assertFalse(first.sent(FENCE))
        second = self.session([], "and now?")
        self.assertEqual(second.counts(FENCE), [1])
        told = self.history(second.requests[0].text)
        for part in (GOAL, "a.txt (created)", "b.txt (created)", "branch main", "bye", "not"):
            self.assertIn(part, told)
        self.assertEqual(sorted(self.states()), sorted([first.session_id, second.session_id]))
        state = self.states()[first.session_id]
        self.assertEqual(state["end"]["git"]["changed"], ["?? a.txt", "?? b.txt"])
        self.assertEqual((state["model"], state["branch"]), (MODEL, "main"))
        self.assertEqual(self.git("status", "--porcelain"), "?? a.txt\n?? b.txt\n")

    def git(self, *args: str) -> str:
        return self.lab.call(["git", *args]).stdout

    def test_another_project_is_told_nothing(self) -> None:
        self.session(self.writes("a.txt"), GOAL)
        self.lab.project = self.lab.folder("other", "my project")  # the same name
        self.lab.write(self.lab.path("README.md"), "Another.\n")
        commit(self.lab.project)
        run = self.session([], "hello")
        self.assertFalse(run.sent(GOAL) or run.sent("a.txt") or run.sent(FENCE))

    def test_another_worktree_is_told_nothing(self) -> None:
        self.session(self.writes("a.txt"), GOAL)
        other = os.path.join(self.lab.root, "worktree")
        self.git("worktree", "add", "-q", other, "-b", "side")
        self.lab.project = other
        self.assertFalse(self.session([], "hello").sent(FENCE))
        self.session(self.writes("w.txt"), "in the worktree")
        told = self.history(self.session([], "hello").requests[0].text)
        self.assertIn("branch side", told)
        self.assertIn("w.txt", told)

    def test_outside_a_repository(self) -> None:
        self.lab.project = self.lab.folder("no repository")
        self.session(self.writes("a.txt"), GOAL)
        self.assertIn(GOAL, self.history(self.session([], "hello").requests[0].text))
        self.assertFalse(os.path.exists(self.lab.path(".claude")))
        (folder,) = glob.glob(os.path.join(glob.escape(self.lab.config), "sessions", "no*"))
        self.assertEqual(len(glob.glob(os.path.join(glob.escape(folder), "*.json"))), 3)

    def test_resume_and_fork_do_not_repeat(self) -> None:
        first = self.session(self.writes("a.txt"), GOAL)
        second = self.session(self.writes("b.txt"), "second")
        self.assertEqual(second.counts(FENCE), [1, 1])
        resumed = self.session(self.writes("c.txt"), "third", second.session_id)
        self.assertEqual(resumed.counts(FENCE), [1, 1])  # the one in its history
        self.assertEqual(self.session([], "again", first.session_id).counts(FENCE), [0])
        state = self.states()[second.session_id]
        self.assertEqual([goal["text"] for goal in state["goals"]], ["second", "third"])
        self.assertEqual(list(state["files"]), ["b.txt", "c.txt"])
        self.assertEqual([entry["count"] for entry in state["files"].values()], [1, 1])
        # a fork has what it was forked from in its context, and counts only its own
        script = [*self.writes("d.txt"), "bye"]
        forked = self.lab.run(script, "fourth", second.session_id, options=("--fork-session",))
        self.assertNotEqual(forked.session_id, second.session_id)
        self.assertEqual(forked.counts(FENCE), [1, 1])
        fork = self.states()[forked.session_id]
        self.assertEqual([goal["text"] for goal in fork["goals"]], ["fourth"])
        self.assertEqual((list(fork["files"]), fork["tools"]), (["d.txt"], {"Write": 1}))
        self.assertEqual(self.states()[second.session_id], state)

    def test_a_subagents_edits_are_its_own_and_counted_once(self) -> None:
        agent = call(
            "Agent",
            description="one file",
            prompt="SUBTASK: write it",
            subagent_type="general-purpose",
            run_in_background=False,
        )
        work = {"match": "SUBTASK", "blocks": self.writes("sub.txt")}
        end = {"match": self.lab.path("sub.txt"), "blocks": "SUBTASK ended"}
        run = self.session([agent, work, end, *self.writes("main.txt")], GOAL)
        state = self.states()[run.session_id]
        by = {path: (entry["count"], entry["by"]) for path, entry in state["files"].items()}
        wanted = {"sub.txt": (1, ["general-purpose"]), "main.txt": (1, ["main"])}
        self.assertEqual((by, state["agents"]), (wanted, {"general-purpose": 1}))
        self.assertEqual(state["tools"], {"Agent": 1, "Write": 2})
        self.assertEqual((state["prompts"], state["last_message"]), (1, "bye"))

    def test_tasks_and_failures_left_open(self) -> None:
        script = [
            call("TaskCreate", subject="mend the roof", description="d"),
            call("TaskCreate", subject="sweep the floor", description="d"),
            call("TaskUpdate", taskId="2", status="completed"),
            bash("echo no such beam; exit 4"),
            *self.writes("a.txt"),
        ]
        run = self.lab.run([*script, "bye"], GOAL)
        self.assertEqual((run.code, run.unused), (0, []))
        told = self.history(self.session([], "hello").requests[0].text)
        self.assertIn("- mend the roof (pending)", told)
        self.assertNotIn("sweep the floor", told)
        self.assertIn("exit 4 (Exit code 4: no such beam)", told)

    def test_secrets_reach_neither_file_nor_model(self) -> None:
        secret = "ghp_" + "Ab3" * 12
        self.session(self.writes("a.txt"), "deploy with %s please" % secret)
        with open(
            glob.glob(glob.escape(self.lab.path(".claude", "sessions")) + "/*-*.json")[0]
        ) as f:
            self.assertNotIn(secret[:16], f.read())
        run = self.session([], "hello")
        self.assertTrue(run.sent("deploy with ghp_[redacted] please"))
        self.assertFalse(run.sent(secret))

    def test_switched_off(self) -> None:
        self.session(self.writes("a.txt"), GOAL)
        off = {"CUSTOM_SKILLS_DISABLED": "session-start"}
        self.assertFalse(self.session([], "hello", **off).sent(FENCE))


class CompactionTest(SessionTestCase):
    def test_the_summary_is_kept_and_preferred(self) -> None:
        script = [call("TaskCreate", subject="mend the roof", description="d")]
        session = self.session([*script, *self.writes("a.txt")], GOAL).session_id
        compaction = self.lab.run(
            ["<summary>The roof is half done.</summary>"], "/compact", session
        )
        asked = [request.text for request in compaction.requests if "summary" in request.newest]
        self.assertIn("Keep in the summary:", asked[0])
        self.assertIn("- mend the roof (pending)", asked[0])
        state = self.states()[session]
        self.assertEqual(state["summary"]["text"], "The roof is half done.")
        self.assertEqual([entry["trigger"] for entry in state["compactions"]], ["manual"])
        self.assertEqual(state["compactions"][0]["git"]["status"], ["?? a.txt"])
        log = self.lab.read(".claude", "sessions", "compaction-log.txt")
        self.assertRegex(log, r"\A\S+Z manual %s: 1 goals, 1 files" % session)
        # the command's output holds what PreCompact printed: it is not said again
        again = self.session([], "go on", session)
        self.assertEqual(again.counts("- mend the roof (pending)"), [1])
        self.assertFalse(again.sent(FENCE))
        told = self.history(self.session([], "hello").requests[0].text)
        self.assertIn("  The roof is half done.", told)

    def test_a_compaction_by_the_host_loses_no_open_task(self) -> None:
        script = [
            call("TaskCreate", subject="mend the roof", description="d"),
            {"blocks": self.writes("a.txt"), "usage": {"cache_read_input_tokens": 99_500}},
            *("<summary>Half done.</summary>", "<summary>Half done.</summary>", "bye"),
        ]
        run = self.lab.run(script, GOAL, options=("--autocompact", "100k"))
        self.assertEqual(run.code, 0)
        last = run.requests[-1].text  # the first one after the compaction
        self.assertIn("Half done.", last)
        self.assertIn("- mend the roof (pending)", self.history(last))
        (state,) = self.states().values()
        self.assertEqual([entry["trigger"] for entry in state["compactions"]], ["auto"])


class KilledTest(SessionTestCase):
    def kill_in_the_second_turn(self) -> str:
        """Let one client have a whole turn and a half, kill it; return its session."""
        hang = {"blocks": "never said", "delay": 60}
        with FakeAnthropic([*self.writes("a.txt"), "first done", *self.writes("b.txt"), hang]) as m:
            command = [self.lab.bin, "-p", "--model", MODEL, "--verbose"]
            command += ["--input-format", "stream-json", "--output-format", "stream-json"]
            command += ["--permission-mode", "bypassPermissions"]
            client = subprocess.Popen(
                command,
                cwd=self.lab.project,
                env=self.lab.env(m.url),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                start_new_session=True,
            )
            assert client.stdin and client.stdout
            try:
                self.say(client, GOAL)
                while '"type":"result"' not in (client.stdout.readline() or '"type":"result"'):
                    pass
                self.say(client, "second")
                end = time.time() + 30
                while not (self.lab.read("b.txt") and len(m.requests) > 3) and time.time() < end:
                    time.sleep(0.05)
                time.sleep(0.5)  # in the middle of a turn: the model does not answer
            finally:
                kill(client)
                client.wait()
                client.stdin.close()
                client.stdout.close()
        self.assertTrue(self.lab.read("b.txt"))
        (session,) = self.states()
        return session

    def say(self, client: subprocess.Popen[str], text: str) -> None:
        message = {"role": "user", "content": [{"type": "text", "text": text}]}
        assert client.stdin
        client.stdin.write(json.dumps({"type": "user", "message": message}) + "\n")
        client.stdin.flush()

    def test_the_turn_before_is_complete(self) -> None:
        session = self.kill_in_the_second_turn()
        state = self.states()[session]  # valid JSON
        self.assertNotIn("end", state)
        self.assertEqual([goal["text"] for goal in state["goals"]], [GOAL])
        self.assertEqual((list(state["files"]), state["last_message"]), (["a.txt"], "first done"))
        told = self.history(self.session([], "hello").requests[0].text)
        for part in (GOAL, "a.txt (created)", "first done", "end unknown"):
            self.assertIn(part, told)
        self.assertIn("b.txt (created)", told)  # what the killed turn did is in the transcript


class ScreenTest(SessionTestCase):
    def test_one_line_tells_what_was_loaded(self) -> None:
        self.session(self.writes("a.txt"), GOAL)
        loaded = r"SessionStart:startup says: loaded: session of \S+ on main, 1 goal, 1 file$"
        with Tui(self.lab, ["That is all."]) as tui:
            tui.wait("loaded: session")
            tui.type("hello")
            tui.wait("That is all.")
            lines = hook_lines(tui.wait(" · done "))
            self.assertEqual(len(lines), 1, lines)
            self.assertRegex(lines[0], loaded)
            self.assertTrue(any(GOAL in request.text for request in tui.model.requests))
        with Tui(self.lab, ["That is all."], CUSTOM_SKILLS_SESSION_MESSAGE="0") as tui:
            tui.type("hello")
            tui.wait("That is all.")
            self.assertEqual(hook_lines(tui.wait(" · done ")), [])
            self.assertTrue(any(GOAL in request.text for request in tui.model.requests))

    def test_clear_begins_a_session_that_knows_the_last(self) -> None:
        with Tui(self.lab, [*self.writes("a.txt"), "Written.", "Yes."]) as tui:
            tui.type(GOAL)
            tui.wait("Written.")
            tui.wait(" · done ")
            tui.type("/clear")
            tui.wait("SessionStart:clear says: loaded: session of ")
            tui.type("what was that?")
            tui.wait("Yes.")
            told = self.history(tui.model.requests[-1].text)
        self.assertIn("a.txt (created)", told)
        ends = [state.get("end", {}).get("reason") for state in self.states().values()]
        self.assertIn("clear", ends)


class CommandTest(SessionTestCase):
    def setUp(self) -> None:
        # the client leaves a plugin's bin/ with a quote or a dollar in its path out of PATH
        self.lab = self.new_lab(marketplace(), prefix="lab with space ")

    def test_the_slash_command_names_this_session_and_lists_all(self) -> None:
        first = self.session(self.writes("a.txt"), GOAL).session_id
        run = self.session([], "/ecc-hooks:sessions list")
        self.assertRegex(run.requests[0].text, r"%s +main +%s" % (first, GOAL))
        run = self.session([], "/ecc-hooks:sessions alias purple-work " + first[:8])
        self.assertTrue(run.sent("purple-work is now " + first))
        run = self.session([], "/ecc-hooks:sessions alias this-one")
        self.assertTrue(run.sent("this-one is now " + run.session_id))
        self.assertEqual(self.states()[run.session_id]["goals"], [])  # looking is no goal
        told = self.session([], "hello").requests[0].text
        aliases = "session aliases: this-one = .claude/sessions/%s.json; purple-work = "
        self.assertIn(aliases % run.session_id, told)
        self.assertIn(GOAL, self.history(told))

    def test_a_command_of_the_users_is_a_goal(self) -> None:
        self.lab.write(
            self.lab.path(".claude", "commands", "fix.md"), "Fix the thing $ARGUMENTS.\n"
        )
        self.session(self.writes("a.txt"), "/fix 123")
        run = self.session([], "hello")
        self.assertIn('- "/fix 123"', self.history(run.requests[0].text))
        self.assertFalse(run.sent("Fix the thing 123"))


class ChildTest(SessionTestCase):
    def test_a_client_inside_a_session_overwrites_nothing(self) -> None:
        options = "--model %s --permission-mode bypassPermissions" % MODEL
        child = bash('"%s" -p %s -- "CHILD: write it"' % (self.lab.bin, options))
        work = {"match": "CHILD: write it", "blocks": self.writes("child.txt")}
        end = {"match": self.lab.path("child.txt"), "blocks": "CHILD ended"}
        run = self.session([child, work, end, *self.writes("parent.txt")], GOAL)
        states = self.states()
        self.assertEqual(len(states), 2)
        parent = states.pop(run.session_id)
        (other,) = states.values()
        self.assertEqual((list(parent["files"]), parent["prompts"]), (["parent.txt"], 1))
        self.assertEqual((list(other["files"]), other["prompts"]), (["child.txt"], 1))
        self.assertIn(GOAL, self.history(self.session([], "hello").requests[0].text))
