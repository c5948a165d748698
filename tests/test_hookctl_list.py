"""hookctl list."""

from __future__ import annotations

from typing import Any

from hookctl_case import LOCAL, NO_PUSH, PROJECT, USER, HookctlTestCase, command, rule, rules


class ListTest(HookctlTestCase):
    def test_bundled_hooks(self) -> None:
        row = self.rows()["suggest-compact"]
        self.assertEqual((row["state"], row["event"], row["type"]), ("on", "PreToolUse", "script"))
        self.assertEqual((row["source"], row["rule"]), ("ecc-hooks", "strategic-compact"))
        self.assertIn("suggest-compact", self.hookctl("list").stdout)

    def test_rules_of_every_layer(self) -> None:
        for name, path in (("user", USER), ("project", PROJECT), ("local", LOCAL)):
            self.write(path, rules(Stop=[rule("", {"type": "prompt", "prompt": "x"}, id=name)]))
        rows = self.rows()
        for name in ("user", "project", "local"):
            self.assertEqual((rows[name]["source"], rows[name]["state"]), (name, "on"))
            self.assertTrue(rows[name]["file"].startswith(self.base))

    def test_off_and_by_what(self) -> None:
        self.write(USER, rules(PreToolUse=[NO_PUSH]))
        self.assertEqual(
            self.rows(CUSTOM_SKILLS_DISABLED="x, suggest-compact")["suggest-compact"]["why"],
            "by CUSTOM_SKILLS_DISABLED",
        )
        path = self.write(LOCAL, {"customSkills": {"disabled": ["strategic-compact"]}})
        row = self.rows()["suggest-compact"]
        self.assertEqual(row["state"], "off")
        self.assertEqual(row["why"], "by customSkills.disabled in " + path)
        row = self.rows(CUSTOM_SKILLS="0")["no-push"]
        self.assertEqual((row["state"], row["why"]), ("off", "by CUSTOM_SKILLS=0"))
        row = self.rows(CUSTOM_HOOKS_ENABLED="false")["no-push"]
        self.assertEqual((row["state"], row["why"]), ("off", "by CUSTOM_HOOKS_ENABLED=false"))
        row = self.rows(CUSTOM_SKILLS_PROFILE="minimal")["knowledge-index"]
        self.assertEqual((row["state"], row["why"]), ("off", "not in profile minimal"))

    def test_rules_when_their_plugin_is_off(self) -> None:
        self.write(USER, {**rules(PreToolUse=[NO_PUSH]), **self.enabled(custom_hooks=False)})
        self.assertEqual(self.rows()["no-push"]["state"], "plugin disabled")

    def test_untrusted_and_invalid(self) -> None:
        path = self.write(
            PROJECT,
            rules(
                PreToolUse=[NO_PUSH, rule("tool = 5 ==", command("x"), id="bad")],
                Stop=[
                    rule("", {"type": "script", "script": "../x.py"}, id="outside"),
                    {"hooks": [{"type": "nope"}]},
                ],
            ),
        )
        rows = self.rows()
        self.assertEqual(rows["no-push"]["state"], "untrusted")
        self.assertEqual(rows["bad"]["state"], "invalid")
        self.assertIn("position", rows["bad"]["why"])
        self.assertIn("outside hookScriptPaths", rows["outside"]["why"])
        row = rows["customHooks.hooks.Stop[1].hooks[0]"]
        self.assertEqual((row["state"], row["event"], row["file"]), ("invalid", "Stop", path))

    def test_control_characters_are_not_printed(self) -> None:
        evil = rule("\x1b]0;title\x07|Edit", command("x"), id="a\x1b[31mb\nc\u202ed")
        self.write(USER, rules(PreToolUse=[evil]))
        for args in (["list"], ["validate"], ["test", "PreToolUse", "--tool", "Edit"]):
            said = self.hookctl(*args).stdout
            self.assertEqual([c for c in said if not c.isprintable() and c != "\n"], [], args)
        self.assertIn("ab cd", self.hookctl("list").stdout)

    def test_settings_of_any_type(self) -> None:
        value: Any
        for value in (
            None,
            5,
            "x",
            [],
            {"hooks": 5},
            {"hooks": {"Stop": 5}},
            {"hooks": {"Stop": [5]}},
        ):
            self.write(USER, {"customHooks": value, "customSkills": value})
            for args in (
                ["list"],
                ["status"],
                ["validate"],
                ["doctor"],
                ["trust"],
                ["test", "Stop"],
            ):
                done = self.hookctl(*args)
                self.assertIn(done.code, (0, 1), (value, args, done.stderr))
                self.assertEqual(done.stderr, "", (value, args))
