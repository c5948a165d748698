"""hookctl status."""

from __future__ import annotations

from hookctl_case import LOCAL, PROJECT, USER, HookctlTestCase, command, rule, rules


class StatusTest(HookctlTestCase):
    def test_one_screen(self) -> None:
        done = self.hookctl("status")
        self.assertEqual((done.code, done.stderr), (0, ""))
        for word in ("hooks       on", "profile", "ecc-hooks", "last error  none"):
            self.assertIn(word, done.stdout)
        self.assertLess(len(done.stdout.splitlines()), 20)

    def test_off_and_by_what(self) -> None:
        self.assertEqual(self.json("status", CUSTOM_SKILLS="off")["enabledBy"], "CUSTOM_SKILLS=off")
        path = self.write(PROJECT, {"customSkills": {"enabled": False, "profile": "strict"}})
        status = self.json("status")
        self.assertEqual(status["enabledBy"], "customSkills.enabled in " + path)
        self.assertEqual((status["enabled"], status["profile"]), (False, "strict"))
        self.assertEqual(status["profileBy"], path)
        self.assertIn("off, by", self.hookctl("status").stdout)
        self.assertTrue(self.json("status", CUSTOM_SKILLS="1")["enabled"])

    def test_rules_off(self) -> None:
        path = self.write(USER, {"customHooks": {"enabled": False}})
        self.assertEqual(self.json("status")["rulesEnabledBy"], "customHooks.enabled in " + path)
        by = self.json("status", CUSTOM_HOOKS_ENABLED="0")["rulesEnabledBy"]
        self.assertEqual(by, "CUSTOM_HOOKS_ENABLED=0")

    def test_plugins_with_version_and_state(self) -> None:
        self.write(USER, self.enabled(ecc_hooks=True, custom_hooks=False))
        plugins = {plugin["name"]: plugin for plugin in self.json("status")["plugins"]}
        self.assertEqual(plugins["ecc-hooks"]["state"], "on")
        self.assertEqual(plugins["custom-hooks"]["state"], "off")
        self.assertEqual(plugins["auto-skill-hooks"]["state"], "absent")
        self.assertFalse(plugins["auto-skill-hooks"]["active"])
        self.assertRegex(plugins["ecc-hooks"]["version"], r"^\d")
        self.write(LOCAL, {"enabledPlugins": {"ecc-hooks@custom-skills": False}})
        plugins = {plugin["name"]: plugin for plugin in self.json("status")["plugins"]}
        self.assertEqual(plugins["ecc-hooks"]["state"], "off")
        self.assertTrue(plugins["ecc-hooks"]["by"].endswith("settings.local.json"))

    def test_counts_and_the_last_error(self) -> None:
        self.write(PROJECT, rules(Stop=[rule("", command("x")), rule("tool ==", command("x")), 5]))
        self.write("plugin data/hooks.log", '{"hook": "h\\u001b[31m", "outcome": "error"}\n')
        status = self.json("status")
        self.assertEqual((status["hooks"]["untrusted"], status["hooks"]["invalid"]), (1, 2))
        self.assertEqual(status["lastError"]["outcome"], "error")
        self.assertNotIn("\x1b", self.hookctl("status").stdout)

    def test_a_broken_settings_file_is_named(self) -> None:
        self.write(USER, "{")
        self.assertIn("is broken", self.hookctl("status").stdout)
