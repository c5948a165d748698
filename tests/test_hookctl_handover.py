"""hookctl of one plugin and the others: whose command it is, whose library runs a hook."""

import json
import os
import shutil
from typing import Any

from opencode_case import NAME as OPENCODE
from opencode_case import assembled

from support import PLUGINS, Done, HookTestCase

IGNORED = shutil.ignore_patterns("__pycache__")
# stands for another plugin's launcher: says how it was started, and ends with 7
ECHO = """#!/bin/sh
printf '%s|' "$@"
printf '%s|%s|' "${CLAUDE_PLUGIN_DATA-none}" "${CLAUDE_PLUGIN_ROOT-none}"
cat
exit 7
"""
OLD = "#!/bin/sh\necho \"hookctl: error: invalid choice: 'answer'\" >&2\nexit 2\n"


class PluginsTest(HookTestCase):
    """Copies of some plugins beside each other, and nothing else on the machine."""

    def setUp(self) -> None:
        super().setUp()
        self.folder("my project", ".git")

    def install(self, *names: str) -> None:
        for name in names:
            path = os.path.join(self.base, "plugins", name)
            shutil.copytree(os.path.join(PLUGINS, name), path, ignore=IGNORED)
        self.root = os.path.join(self.base, "plugins", names[0])

    def launcher(self, plugin: str, text: str) -> None:
        """Make a plugin of ours whose launcher is text."""
        self.write("plugins/%s/.claude-plugin/plugin.json" % plugin, {"name": plugin})
        self.write("plugins/%s/hooks/pipeline.json" % plugin, {})
        self.write("plugins/%s/lib/start.py" % plugin, "")
        self.write("plugins/%s/hooks/run" % plugin, text)

    def hookctl(self, *args: str, given: object = "", **env: str) -> Done:
        return self.start(["sh", os.path.join(self.root, "bin", "hookctl"), *args], given, **env)

    def json(self, *args: str, code: int = 0, **env: str) -> Any:
        done = self.hookctl(*args, "--json", **env)
        self.assertEqual((done.code, done.stderr), (code, ""), done.stdout)
        return json.loads(done.stdout)


class CommandTest(PluginsTest):
    def test_the_owners_launcher_gets_the_same_arguments_and_streams(self) -> None:
        self.install("custom-hooks")
        self.launcher("ecc-hooks", ECHO)
        args = ("memory", "add", "--title", "a b", "--body", "-")
        done = self.hookctl(*args, given="the body")
        self.assertEqual((done.code, done.stderr), (7, ""))
        wanted = "--hookctl|memory|add|--title|a b|--body|-|none|none|the body"
        self.assertEqual(done.stdout, wanted)

    def test_each_topic_goes_to_its_plugin(self) -> None:
        self.install("custom-hooks")
        self.launcher("ecc-hooks", "echo ecc")
        self.launcher("auto-skill-hooks", "echo auto-skill")
        wanted = {"memory": "ecc\n", "sessions": "ecc\n", "knowledge": "auto-skill\n"}
        for command, said in wanted.items():
            for args in ([command, "list"], ["help", command], ["--json", command, "-h"]):
                self.assertEqual(self.hookctl(*args).stdout, said, args)

    def test_the_real_owners_answer(self) -> None:
        self.install("custom-hooks", "auto-skill-hooks", "ecc-hooks")
        args = ("memory", "add", "--kind", "note", "--title", "use tabs", "--body", "-")
        self.assertEqual(self.hookctl(*args, given="always").code, 0)
        self.assertIn("use tabs", self.hookctl("memory", "list").stdout)
        self.assertEqual(self.hookctl("memory", "add").code, 2)
        self.assertIn("usage: hookctl memory", self.hookctl("help", "memory").stdout)
        self.assertEqual(self.json("knowledge", "list"), [])

    def test_an_owner_that_is_not_installed(self) -> None:
        self.install("custom-hooks")
        for command, owner in (("memory", "ecc-hooks"), ("knowledge", "auto-skill-hooks")):
            done = self.hookctl(command, "list")
            self.assertEqual((done.code, done.stdout), (1, ""))
            self.assertIn("claude plugin install %s@custom-skills" % owner, done.stderr)
            self.assertIn(owner, self.json(command, "list", code=1)["error"])
            self.assertRegex(self.hookctl("help").stdout, r"(?m)^ +%s\b" % command)

    def test_an_owner_without_the_command_does_not_hand_it_on(self) -> None:
        self.install("custom-hooks", "ecc-hooks")
        os.unlink(os.path.join(self.base, "plugins/ecc-hooks/lib/hooklib/cli/memory.py"))
        done = self.hookctl("memory", "list")
        self.assertEqual((done.code, done.stdout), (1, ""))
        self.assertIn("is part of the plugin ecc-hooks", done.stderr)

    def test_a_module_that_a_command_lacks_is_no_missing_topic(self) -> None:
        self.install("ecc-hooks")
        os.unlink(os.path.join(self.root, "lib/hooklib/sessions/state_folder.py"))
        self.assertRegex(self.hookctl("sessions").stderr, "ModuleNotFoundError.*state_folder")

    def test_doctor_knows_the_keys_of_topics_that_are_not_aboard(self) -> None:
        self.install("custom-hooks")
        good = {"format": "off", "checks": "stop", "unsavedThreshold": 0, "compactThreshold": 9}
        self.write("home/.claude/settings.json", {"customSkills": good})
        self.assertEqual(self.hookctl("doctor").code, 0, self.hookctl("doctor").stdout)
        self.write("home/.claude/settings.json", {"customSkills": {"format": "never"}})
        self.assertIn("use auto or always or configured", self.hookctl("doctor").stdout)


class TryTest(PluginsTest):
    """`hookctl test`, started from a plugin that does not have the hooks itself."""

    def tried(self, *args: str, code: int = 0, **env: str) -> dict[str, Any]:
        answers = self.json("test", *args, code=code, **env)["plugins"]
        return {answer["plugin"]: answer for answer in answers}

    def test_a_hook_runs_with_its_own_plugins_library(self) -> None:
        self.install("custom-hooks", "ecc-hooks")
        self.write("plugins/ecc-hooks/lib/hooklib/only_here.py", "TEXT = 'from its own library'\n")
        script = os.path.join(
            "plugins", "ecc-hooks", "scripts/strategic-compact/suggest-compact.py"
        )
        self.write(
            script,
            "from hooklib import only_here\nfrom hooklib.output import Output\n"
            "def run(event):\n    print('noise')\n    return Output(context=only_here.TEXT)\n",
        )
        done = self.hookctl("test", "PreToolUse", "--file", "x", "--json")
        self.assertEqual((done.code, done.stderr), (0, "noise\n"))
        answers = {each["plugin"]: each for each in json.loads(done.stdout)["plugins"]}
        hook = answers["ecc-hooks"]["hooks"][0]
        self.assertEqual(hook["output"], {"context": "from its own library"})
        self.assertIn("from its own library", json.dumps(answers["ecc-hooks"]["answer"]))

    def test_its_state_and_memories_are_copied_by_the_plugin_that_keeps_them(self) -> None:
        self.install("custom-hooks", "ecc-hooks")
        args = ("memory", "add", "--kind", "preference", "--title", "use tabs", "--priority", "0")
        self.assertEqual(self.hookctl(*args).code, 0)
        before = self.files()
        told = self.tried("SessionStart", CLAUDE_PLUGIN_DATA=self.data)["ecc-hooks"]
        self.assertIn("use tabs", json.dumps(told["answer"]))
        for _ in range(2):
            told = self.tried("PreToolUse", "--file", "x", COMPACT_THRESHOLD="1")["ecc-hooks"]
            self.assertIn("1 edits", told["hooks"][0]["output"]["context"])
        for name in ("UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"):
            self.tried(name)
        self.assertEqual(self.files(), before)

    def files(self) -> list[str]:
        """All that is in the home and the project, but for what launchers remember of Python."""
        found = []
        for top in (self.home, self.project):
            for folder, folders, names in os.walk(top):
                folders[:] = [name for name in folders if name != "pycache"]
                found += [os.path.join(folder, name) for name in names if name != "python"]
        return sorted(found)

    def test_one_process_answers_all_events_of_a_replay(self) -> None:
        self.install("custom-hooks", "ecc-hooks")
        edit = {"hook_event_name": "PreToolUse", "tool_name": "Edit", "session_id": "s"}
        path = self.write("events.json", [{**edit, "tool_input": {"file_path": "/x"}}] * 3)
        lines = self.json("replay", path, "--plugin", "ecc-hooks", COMPACT_THRESHOLD="3")
        answered = [line["plugins"][0]["answer"] is not None for line in lines]
        self.assertEqual(answered, [False, False, True])

    def test_a_plugin_whose_hookctl_is_too_old(self) -> None:
        self.install("custom-hooks")
        self.launcher("ecc-hooks", OLD)
        hooks = {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}
        self.write("plugins/ecc-hooks/hooks/hooks.json", {"hooks": hooks})
        answers = self.tried("Stop", code=1)
        self.assertFalse(answers["ecc-hooks"]["runs"])
        self.assertIn("update the plugin: hookctl: error", answers["ecc-hooks"]["why"])
        self.assertTrue(answers["custom-hooks"]["runs"])

    def test_a_plugin_whose_hookctl_dies_on_the_way(self) -> None:
        self.install("custom-hooks")
        self.launcher("ecc-hooks", "read -r line; echo '{}'; read -r line; echo '{'; exit 1\n")
        self.assertIn("does not answer", self.tried("Stop", code=1)["ecc-hooks"]["why"])

    def test_another_host_is_tried_by_its_own_plugin(self) -> None:
        self.install("custom-hooks")
        done = self.hookctl("test", "Stop", "--host", "gemini")
        self.assertEqual((done.code, done.stdout), (2, ""))
        self.assertIn("no adapter for gemini", done.stderr)
        shutil.rmtree(self.root)
        self.install("custom-hooks", "ecc-hooks-gemini")
        hook = {"type": "command", "command": "echo again"}
        rules = [{"event": "SessionStart", "run": [hook]}]
        self.write("home/.claude/settings.json", {"customHooks": {"rules": rules}})
        told = self.tried("SessionStart", "--host", "gemini")
        self.assertEqual(list(told), ["ecc-hooks-gemini"])
        self.assertIn("again", json.dumps(told["ecc-hooks-gemini"]["answer"]))

    def install_opencode(self, folder: str) -> str:
        """Install OpenCode's plugin with a hook that says where it runs; return its folder."""
        root = os.path.join(folder, OPENCODE)
        shutil.copytree(assembled(), root, ignore=IGNORED)
        self.write(
            os.path.join(root, "scripts", "strategic-compact", "suggest-compact.py"),
            "from hooklib import paths\nfrom hooklib.output import Output\n"
            "def run(event):\n    return Output(context=paths.PLUGIN_ROOT)\n",
        )
        return root

    def test_opencodes_plugin_is_tried_where_the_user_installed_it(self) -> None:
        self.install("custom-hooks")
        args = ("PreToolUse", "--file", "x", "--host", "opencode")
        own, user = os.path.join(self.project, ".opencode"), os.path.join(self.home, ".config")
        self.install_opencode(own)  # a clone may bring that: nothing of it is started
        done = self.hookctl("test", *args)
        self.assertEqual((done.code, done.stdout), (1, ""))
        self.assertIn("`make install-opencode`", done.stderr)
        other = os.path.join(self.base, "else where")
        for folder, config in ((os.path.join(user, "opencode"), ""), (other, other)):
            root = self.install_opencode(folder)
            told = self.tried(*args, OPENCODE_CONFIG_DIR=config)
            self.assertEqual([*told], [OPENCODE])
            self.assertEqual(told[OPENCODE]["hooks"][0]["output"], {"context": root})
        self.root = os.path.join(own, OPENCODE)  # its own hookctl tries itself
        output = self.tried(*args)[OPENCODE]["hooks"][0]["output"]
        self.assertEqual(output, {"context": self.root})

    def test_a_program_runs_the_users_rules_alone(self) -> None:
        self.install("ecc-hooks", "custom-hooks")
        hook = {"type": "command", "command": "echo again"}
        rules = [{"event": "SessionStart", "run": [hook]}]
        self.write("home/.claude/settings.json", {"customHooks": {"rules": rules}})
        told = self.tried("SessionStart", "--host", "sdk")
        self.assertEqual(list(told), ["custom-hooks"])
        self.assertIn("again", json.dumps(told["custom-hooks"]["answer"]))
