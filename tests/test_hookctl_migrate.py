"""hookctl migrate."""

from __future__ import annotations

import json
import os
from typing import Any

from hookctl_case import NO_PUSH, USER, HookctlTestCase, command, listed, rule, rules


class MigrateTest(HookctlTestCase):
    LEGACY = "my project/.claude/hooks.json"

    def migrated(self, content: object, code: int = 0) -> dict[str, Any]:
        path = self.write(self.LEGACY, content)
        with open(path, "rb") as file:
            before = file.read()
        data: dict[str, Any] = self.json("migrate", code=code)
        with open(path, "rb") as file:
            self.assertEqual(file.read(), before)
        self.assertEqual(os.listdir(os.path.dirname(path)), ["hooks.json"])
        return data

    def test_both_forms_give_the_same(self) -> None:
        events = {"PreToolUse": [rule("Bash", command("x"), description="why")]}
        flat = self.migrated(events)["settings"]
        wanted = {"event": "PreToolUse", "description": "why", "matcher": "Bash"}
        self.assertEqual(flat, {"customHooks": {"rules": [{**wanted, "run": [command("x")]}]}})
        self.assertEqual(self.migrated({"hooks": events})["settings"], flat)
        done = self.hookctl("migrate")
        self.assertEqual(json.loads(done.stdout), flat)
        path = self.write(USER, done.stdout)
        os.unlink(os.path.join(self.base, self.LEGACY))
        self.assertEqual(self.json("validate"), [])
        os.unlink(path)

    def test_expressions_of_ecc(self) -> None:
        matcher = 'tool == "Edit" && tool_input.file_path matches "\\\\.(ts|tsx)$"'
        data = self.migrated({"hooks": {"PostToolUse": [rule(matcher, command("node -e 1"))]}})
        found = data["settings"]["customHooks"]["rules"][0]
        self.assertEqual((found["matcher"], data["notes"]), (matcher, []))

    def test_hooks_without_a_group_and_bare_commands(self) -> None:
        data = self.migrated(
            {"Stop": [{"matcher": "*", "command": "a"}, "b", {"hooks": ["c"]}, command("d")]}
        )
        found = data["settings"]["customHooks"]["rules"]
        self.assertEqual([each["run"][0]["command"] for each in found], ["a", "b", "c", "d"])
        self.assertEqual({each["run"][0]["type"] for each in found}, {"command"})
        self.assertEqual(found[0]["matcher"], "*")

    def test_rules_in_the_hosts_form_become_a_list(self) -> None:
        settings = {**rules(PreToolUse=[NO_PUSH]), "hooks": {"Stop": []}}
        settings["customHooks"].update(listed(Stop=[rule("", command("x"))])["customHooks"])
        path = self.write(USER, settings)
        self.assertTrue(self.json("validate", code=1))
        kept, found = self.json("migrate", path)["settings"]["customHooks"]["rules"]
        self.assertEqual(kept["event"], "Stop")
        self.assertEqual((found["event"], found["id"]), ("PreToolUse", "no-push"))
        self.write(USER, self.hookctl("migrate", path).stdout)
        self.assertEqual(self.json("validate"), [])
        self.assertEqual(self.rows()["no-push"]["state"], "on")

    def test_milliseconds(self) -> None:
        data = self.migrated({"Stop": [rule("", command("a", timeout=5000))]}, code=1)
        hook = data["settings"]["customHooks"]["rules"][0]["run"][0]
        self.assertEqual((hook.get("timeout"), hook["timeoutMs"]), (None, 5000))

    def test_what_cannot_be_taken_over_is_noted(self) -> None:
        data = self.migrated(
            {
                "Nope": [],
                "Stop": [5, {"hooks": [{"type": "http", "url": "x"}, 5]}],
                "SessionEnd": 5,
            },
            code=1,
        )
        self.assertEqual(data["settings"], {"customHooks": {"rules": []}})
        self.assertEqual(len(data["notes"]), 5)
        done = self.hookctl("migrate")
        self.assertEqual(json.loads(done.stdout), data["settings"])
        self.assertEqual(len(done.stderr.splitlines()), 5)

    def test_no_file_broken_file_another_file(self) -> None:
        self.assertIn("no such file", self.fails("migrate"))
        self.write(self.LEGACY, "{")
        self.fails("migrate")
        path = self.write("x.json", {"Stop": ["a"]})
        self.assertEqual(self.json("migrate", path)["file"], path)
