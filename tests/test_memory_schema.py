"""The database's schema, older versions of it, and the globs of a memory."""

from __future__ import annotations

import json
import os
import sqlite3
from typing import Any

from memory_case import MemoryTestCase

from hooklib.memory.store import bloom, file_globs, schema

OLD_ROW = (
    "INSERT INTO memory (uri, kind, title, body, tags, globs, priority, source, created, updated)"
    " VALUES ('memory://project/decision/old', 'decision', 'the old parser stays', 'for now', '',"
    " 'src/*.py', 1, 'user', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')"
)


class SchemaTest(MemoryTestCase):
    def older(self) -> None:
        """A database as version 1 made it, with a memory in it."""
        os.makedirs(self.memory, mode=0o700)
        connection = sqlite3.connect(self.database)
        for statement in schema._STEPS[0].split(";"):
            connection.execute(statement)
        connection.execute(OLD_ROW)
        connection.execute("INSERT INTO glob VALUES ('src|.py', 1, 1, 'src/*.py')")
        connection.execute("INSERT INTO terms VALUES (1, ' old parser stay ', '', ' now ')")
        connection.execute("PRAGMA user_version = 1")
        connection.commit()
        connection.close()

    def test_an_older_database_is_brought_up_to_date_with_all_its_memories(self) -> None:
        self.older()
        self.assert_silent(self.read_file("src/a.py"))  # a reader leaves it alone
        self.assertEqual(self.rows("PRAGMA user_version"), [(1,)])
        self.add("new one")
        self.assertEqual(self.rows("PRAGMA user_version"), [(schema.VERSION,)])
        self.assertEqual(
            sorted(m["title"] for m in self.listed()), ["new one", "the old parser stays"]
        )
        self.assertEqual([m["confidence"] for m in self.listed()], [1.0, 1.0])
        self.assertIn("the old parser stays", self.hookctl("search", "parser"))
        self.assertIn("the old parser stays", self.read_file("src/a.py").context)

    def test_the_start_of_a_session_brings_it_up_to_date(self) -> None:
        self.older()
        self.edit("x.py", "killed")
        self.assertIn("the old parser stays", self.send("SessionStart", source="startup").context)

    def test_a_newer_database_is_left_alone(self) -> None:
        self.add("x", "--file", "a.py")
        connection = sqlite3.connect(self.database)
        connection.execute("PRAGMA user_version = 99")
        connection.close()
        before = self.rows("SELECT * FROM memory")
        self.assertIn(
            "newer version", self.hookctl("add", "--kind", "note", "--title", "y", code=1)
        )
        self.assert_silent(self.read_file("a.py"))
        self.end()
        self.assertEqual(self.rows("SELECT * FROM memory"), before)

    def test_write_ahead_log_and_secure_delete(self) -> None:
        self.add("x")
        self.assertEqual(self.rows("PRAGMA journal_mode"), [("wal",)])

    def test_without_full_text_search_the_same_is_found(self) -> None:
        self.add("the red parser", "--body", "of tokens")
        off: dict[str, Any] = {"CUSTOM_SKILLS_MEMORY_FTS": "0"}
        self.add("the blue parser", "--body", "of trees", **off)
        self.add("the green wall", **off)
        for env in (off, {}):  # the index was left behind, then made anew
            found = json.loads(self.hookctl("search", "parser", "trees", "--json", **env))
            self.assertEqual([m["title"] for m in found], ["the blue parser", "the red parser"])
            self.add("nothing to do with it")


class GlobTest(MemoryTestCase):
    def test_every_path_has_the_key_of_every_glob_that_means_it(self) -> None:
        means = {
            "src/a.py": (
                "src/a.py", "a.py", "*.py", "src", "src/", "src/*.py", "src/**", "**/*.py", "*",
                "**/a.*", "s*/a.py", "{src,lib}/*.py", "src/[ab].py", "a.*", "?.py",
                "src/{a,b}.py", "*.{py,pyi}",
            ),
            "src/deep/er/x.test.ts": (
                "src/**/*.ts", "*.test.ts", "src/deep", "deep", "er", "**/er/*", "*.ts",
                "src/deep/**/x*",
            ),
            "Makefile": ("Makefile", "Make*", "*", "**/Makefile"),
            ".env": (".env", ".e*", "*.env"),
            "src/.hidden/x": ("src/**", ".hidden", "src/.hidden"),
            "/etc/hosts": ("/etc/hosts", "/etc", "hosts"),
        }  # fmt: skip
        for path, patterns in means.items():
            for pattern in patterns:
                with self.subTest(path=path, glob=pattern):
                    self.assertTrue(file_globs.matches(file_globs.normalised(pattern), path))
                    self.assertIn(
                        file_globs.key_of(file_globs.normalised(pattern)), file_globs.keys_of(path)
                    )

    def test_other_globs_do_not_mean_it(self) -> None:
        for glob_ in (
            "src/b.py",
            "lib",
            "*.ts",
            "src/*/*.py",
            "rc",
            "a.p",
            "[",
            "{",
            "**/b/**",
            "src/a",
        ):
            self.assertFalse(file_globs.matches(glob_, "src/a.py"), glob_)

    def test_a_filter_never_denies_what_was_added(self) -> None:
        path = os.path.join(self.base, "x.db")
        self.assertTrue(bloom.may_hold_any(path, ["anything"]))  # no filter: who knows
        connection = sqlite3.connect(path)
        self.addCleanup(connection.close)
        connection.execute("CREATE TABLE glob (key)")
        connection.execute("CREATE TABLE change (path)")
        connection.execute("INSERT INTO glob VALUES ('older')")
        names = ["key %d" % n for n in range(2000)]
        for n in range(0, 2000, 100):
            bloom.add(connection, names[n : n + 100])
        self.assertTrue(all(bloom.may_hold_any(path, [name]) for name in [*names, "older"]))
        wrong = sum(bloom.may_hold_any(path, ["other %d" % n]) for n in range(5000))
        self.assertLess(wrong, 5)
