"""Which states are kept, and that none gets broken: many at once, kills, folders that resist."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from session_case import END, FENCE, OTHER, THIRD, SessionTestCase, Transcript

from support import PYTHON, SESSION, Done, event


class PruningTest(SessionTestCase):
    def named(self, count: int) -> list[str]:
        return ["session-%02d" % n for n in range(count)]

    def test_twenty_at_once_then_the_newest_ten(self) -> None:
        names = self.named(20)
        for name in names:
            transcript = self.new_transcript(name)
            transcript.prompt("goal of " + name)
            transcript.create(self.path(name + ".txt"))
        with ThreadPoolExecutor(20) as pool:
            list(pool.map(self.stop, names))
        self.assertEqual(self.keys(), names)
        for name in names:
            state = self.state(name)
            self.assertEqual((state["session"], list(state["files"])), (name, [name + ".txt"]))
        order = random.Random(4).sample(names, 20)  # not the order of their names
        for age, name in enumerate(order):
            moment = time.time() - 100 * age
            os.utime(self.sessions(name + ".json"), (moment, moment))
        self.begin("new")
        self.assertEqual(self.keys(), sorted([*order[:10], "new"]))

    def test_an_end_prunes_too(self) -> None:
        for name in self.named(12):
            self.work(name)
        self.end("session-11")
        self.assertEqual(self.keys(), self.named(12)[2:])

    def test_twenty_ends_at_once(self) -> None:
        names = self.named(20)
        for name in names:
            self.work(name)
        with ThreadPoolExecutor(20) as pool:
            list(pool.map(self.end, names))
        self.assertEqual(len(self.keys()), 10)
        for name in self.keys():
            self.assertEqual(self.state(name)["end"]["reason"], "prompt_input_exit")
            self.assertEqual(list(self.state(name)["files"]), ["a.txt"])
        self.assertEqual({line["outcome"] for line in self.log()}, {"silent"})

    def test_sessions_with_nothing_in_them_push_out_no_real_one(self) -> None:
        real = self.named(10)
        for name in real:
            self.work(name)
        for n in range(15):
            name = "empty-%02d" % n
            self.begin(name)
            self.new_transcript(name).prompt("a question")
            self.stop(name)
            self.end(name)
        self.assertLessEqual(set(real), set(self.keys()))
        self.assertLessEqual(len(self.keys()), 10 + 10 + 1)  # the real, the empty, the one at hand
        self.assertIn("Build it", self.history(self.begin()))

    def test_an_empty_one_is_gone_after_a_day(self) -> None:
        self.begin("old-and-empty")
        self.begin("new-and-empty")
        moment = time.time() - 25 * 3600
        os.utime(self.sessions("old-and-empty.json"), (moment, moment))
        self.end("a-third")
        self.assertEqual(self.keys(), ["a-third", "new-and-empty"])

    def test_what_is_not_ours_stays(self) -> None:
        self.work()
        old = time.time() - 30 * 24 * 3600
        for name in ("notes.json", "notes.txt", "sub/x.json", "1.2.json", "other.tmp.json"):
            os.utime(self.write(self.sessions(name), '{"mine": true}'), (old, old))
        torn = self.write(self.sessions("x.json.1.2.tmp"), "half")
        os.utime(torn, (old, old))
        fresh = self.write(self.sessions("x.json.1.3.tmp"), "half")
        self.end()
        for name in ("notes.json", "notes.txt", "sub/x.json", "1.2.json", "other.tmp.json"):
            self.assertTrue(os.path.exists(self.sessions(name)), name)
        self.assertEqual((os.path.exists(torn), os.path.exists(fresh)), (False, True))

    def test_a_lost_index_is_made_again(self) -> None:
        for name in self.named(3):
            self.work(name)
        os.unlink(self.sessions("sessions.index.json"))
        self.assertIn("Build it", self.history(self.begin("x")))
        with open(self.sessions("sessions.index.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file), {"sessions": self.named(3)})


class TogetherTest(SessionTestCase):
    def test_two_sessions_at_once(self) -> None:
        for name in (SESSION, OTHER):
            self.begin(name)
        for turn in range(4):
            for name in (SESSION, OTHER):
                transcript = self.new_transcript(name, age=50 - turn)
                transcript.prompt("turn %d of %s" % (turn, name[:4]))
                transcript.create(self.path("%s-%d.txt" % (name[:4], turn)))
            with ThreadPoolExecutor(2) as pool:
                list(pool.map(self.stop, (SESSION, OTHER)))
        for name in (SESSION, OTHER):
            state = self.state(name)
            files = ["%s-%d.txt" % (name[:4], turn) for turn in range(4)]
            self.assertEqual((list(state["files"]), state["prompts"]), (files, 4))
            self.assertEqual([entry["count"] for entry in state["files"].values()], [1] * 4)

    def test_a_child_client_has_a_state_of_its_own(self) -> None:
        self.begin(SESSION)
        self.transcript.prompt("the parent's goal")
        self.stop()
        inherited = {"CLAUDE_CODE_SESSION_ID": SESSION, "CLAUDE_SESSION_ID": SESSION}
        child = self.new_transcript(OTHER)
        self.begin(OTHER, **inherited)
        child.prompt("the child's goal")
        child.create(self.path("child.txt"))
        self.send("Stop", OTHER, inherited, last_assistant_message="child done")
        self.send("SessionEnd", OTHER, inherited, reason="other")
        self.transcript.create(self.path("parent.txt"))
        self.stop(last="parent done")
        self.assertEqual(list(self.state(SESSION)["files"]), ["parent.txt"])
        self.assertEqual(list(self.state(OTHER)["files"]), ["child.txt"])
        self.assertEqual(self.state(SESSION)["last_message"], "parent done")
        self.assertIn("the parent's goal", self.history(self.begin(THIRD)))

    def test_events_of_one_session_at_once(self) -> None:
        self.transcript.prompt("one")
        self.transcript.create(self.path("a.txt"))
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(self.stop, [SESSION] * 8))
        self.assertEqual(self.state()["files"]["a.txt"]["count"], 1)
        self.assertEqual(self.state()["prompts"], 1)

    def test_a_session_id_that_is_no_file_name(self) -> None:
        for name in ("../../evil", "a/b", ".hidden", "x" * 300, "CON", "sessions.index"):
            self.stop(name, "bye")
        for folder, _, names in os.walk(self.base):
            for name in names:
                self.assertNotIn("evil.json", name)
                self.assertFalse(name.startswith(".hidden"), folder)
        self.assertEqual(len(self.keys()), 6)


class KilledTest(SessionTestCase):
    """A saving process that is killed leaves the old state or the new one, never a part."""

    KILLS = 200

    def test_two_hundred_kills(self) -> None:
        chance = random.Random(2026)
        self.transcript.prompt("goal 0")
        self.transcript.create(self.path("a.txt"))
        self.stop()  # the first run looks for Python and compiles
        started = time.monotonic()
        self.stop()
        span = time.monotonic() - started
        given = json.dumps(
            event("Stop", cwd=self.project, transcript_path=self.transcript.path)
        ).encode()
        command = ["sh", os.path.join(self.root, "hooks", "run"), "Stop"]
        ends = {"killed": 0, "ended": 0}
        for n in range(1, self.KILLS + 1):
            self.transcript.prompt("goal %d %s" % (n, "word " * 60))
            process = subprocess.Popen(
                command,
                env=self.env(),
                cwd=self.project,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            assert process.stdin
            process.stdin.write(given)
            process.stdin.close()
            time.sleep(chance.uniform(0.6, 1.0) * span)  # near its end, where it writes
            try:
                os.killpg(process.pid, signal.SIGKILL)  # its own group, just started
            except ProcessLookupError:
                pass
            killed = process.wait() != 0
            ends["killed" if killed else "ended"] += 1
            span *= 1.03 if killed else 0.97  # however fast the machine is just now
            state = self.state()  # valid JSON
            self.assertEqual((state["schema"], state["session"]), (1, SESSION))
            self.assertEqual(list(state["files"]), ["a.txt"])
            self.assertLessEqual(state["prompts"], n + 1)
            with open(self.sessions("sessions.index.json"), encoding="utf-8") as file:
                self.assertEqual(json.load(file), {"sessions": [SESSION]})
        self.assertGreater(min(ends.values()), self.KILLS / 20, ends)
        self.stop()
        state = self.state()
        self.assertEqual(state["prompts"], self.KILLS + 1)  # nothing lost, nothing twice
        self.assertEqual(state["files"]["a.txt"]["count"], 1)


class ResistingTest(SessionTestCase):
    def test_a_project_that_cannot_hold_the_folder(self) -> None:
        self.write(self.path(".claude"), "a file, of all things")
        self.write(self.path("yarn.lock"), "")
        self.work()
        text = self.begin().context
        self.assertIn("Build it", text)
        self.assertIn("package manager: yarn", text)
        (name,) = os.listdir(os.path.join(self.home, ".claude", "sessions"))
        self.assertIn("my", name)
        self.assertEqual({line["outcome"] for line in self.log()}, {"silent", "spoke"})

    @unittest.skipIf(os.geteuid() == 0, "the superuser may write everywhere")
    def test_a_read_only_project(self) -> None:
        os.chmod(self.project, 0o500)
        self.addCleanup(os.chmod, self.project, 0o700)
        self.work()
        self.assertIn("Build it", self.history(self.begin()))
        self.assertFalse(os.path.exists(self.path(".claude")))

    def test_nowhere_to_write_at_all(self) -> None:
        self.write(self.path(".claude"), "a file")
        self.write(os.path.join(self.home, ".claude", "sessions"), "a file too")
        self.write(self.path("yarn.lock"), "")
        self.stop()
        self.assertIn("yarn", self.begin().context)  # it is told all the same
        lines = [line for line in self.log() if line["outcome"] == "error"]
        self.assertEqual({line["hook"] for line in lines}, {"save-session", "session-start"})

    def hold_the_lock(self, seconds: float) -> subprocess.Popen[bytes]:
        holder = "import fcntl, sys, time; f = open(sys.argv[1], 'w'); fcntl.flock(f, 2);"
        holder += " print('held', flush=True); time.sleep(%g)" % seconds
        process = subprocess.Popen(
            [PYTHON, "-c", holder, self.sessions(".lock")], stdout=subprocess.PIPE
        )
        assert process.stdout
        process.stdout.readline()
        return process

    def test_a_turn_is_saved_although_others_take_their_time(self) -> None:
        self.work()
        self.work(OTHER)  # the hooks have all been started once
        self.transcript.prompt("more")
        process = self.hold_the_lock(3)  # longer than what is not lost would wait
        try:
            env = {"CUSTOM_SKILLS_TIME_SCALE": "1"}
            self.assert_silent(self.send("Stop", last_assistant_message="", env=env))
            self.assertEqual(self.state()["prompts"], 2)
        finally:
            process.kill()
            process.wait()
            if process.stdout:
                process.stdout.close()

    def test_a_lock_that_nobody_frees(self) -> None:
        self.work()
        process = self.hold_the_lock(100000)
        try:
            before = self.state()
            env = {"CUSTOM_SKILLS_TIME_SCALE": "1"}
            self.assert_silent(self.send("Stop", last_assistant_message="", env=env))
            self.assertEqual(self.state(), before)
            errors = [line.get("error") for line in self.log() if line["hook"] == "save-session"]
            self.assertEqual(errors[-1], "TimeoutError")
        finally:
            process.kill()
            process.wait()
            if process.stdout:
                process.stdout.close()

    def test_links_in_a_cloned_repository(self) -> None:
        secret = self.write("home/secret.txt", "the secret of another place\n")
        self.work()
        os.symlink(secret, self.sessions("compaction-log.txt"))
        os.symlink(secret, self.sessions("linked.json"))
        self.send("PreCompact", trigger="manual", custom_instructions="")
        self.end()
        with open(secret, encoding="utf-8") as file:
            self.assertEqual(file.read(), "the secret of another place\n")
        with open(self.sessions("compaction-log.txt"), encoding="utf-8") as file:
            self.assertNotIn("secret", file.read())


class HookctlTest(SessionTestCase):
    def tool(self, *words: str, **env: str) -> Done:
        path = os.path.join(self.root, "hooks", "run")
        return self.start(["sh", path, "--hookctl", "sessions", *words], "", **env)

    def tell(self, *words: str, **env: str) -> str:
        done = self.tool(*words, **env)
        self.assertEqual((done.code, done.stderr), (0, ""), done.stdout)
        return done.stdout

    def refuse(self, code: int, *words: str) -> str:
        done = self.tool(*words)
        self.assertEqual((done.code, done.stdout), (code, ""))
        return done.stderr

    def test_an_empty_list(self) -> None:
        self.assertEqual(self.tell(), "no stored sessions\n")
        self.assertEqual(json.loads(self.tell("list", "--json")), [])
        self.assertIn("no stored sessions", self.refuse(1, "show"))
        self.assertFalse(os.path.exists(self.path(".claude")))

    def test_list_the_latest_first(self) -> None:
        self.work(SESSION, "the first goal")
        self.work(OTHER, "the other goal")
        self.begin("empty")
        lines = self.tell("list").splitlines()
        self.assertEqual(lines[0].split()[:3], ["UPDATED", "SESSION", "BRANCH"])
        self.assertEqual([line.split()[1] for line in lines[1:]], [OTHER, SESSION])
        self.assertIn("the other goal", lines[1])
        (first, _) = json.loads(self.tell("list", "--json"))
        self.assertEqual((first["session"], first["files"]), (OTHER, 1))
        self.assertEqual(first["path"], self.sessions(OTHER + ".json"))

    def test_show(self) -> None:
        self.work(SESSION, "the first goal \033[31m")
        self.work(OTHER, "the other goal")
        text = self.tell("show")
        self.assertIn("the other goal", text)
        self.assertIn(FENCE, text)
        self.assertIn(END, text)
        self.assertIn("the first goal", self.tell("show", SESSION[:6]))
        self.assertNotIn("\033", self.tell("show", SESSION))
        self.assertEqual(json.loads(self.tell("show", "--json"))["session"], OTHER)
        self.assertIn("no such session", self.refuse(1, "show", "nobody"))

    def test_a_beginning_that_fits_two(self) -> None:
        self.work("same-1")
        self.work("same-2")
        self.assertIn("more than one", self.refuse(1, "show", "same"))

    def test_aliases(self) -> None:
        self.work(SESSION)
        self.work(OTHER)
        self.tell("alias", "release-work", SESSION[:8])
        self.tell("alias", "latest")
        with open(self.sessions("sessions.aliases.json"), encoding="utf-8") as file:
            named = {"release-work": SESSION, "latest": OTHER}
            self.assertEqual(json.load(file), {"aliases": named})
        self.assertIn(SESSION, self.tell("show", "release-work"))
        told = self.begin(THIRD).context.splitlines()[-1]
        form = "session aliases: latest = .claude/sessions/%s.json; release-work = "
        self.assertTrue(told.startswith(form % OTHER), told)
        self.tell("alias", "release-work", OTHER)  # another one now, and the most recent
        told = self.begin(THIRD).context.splitlines()[-1]
        self.assertTrue(told.startswith("session aliases: release-work = "), told)
        self.tell("unalias", "latest")
        self.assertNotIn("latest =", self.begin(THIRD).context)
        self.assertIn("no such alias", self.refuse(1, "unalias", "latest"))

    def test_the_five_most_recent(self) -> None:
        self.work()
        for n in range(8):
            self.tell("alias", "name-%d" % n)
        told = self.begin().context.splitlines()[-1]
        self.assertEqual([n for n in range(8) if "name-%d" % n in told], [3, 4, 5, 6, 7])

    def test_inside_a_session_the_alias_is_its_own(self) -> None:
        self.work(OTHER)
        self.begin(SESSION)
        self.tell("alias", "this-one", CLAUDE_CODE_SESSION_ID=SESSION)
        self.assertIn(SESSION, self.tell("show", "this-one"))
        self.tell("alias", "that-one", CLAUDE_CODE_SESSION_ID="unknown")
        self.assertIn(OTHER, self.tell("show", "that-one"))

    def test_names_that_are_none(self) -> None:
        self.work()
        for name in ("", "../x", "a b", "-x", "x.", "<tag>", "x" * 51, "名"):
            self.assertEqual(self.tool("alias", "--", name).code, 2, name)

    def test_a_named_session_is_not_pruned(self) -> None:
        self.work(SESSION)
        self.tell("alias", "keep", SESSION)
        for n in range(12):
            self.work("later-%02d" % n)
        self.end("later-11")
        self.assertIn(SESSION, self.keys())
        self.assertEqual(len(self.keys()), 11)

    def test_forget(self) -> None:
        self.work(SESSION)
        self.work(OTHER)
        self.tell("alias", "gone", OTHER)
        self.assertEqual(self.tell("forget", "gone"), "forgotten: %s\n" % OTHER)
        self.assertEqual(self.keys(), [SESSION])
        self.assertNotIn("aliases", self.begin(THIRD).context)
        self.assertEqual(self.tool("forget").code, 2)  # never by accident

    def test_garbage_in_the_folder(self) -> None:
        self.work()
        self.write(self.sessions("broken.json"), "{")
        self.write(self.sessions("sessions.index.json"), {"sessions": ["broken", SESSION]})
        self.write(self.sessions("sessions.aliases.json"), "[")
        self.assertEqual([line["session"] for line in json.loads(self.tell("--json"))], [SESSION])
        self.assertIn("not readable", self.refuse(1, "show", "broken"))

    def test_a_subagents_files_are_shown_as_its_own(self) -> None:
        agent = Transcript(os.path.join(self.transcripts, SESSION, "subagents", "agent-a1.jsonl"))
        agent.agent = True
        agent.create(self.path("sub.txt"))
        kind = {"agent_id": "a1", "agent_type": "Explore"}
        fields: dict[str, Any] = {**kind, "agent_transcript_path": agent.path}
        self.assert_silent(self.send("SubagentStop", **fields))
        self.assertIn("sub.txt (created by Explore)", self.tell("show"))
