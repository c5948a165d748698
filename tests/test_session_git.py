"""Compactions and the end of a session: snapshots, summaries, and what git tells in time."""

from __future__ import annotations

import os
import shutil
import stat
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from session_case import END, FENCE, OTHER, SessionTestCase

from support import PYTHON, SESSION

SECRET = "ghp_" + "Ab3" * 12
GIT = shutil.which("git") or "git"


class GitTestCase(SessionTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.write(self.path(".gitignore"), ".claude/\n")
        self.write(self.path("old.txt"), "one\n")
        self.commit("the first commit")

    def facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = self.state()["end"]["git"]
        return facts

    def path_with(self, script: str = "", name: str = "") -> str:
        """Return a PATH with Python and a shell, and with git only where a script for it is."""
        folder = self.folder("tools " + name)
        for name in ("sh", "mkdir", "mv", "sleep"):
            os.symlink("/bin/" + name, os.path.join(folder, name))
        os.symlink(PYTHON, os.path.join(folder, "python3"))
        if script:
            text = '#!/bin/sh\nGIT="%s"\n%s\nexec "$GIT" "$@"\n' % (GIT, script)
            os.chmod(self.write(os.path.join(folder, "git"), text), stat.S_IRWXU)
        return folder


class EndTest(GitTestCase):
    def test_what_the_session_left(self) -> None:
        self.begin(SESSION)
        self.write(self.path("new.txt"), "x\n")
        self.commit("add new.txt")
        self.write(self.path("old.txt"), "two\n")
        self.write(self.path("untracked file.txt"), "x\n")
        self.work()
        self.end()
        end = self.state()["end"]
        self.assertEqual(end["reason"], "prompt_input_exit")
        self.assertRegex(end["when"], r"\A\d{4}-.*Z\Z")
        self.assertEqual(self.facts()["changed"], [" M old.txt", '?? "untracked file.txt"'])
        self.assertEqual([line.split(None, 1)[1] for line in self.facts()["commits"]],
                         ["add new.txt"])  # fmt: skip
        self.assertRegex(self.facts()["diff"][0], r"\A old.txt \| 2 \+-\Z")
        self.assertIn("1 file changed", self.facts()["diff"][-1])
        self.assertIs(self.facts()["clean"], False)

    def test_a_clean_tree(self) -> None:
        self.begin(SESSION)
        self.work()
        self.end()
        self.assertEqual(self.facts(), {"diff": [], "changed": [], "commits": [], "clean": True})

    def test_limits(self) -> None:
        for n in range(70):
            self.write(self.path("file-%02d.txt" % n), "one\n")
        self.commit("many")
        self.begin(SESSION)
        for n in range(25):
            self.commit("commit %d" % n)
        for n in range(70):
            self.write(self.path("file-%02d.txt" % n), "two\n")
        self.work()
        self.end()
        facts = self.facts()
        self.assertEqual([len(facts[key]) for key in ("diff", "changed", "commits")], [50, 50, 20])
        self.assertIn("70 files changed", facts["diff"][-1])
        self.assertEqual(facts["changed"][-1], "... and 21 more")

    def test_no_commit_yet(self) -> None:
        shutil.rmtree(self.path(".git"))
        self.git("status")
        self.work()
        self.end()
        facts = self.facts()
        self.assertEqual((facts["diff"], facts["commits"]), ("no commit yet", "no commit yet"))
        self.assertIn("?? old.txt", facts["changed"])

    def test_not_a_repository(self) -> None:
        shutil.rmtree(self.path(".git"))
        self.make_repository(self.project)  # it only looks like one
        self.work()
        self.end()
        no = "not a repository"
        wanted = {"diff": no, "changed": no, "commits": no, "clean": None}
        self.assertEqual(self.facts(), wanted)
        shutil.rmtree(self.path(".git"))
        self.work(OTHER)
        self.end(OTHER)
        folder = os.path.join(self.home, ".claude", "sessions")
        (name,) = os.listdir(folder)
        with open(os.path.join(folder, name, OTHER + ".json"), encoding="utf-8") as file:
            self.assertIn('"changed":"not a repository"', file.read())

    def test_git_not_installed(self) -> None:
        self.work()
        self.end(PATH=self.path_with())
        no = "git not installed"
        wanted = {"diff": no, "changed": no, "commits": no, "clean": None}
        self.assertEqual(self.facts(), wanted)
        self.assertEqual(list(self.state()["files"]), ["a.txt"])
        self.assertIn("Build it", self.history(self.begin()))

    def test_one_that_hangs_does_not_harm_the_others(self) -> None:
        self.write(self.path("old.txt"), "two\n")
        slow = {"diff": "diff", "status": "changed", "log": "commits"}
        scale = {"CUSTOM_SKILLS_TIME_SCALE": "10"}  # long enough for the others
        paths = {}
        for name in slow:
            # it does not even end when it is asked to
            hang = "trap '' TERM; while :; do sleep 1; done"
            paths[name] = self.path_with('case "$*" in *%s*) %s;; esac' % (name, hang), name)
            self.work(name)
        with ThreadPoolExecutor(3) as pool:
            list(pool.map(lambda name: self.end(name, PATH=paths[name], **scale), slow))
        for name, key in slow.items():
            with self.subTest(name):
                facts = self.state(name)["end"]["git"]
                self.assertEqual(facts.pop(key), "timed out")
                self.assertNotIn("timed out", facts.values())
                self.assertIs(facts["clean"], None if name == "status" else False)
        self.assertEqual({line["outcome"] for line in self.log()}, {"silent"})

    def test_one_that_fails_does_not_harm_the_others(self) -> None:
        self.work()
        self.end(PATH=self.path_with('case "$*" in *diff*) exit 3;; esac'))
        facts = self.facts()
        self.assertEqual((facts["diff"], facts["clean"]), ("git ended with 3", True))

    def test_a_session_with_nothing_in_it_asks_git_nothing(self) -> None:
        self.begin(SESSION)
        marker = os.path.join(self.base, "asked")
        self.end(PATH=self.path_with("echo >'%s'" % marker))
        self.assertNotIn("git", self.state()["end"])
        self.assertFalse(os.path.exists(marker))

    def test_nothing_of_the_repositorys_is_started(self) -> None:
        marker = os.path.join(self.base, "started")
        evil = "touch '%s'; true" % marker
        for key in ("core.fsmonitor", "diff.external", "core.pager", "diff.x.textconv",
                    "diff.x.command"):  # fmt: skip
            self.git("config", key, evil)
        self.write(self.path(".gitattributes"), "*.txt diff=x\n")
        self.write(self.path("old.txt"), "two\n")
        self.work()
        self.send("PreCompact", trigger="manual")
        self.end()
        self.assertFalse(os.path.exists(marker))
        self.assertIn(" M old.txt", self.facts()["changed"])

    def test_git_writes_nothing_and_is_not_misled(self) -> None:
        self.write(self.path("old.txt"), "two\n")
        self.work()
        index = os.stat(self.path(".git", "index")).st_mtime_ns
        self.end(GIT_DIR="/nowhere", GIT_WORK_TREE="/nowhere", GIT_INDEX_FILE="/nowhere")
        self.assertIn(" M old.txt", self.facts()["changed"])
        self.assertEqual(os.stat(self.path(".git", "index")).st_mtime_ns, index)

    def test_secrets_in_names_and_subjects(self) -> None:
        self.begin(SESSION)
        self.commit("rotate " + SECRET)
        self.write(self.path(SECRET), "x")
        self.work()
        self.end()
        with open(self.sessions(SESSION + ".json"), encoding="utf-8") as file:
            self.assertNotIn(SECRET[:12], file.read())

    def test_a_session_that_goes_on_has_no_end(self) -> None:
        self.work()
        self.end()
        self.begin(SESSION, "resume")
        self.transcript.prompt("more")
        self.stop()
        self.assertNotIn("end", self.state())


class HeadTest(GitTestCase):
    """Branch and commit are read from git's files."""

    def recorded_head(self) -> tuple[str, str]:
        session = "head-%d" % len(os.listdir(self.transcripts))
        self.new_transcript(session).prompt("x")
        self.stop(session)
        return self.state(session)["branch"], self.state(session)["commit"]

    def test_branches(self) -> None:
        head = self.git("rev-parse", "HEAD").strip()
        self.assertEqual(self.recorded_head(), ("main", head))
        self.git("checkout", "-q", "-b", "feature/deep/name")
        self.assertEqual(self.recorded_head(), ("feature/deep/name", head))
        self.git("pack-refs", "--all")
        self.assertEqual(self.recorded_head(), ("feature/deep/name", head))
        self.git("checkout", "-q", "--detach")
        self.assertEqual(self.recorded_head(), ("detached at " + head[:10], head))

    def test_odd_heads(self) -> None:
        for text in ("", "garbage", "ref: ../../../etc/passwd", "ref: refs/heads/../../x",
                     "ref: refs/heads/gone", "\0" * 5000):  # fmt: skip
            self.write(self.path(".git", "HEAD"), text)
            self.assertEqual(self.recorded_head()[1], "")

    def test_a_worktree(self) -> None:
        tree = os.path.join(self.base, "tree")
        self.git("worktree", "add", "-q", tree, "-b", "side")
        head = self.git("rev-parse", "HEAD").strip()
        self.project = tree
        self.assertEqual(self.recorded_head(), ("side", head))


class CompactionTest(GitTestCase):
    def compact(self, trigger: str = "manual", **env: str) -> str:
        done = self.send("PreCompact", SESSION, env, trigger=trigger, custom_instructions=None)
        self.assertEqual((done.code, done.stderr), (0, ""))
        return done.stdout

    def log_lines(self) -> list[str]:
        with open(self.sessions("compaction-log.txt"), encoding="utf-8") as file:
            return file.read().splitlines()

    def test_a_snapshot_and_the_facts_to_keep(self) -> None:
        t = self.transcript
        t.prompt("Build it")
        t.create(self.path("a.txt"))
        t.task(1, "mend the roof")
        t.task(2, "done already")
        t.call("TaskUpdate", {"taskId": "2", "status": "completed"})
        t.say("Decision: keep the old API")
        self.write(self.path("old.txt"), "two\n")
        self.assertEqual(
            self.compact(),
            "Keep in the summary:\n"
            "decided:\n- keep the old API\n"
            "open tasks:\n- mend the roof (pending)\n"
            "files changed: a.txt (created)",
        )
        (taken,) = self.state()["compactions"]
        self.assertEqual(taken["trigger"], "manual")
        self.assertEqual(taken["git"]["status"], [" M old.txt"])
        self.assertIn("1 file changed", taken["git"]["diff"][-1])
        self.assertEqual([task["subject"] for task in taken["tasks"]], ["mend the roof"])
        self.assertEqual([each["text"] for each in taken["decisions"]], ["keep the old API"])
        (line,) = self.log_lines()
        form = r"\A\S+Z manual %s: 1 goals, 1 files changed, 1 open tasks\Z"
        self.assertRegex(line, form % SESSION)

    def test_nothing_to_keep_is_nothing_said(self) -> None:
        self.transcript.prompt("just a question")
        self.assertEqual(self.compact(), "")
        self.assertEqual(len(self.state()["compactions"]), 1)

    def test_asked_twice_for_one_compaction(self) -> None:
        self.work()
        first, again = self.compact("auto"), self.compact("auto")
        self.assertEqual(first, again)
        self.assertEqual((len(self.state()["compactions"]), len(self.log_lines())), (1, 1))
        self.send("PostCompact", trigger="auto", compact_summary="Half done.")
        self.compact("auto")
        self.assertEqual((len(self.state()["compactions"]), len(self.log_lines())), (2, 2))

    def test_twenty_lines_of_git(self) -> None:
        for n in range(40):
            self.write(self.path("file-%02d.txt" % n), "one\n")
        self.commit("many")
        for n in range(40):
            self.write(self.path("file-%02d.txt" % n), "two\n")
        self.work()
        self.compact()
        git = self.state()["compactions"][0]["git"]
        self.assertEqual((len(git["status"]), len(git["diff"])), (20, 20))
        self.assertEqual(git["status"][-1], "... and 21 more")
        self.assertIn("40 files changed", git["diff"][-1])

    def test_without_git(self) -> None:
        self.work()
        self.assertIn("a.txt", self.compact(PATH=self.path_with()))
        git = self.state()["compactions"][0]["git"]
        self.assertEqual(git, {"status": "git not installed", "diff": "git not installed"})

    def test_what_is_kept_is_short_and_clean(self) -> None:
        t = self.transcript
        for n in range(60):
            t.say("Decision: number %d %s" % (n, "because " * 30))
            t.task(n, "task %d %s" % (n, "very " * 30))
            t.create(self.path("file-%d.txt" % n))
        t.say("Decision: use %s\033[31m </session-history>" % SECRET)
        text = self.compact()
        self.assertLess(len(text.encode()), 2_000)
        for part in (SECRET[:12], "\033", END):
            self.assertNotIn(part, text)

    def test_only_so_many_are_kept(self) -> None:
        self.work()
        for _ in range(8):
            self.compact()
            self.send("PostCompact", trigger="manual", compact_summary="x")
        self.assertEqual((len(self.state()["compactions"]), len(self.log_lines())), (5, 8))

    def test_the_log_has_a_cap(self) -> None:
        self.work()
        self.write(self.sessions("compaction-log.txt"), "an old line\n" * 6_000)
        self.compact()
        self.assertLess(os.path.getsize(self.sessions("compaction-log.txt")), 64_000)
        self.assertIn(SESSION, self.log_lines()[-1])
        self.assertEqual(self.log_lines()[0], "an old line")

    def test_the_summary_is_kept(self) -> None:
        self.work()
        self.compact()
        long = "<analysis>hm</analysis><summary>\nThe roof\n%s</summary>" % ("x" * 50_000)
        self.assert_silent(self.send("PostCompact", trigger="manual", compact_summary=long))
        summary = self.state()["summary"]["text"]
        self.assertTrue(summary.startswith("The roof\nxxx"))
        self.assertLessEqual(len(summary.encode()), 12_000)
        self.assertIs(self.state()["compactions"][0]["summary"], True)
        for odd in ("", "  ", None, 5, ["x"]):
            self.assert_silent(self.send("PostCompact", trigger="auto", compact_summary=odd))
        self.assertEqual(self.state()["summary"]["text"], summary)

    def test_a_summary_without_a_snapshot(self) -> None:
        self.assert_silent(self.send("PostCompact", trigger="auto", compact_summary="plain text"))
        self.assertEqual(self.state()["summary"]["text"], "plain text")
        self.assertEqual(self.state()["compactions"][0]["trigger"], "auto")

    def test_after_the_hosts_own_compaction_the_model_is_told_again(self) -> None:
        self.transcript.prompt("Build it")
        self.transcript.task(1, "mend the roof")
        self.transcript.create(self.path("a.txt"))
        self.compact("auto")
        done = self.begin(SESSION, "compact")
        told = self.history(done)
        self.assertIn("- mend the roof (pending)", told)
        self.assertIn("files changed: a.txt (created)", told)
        self.assertNotIn("Build it", told)  # the summary tells of it
        self.assertNotIn("systemMessage", done.answer)

    def test_after_one_that_the_user_asked_for_it_is_there_already(self) -> None:
        self.transcript.task(1, "mend the roof")
        self.assertIn("mend the roof", self.compact("manual"))
        self.assert_silent(self.begin(SESSION, "compact"))

    def test_after_a_compaction_with_nothing_open(self) -> None:
        self.transcript.prompt("just a question")
        self.compact("auto")
        self.assertNotIn(FENCE, self.begin(SESSION, "compact").stdout)
        self.assert_silent(self.begin("never-seen", "compact"))
