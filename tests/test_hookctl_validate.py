"""hookctl validate."""

from __future__ import annotations

import os
import shutil
from typing import Any

from hookctl_case import NO_PUSH, USER, HookctlTestCase, command, listed, rule, rules

from support import PLUGINS


class ValidateTest(HookctlTestCase):
    def places(self, *args: str, **env: str) -> dict[str, Any]:
        """The reasons by JSON path."""
        return {w["path"]: w["reason"] for w in self.json("validate", *args, code=1, **env)}

    def test_nothing_wrong(self) -> None:
        for value in (
            listed(PreToolUse=[NO_PUSH], PostToolUse=[rule("Edit", command("x"))]),
            rules(PostToolUse=[rule("Edit", command("x"))]),
        ):
            self.write(USER, value)
            self.assertEqual(self.json("validate"), [])
            self.assertEqual(self.hookctl("validate").stdout, "all valid\n")

    def test_rules_for_which_the_host_leaves_out_the_file(self) -> None:
        self.write(USER, rules(PreToolUse=[NO_PUSH]))
        self.assertIn("whole file", self.places()["customHooks.hooks.PreToolUse"])
        self.assertEqual(self.json("validate", "--host", "sdk"), [])

    def test_the_list_form(self) -> None:
        self.write(
            USER,
            {
                "customHooks": {
                    "rules": [
                        {"event": ["Stop", "Stpo"], "run": [command("x")]},
                        {"event": "PreToolUse", "matcher": "tool ==", "run": [command("x")]},
                        {"event": "Stop", "run": [{"type": "script", "script": "../x.py"}, 5]},
                        {"event": "BeforeModel", "run": [command("x")]},
                        {"event": "Stop", "hooks": [command("x")]},
                        {"run": [command("x")]},
                        5,
                    ]
                }
            },
        )
        found = self.places()
        for place, reason in (
            ("[0].event", "did you mean Stop?"),
            ("[1].matcher", "left out"),
            ("[2].run[0].script", "outside hookScriptPaths"),
            ("[2].run[1]", "not an object"),
            ("[3].event", "never fires on claude"),
            ("[4].run", "not a list"),
            ("[5]", "no event"),
            ("[6]", "no event"),
        ):
            self.assertIn(reason, found.get("customHooks.rules" + place, ""), place)
        states = {row["id"]: row["state"] for row in self.json("list")}
        self.assertEqual(states["user:customHooks.rules[0].run[0]"], "on")
        self.assertEqual(states["customHooks.rules[2].run[1]"], "invalid")

    def test_every_invalid_entry_with_file_path_and_reason(self) -> None:
        path = self.write(
            USER,
            {
                "customHooks": {
                    "enabeld": True,
                    "failureBehavior": "explode",
                    "hooks": {
                        "PreToolUse": [
                            rule("tool ==", command("x")),
                            rule("(", command("x")),
                            rule({"tool": "x"}, command("x")),
                            rule("Edit", {"type": "nope"}, command("x", timeout="5")),
                            rule("Edit", {"type": "script", "script": "/etc/x.py"}),
                            {"hooks": "x"},
                            "x",
                        ],
                        "SessionStrat": [],
                        "Stop": {},
                        "PostCompact": [rule("", command("x"))],
                        "BeforeModel": [rule("", command("x"))],
                    },
                }
            },
        )
        found = self.places()
        top = "customHooks.hooks.PreToolUse"
        for place, reason in (
            ("customHooks.enabeld", "unknown key"),
            ("customHooks.failureBehavior", "not one of"),
            (top + "[0].matcher", "the rule is left out"),
            (top + "[1].matcher", "compared as it is"),
            (top + "[2].matcher", "unknown key tool"),
            (top + "[3].hooks[0]", "type is nope"),
            (top + "[3].hooks[1]", "timeout"),
            (top + "[4].hooks[0].script", "outside hookScriptPaths"),
            (top + "[5].hooks", "not a list"),
            (top + "[6]", "not an object"),
            ("customHooks.hooks.SessionStrat", "did you mean SessionStart?"),
            ("customHooks.hooks.Stop", "not a list"),
            ("customHooks.hooks.BeforeModel", "never fires on claude"),
        ):
            self.assertIn(reason, found.get(place, ""), place)
        lines = self.hookctl("validate").stdout.splitlines()
        self.assertIn(path + ": customHooks.enabeld: unknown key, ignored", lines)
        self.assertEqual(len(lines), len(set(lines)))

    def test_an_event_that_its_plugin_does_not_hear(self) -> None:
        self.write(USER, rules(PermissionDenied=[rule("", command("x"))]))
        self.assertIn("does not listen", self.places()["customHooks.hooks.PermissionDenied"])

    def test_broken_files_and_the_legacy_one(self) -> None:
        self.write(USER, '{"customHooks": ')
        legacy = self.write("my project/.claude/hooks.json", {})
        found = {w["file"]: w["reason"] for w in self.json("validate", code=1)}
        self.assertEqual(len(found), 2)
        self.assertIn("hookctl migrate", found[legacy])

    def test_variables(self) -> None:
        self.assertIn("CUSTOM_HOOKS_DEFAULT_TIMEOUT", self.places(CUSTOM_HOOKS_DEFAULT_TIMEOUT="x"))

    def test_other_hosts(self) -> None:
        self.write(USER, rules(SessionStart=[rule("", command("x"))]))
        self.assertEqual(self.json("validate"), [])
        found = self.places("--host", "sdk")
        self.assertEqual(found["customHooks.hooks.SessionStart"], "never fires on sdk")
        self.write(USER, rules(BeforeTool=[rule("", command("x"))], SubagentStop=[]))
        found = self.places("--host", "gemini")
        self.assertEqual(list(found), ["customHooks.hooks.SubagentStop"])

    def test_one_file(self) -> None:
        path = self.write("x/settings.json", rules(Stop=[{}], Foo=[]))
        self.assertEqual(
            list(self.places(path)), ["customHooks.hooks.Stop[0].hooks", "customHooks.hooks.Foo"]
        )
        path = self.write("p/hooks/pipeline.json", {"hooks": {"Stop": [rule("", command(""))]}})
        self.assertIn("no command", self.places(path)["hooks.Stop[0].hooks[0]"])
        path = self.write(
            "p/hooks/hooks.json", {"hooks": {"PreToolUse": [rule('tool == "Edit"', command("x"))]}}
        )
        self.assertIn("never matches", self.places(path)["hooks.PreToolUse[0].matcher"])
        path = self.write("q/.claude/hooks.json", {})
        self.assertIn("hookctl migrate", self.places(path)[""])
        good = self.write("good.json", rules(Stop=[rule("", command("true"))]))
        self.assertEqual(self.json("validate", good), [])

    def test_one_file_that_is_none(self) -> None:
        self.assertIn("no such file", self.fails("validate", "nowhere.json"))
        self.assertEqual(self.hookctl("validate", self.base).code, 1)
        self.assertEqual(self.hookctl("validate", self.write("b.json", "[]")).code, 1)

    def test_each_plugins_pipeline(self) -> None:
        self.root = os.path.join(self.base, "plugins", "ecc-hooks")
        shutil.copytree(os.path.join(PLUGINS, "ecc-hooks"), self.root)
        pipeline = {"hooks": {"PreToolUse": [rule("(", {"type": "script", "script": "no.py"})]}}
        self.write("plugins/ecc-hooks/hooks/pipeline.json", pipeline)
        found = self.places()
        self.assertIn("compared as it is", found["hooks.PreToolUse[0].matcher"])
        self.assertIn("no such script", found["hooks.PreToolUse[0].hooks[0].script"])
        self.write("plugins/ecc-hooks/hooks/pipeline.json", "{")
        self.assertEqual(len(self.places()), 1)
        self.assertEqual(self.hookctl("list").code, 0)
