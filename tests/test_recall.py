"""The recall benchmark: the right memory is among the first that a prompt brings up."""

from __future__ import annotations

import os
import subprocess
import sys
import unittest

from support import PYTHON, REPO

sys.path.append(os.path.join(REPO, "tools"))
import recall_bench  # noqa: E402


class RecallTest(unittest.TestCase):
    def test_the_data_are_many_and_sound(self) -> None:
        memories = recall_bench.load("memories.jsonl")
        queries = recall_bench.load("queries.jsonl")
        ids = {each["id"] for each in memories}
        self.assertGreaterEqual(len(ids), 200)
        self.assertEqual(len(ids), len(memories))
        self.assertGreaterEqual(len({each["query"] for each in queries}), 100)
        titles = {each["title"].lower() for each in memories}
        for each in queries:
            self.assertTrue(each["answers"] and ids.issuperset(each["answers"]), each)
            self.assertNotIn(each["query"].lower(), titles)  # nobody types a title
        self.assertEqual(
            {each["language"] for each in queries}, {"english", "chinese", "mixed", "code"}
        )

    def test_the_right_memory_is_among_the_first_three(self) -> None:
        prompts, unrelated = recall_bench.ask("queries.jsonl", "unrelated.jsonl")
        self.assertGreaterEqual(recall_bench.share(prompts, 3), recall_bench.WANTED)
        helped = [prompt for prompt in prompts if not set(prompt.answers).isdisjoint(prompt.shown)]
        self.assertGreaterEqual(len(helped) / len(prompts), 0.8)
        noisy = [prompt.query for prompt in unrelated if prompt.shown]
        self.assertLessEqual(len(noisy), len(unrelated) // 5, noisy)

    def test_the_tool_prints_both_rates(self) -> None:
        tool = os.path.join(REPO, "tools", "recall_bench.py")
        done = subprocess.run([PYTHON, tool], stdout=subprocess.PIPE, text=True, timeout=120)
        self.assertIn("hit@1", done.stdout)
        self.assertIn("hit@3", done.stdout)
        self.assertEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main()
