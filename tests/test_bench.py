"""tools/bench.py: it runs and has its rows. What the figures are is not tested by the clock."""

from __future__ import annotations

import json
import os

from support import PYTHON, REPO, Done, HookTestCase

TOOL = os.path.join(REPO, "tools", "bench.py")
COLUMNS = "row against ratio over ms memory processes limits broken".split()


class BenchTest(HookTestCase):
    def tool(self, *args: str) -> Done:
        self.temporary = self.folder("temporary files")
        return self.start([PYTHON, TOOL, *args], "", TMPDIR=self.temporary)

    def assert_clean(self) -> None:
        self.assertEqual((os.listdir(self.temporary), os.listdir(self.home)), ([], []))

    def test_json_has_the_rows(self) -> None:
        done = self.tool("engine", "--rounds", "2", "--json")
        self.assertEqual((done.code, done.stderr), (0, ""))
        table = json.loads(done.stdout)
        self.assertEqual((table["rounds"], table["python"]), (2, PYTHON))
        rows = {row["row"]: row for row in table["rows"]}
        self.assertEqual(len(rows), len(table["rows"]))
        self.assertEqual(list(table["rows"][0]), COLUMNS)
        self.assertEqual(table["rows"][0]["ratio"], 1.0)
        for wanted in (
            "PreToolUse Edit, ecc-hooks, silent",
            "PreToolUse Edit, ecc-hooks, silent, python3 is a shim",
            "PostToolUse Edit, custom-hooks, silent",
            "SessionStart startup, auto-skill-hooks, silent",
        ):
            found = [row for name, row in rows.items() if name.startswith(wanted)]
            self.assertTrue(found, wanted)
            self.assertEqual(found[0]["limits"], {"ratio": 2.0, "processes": 3})
        self.assert_clean()

    def test_gemini_cli_is_compared_with_the_same_event_under_claude_code(self) -> None:
        done = self.tool("gemini", "--rounds", "1", "--json")
        self.assertEqual((done.code, done.stderr), (0, ""))
        rows = {row["row"]: row for row in json.loads(done.stdout)["rows"]}
        pairs = [row for row in rows.values() if row["limits"] == {"over": 1.0}]
        self.assertGreaterEqual(len(pairs), 4)
        for row in pairs:
            self.assertIn("ecc-hooks-gemini", row["row"])
            self.assertTrue(row["against"].endswith(", ecc-hooks"))
        self.assert_clean()

    def test_the_rows_of_the_session_memory(self) -> None:
        done = self.tool("session", "--rounds", "1", "--json")
        self.assertEqual((done.code, done.stderr), (0, ""))
        rows = {row["row"]: row for row in json.loads(done.stdout)["rows"]}
        for name, limits in (
            ("Stop, transcript of 500 MB, never read before", {"ratio": 1.3, "memory": 60}),
            ("Stop, transcript of 500 MB, one more turn", {"ratio": 1.3, "memory": 60}),
            ("SessionStart, shows the last session, 10 states", {"ratio": 4}),
            ("SessionStart, shows the last session, 10000 states", {"ratio": 1.5}),
            ("SessionEnd, repository of 20,000 files, 1,000 changed", {"ms": 500}),
        ):
            self.assertEqual({**rows[name]["limits"], **limits}, rows[name]["limits"], name)
            self.assertNotIn("memory", rows[name]["broken"])
        self.assert_clean()

    def test_the_table_names_interpreter_and_columns(self) -> None:
        done = self.tool("engine", "--rounds", "1", "--python", PYTHON)
        self.assertEqual((done.code, done.stderr), (0, ""))
        lines = done.stdout.splitlines()
        self.assertIn(PYTHON, lines[0])
        self.assertEqual(lines[2].split(), ["ms", "ratio", "MB", "processes", "budget"])
        self.assertIn("the floor", lines[3])

    def test_no_such_interpreter_is_a_failure(self) -> None:
        done = self.tool("--python", os.path.join(self.base, "no python"))
        self.assertEqual((done.code, done.stdout), (1, ""))
        self.assertIn("no python", done.stderr)
        self.assert_clean()

    def test_wrong_arguments_are_a_usage_error(self) -> None:
        self.assertEqual(self.tool("--rounds", "0").code, 2)
        self.assertEqual(self.tool("--rounds", "many").code, 2)
        self.assertEqual(self.tool("no-such-topic").code, 2)
