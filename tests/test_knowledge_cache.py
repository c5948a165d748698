"""auto-skill: indexes so large that their digest is kept."""

from __future__ import annotations

import os
import stat
import time
from typing import Any

from knowledge_case import PROJECT, KnowledgeTestCase, category

from support import Done


class LargeIndexTest(KnowledgeTestCase):
    def many(self, count: int, pad: str = "") -> str:
        """Write an index of many categories, the last of them the most used; return its path."""
        listed = [category("c%d" % n, n, "word%d" % n, pad=pad) for n in range(1, count + 1)]
        path = self.write(PROJECT + "/knowledge-base/_index.json", {"categories": listed})
        for n in range(max(1, count - 200), count + 1):
            self.write(PROJECT + "/knowledge-base/c%d.md" % n, "")
        self.settle(path)
        return path

    def settle(self, path: str) -> None:
        """Make the index and its folder look as if they had been written a minute ago."""
        then = time.time() - 60
        for what in (path, os.path.dirname(path)):
            os.utime(what, (then, then))

    def kept(self) -> list[Any]:
        folder = os.path.join(self.data, "knowledge")
        return os.listdir(folder) if os.path.isdir(folder) else []

    def test_the_most_used_of_many_and_the_same_again(self) -> None:
        self.many(3000)
        first = self.begin().context
        self.assertTrue(first.splitlines()[1].startswith("- C3000 ("))
        self.assertRegex(first, r"- and 1\d\d more")  # those whose files exist
        (name,) = self.kept()
        mode = os.stat(os.path.join(self.data, "knowledge", name)).st_mode
        self.assertEqual(stat.S_IMODE(mode), 0o600)
        self.assertEqual(self.begin().context, first)
        self.assertEqual(self.odd_log(), [])

    def test_a_changed_index_or_folder_is_noticed(self) -> None:
        path = self.many(3000)
        self.begin()
        os.unlink(os.path.join(os.path.dirname(path), "c3000.md"))
        self.assertTrue(self.lines()[1].startswith("- C2999 ("))
        listed = [category("c2950", 99_999), *(category("n%d" % n) for n in range(1000))]
        self.write(path, {"categories": listed})
        self.assertIn("99999 entries", self.lines()[1])

    def test_what_was_just_written_is_not_kept(self) -> None:
        path = self.many(3000)
        os.utime(path)
        self.begin()
        self.assertEqual(self.kept(), [])

    def test_what_is_kept_may_be_damaged(self) -> None:
        self.many(3000)
        first = self.begin().context
        path = os.path.join(self.data, "knowledge", self.kept()[0])
        for content in ("", "x\ty\n", "\x00" * 100):
            self.write(path, content)
            self.assertEqual(self.begin().context, first)

    def test_a_small_index_keeps_nothing(self) -> None:
        self.many(50)
        self.begin()
        self.assertEqual(self.kept(), [])

    def test_a_keyword_of_a_rare_category_is_found(self) -> None:
        self.many(3000)
        self.begin()
        self.assertIn("c2850.md", self.ask("what of word2850?").context)
        self.assert_silent(self.ask("what of word28?"))

    def begin_in_time(self) -> Done:
        """Begin a session in less work than half of the hook's time limit of 10 seconds."""
        before = os.times()
        done = self.begin()
        after = os.times()  # of the work: the clock would also count a busy machine's other work
        used = after.children_user + after.children_system
        self.assertLess(used - before.children_user - before.children_system, 5)
        return done

    def test_100_000_categories(self) -> None:
        self.many(100_000)
        said = self.begin_in_time().context
        self.assertLessEqual(len(said.encode()), 6_000)
        self.assertTrue(said.splitlines()[1].startswith("- C100000 ("))
        self.assertEqual(self.begin().context, said)
        self.assertEqual(self.odd_log(), [])

    def test_a_50_mb_index_is_read_from_its_beginning(self) -> None:
        path = self.many(10_000, pad="x" * 5_000)
        self.write(PROJECT + "/knowledge-base/c500.md", "")
        self.settle(path)
        self.assertGreater(os.path.getsize(path), 50_000_000)
        for _ in range(2):  # read, then kept
            self.assertIn("- C500 (", self.begin_in_time().context)
        self.assertEqual(
            [line["outcome"] for line in self.odd_log()],
            ["project index: only its first 16000000 bytes were read"] * 2,
        )
