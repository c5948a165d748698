"""Prose: what a label says that it is, the same for a session's record and for the memories."""

from __future__ import annotations

import unittest

from hooklib import prose
from hooklib.memory.learn import statements


class LabelTest(unittest.TestCase):
    DECIDED = [
        ("Decision: keep the old interface for now", "keep the old interface for now"),
        ("Some thoughts.\n\n- **Decision:** keep the old interface", "keep the old interface"),
        ("**Decision**: keep the old interface", "keep the old interface"),
        ("*Decision:* keep the old interface", "keep the old interface"),
        ("**Decision: keep the old interface**", "keep the old interface"),
        ("### Decision: keep the old interface", "keep the old interface"),
        ("1. decided: keep the old interface", "keep the old interface"),
        ("Final decision: keep the old interface", "keep the old interface"),
        ("Agreed: keep the old interface", "keep the old interface"),
        ("決定：用 SQLite 存放工作階段", "用 SQLite 存放工作階段"),
        ("决议: 用 SQLite 存放会话", "用 SQLite 存放会话"),
        ("結論：改名：舊的名稱保留到明年", "改名：舊的名稱保留到明年"),
        ("Decision: src/** and **/__init__.py stay", "src/** and **/__init__.py stay"),
        ("## Decisions\n\n- keep the old interface\n", "keep the old interface"),
        ("### Agreed\n- Decision: keep the old interface", "keep the old interface"),
    ]
    UNDECIDED = [
        "A decision: no label of its own",
        "A hard decision to make: we wait",
        "Decision:",
        "> Decision: of somebody who is quoted",
        "```\nDecision: from a block of code\n```",
        "    Decision: indented code sample here",
        "Root cause: the lock was taken twice",
        "## Notes\n- keep the old interface",
        "The text `Decision: x y z` is parsed.",
        "",
    ]

    def test_a_labelled_decision_is_found_by_both(self) -> None:
        for text, decision in self.DECIDED:
            with self.subTest(text):
                self.assertEqual(prose.decisions(text), [decision])
                (remark,) = statements.remarks(text)
                self.assertEqual((remark.kind, remark.body), ("decision", decision))

    def test_other_text_is_none_for_both(self) -> None:
        for text in self.UNDECIDED:
            with self.subTest(text):
                self.assertEqual(prose.decisions(text), [])
                kinds = [remark.kind for remark in statements.remarks(text)]
                self.assertNotIn("decision", kinds)

    def test_lines_that_are_wrapped_and_lines_that_are_not(self) -> None:
        wrapped = "Decision: the states of sessions stay in files of their own\nas they are now"
        whole = "the states of sessions stay in files of their own as they are now"
        self.assertEqual(prose.decisions(wrapped), [whole])
        first = "the states of sessions stay in files of their own, as now"
        two = "Decision: %s\nDecision: the memories do not" % first
        self.assertEqual(prose.decisions(two), [first, "the memories do not"])
        self.assertEqual(len(statements.remarks(two)), 2)

    def test_whatever_is_given_comes_to_an_end(self) -> None:
        for text in ("decision" * 100_000, "decision: " * 100_000, "decision\n\n#" * 50_000):
            self.assertLessEqual(sum(map(len, prose.decisions(text))), prose.LIMIT)


if __name__ == "__main__":
    unittest.main()
