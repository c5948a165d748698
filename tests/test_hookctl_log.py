"""hookctl log and hookctl stats."""

from __future__ import annotations

import json

from hookctl_case import HookctlTestCase


class LogTest(HookctlTestCase):
    def line(self, time: int, hook: str = "h", outcome: str = "silent", **more: object) -> str:
        stamp = "2026-01-01T00:%02d:%02dZ" % divmod(time, 60)
        line = {"time": stamp, "plugin": "ecc-hooks", "event": "Stop", "hook": hook, "ms": 1.5}
        return json.dumps({**line, "outcome": outcome, "bytes": 0, **more}) + "\n"

    def test_all_logs_in_order_of_time(self) -> None:
        other = "home/.claude/plugins/data/custom-hooks-custom-skills/hooks.log"
        inline = "home/.claude/plugins/data/custom-hooks-inline/hooks.log"
        self.write("plugin data/hooks.log", self.line(3, "c") + self.line(5, "e"))
        self.write("plugin data/hooks.log.1", self.line(1, "a"))
        self.write(other, self.line(2, "b") + '{"broken\n[]\n\n' + self.line(4, "d"))
        self.write(inline, self.line(6, "f"))
        self.assertEqual([line["hook"] for line in self.json("log")], list("abcdef"))
        self.assertEqual([line["hook"] for line in self.json("log", "-n", "2")], ["e", "f"])
        self.assertEqual([line["hook"] for line in self.json("log", "--hook", "b")], ["b"])
        self.assertEqual(self.json("log", "--errors"), [])

    def test_errors_alone(self) -> None:
        outcomes = ("silent", "spoke", "error", "timeout", "refused", "started")
        self.write(
            "plugin data/hooks.log", "".join(self.line(n, o, o) for n, o in enumerate(outcomes))
        )
        found = [line["hook"] for line in self.json("log", "--errors")]
        self.assertEqual(found, ["error", "timeout", "refused"])

    def test_the_real_log(self) -> None:
        self.run_event({"hook_event_name": "PreToolUse", "tool_name": "Edit", "session_id": "s"})
        self.assertEqual(self.json("log")[0]["hook"], "suggest-compact")
        self.assertIn("suggest-compact", self.hookctl("log").stdout)

    def test_lines_are_made_safe(self) -> None:
        evil = self.line(1, "a\x1b[2Jb", "x\ny", ms="x", bytes=None, more="\x9b31m")
        self.write("plugin data/hooks.log", evil + json.dumps({"time": 5, "hook": []}) + "\n")
        done = self.hookctl("log")
        self.assertEqual((done.code, done.stderr), (0, ""))
        self.assertEqual([c for c in done.stdout if not c.isprintable() and c != "\n"], [])
        self.assertEqual(self.hookctl("stats").code, 0)

    def test_nothing_logged(self) -> None:
        self.assertEqual(self.hookctl("log").stdout, "nothing logged\n")
        self.assertEqual((self.json("log"), self.json("stats")), ([], []))

    def test_stats(self) -> None:
        lines = [self.line(n, "h", "spoke", ms=n, bytes=10) for n in range(1, 19)]
        lines += [self.line(30, "h", "error", ms=19), self.line(31, "h", "timeout", ms=20)]
        self.write("plugin data/hooks.log.1", "".join(lines[:10]))
        self.write("plugin data/hooks.log", "".join(lines[10:]) + self.line(50, ""))
        (row,) = self.json("stats")
        self.assertEqual((row["plugin"], row["hook"], row["runs"]), ("ecc-hooks", "h", 20))
        self.assertEqual((row["p50"], row["p95"]), (10, 19))
        self.assertEqual((row["failures"], row["timeouts"], row["bytes"]), (1, 1, 180))
        self.assertIn("P95", self.hookctl("stats").stdout)
