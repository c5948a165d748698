"""The store of memories: many writers lose nothing, a damaged database is put aside."""

from __future__ import annotations

import glob
import json
import os
import signal
import sqlite3
import subprocess
import time

from memory_case import FENCE, MemoryTestCase

from support import LIB, PYTHON, Done


class TogetherTest(MemoryTestCase):
    def hookctl_command(self, *args: str) -> list[str]:
        return ["sh", os.path.join(self.root, "bin", "hookctl"), "memory", *args]

    def test_50_writers_at_once_lose_nothing(self) -> None:
        commands = [
            self.hookctl_command(
                "add", "--kind", "note", "--title", "note %d" % n, "--file", "f%d.py" % n
            )
            for n in range(50)
        ]
        started = self.start_many(commands)
        outs = [process.communicate()[0] for process in started]
        self.assertEqual([process.returncode for process in started], [0] * 50, outs)
        self.assertEqual(
            sorted(m["title"] for m in self.listed()), sorted("note %d" % n for n in range(50))
        )
        for n in (0, 17, 49):
            self.assertIn("note %d " % n, self.read_file("f%d.py" % n).context)
        self.assertEqual(self.rows("PRAGMA integrity_check"), [("ok",)])

    def test_50_events_at_once_are_50_lines(self) -> None:
        run = ["sh", os.path.join(self.root, "hooks", "run"), "PostToolUse"]
        given = {
            "session_id": "s1",
            "cwd": self.project,
            "tool_name": "Edit",
            "tool_input": {"file_path": os.path.join(self.project, "a.py")},
        }
        path = self.write("event.json", given)
        started = []
        for _ in range(50):
            with open(path) as stdin:
                started.append(subprocess.Popen(run, stdin=stdin, env=self.env()))
        self.assertEqual([process.wait() for process in started], [0] * 50)
        self.end()
        self.assertEqual(self.rows("SELECT path, count FROM change"), [("a.py", 50)])
        self.assertEqual(self.errors(), [])

    def test_a_kill_loses_nothing_that_was_said_to_be_stored(self) -> None:
        script = (
            "import sys, itertools; sys.path.insert(0, %r)\n"
            "from hooklib.memory.store import database, memories, memory_folder\n"
            "from hooklib.memory.store.entry import Memory\n"
            "where = memory_folder.project(%r)\n"
            "for n in itertools.count():\n"
            "    note = Memory('note', '%%s %%d' %% (sys.argv[1], n))\n"
            "    database.write(where, lambda c: memories.add(c, note))\n"
            "    print(n, flush=True)\n"
        ) % (LIB, self.project)
        for number in range(3):
            writers = self.start_many(
                [[PYTHON, "-c", script, "w%d%d" % (number, n)] for n in range(3)]
            )
            time.sleep(1.0)
            for writer in writers:
                writer.send_signal(signal.SIGKILL)
            for n, writer in enumerate(writers):
                said = writer.communicate()[0].decode().split()
                titles = {m["title"] for m in self.listed()}
                self.assertLessEqual({"w%d%d %s" % (number, n, s) for s in said}, titles)
        self.assertGreater(len(self.listed()), 5)
        self.assertEqual(self.rows("PRAGMA integrity_check"), [("ok",)])
        self.assertIn("w00", self.hookctl("search", "w00"))

    def test_a_locked_database_is_waited_for_and_then_left_alone(self) -> None:
        self.add("x", "--file", "a.py")
        connection = sqlite3.connect(self.database, isolation_level=None)
        self.addCleanup(connection.close)
        connection.execute("BEGIN IMMEDIATE")
        self.assertIn("- x", self.read_file("a.py").context)  # readers do not wait
        own = {"CUSTOM_SKILLS_TIME_SCALE": "1"}
        done = self.bash_failure("pytest", "Exit code 1\nValueError: no", "s2", env=own)
        self.assert_silent(done)
        self.assertEqual(self.errors()[0]["error"], "Unusable: database is locked")
        connection.execute("ROLLBACK")
        self.end("s2")
        self.assertEqual(self.rows("SELECT count FROM failure"), [(1,)])  # it was in the record


class BrokenTest(MemoryTestCase):
    def asides(self) -> list[str]:
        return glob.glob(glob.escape(self.database) + ".corrupt-*[!lm]")

    def break_it(self, data: bytes = b"this is no database at all" * 400) -> None:
        self.add("before", "--file", "a.py", "--priority", "1")
        with open(self.database, "r+b") as file:
            file.write(data)

    def test_a_broken_database_is_set_aside_and_a_new_one_begun(self) -> None:
        self.break_it()
        self.assertIn("stored", self.hookctl("add", "--kind", "note", "--title", "after"))
        self.assertEqual([m["title"] for m in self.listed()], ["after"])
        (aside,) = self.asides()
        with open(aside, "rb") as file:
            self.assertTrue(file.read().startswith(b"this is no database"))
        self.assertIn("broken database set aside", [line["outcome"] for line in self.log()])

    def test_every_event_survives_it(self) -> None:
        for name, fields in (
            ("SessionStart", {"source": "startup"}),
            ("UserPromptSubmit", {"prompt": "what was before?"}),
            (
                "PreToolUse",
                {"tool_name": "Read", "tool_input": {"file_path": self.project + "/a.py"}},
            ),
            (
                "PostToolUseFailure",
                {
                    "tool_name": "Bash",
                    "tool_input": {"command": "pytest"},
                    "error": "Exit code 1\nValueError: x",
                },
            ),
            ("SubagentStart", {"agent_id": "a", "agent_type": "Explore"}),
            ("SessionEnd", {"reason": "other"}),
        ):
            with self.subTest(name):
                self.break_it()
                self.assertEqual(self.send(name, **fields).stdout.count(FENCE), 0)
                self.assertEqual(len(self.asides()), 1)
                for path in glob.glob(glob.escape(self.database) + "*"):
                    os.unlink(path)
        self.assertEqual({line["outcome"] for line in self.errors()}, {"broken database set aside"})

    def test_a_page_in_the_middle(self) -> None:
        for n in range(40):
            self.add("memory %d" % n, "--body", "text %d " % n * 100)
        with open(self.database, "r+b") as file:
            file.seek(4096)
            file.write(os.urandom(4096 * 20))
        self.send("SessionStart", source="startup")
        self.assertEqual(len(self.asides()), 1)
        self.add("after")
        self.assertEqual([m["title"] for m in self.listed()], ["after"])

    def test_ten_that_find_it_broken_set_it_aside_once(self) -> None:
        self.break_it()
        command = [
            "sh",
            os.path.join(self.root, "bin", "hookctl"),
            "memory",
            "add",
            "--kind",
            "note",
            "--title",
        ]
        started = self.start_many([[*command, "n%d" % n] for n in range(10)])
        outs = [process.communicate()[0] for process in started]
        self.assertEqual([process.returncode for process in started], [0] * 10, outs)
        self.assertEqual((len(self.asides()), len(self.listed())), (1, 10))

    def test_a_broken_index_is_made_anew(self) -> None:
        self.add("the red parser")
        connection = sqlite3.connect(self.database)
        connection.execute("UPDATE fts_data SET block = x'00' WHERE id > 10")
        connection.commit()
        connection.close()
        self.hookctl("search", "parser")
        self.add("the blue parser")
        self.assertEqual(len(json.loads(self.hookctl("search", "parser", "--json"))), 2)
        self.assertEqual(self.asides(), [])

    def test_stats_tells(self) -> None:
        self.break_it()
        self.assertIn("BROKEN", self.hookctl("stats", code=1))

    def test_the_export_brings_back_what_it_holds(self) -> None:
        self.add("shared")
        self.hookctl("export")
        self.break_it()
        self.send("SessionStart", source="startup")
        self.assertEqual([m["title"] for m in self.listed()], ["shared"])

    def test_where_the_project_cannot_be_written_the_users_folder_serves(self) -> None:
        self.write(self.memory, "not a folder")
        for done in (self.edit("a.py"), self.read_file("a.py"), self.ask("hello"), self.stop()):
            self.assert_silent(done)
        self.add("x", "--file", "a.py")
        self.assertIn("- x", self.read_file("a.py").context)
        self.assertEqual(len(glob.glob(self.home + "/.claude/memory/my_project-*/memory.db")), 1)
        self.assertEqual(self.errors(), [])

    def stop(self) -> Done:
        return self.send("Stop")

    def test_where_nothing_can_be_written_hooks_are_silent(self) -> None:
        self.write(self.memory, "not a folder")
        self.write(os.path.join(self.home, ".claude", "memory"), "nor is this")
        for done in (self.edit("a.py"), self.read_file("a.py"), self.ask("hello"), self.stop()):
            self.assert_silent(done)
        self.assertIn("OSError", str(self.errors()).replace("NotADirectoryError", "OSError"))
        self.hookctl("add", "--kind", "note", "--title", "x", code=1)

    def test_a_full_disk(self) -> None:
        script = (
            "import os, resource, signal, sys\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))\n"
            "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
            "os.execv('/bin/sh', sys.argv[1:])"
        )
        path = os.path.join(self.root, "bin", "hookctl")
        self.hookctl("forget", self.add("compiled by now"))
        os.unlink(self.database)
        done = self.start(
            [PYTHON, "-c", script, "sh", path, "memory", "add", "--kind", "note", "--title", "x"],
            "",
        )
        self.assertEqual(done.code, 1, done.stdout)
        self.assertNotIn("Traceback", done.stderr)
        self.add("y")
        self.assertEqual([m["title"] for m in self.listed()], ["y"])
