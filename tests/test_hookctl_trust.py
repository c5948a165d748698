"""hookctl trust."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import time
from typing import Any

from hookctl_case import PROJECT, HookctlTestCase, command, rule, rules


class TrustTest(HookctlTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.path = self.write(
            PROJECT,
            rules(
                Stop=[
                    rule("", command("echo \x1b[8mhidden\u202e; true"), id="c"),
                    rule("", {"type": "command", "args": ["a b", "c"]}),
                    rule("", {"type": "prompt", "prompt": "harmless"}),
                ]
            ),
        )

    def test_shows_but_does_not_ask_without_a_terminal(self) -> None:
        done = self.hookctl("trust")
        self.assertEqual((done.code, done.stderr), (1, ""))
        self.assertIn("hookctl trust --yes", done.stdout)
        self.assertIn("echo \\x1b[8mhidden\\u202e; true", done.stdout)
        self.assertIn("args [a b] [c]", done.stdout)
        self.assertIn(self.path, done.stdout)
        self.assertNotIn("harmless", done.stdout)
        data = self.json("trust", code=1)
        self.assertEqual((data["trusted"], len(data["rules"])), (False, 2))
        self.assertEqual(self.rows()["c"]["state"], "untrusted")

    def test_yes_change_and_forget(self) -> None:
        self.assertTrue(self.json("trust", "--yes")["trusted"])
        self.assertEqual(self.rows()["c"]["state"], "on")
        self.assertIn("already trusted", self.hookctl("trust").stdout)
        self.assertTrue(self.json("trust", "--forget")["forgotten"])
        self.assertFalse(self.json("trust", "--forget")["forgotten"])
        self.assertEqual(self.rows()["c"]["state"], "untrusted")
        self.json("trust", "--yes")
        self.write(PROJECT, rules(Stop=[rule("", command("echo other"), id="c")]))
        self.assertEqual(self.rows()["c"]["state"], "untrusted")

    def test_nothing_to_trust(self) -> None:
        os.unlink(self.path)
        done = self.hookctl("trust")
        self.assertEqual(done.code, 0)
        self.assertIn("no rules", done.stdout)

    def test_asks_on_a_terminal(self) -> None:
        for answer, code, state in (("n", 1, "untrusted"), ("", 1, "untrusted"), ("y", 0, "on")):
            said, got = self.on_terminal(["trust"], answer + "\n")
            self.assertIn("[y/N]", said)
            self.assertEqual((got, self.rows()["c"]["state"]), (code, state), said)

    def test_colour_on_a_terminal_alone(self) -> None:
        self.assertIn("\x1b[33muntrusted", self.on_terminal(["list"], "", TERM="xterm")[0])
        for env in ({"NO_COLOR": "1", "TERM": "xterm"}, {"TERM": "dumb"}, {}):
            self.assertNotIn("\x1b", self.on_terminal(["list"], "", **env)[0])

    def on_terminal(self, args: list[Any], typed: str, **env: str) -> tuple[Any, ...]:
        """Run hookctl on a terminal of its own; what it showed, and its exit code."""
        main, side = pty.openpty()
        tool = ["sh", os.path.join(self.root, "bin", "hookctl"), *args]
        with subprocess.Popen(
            tool, stdin=side, stdout=side, stderr=side, env=self.env(**env), cwd=self.project
        ) as process:
            os.close(side)
            os.write(main, typed.encode())
            said, end = b"", time.time() + 30
            while time.time() < end:
                if select.select([main], [], [], 0.1)[0]:
                    try:
                        part = os.read(main, 65536)
                    except OSError:  # the other side is closed
                        break
                    said += part
                    if not part:
                        break
                elif process.poll() is not None:
                    break
            code = process.wait(10)
        os.close(main)
        return said.decode(), code
