"""hookctl, started as a person or the agent starts it."""

import json
import os
import pty
import re
import select
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import unittest

from support import PLUGINS, Done, HookTestCase

USER = "home/.claude/settings.json"
PROJECT = "my project/.claude/settings.json"
LOCAL = "my project/.claude/settings.local.json"
COMMANDS = "status list validate doctor test trust enable disable migrate log stats replay".split()


def command(text: str, **more: object) -> dict:
    return {"type": "command", "command": text, **more}


def rule(matcher: object, *hooks: dict, **more: object) -> dict:
    return {"matcher": matcher, "hooks": list(hooks), **more}


def rules(**events: object) -> dict:
    """Settings with rules in the hosts' form."""
    return {"customHooks": {"hooks": events}}


def listed(**events: list) -> dict:
    """Settings with the same rules as a list, the form that Claude Code lets be."""
    found = [
        {"event": event, "run": each["hooks"], **{k: v for k, v in each.items() if k != "hooks"}}
        for event, given in events.items()
        for each in given
    ]
    return {"customHooks": {"rules": found}}


NO_PUSH = rule(
    'tool_input.command matches "git push*"',
    command("echo no pushing >&2; exit 2"),
    id="no-push",
)


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


class HookctlTest(HookTestCase):
    """A project that is a repository, and hookctl of ecc-hooks."""

    def setUp(self) -> None:
        super().setUp()
        self.folder("my project", ".git")

    def hookctl(self, *args: str, given: object = "", cwd: str = "", **env: str) -> Done:
        return self.start(
            ["sh", os.path.join(self.root, "bin", "hookctl"), *args], given, cwd, **env
        )

    def json(self, *args: str, code: int = 0, **env: str) -> object:
        done = self.hookctl(*args, "--json", **env)
        self.assertEqual((done.code, done.stderr), (code, ""), done.stdout)
        self.assertTrue(done.stdout.isascii())
        return json.loads(done.stdout)

    def fails(self, *args: str, code: int = 1, **env: str) -> str:
        """Run a call that cannot be done; what it says on stderr, and nothing else."""
        done = self.hookctl(*args, **env)
        self.assertEqual((done.code, done.stdout), (code, ""), done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        return done.stderr

    def rows(self, **env: str) -> dict:
        """The hooks by id."""
        return {row["id"]: row for row in self.json("list", **env)}

    def enabled(self, **states: bool) -> dict:
        """Settings that name plugins of this clone as a folder's marketplace."""
        source = {
            "source": {"source": "directory", "path": os.path.dirname(os.path.dirname(self.root))}
        }
        names = {name.replace("_", "-") + "@custom-skills": on for name, on in states.items()}
        return {"extraKnownMarketplaces": {"custom-skills": source}, "enabledPlugins": names}


class UsageTest(HookctlTest):
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


class StatusTest(HookctlTest):
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


class CacheTest(HookctlTest):
    """The plugins as a git marketplace installs them: each alone, in <plugin>/<version>."""

    def setUp(self) -> None:
        super().setUp()
        self.cache = self.folder("home/.claude/plugins/cache/custom-skills")
        installed = {}
        for name in ("ecc-hooks", "custom-hooks"):
            path = os.path.join(self.cache, name, "0.1.0")
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(os.path.join(PLUGINS, name), path, ignore=ignored)
            shutil.rmtree(os.path.join(path, "lib"))
            shutil.copytree(
                os.path.join(PLUGINS, "ecc-hooks/lib"), os.path.join(path, "lib"), ignore=ignored
            )
            installed[name + "@custom-skills"] = [{"scope": "user", "installPath": path}]
        self.write(
            "home/.claude/plugins/installed_plugins.json", {"version": 2, "plugins": installed}
        )
        self.root = os.path.join(self.cache, "custom-hooks", "0.1.0")
        git = {"source": {"source": "git", "url": "https://marketplace.invalid/x.git"}}
        self.settings = {
            "extraKnownMarketplaces": {"custom-skills": git},
            "enabledPlugins": dict.fromkeys(installed, True),
        }
        self.write(USER, self.settings)

    def test_finds_the_others_through_the_hosts_files(self) -> None:
        status = self.json("status", CLAUDE_PLUGIN_DATA="")
        found = {plugin["name"]: plugin["folder"] for plugin in status["plugins"]}
        self.assertEqual(sorted(found), ["custom-hooks", "ecc-hooks"])
        self.assertEqual(found["ecc-hooks"], os.path.join(self.cache, "ecc-hooks", "0.1.0"))
        self.assertEqual(self.rows()["suggest-compact"]["state"], "on")
        data = [folder for folder in status["data"] if folder.endswith("ecc-hooks-custom-skills")]
        self.assertTrue(data[0].startswith(self.home))

    def test_finds_them_without_the_list_of_installed_ones(self) -> None:
        os.unlink(os.path.join(self.home, ".claude/plugins/installed_plugins.json"))
        self.assertEqual(self.rows()["suggest-compact"]["state"], "on")

    def test_a_disabled_plugin(self) -> None:
        self.settings["enabledPlugins"]["ecc-hooks@custom-skills"] = False
        path = self.write(USER, self.settings)
        row = self.rows()["suggest-compact"]
        self.assertEqual(row["state"], "plugin disabled")
        self.assertIn(path, row["why"])
        tried = {p["plugin"]: p for p in self.json("test", "PreToolUse", "--file", "x")["plugins"]}
        self.assertFalse(tried["ecc-hooks"]["runs"])
        args = ("test", "PreToolUse", "--file", "x", "--plugin", "ecc-hooks")
        self.assertEqual(self.json(*args)["plugins"][0]["hooks"][0]["outcome"], "silent")

    def test_doctor_sees_copies_that_differ_and_plugins_that_are_gone(self) -> None:
        self.assertIn("the library is the same in all 2 plugins", self.hookctl("doctor").stdout)
        with open(os.path.join(self.cache, "ecc-hooks/0.1.0/lib/hooklib/text.py"), "a") as file:
            file.write("# older\n")
        done = self.hookctl("doctor")
        self.assertEqual(done.code, 1)
        self.assertIn("warn  the library differs", done.stdout)
        shutil.rmtree(os.path.join(self.cache, "ecc-hooks"))
        self.assertIn("but not installed", self.hookctl("doctor").stdout)

    def test_host_files_full_of_nonsense(self) -> None:
        for text in ("{", "[]", '{"plugins": []}', '{"plugins": {"ecc-hooks@custom-skills": 5}}'):
            self.write("home/.claude/plugins/installed_plugins.json", text)
            self.write("home/.claude/plugins/known_marketplaces.json", text)
            self.assertEqual(self.hookctl("list").code, 0)
        for value in (5, [], {"x": 1, "@": True, "a@b": "yes"}):
            self.write(USER, {"enabledPlugins": value, "extraKnownMarketplaces": value})
            self.assertEqual(self.hookctl("status").code, 0)
            self.assertNotIn("Traceback", self.hookctl("doctor").stderr)


class ListTest(HookctlTest):
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


class ValidateTest(HookctlTest):
    def places(self, *args: str, **env: str) -> dict:
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


class TryTest(HookctlTest):
    def tried(self, *args: str, code: int = 0, plugin: str = "custom-hooks", **env: str) -> dict:
        told = self.json("test", *args, code=code, **env)
        return next(each for each in told["plugins"] if each["plugin"] == plugin)

    def test_what_matches_and_why_not_the_others(self) -> None:
        other = rule("Write|Edit", command("x"), id="edits")
        off = rule("", command("x"), id="off")
        settings = listed(PreToolUse=[NO_PUSH, other, off])
        settings["customHooks"]["disabled"] = ["off"]
        path = self.write(USER, settings)
        told = self.tried("PreToolUse", "--tool", "Bash", "--command", "git push origin")
        hook = told["hooks"][0]
        self.assertEqual((hook["id"], hook["outcome"]), ("no-push", "spoke"))
        self.assertEqual(hook["output"], {"decision": "deny", "reason": "no pushing"})
        self.assertGreater(hook["ms"], 0)
        reasons = {left["id"]: left["reason"] for left in told["leftOut"]}
        self.assertEqual(reasons["edits"], "does not match Write|Edit; this is Bash")
        self.assertEqual(reasons["off"], "switched off by customHooks.disabled in " + path)
        self.assertEqual(
            told["answer"]["hookSpecificOutput"]["permissionDecisionReason"], "no pushing"
        )
        text = self.hookctl("test", "PreToolUse", "--command", "git push").stdout
        self.assertIn("the host gets  {", text)
        self.assertEqual(self.tried("PreToolUse", "--command", "git status")["hooks"], [])

    def test_a_chain_of_changes_arrives_merged(self) -> None:
        def change(name: str) -> dict:
            answer = {"hookSpecificOutput": {"updatedInput": {name: "new"}}}
            return rule("Edit", command("echo '%s'" % json.dumps(answer)))

        self.write(USER, rules(PreToolUse=[change("a"), change("b")]))
        told = self.tried("PreToolUse", "--file", "x.py")
        changed = told["answer"]["hookSpecificOutput"]["updatedInput"]
        self.assertEqual((changed["a"], changed["b"]), ("new", "new"))
        self.assertEqual(changed["file_path"], os.path.join(self.project, "x.py"))

    def test_after_a_denial_nobody_is_asked(self) -> None:
        self.write(USER, rules(PreToolUse=[NO_PUSH, rule("Bash", command("true"), id="late")]))
        told = self.tried("PreToolUse", "--command", "git push")
        self.assertEqual([h["outcome"] for h in told["hooks"]], ["spoke", "not asked"])

    def test_dry_run_runs_nothing(self) -> None:
        mark = os.path.join(self.base, "mark")
        self.write(USER, rules(Stop=[rule("", command("touch '%s'" % mark), id="toucher")]))
        told = self.tried("Stop", "--dry-run")
        self.assertEqual([(h["id"], h["outcome"]) for h in told["hooks"]], [("toucher", "matches")])
        self.assertFalse(os.path.exists(mark))
        self.tried("Stop")
        self.assertTrue(os.path.exists(mark))

    def test_the_real_state_and_log_stay_as_they_are(self) -> None:
        for _ in range(2):
            told = self.tried(
                "PreToolUse", "--file", "x", plugin="ecc-hooks", COMPACT_THRESHOLD="1"
            )
            self.assertIn("1 edits", told["hooks"][0]["output"]["context"])
        self.assertEqual(sorted(os.listdir(self.data)), ["pycache", "python"])
        self.assertFalse(os.path.exists(os.path.join(self.home, ".claude/plugins/data")))
        for name in ("SessionStart", "Stop", "PreCompact", "SessionEnd"):
            self.assertEqual(self.hookctl("test", name).code, 0)
        self.assertEqual(os.listdir(self.project), [".git"])

    def test_failures_timeouts_and_refusals_are_shown(self) -> None:
        self.write(
            USER,
            rules(
                Stop=[
                    rule("", command("echo oops >&2; exit 1", id="one")),
                    rule("", command("sleep 9", id="two", timeout=0.2)),
                    rule("", {"type": "script", "script": "no.py", "id": "three"}),
                ]
            ),
        )
        told = self.tried("Stop", code=1)
        outcomes = {hook["id"]: hook["outcome"] for hook in told["hooks"]}
        self.assertEqual(outcomes, {"one": "error", "two": "timeout", "three": "refused"})
        self.assertIn("oops", told["hooks"][0]["detail"])
        self.assertIsNone(told["answer"])

    def test_when_the_host_does_not_even_start_the_plugin(self) -> None:
        told = self.tried("PreToolUse", "--tool", "Bash", plugin="ecc-hooks")
        self.assertFalse(told["runs"])
        self.assertIn("listens to Edit|Write", told["why"])
        self.assertIn("does not listen", self.tried("Stop", plugin="auto-skill-hooks")["why"])

    def test_untrusted_rules_do_not_run(self) -> None:
        mark = os.path.join(self.base, "mark")
        self.write(PROJECT, rules(Stop=[rule("", command("touch '%s'" % mark), id="toucher")]))
        told = self.tried("Stop")
        self.assertEqual(told["leftOut"], [{"id": "toucher", "reason": "not trusted"}])
        self.assertIn("hookctl trust", told["notice"])
        self.assertFalse(os.path.exists(mark))

    def test_an_event_from_a_file_or_stdin(self) -> None:
        self.write(USER, rules(PreToolUse=[NO_PUSH]))
        given = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "session_id": "real"}
        given["tool_input"] = {"command": "git push"}
        path = self.write("event.json", given)
        self.assertEqual(len(self.tried("--event", path)["hooks"]), 1)
        self.assertEqual(self.tried("--event", path, "--command", "ls")["hooks"], [])
        done = self.hookctl("test", "--event", "-", "--json", given=given)
        self.assertEqual((done.code, done.stderr), (0, ""))
        self.assertIn("no pushing", done.stdout)
        self.assertNotIn("hooks", self.fails("test", "--event", "nowhere.json"))
        for text in ("{", "[]", "5", ""):
            self.fails("test", "--event", self.write("event.json", text))
        self.fails("test", "--event", self.write("event.json", "{}"), code=2)

    def test_fields_of_odd_types_in_a_file(self) -> None:
        given = {"tool_name": 5, "tool_input": [], "cwd": 5, "session_id": {}, "prompt": []}
        path = self.write("event.json", given)
        for name in ("PreToolUse", "Stop", "SessionStart", "UserPromptSubmit"):
            done = self.hookctl("test", name, "--event", path)
            self.assertEqual((done.code, done.stderr), (0, ""), name)

    def test_aliases_sources_and_prompts(self) -> None:
        self.write(
            USER,
            rules(
                PreCompact=[rule("auto", command("echo keep"))],
                SessionStart=[rule("compact", command("echo again"))],
                UserPromptSubmit=[rule('prompt contains "deploy"', command("echo careful"))],
            ),
        )
        self.assertEqual(self.tried("Compaction")["hooks"], [])
        self.assertEqual(len(self.tried("Compaction", "--source", "auto")["hooks"]), 1)
        told = self.tried("SessionStart", "--source", "compact")
        self.assertIn("again", json.dumps(told["answer"]))
        told = self.tried("UserPromptSubmit", "--prompt", "please deploy")
        self.assertIn("careful", json.dumps(told["answer"]))

    def test_what_an_event_cannot_deliver(self) -> None:
        answer = json.dumps({"hookSpecificOutput": {"additionalContext": "x"}})
        self.write(USER, rules(SessionEnd=[rule("", command("echo '%s'" % answer))]))
        self.assertEqual(self.tried("SessionEnd")["lost"], ["context"])

    def test_all_switched_off(self) -> None:
        done = self.hookctl("test", "Stop", CUSTOM_SKILLS="0")
        self.assertIn("everything is switched off by CUSTOM_SKILLS=0", done.stdout)

    def test_only_one_plugin(self) -> None:
        told = self.json("test", "Stop", "--plugin", "custom-hooks")
        self.assertEqual([each["plugin"] for each in told["plugins"]], ["custom-hooks"])

    def test_a_file_name_is_data(self) -> None:
        self.write(USER, rules(PostToolUse=[rule("Edit", command('echo "[$FILE]"'))]))
        told = self.tried("PostToolUse", "--file", "$(touch pwned) ;.py")
        self.assertIn("$(touch pwned) ;.py]", told["hooks"][0]["output"]["message"])
        self.assertEqual(os.listdir(self.project), [".git"])


class TrustTest(HookctlTest):
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
        self.assertIn("trusted already", self.hookctl("trust").stdout)
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

    def on_terminal(self, args: list, typed: str, **env: str) -> tuple:
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


class SwitchTest(HookctlTest):
    def read(self, path: str) -> dict:
        with open(os.path.join(self.base, path), encoding="utf-8") as file:
            return json.load(file)

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
            self.assertIn("mend it first", self.fails("disable", "suggest-compact"))
            with open(path) as file:
                self.assertEqual(file.read(), text)

    @unittest.skipIf(os.name == "nt" or os.geteuid() == 0, "root may write everywhere")
    def test_a_folder_that_cannot_be_written(self) -> None:
        os.chmod(self.folder("home/.claude"), 0o500)
        self.assertIn("Permission denied", self.fails("disable", "suggest-compact"))

    def test_a_settings_file_that_is_a_folder(self) -> None:
        self.folder(USER)
        self.fails("disable", "suggest-compact")


class MigrateTest(HookctlTest):
    LEGACY = "my project/.claude/hooks.json"

    def migrated(self, content: object, code: int = 0) -> dict:
        path = self.write(self.LEGACY, content)
        with open(path, "rb") as file:
            before = file.read()
        data = self.json("migrate", code=code)
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


class LogTest(HookctlTest):
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


class ReplayTest(HookctlTest):
    def transcript(self) -> str:
        def record(kind: str, *blocks: object, **more: object) -> str:
            message = {"role": kind, "content": list(blocks)}
            base = {"type": kind, "message": message, "cwd": self.project, "sessionId": "s"}
            return json.dumps({**base, **more})

        def call(id: str, tool: str, **given: object) -> dict:
            return {"type": "tool_use", "id": id, "name": tool, "input": given}

        def result(id: str, **more: object) -> dict:
            return {"type": "tool_result", "tool_use_id": id, "content": "text", **more}

        first = {"type": "user", "message": {"role": "user", "content": "do x"}}
        return "\n".join(
            (
                json.dumps({"type": "queue-operation"}),
                json.dumps({**first, "cwd": self.project, "sessionId": "s"}),
                "{broken",
                record("assistant", call("1", "Bash", command="git push"), {"type": "thinking"}),
                record("user", result("1", is_error=True), toolUseResult="Error"),
                record("assistant", call("2", "Edit", file_path="a.md"), isSidechain=True),
                record("user", result("2"), toolUseResult={"filePath": "a.md"}, isSidechain=True),
                record("user", {"type": "text", "text": "caveat"}, isMeta=True),
                record("assistant", {"type": "text", "text": "done"}),
                record("user", {"type": "text", "text": "more"}),
                record("assistant", call("3", "Read", file_path="b")),
            )
        )

    def test_a_transcript(self) -> None:
        self.write(USER, rules(PreToolUse=[NO_PUSH], Stop=[rule("", command("true"), id="end")]))
        path = self.write("t.jsonl", self.transcript())
        data = self.json("replay", path)
        self.assertEqual(
            [(entry["event"], entry["about"]) for entry in data],
            [
                ("UserPromptSubmit", "do x"),
                ("PreToolUse", "Bash git push"),
                ("PostToolUseFailure", "Bash git push"),
                ("PreToolUse", "Edit a.md"),
                ("PostToolUse", "Edit a.md"),
                ("Stop", ""),
                ("UserPromptSubmit", "more"),
                ("PreToolUse", "Read b"),
                ("Stop", ""),
            ],
        )
        done = self.hookctl("replay", path)
        self.assertIn("no pushing", done.stdout)
        self.assertIn("9 events, 1 answered", done.stdout)

    def test_a_list_of_events_counts_in_a_state_of_its_own(self) -> None:
        event = {"hook_event_name": "PreToolUse", "tool_name": "Edit", "session_id": "real"}
        for text in (json.dumps([event] * 3), "\n".join([json.dumps(event)] * 3)):
            path = self.write("events", text)
            data = self.json("replay", path, "--plugin", "ecc-hooks", COMPACT_THRESHOLD="2")
            said = [bool(entry["plugins"][0]["answer"]) for entry in data]
            self.assertEqual(said, [False, True, False])
        self.assertFalse(os.path.exists(os.path.join(self.data, "counters")))
        self.assertEqual(self.log(), [])

    def test_dry_run(self) -> None:
        mark = os.path.join(self.base, "mark")
        self.write(USER, rules(Stop=[rule("", command("touch '%s'" % mark), id="toucher")]))
        path = self.write("e.json", json.dumps([{"hook_event_name": "Stop"}]))
        self.assertIn("matches   toucher", self.hookctl("replay", path, "--dry-run").stdout)
        self.assertFalse(os.path.exists(mark))

    def test_files_that_hold_nothing(self) -> None:
        for text in ("", "[]", "[", "{}", "text", '[{"hook_event_name": "Nope"}]', "[5]"):
            self.fails("replay", self.write("x", text))
        self.assertIn("No such file", self.fails("replay", "nowhere"))
        self.fails("replay", self.base)

    def test_records_of_odd_types(self) -> None:
        odd = [
            {"type": "user", "message": 5},
            {"type": "user", "message": {"content": 5}},
            {
                "type": "user",
                "message": {"content": [5, {"type": "tool_result"}, {"type": "text"}]},
            },
            {"type": "assistant", "message": {"content": [{"type": "tool_use", "input": 5}]}},
            {"type": "user", "message": {"content": "x\x1b[2J"}, "cwd": 5, "sessionId": []},
        ]
        done = self.hookctl("replay", self.write("x", json.dumps(odd)))
        self.assertEqual((done.code, done.stderr), (0, ""))
        self.assertNotIn("\x1b", done.stdout)


class DoctorTest(HookctlTest):
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
            copy_shared(os.path.join(plugins, name))

    def setUp(self) -> None:
        super().setUp()
        self.root = os.path.join(self.clone, "plugins", "ecc-hooks")

    def checks(self, code: int = 1, **env: str) -> list:
        found = self.json("doctor", code=code, **env)
        self.assertTrue({check["level"] for check in found} <= {"ok", "warn", "fail"})
        return found

    def bad(self, **env: str) -> list:
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
        for words in ("Python 3", "hooks/run starts", "switches are known", "claude:", "gemini:"):
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
            ({"Stop": [{"hooks": [command("true", timeout="5")]}]}, "fail", "drops it"),
            ({"PreToolUse": [{"hooks": [command("true", timeout="5")]}]}, "fail", "whole plugin"),
            ({"PreToolUse": [rule({"a": 1}, command("x"))]}, "fail", "whole plugin"),
            ({"PreToolUse": [{"hooks": [{"type": "nope"}]}]}, "fail", "whole plugin"),
            ({"PreToolUse": {}}, "fail", "whole plugin"),
            ({"Stop": [5]}, "fail", "drops it"),
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
            ({"profil": "strict"}, "no switch", "did you mean profile?"),
            ({"profile": "stric"}, "'stric'", "minimal or standard or strict"),
            ({"enabled": "no"}, "'no'", "true or false"),
            ({"disabled": "x"}, "'x'", "a list"),
            ({"disabled": ["sugest-compact"]}, "no hook has that id", "suggest-compact"),
            ({"compactThreshold": 0}, "0", "above 0"),
            ([], "not an object", "mend it"),
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
