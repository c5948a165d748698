"""hookctl, started as a person or the agent starts it."""

from __future__ import annotations

import json
import os
import unittest

from hookctl_case import PROJECT, HookctlTestCase, command, rule, rules

from support import PLUGINS

COMMANDS = "status list validate doctor test trust enable disable migrate log stats replay".split()


class UsageTest(HookctlTestCase):
    def test_help_and_version(self) -> None:
        for args in (["help"], ["--help"], ["-h"], *(["help", name] for name in COMMANDS)):
            done = self.hookctl(*args)
            self.assertEqual((done.code, done.stderr), (0, ""), args)
            self.assertIn("usage: hookctl", done.stdout)
        listed = self.hookctl("help").stdout
        for name in COMMANDS:
            self.assertRegex(listed, r"(?m)^ +%s " % name)
        self.assertRegex(self.hookctl("--version").stdout, r"^hookctl \d+\.\d+\.\d+\n$")

    def test_wrong_usage_is_2_and_on_stderr(self) -> None:
        for args in (
            [],
            ["nope"],
            ["help", "nope"],
            ["list", "more"],
            ["--nope"],
            ["enable"],
            ["disable", "a", "--project", "--local"],
            ["log", "-n", "0"],
            ["log", "-n", "x"],
            ["test"],
            ["test", "Nope"],
            ["test", "Stop", "--plugin", "nope"],
            ["test", "Stop", "--host", "nope"],
            ["replay"],
            ["validate", "--host", "nope"],
            ["stat"],
        ):
            with self.subTest(args):
                self.assertTrue(self.fails(*args, code=2))

    def test_every_command_takes_json_before_and_after(self) -> None:
        for args in (["status"], ["list"], ["validate"], ["trust"], ["log"], ["stats"]):
            one, other = self.hookctl("--json", *args), self.hookctl(*args, "--json")
            self.assertEqual(one.code, 0, one.stderr)
            self.assertEqual(json.loads(one.stdout), json.loads(other.stdout))

    def test_a_problem_is_json_too(self) -> None:
        done = self.hookctl("disable", "nope", "--json")
        self.assertEqual((done.code, done.stderr), (1, ""))
        self.assertIn("nope", json.loads(done.stdout)["error"])

    def test_works_when_everything_is_off(self) -> None:
        self.assertEqual(self.hookctl("list", CUSTOM_SKILLS="0").code, 0)

    def test_any_plugins_copy_and_a_link_to_it_show_the_same(self) -> None:
        wanted = self.json("list")
        for plugin in ("auto-skill-hooks", "custom-hooks"):
            self.root = os.path.join(PLUGINS, plugin)
            self.assertEqual(self.json("list"), wanted)
        link = os.path.join(self.base, "hookctl")
        os.symlink(os.path.join(self.root, "bin", "hookctl"), link)
        done = self.start(["sh", link, "list", "--json"], "")
        self.assertEqual(json.loads(done.stdout), wanted)

    def test_a_reader_that_goes_away_is_no_error(self) -> None:
        tool = os.path.join(self.root, "bin", "hookctl")
        done = self.start(["sh", "-c", '"$0" list | true; "$0" help | head -1', tool], "")
        self.assertEqual((done.code, done.stderr), (0, ""))

    def test_a_deleted_working_directory(self) -> None:
        gone = self.folder("gone")
        script = 'rmdir "$1"; exec sh "$0" status'
        tool = os.path.join(self.root, "bin", "hookctl")
        done = self.start(["sh", "-c", script, tool, gone], "", gone, CLAUDE_PROJECT_DIR="")
        self.assertEqual(done.code, 0, done.stderr)

    def test_no_colour_without_a_terminal(self) -> None:
        self.write(PROJECT, rules(Stop=[rule("", command("true"))]))
        for args in (["list"], ["doctor"], ["status"]):
            self.assertNotIn("\x1b", self.hookctl(*args, TERM="xterm").stdout)


class CommandsTest(unittest.TestCase):
    def test_slash_commands(self) -> None:
        folder = os.path.join(PLUGINS, "custom-hooks", "commands")
        names = sorted(os.listdir(folder))
        self.assertEqual(names, ["doctor.md", "list.md", "status.md", "test.md"])
        for name in names:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                text = file.read()
            self.assertRegex(text, r"^---\ndescription: .+\nallowed-tools: Bash\(hookctl:\*\)")
            self.assertRegex(text, r"(?m)^!`hookctl %s\b.*`$" % name[:-3])
