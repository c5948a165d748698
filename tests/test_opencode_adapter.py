"""The OpenCode adapter as a module, and what it keeps silent about."""

from __future__ import annotations

import json
import os
import re
import shutil
from typing import Any

from opencode_case import ADAPTER, MAIN, AdapterTestCase, after, before, event, message, system

from support import PLUGINS


class ModuleTest(AdapterTestCase):
    def test_every_export_is_a_plugin_and_nothing_is_imported_but_node(self) -> None:
        self.assertEqual(self.drive()["kinds"], ["function"])
        with open(ADAPTER, encoding="utf-8") as file:
            source = file.read()
        imported = re.findall(r'(?:from|import|require)\s*\(?"([^"]+)"', source)
        self.assertEqual([name for name in imported if not name.startswith("node:")], [])

    def test_only_hooks_that_the_host_calls(self) -> None:
        known = {
            "config", "chat.message", "experimental.chat.system.transform", "event", "dispose",
            "experimental.text.complete", "experimental.session.compacting", "tool.execute.before",
            "tool.execute.after",
        }  # fmt: skip
        self.assertEqual(set(self.drive()["hooks"]), known)

    def test_the_version_is_the_original_s(self) -> None:
        versions = []
        for path in ("ecc-hooks/.claude-plugin/plugin.json", "ecc-hooks-opencode/package.json"):
            with open(os.path.join(PLUGINS, path), encoding="utf-8") as file:
                versions.append(json.load(file)["version"])
        self.assertEqual(*versions)


class SilenceTest(AdapterTestCase):
    def test_a_rule_may_use_another_host_s_name_of_the_event(self) -> None:
        self.pipeline({})
        rule = {"customHooks": {"rules": [{"event": "BeforeTool", "run": []}]}}
        self.write(os.path.join(self.home, ".claude", "settings.json"), rule)
        self.drive(before("read", {"filePath": "/a"}), message("hi"))
        self.assertEqual([each["hook_event_name"] for each in self.events()], ["PreToolUse"])

    def test_a_tool_that_no_hook_is_about_starts_nothing(self) -> None:
        listed = {"tools": ["Edit", "Write"], "paths": ["*.py"]}
        rules: list[Any] = [{"matcher": matcher, "hooks": []} for matcher in ("Edit|Write", listed)]
        self.pipeline({"PreToolUse": rules, "PostToolUse": rules})
        self.drive(
            *[before(tool, {"command": "ls"}) for tool in ("bash", "read", "grep")],
            after("bash", {"command": "ls"}, exit=0),
            message("hi"), system(), event("session.idle", sessionID=MAIN),
            event("file.watcher.updated", file="/a", event="add"),
            event("todo.updated", sessionID=MAIN, todos=[{"content": "a", "status": "pending"}]),
        )  # fmt: skip
        self.assertEqual(self.events(), [])
        self.drive(before("edit", {"filePath": "/a"}))
        self.assertEqual(len(self.events()), 1)

    def test_an_expression_is_left_to_the_engine(self) -> None:
        self.pipeline({"PreToolUse": [{"matcher": 'tool == "Bash"', "hooks": []}]})
        self.drive(before("read", {"filePath": "/a"}))
        self.assertEqual(len(self.events()), 1)

    def test_a_rule_of_the_user_s_starts_it_in_any_settings_file(self) -> None:
        self.pipeline({})
        rule = {"customHooks": {"rules": [{"event": "PreToolUse", "run": []}]}}
        folder = self.folder("my project", ".claude")
        files = [os.path.join(folder, name) for name in ("settings.json", "settings.local.json")]
        files.append(os.path.join(self.home, ".claude", "settings.json"))
        for path in files:
            self.write(path, rule)
            count = len(self.events())
            self.drive(before("read", {"filePath": "/a"}), message("hi"))
            self.assertEqual(
                [each["hook_event_name"] for each in self.events()[count:]], ["PreToolUse"]
            )
            os.unlink(path)
        self.drive(before("read", {"filePath": "/a"}))
        self.assertEqual(len(self.events()), len(files))

    def test_switched_off_there_is_nothing(self) -> None:
        self.assertEqual(self.drive(env={"CUSTOM_SKILLS": "0"})["hooks"], [])

    def test_a_second_copy_does_nothing(self) -> None:
        other = shutil.copytree(self.plugin, os.path.join(self.base, "another copy"))
        again = os.path.join(other, os.path.basename(ADAPTER))
        loader = "import { EccHooks } from %s\nimport * as one from %s\n" % (
            json.dumps(self.adapter), json.dumps(again),
        )  # fmt: skip
        loader += (
            "export const Both = async (input) => {\n  const second = await one.EccHooks(input)\n"
            "  const first = await EccHooks(input)\n"
            "  return { ...second, probe: async () => {\n"
            "    if (Object.keys(first).length) throw new Error('both')\n  } }\n}\n"
        )
        self.adapter = self.write("loader.mjs", loader)
        self.one({"hook": "probe", "input": {}, "output": {}})
