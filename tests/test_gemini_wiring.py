"""The extension's hooks.json."""

from __future__ import annotations

import json
import os
import re
import unittest

from gemini_case import HOST_EVENTS, HOST_TOOLS, ROOT

from hooklib import hosts
from hooklib.engine import event_names
from hooklib.hosts.gemini import tool_names
from support import PLUGINS


class WiringTest(unittest.TestCase):
    def setUp(self) -> None:
        with open(os.path.join(ROOT, "hooks", "hooks.json"), encoding="utf-8") as file:
            self.wiring = json.load(file)
        self.groups = [(e, g) for e, groups in self.wiring["hooks"].items() for g in groups]

    def test_the_events_are_the_clients_and_all_but_one_are_wired(self) -> None:
        # AfterModel would cost a process per piece of every answer; its rules are wired by hand
        self.assertEqual(HOST_EVENTS - set(self.wiring["hooks"]), {"AfterModel"})
        self.assertEqual(set(self.wiring["hooks"]) - HOST_EVENTS, set())

    def test_every_handler_starts_a_launcher_of_ours_with_milliseconds(self) -> None:
        labels = []
        for event, group in self.groups:
            (handler,) = group["hooks"]
            labels.append(handler["name"])
            self.assertEqual(handler["type"], "command")
            # the path comes as a variable: in the command itself the shell would read its letters
            self.assertEqual(handler["env"], {"ECC_HOOKS": "${extensionPath}"})
            self.assertNotIn("${", handler["command"])
            which = re.search(r'exec sh "\$ECC_HOOKS/hooks/(run|rules)" (.*)', handler["command"])
            assert which, handler["command"]
            self.assertIn(which[2], (event + " --host gemini", event))
            self.assertEqual(which[1] == "run", "--host gemini" in which[2])
            self.assertIn("|| exit 0", handler["command"])
            self.assertGreaterEqual(handler["timeout"], 10_000)
        self.assertEqual(len(labels), len(set(labels)))

    def test_tool_matchers_are_anchored_and_each_tool_starts_one_launcher(self) -> None:
        for event in ("BeforeTool", "AfterTool"):
            matchers = [group["matcher"] for group in self.wiring["hooks"][event]]
            for matcher in matchers:
                self.assertTrue(matcher.startswith("^"), matcher)
            for tool in (*HOST_TOOLS, "mcp_x_write_file", "write_file_2", "re"):
                found = [matcher for matcher in matchers if re.search(matcher, tool)]
                self.assertEqual(len(found), 1, tool)

    def test_other_events_have_no_matcher(self) -> None:
        """A list of sources would match nothing: the client compares the whole text."""
        for event, group in self.groups:
            if not event.endswith("Tool"):
                self.assertNotIn("matcher", group)

    def test_what_claude_code_starts_a_hook_for_is_started_directly(self) -> None:
        path = os.path.join(PLUGINS, "ecc-hooks", "hooks", "hooks.json")
        with open(path, encoding="utf-8") as file:
            claude = json.load(file)["hooks"]
        theirs = {name: tool for tool, (name, _) in tool_names.TOOLS.items()}
        compared = 0
        for event in sorted(set(claude) - hosts.SILENT_ON["gemini"]):
            spellings = [*event_names.spellings(event), "AfterTool"]  # of failures, too
            spelled = next(name for name in spellings if name in HOST_EVENTS)
            direct = [
                group.get("matcher", "")
                for group in self.wiring["hooks"][spelled]
                if "/hooks/run" in group["hooks"][0]["command"]
            ]
            self.assertTrue(direct, event)
            named = [group.get("matcher", "") for group in claude[event]]
            listed = "|".join(named).split("|")
            # a subagent's task is noted for SubagentStart, which this host does not have
            tools = [theirs[name] for name in listed if name in theirs and name != "Agent"]
            for tool in tools:
                compared += 1
                self.assertTrue(any(re.search(matcher, tool) for matcher in direct), tool)
        self.assertGreater(compared, 5)

    def test_the_manifest_and_the_readme(self) -> None:
        with open(os.path.join(ROOT, "gemini-extension.json"), encoding="utf-8") as file:
            manifest = json.load(file)
        path = os.path.join(PLUGINS, "ecc-hooks", ".claude-plugin", "plugin.json")
        with open(path, encoding="utf-8") as file:
            self.assertEqual(manifest["version"], json.load(file)["version"])
        self.assertEqual(manifest["name"], os.path.basename(ROOT))
        with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
            readme = file.read()
        for event in HOST_EVENTS:
            self.assertIn(event, readme)
