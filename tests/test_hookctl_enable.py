"""hookctl enable and hookctl disable."""

from __future__ import annotations

import json
import os
import stat
import unittest
from typing import Any

from hookctl_case import LOCAL, NO_PUSH, PROJECT, USER, HookctlTestCase, command, rule, rules


class SwitchTest(HookctlTestCase):
    def read(self, path: str) -> dict[str, Any]:
        with open(os.path.join(self.base, path), encoding="utf-8") as file:
            document: dict[str, Any] = json.load(file)
            return document

    def test_a_bundled_hook_off_and_on(self) -> None:
        done = self.json("disable", "suggest-compact")
        self.assertEqual((done["state"], done["changed"]), ("off", True))
        self.assertEqual(self.read(USER), {"customSkills": {"disabled": ["suggest-compact"]}})
        self.assertEqual(self.rows()["suggest-compact"]["state"], "off")
        self.assertFalse(self.json("disable", "suggest-compact")["changed"])
        self.assertTrue(self.json("enable", "suggest-compact")["changed"])
        self.assertEqual(self.read(USER), {})
        self.assertFalse(self.json("enable", "suggest-compact")["changed"])

    def test_a_rule_and_a_whole_rule(self) -> None:
        self.write(USER, rules(PreToolUse=[NO_PUSH, rule("", command("a"), command("b"), id="r")]))
        self.json("disable", "no-push")
        self.json("disable", "r")
        self.assertEqual(self.read(USER)["customHooks"]["disabled"], ["no-push", "r"])
        states = [row["state"] for row in self.json("list") if row["source"] == "user"]
        self.assertEqual(states, ["off"] * 3)

    def test_other_keys_format_mode_and_link_are_kept(self) -> None:
        text = '{\n    "model": "ü \\ud800",\n    "permissions": {"allow": ["Bash(x)"]}\n}\n'
        real = self.write("dotfiles/settings.json", text)
        os.chmod(real, 0o640)
        self.folder("home/.claude")
        os.symlink(real, os.path.join(self.base, USER))
        self.json("disable", "suggest-compact")
        self.assertTrue(os.path.islink(os.path.join(self.base, USER)))
        self.assertEqual(stat.S_IMODE(os.stat(real).st_mode), 0o640)
        with open(real, encoding="utf-8") as file:
            written = file.read()
        self.assertIn('\n    "model": "ü \\ud800"', written)
        self.assertEqual(json.loads(written)["permissions"], {"allow": ["Bash(x)"]})
        self.assertEqual(os.listdir(os.path.dirname(real)), ["settings.json"])

    def test_project_and_local(self) -> None:
        self.json("disable", "suggest-compact", "--project")
        self.json("disable", "knowledge-index", "--local")
        self.assertEqual(self.read(PROJECT)["customSkills"]["disabled"], ["suggest-compact"])
        self.assertEqual(self.read(LOCAL)["customSkills"]["disabled"], ["knowledge-index"])
        done = self.json("enable", "suggest-compact", code=1)
        self.assertEqual(done["state"], "off")
        self.assertIn("settings.json", self.hookctl("enable", "suggest-compact").stdout)
        self.assertEqual(self.json("enable", "suggest-compact", "--project")["state"], "on")

    def test_what_a_file_cannot_switch_on(self) -> None:
        env = {"CUSTOM_SKILLS_DISABLED": "suggest-compact"}
        done = self.hookctl("enable", "suggest-compact", **env)
        self.assertEqual(done.code, 1)
        self.assertIn("CUSTOM_SKILLS_DISABLED", done.stdout)

    def test_an_untrusted_project_does_not_switch_the_users_rules_off(self) -> None:
        self.write(USER, rules(PreToolUse=[NO_PUSH]))
        self.write(PROJECT, rules(Stop=[rule("", command("x"))]))
        done = self.hookctl("disable", "no-push", "--project")
        self.assertEqual(done.code, 1)
        self.assertIn("still on", done.stdout)

    def test_unknown_ids(self) -> None:
        said = self.fails("disable", "sugest-compact")
        self.assertIn("did you mean suggest-compact", said)
        self.assertIn("hookctl list", self.fails("enable", "zzz"))
        self.assertNotIn("\x1b", self.fails("enable", "\x1b[31mzzz"))
        self.assertFalse(os.path.exists(os.path.join(self.base, USER)))

    def test_a_broken_file_is_left_alone(self) -> None:
        for text in ("{", "[]", '{"customSkills": []}', '{"customSkills": {"disabled": 5}}', "NaN"):
            path = self.write(USER, text)
            self.assertIn("fix it first", self.fails("disable", "suggest-compact"))
            with open(path) as file:
                self.assertEqual(file.read(), text)

    @unittest.skipIf(os.name == "nt" or os.geteuid() == 0, "root may write everywhere")
    def test_a_folder_that_cannot_be_written(self) -> None:
        os.chmod(self.folder("home/.claude"), 0o500)
        self.assertIn("Permission denied", self.fails("disable", "suggest-compact"))

    def test_a_settings_file_that_is_a_folder(self) -> None:
        self.folder(USER)
        self.fails("disable", "suggest-compact")
