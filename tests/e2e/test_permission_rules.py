"""The permission rules that are proposed, in the real Claude Code: what they let pass."""

from __future__ import annotations

import os
import unittest
from typing import Any

from bundle import bash, call
from claude_lab import ClaudeLab

from hooklib.memory.learn.permission_rules import rule_for

REFUSED = ("requires approval", "requested permissions")


class PermissionRulesTest(unittest.TestCase):
    def test_a_rule_covers_calls_like_the_one_it_was_made_of(self) -> None:
        with ClaudeLab() as lab:
            outside = os.path.join(lab.home, "notes")
            rules = [
                rule_for(tool, given, lab.project, lab.home)
                for tool, given in (
                    ("Bash", {"command": "cd src && timeout 9 python3 -m json.tool a.json | tail"}),
                    ("Write", {"file_path": lab.path("src", "b.txt"), "content": "x"}),
                    ("Edit", {"file_path": lab.path("top.txt")}),
                    ("Write", {"file_path": os.path.join(outside, "a.md")}),
                )
            ]
            lab.write(lab.path("src", "a.json"), {})
            lab.write(lab.path(".claude", "settings.json"), {"permissions": {"allow": rules}})
            trusted = {"projects": {lab.project: {"hasTrustDialogAccepted": True}}}
            lab.write(os.path.join(lab.config, ".claude.json"), trusted)
            steps: list[tuple[Any, bool]] = [
                (bash("python3 -m json.tool src/a.json"), True),
                (bash("time python3 -m json.tool src/a.json | head -3"), True),
                (bash("python3 -m json.toolbox"), False),
                (bash("python3 -c 'print(1)'"), False),
                (self.write(lab.path("src", "c", "d.txt")), True),
                (self.write(lab.path("other", "src", "d.txt")), False),
                (self.write(lab.path("top.txt")), True),
                (self.write(lab.path("src2", "top.txt")), False),
                (self.write(os.path.join(outside, "deep", "b.md")), True),
                (self.write(os.path.join(lab.home, "b.md")), False),
            ]
            run = lab.run([*(step for step, _ in steps), "bye"], mode="default")
            self.assertEqual((run.code, run.unused), (0, []), run.stderr)
            results = {
                block["tool_use_id"]: str(block["content"])
                for request in run.requests
                for block in request.tool_results
            }
            passed = [not any(sign in text for sign in REFUSED) for text in results.values()]
            self.assertEqual(passed, [expected for _, expected in steps], rules)

    def write(self, path: str) -> Any:
        return call("Write", file_path=path, content="x")


if __name__ == "__main__":
    unittest.main()
