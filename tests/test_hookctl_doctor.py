"""hookctl doctor."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from typing import Any

from hookctl_case import NO_PUSH, PROJECT, USER, HookctlTestCase, command, listed, rule, rules

from support import PLUGINS


def copy_shared(plugin: str) -> None:
    """Give a copy of a plugin the library of ecc-hooks as it is now."""
    if os.path.basename(plugin.rstrip(os.sep)) != "ecc-hooks":
        shutil.rmtree(os.path.join(plugin, "lib"), ignore_errors=True)
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(
            os.path.join(PLUGINS, "ecc-hooks", "lib"), os.path.join(plugin, "lib"), ignore=ignored
        )
    for name in ("hooks/run", "bin/hookctl"):
        shutil.copy2(os.path.join(PLUGINS, "ecc-hooks", name), os.path.join(plugin, name))


class DoctorTest(HookctlTestCase):
    clone: str

    @classmethod
    def setUpClass(cls) -> None:
        """A clone whose copies are the same, whatever is being edited in this one."""
        cls.clone = tempfile.mkdtemp(prefix="custom skills ")
        cls.addClassCleanup(shutil.rmtree, cls.clone, ignore_errors=True)
        catalogue = os.path.join(os.path.dirname(PLUGINS), ".claude-plugin")
        shutil.copytree(catalogue, os.path.join(cls.clone, ".claude-plugin"))
        plugins = os.path.join(cls.clone, "plugins")
        shutil.copytree(PLUGINS, plugins, ignore=shutil.ignore_patterns("__pycache__"))
        for name in os.listdir(plugins):
            if os.path.isdir(os.path.join(plugins, name, "lib")):
                copy_shared(os.path.join(plugins, name))

    def setUp(self) -> None:
        super().setUp()
        self.root = os.path.join(self.clone, "plugins", "ecc-hooks")

    def checks(self, code: int = 1, **env: str) -> list[Any]:
        found: list[Any] = self.json("doctor", code=code, **env)
        self.assertTrue({check["level"] for check in found} <= {"ok", "warn", "fail"})
        return found

    def bad(self, **env: Any) -> list[Any]:
        return [check for check in self.checks(**env) if check["level"] != "ok"]

    def other(self, hooks: object, **files: str) -> str:
        """Enable somebody else's plugin; return its folder."""
        catalogue = {"name": "mp", "plugins": [{"name": "p", "source": "./p"}]}
        self.write("mp/.claude-plugin/marketplace.json", catalogue)
        self.write("mp/p/.claude-plugin/plugin.json", {"name": "p"})
        self.write("mp/p/hooks/hooks.json", hooks)
        for name, text in files.items():
            self.write("mp/p/" + name.replace("_", "."), text)
        source = {"source": {"source": "directory", "path": os.path.join(self.base, "mp")}}
        enabled = {"extraKnownMarketplaces": {"mp": source}, "enabledPlugins": {"p@mp": True}}
        self.write(USER, enabled)
        return os.path.join(self.base, "mp", "p")

    def test_all_fine(self) -> None:
        done = self.hookctl("doctor")
        self.assertEqual((done.code, done.stderr), (0, ""), done.stdout)
        for line in done.stdout.splitlines():
            self.assertRegex(line, "^ok    ")
        for words in ("Python 3", "hooks/run starts", "switches are valid", "claude:", "gemini:"):
            self.assertIn(words, done.stdout)

    def test_a_shim_is_seen(self) -> None:
        shim = self.write("shims/python3", "#!/bin/sh\nexec /usr/bin/env python3\n")
        os.chmod(shim, 0o755)
        path = os.path.dirname(shim) + os.pathsep + self.env()["PATH"]
        self.folder("plugin data")
        with open(os.path.join(self.data, "python"), "w") as file:
            file.write(os.path.realpath(sys.executable) + "\n")
        self.assertIn("shim", self.hookctl("doctor", PATH=path).stdout)

    def test_matchers_that_never_match(self) -> None:
        for matcher, remedy in (
            ('tool == "Edit"', "custom-hooks"),
            ("Bash(git *)", "if"),
            ("bash", "write Bash"),
            ("Edit|write", "write Write"),
            ("Wirte", "write Write"),
            ("^bash$", "tool names"),
            ("(", "tool names"),
        ):
            with self.subTest(matcher):
                self.other({"hooks": {"PostToolUse": [rule(matcher, command("true"))]}})
                (check,) = [c for c in self.bad() if "matche" in c["what"]]
                self.assertEqual(check["level"], "warn")
                self.assertIn(remedy, check["remedy"])

    def test_matchers_that_match(self) -> None:
        for matcher in (
            "Bash",
            "Edit, Write",
            ".*",
            "mcp__x__y",
            "^(Edit|Write)$",
            "*",
            "",
            "Notebook.*",
        ):
            self.other({"hooks": {"PreToolUse": [rule(matcher, command("true"))]}})
            self.checks(code=0)
        self.other({"hooks": {"SessionStart": [rule("startup|resume", command("true"))]}})
        self.checks(code=0)

    def test_entries_that_the_host_complains_about(self) -> None:
        for hooks, level, words in (
            ({"PreTolUse": []}, "warn", "no such event"),
            ({"Stop": [rule("x", command("true"))]}, "warn", "ignored on Stop"),
            ({"PostToolUse": [rule("Bash", command("true"), id="x")]}, "warn", "key id"),
            ({"Stop": [{"hooks": [command("true", timeout=5000)]}]}, "warn", "seconds"),
            ({"Stop": [{"hooks": [command("true", timeout="5")]}]}, "fail", "ignores it"),
            ({"PreToolUse": [{"hooks": [command("true", timeout="5")]}]}, "fail", "whole plugin"),
            ({"PreToolUse": [rule({"a": 1}, command("x"))]}, "fail", "whole plugin"),
            ({"PreToolUse": [{"hooks": [{"type": "nope"}]}]}, "fail", "whole plugin"),
            ({"PreToolUse": {}}, "fail", "whole plugin"),
            ({"Stop": [5]}, "fail", "ignores it"),
        ):
            with self.subTest(hooks):
                self.other({"hooks": hooks})
                (check,) = self.bad()
                self.assertEqual(check["level"], level)
                self.assertIn(words, check["what"])
                self.assertTrue(check["remedy"])

    def test_files_the_host_cannot_read(self) -> None:
        for text in ("{", "[]", '{"PreToolUse": []}'):
            self.other(text)
            self.assertEqual([check["level"] for check in self.bad()], ["fail"])

    def test_hooks_named_in_the_manifest(self) -> None:
        root = self.other({"hooks": {}})
        inline = {"name": "p", "hooks": {"PostToolUse": [rule("bash", command("true"))]}}
        self.write(os.path.join(root, ".claude-plugin/plugin.json"), inline)
        self.assertIn("plugin.json", self.bad()[0]["what"])
        self.write(os.path.join(root, "more.json"), {"hooks": {"Nope": []}})
        self.write(os.path.join(root, ".claude-plugin/plugin.json"), {"hooks": "./more.json"})
        self.assertIn("more.json", self.bad()[0]["what"])

    def test_commands_that_name_missing_files(self) -> None:
        for text, level in (
            ('python3 "${CLAUDE_PLUGIN_ROOT}/no.py"', "fail"),
            ('"$CLAUDE_PLUGIN_ROOT/no.sh"', "warn"),
            ("node $CLAUDE_PROJECT_DIR/no.js", "warn"),
        ):
            self.other({"hooks": {"Stop": [{"hooks": [command(text)]}]}})
            (check,) = self.bad()
            self.assertEqual(check["level"], level, text)
            self.assertIn("is missing", check["what"])
        args = {"type": "command", "command": "python3", "args": ["${CLAUDE_PLUGIN_ROOT}/no.py"]}
        self.other({"hooks": {"Stop": [{"hooks": [args]}]}})
        self.assertEqual(self.bad()[0]["level"], "fail")
        for text in (
            'test -f "$CLAUDE_PLUGIN_ROOT/no.py" || exit 0; python3 "$CLAUDE_PLUGIN_ROOT/no.py"',
            'python3 "${CLAUDE_PLUGIN_ROOT}/a.py"',
            "python3 -c 'open(\"/no.py\")'",
            "node $OTHER/no.js",
            "echo 'unbalanced",
            "prettier --write *.js",
        ):
            self.other({"hooks": {"Stop": [{"hooks": [command(text)]}]}}, a_py="pass\n")
            self.checks(code=0)

    def test_exit_1_where_it_means_to_block(self) -> None:
        hooks = {"PreToolUse": [rule("Bash", command('python3 "${CLAUDE_PLUGIN_ROOT}/a.py"'))]}
        self.other({"hooks": hooks}, a_py="import sys\nsys.exit(1)\n")
        (check,) = self.bad()
        self.assertIn("does not block", check["what"])
        self.assertIn("exit 2", check["remedy"])
        for text in ("sys.exit(1)\nsys.exit(2)\n", "print()\n", '{"permissionDecision"} exit(1)'):
            self.other({"hooks": hooks}, a_py=text)
            self.checks(code=0)
        hooks = {"PostToolUse": hooks["PreToolUse"]}
        self.other({"hooks": hooks}, a_py="sys.exit(1)\n")
        self.checks(code=0)

    def test_hooks_of_settings_files(self) -> None:
        self.write(PROJECT, {"hooks": {"PreToolUse": [rule("bash", command("true"))]}})
        (check,) = self.bad()
        self.assertIn(os.path.join(self.base, PROJECT), check["what"])
        self.write(PROJECT, {"hooks": []})
        self.assertEqual(self.bad()[0]["level"], "fail")

    def test_rules_for_which_the_host_leaves_out_the_file(self) -> None:
        for value in (
            rules(PreToolUse=[NO_PUSH]),
            rules(PermissionRequest=[NO_PUSH]),
            rules(BeforeTool=[NO_PUSH]),
            {"other": [NO_PUSH]},
        ):
            self.write(USER, value)
            (check,) = [check for check in self.bad() if "whole file" in check["what"]]
            self.assertEqual(check["level"], "fail")
        for value in (rules(PostToolUse=[NO_PUSH], Stop=[NO_PUSH]), listed(PreToolUse=[NO_PUSH])):
            self.write(USER, value)
            self.checks(code=0)

    def test_switches(self) -> None:
        for settings, words, remedy in (
            ({"profil": "strict"}, "not a switch", "did you mean profile?"),
            ({"profile": "stric"}, "'stric'", "minimal or standard or strict"),
            ({"enabled": "no"}, "'no'", "true or false"),
            ({"disabled": "x"}, "'x'", "a list"),
            ({"disabled": ["sugest-compact"]}, "no hook has that id", "suggest-compact"),
            ({"compactThreshold": 0}, "0", "above 0"),
            ([], "not an object", "fix it"),
        ):
            with self.subTest(settings):
                self.write(USER, {"customSkills": settings})
                (check,) = self.bad()
                self.assertIn(words, check["what"])
                self.assertIn(remedy, check["remedy"])

    def test_variables(self) -> None:
        for name, value, remedy in (
            ("CUSTOM_SKILLS_PROFIL", "strict", "CUSTOM_SKILLS_PROFILE"),
            ("CUSTOM_SKILLS_PROFILE", "loud", "strict"),
            ("CUSTOM_SKILLS", "maybe", "off"),
            ("CUSTOM_SKILLS_DISABLED", "sugest-compact", "suggest-compact"),
            ("COMPACT_THRESHOLD", "many", "above 0"),
        ):
            with self.subTest(name):
                (check,) = self.bad(**{name: value})
                self.assertEqual(check["level"], "warn")
                self.assertIn(remedy, check["remedy"])
        self.checks(
            code=0, CUSTOM_SKILLS_PROFILE="strict", COMPACT_THRESHOLD="9", CUSTOM_SKILLS="1"
        )

    def test_every_switch_that_the_scripts_read_is_known(self) -> None:
        read = set()
        for folder, _, files in os.walk(PLUGINS):
            for name in files:
                if name.endswith(".py") and not folder.endswith("engine"):
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        text = file.read()
                    read.update(re.findall(r'settings\.(?:flag|positive_int)\(\s*"(\w+)"', text))
                    read.update(re.findall(r'settings\.values\.get\("(\w+)"', text))
        known = os.path.join(PLUGINS, "ecc-hooks/lib/hooklib/cli/settings_check.py")
        with open(known, encoding="utf-8") as file:
            text = file.read()
        self.assertTrue(read)
        for name in read:
            self.assertIn('"%s":' % name, text)

    def test_broken_settings_and_hooks_switched_off(self) -> None:
        self.write(USER, "{")
        self.assertIn("fail", [check["level"] for check in self.bad()])
        self.write(USER, {"disableAllHooks": True})
        self.assertIn("disableAllHooks", self.bad()[0]["what"])
        self.write(USER, {})
        self.assertIn("CUSTOM_SKILLS=0", self.bad(CUSTOM_SKILLS="0")[0]["what"])

    def test_a_data_folder_that_cannot_be_one(self) -> None:
        self.write("home/.claude/plugins", "a file")
        self.assertIn("cannot be written", self.bad()[0]["what"])

    def test_rules(self) -> None:
        self.write(PROJECT, rules(Stop=[rule("", command("true")), 5]))
        remedies = [check["remedy"] for check in self.bad()]
        self.assertEqual(remedies, ["hookctl validate", "hookctl trust"])
        self.write(USER, self.enabled(ecc_hooks=True))
        self.assertIn("claude plugin enable custom-hooks@custom-skills", self.bad()[-1]["remedy"])

    def test_a_launcher_that_does_not_start(self) -> None:
        self.root = os.path.join(self.base, "plugins", "ecc-hooks")
        shutil.copytree(os.path.join(PLUGINS, "ecc-hooks"), self.root)
        other = os.path.join(self.base, "plugins", "other")
        shutil.copytree(self.root, other)
        self.write(os.path.join(other, ".claude-plugin/plugin.json"), {"name": "other"})
        os.unlink(os.path.join(other, "lib/hooklib/main.py"))
        fails = [check for check in self.bad() if check["level"] == "fail"]
        self.assertIn("does not start", fails[0]["what"])
        os.unlink(os.path.join(other, "hooks/run"))
        self.assertIn("is missing", [c["what"] for c in self.bad() if c["level"] == "fail"][0])

    def test_file_names_with_control_characters(self) -> None:
        self.other({"hooks": {"\x1b[31mStop": [], "PostToolUse": [rule("ba\x07sh\x1b", {})]}})
        done = self.hookctl("doctor")
        self.assertEqual([c for c in done.stdout if not c.isprintable() and c != "\n"], [])
