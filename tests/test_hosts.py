"""The hosts: their adapters, and what the files that they read say as the library does."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import unittest
from typing import Any
from unittest import mock

from hooklib import hosts
from hooklib.event import EDIT_TOOLS, Event
from hooklib.hosts.base import Host
from hooklib.output import Output
from hooklib.quality.edited_file import LANGUAGES
from support import LIB, PLUGINS, PYTHON, REPO, HookTestCase


class AdapterTest(unittest.TestCase):
    def test_each_has_the_name_that_it_is_found_by(self) -> None:
        for name in hosts.MODULES:
            adapter = hosts.adapter(name)
            self.assertIsInstance(adapter, Host)
            self.assertEqual(adapter.name, name)
            self.assertEqual(adapter.decode("Stop", b"{}").host, name)

    def test_a_name_that_nobody_has(self) -> None:
        for name in ("", "Claude", "hooklib", "../claude"):
            with self.assertRaisesRegex(ValueError, "unknown host"):
                hosts.adapter(name)

    def test_events_that_never_fire_are_known_for_every_host(self) -> None:
        self.assertEqual(set(hosts.SILENT_ON), set(hosts.MODULES))

    def test_a_decoded_event_goes_its_way_unchanged_by_default(self) -> None:
        claude = hosts.adapter("claude")
        event, output = Event("Stop", {}), Output(context="`hookctl memory add`")
        self.assertEqual(list(claude.expand(event)), [event])
        self.assertIs(claude.carry(event, output), output)
        self.assertEqual(claude.answer(event, None), ("", []))
        self.assertIn("`hookctl memory add`", claude.answer(event, output)[0])

    def test_hookctl_is_named_so_that_the_model_can_start_it(self) -> None:
        path = os.path.join(os.path.dirname(LIB), "bin", "hookctl")
        for name, called in (("claude", "hookctl"), ("opencode", "'%s'" % path)):
            adapter = hosts.adapter(name)
            output = Output(context="save it: `hookctl memory add -x`")
            answer, _ = adapter.answer(Event("PostToolUse", {}, name), output)
            specific = json.loads(answer)["hookSpecificOutput"]
            self.assertEqual(specific["additionalContext"], "save it: `%s memory add -x`" % called)


class MissingAdapterTest(HookTestCase):
    def find(self, module: str) -> Host:
        with mock.patch.dict(hosts.MODULES, {"other": module}):
            return hosts.adapter("other")

    def test_one_that_this_copy_does_not_hold_is_unknown(self) -> None:
        for module in ("hooklib.hosts.nowhere", "hooklib.nowhere.adapter"):
            with self.assertRaisesRegex(ValueError, "unknown host"):
                self.find(module)

    def test_a_broken_one_says_what_it_lacks(self) -> None:
        self.write("broken_adapter.py", "import no_such_module\n")
        path = mock.patch.object(sys, "path", [self.base, *sys.path])
        with path, self.assertRaisesRegex(ModuleNotFoundError, "no_such_module"):
            self.find("broken_adapter")


class OneFactTest(unittest.TestCase):
    ROOMS = ("hosts", "agent", "cli")  # that may name a host

    def test_nothing_else_names_another_host(self) -> None:
        """Claude Code is the default and its terms are ours: it may be named."""
        named = []
        for folder, _, names in os.walk(os.path.join(LIB, "hooklib")):
            room = os.path.relpath(folder, os.path.join(LIB, "hooklib")).split(os.sep)[0]
            for name in names if room not in self.ROOMS else ():
                if name.endswith(".py"):
                    named += self.other_hosts(os.path.join(folder, name))
        self.assertEqual(named, [])

    def other_hosts(self, path: str) -> list[str]:
        with open(path, encoding="utf-8") as file:
            tree = ast.parse(file.read())
        texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        modules = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        others = [name for name in hosts.MODULES if name != "claude"]
        loaded = [name for name in modules if name and name.startswith("hooklib.hosts.")]
        found = [str(text) for text in texts if text in others]
        return [path + ": " + each for each in found + loaded if each != "hooklib.hosts.base"]


class MatcherTest(unittest.TestCase):
    """What the files that hosts read say once more is what the library says."""

    def matchers(self) -> list[tuple[str, Any]]:
        found = []
        for name in ("hooks.json", "pipeline.json"):
            with open(os.path.join(PLUGINS, "ecc-hooks", "hooks", name), encoding="utf-8") as file:
                events = json.load(file)["hooks"]
            for event, groups in events.items():
                found += [(event, group["matcher"]) for group in groups if "matcher" in group]
        return found

    def test_whatever_is_for_edits_is_for_all_tools_that_edit(self) -> None:
        lists = [
            given["tools"] if isinstance(given, dict) else given.split("|")
            for _, given in self.matchers()
        ]
        edits = [tools for tools in lists if not set(EDIT_TOOLS).isdisjoint(tools)]
        self.assertGreater(len(edits), 6)
        for tools in edits:
            self.assertEqual([tool for tool in tools if tool in EDIT_TOOLS], list(EDIT_TOOLS))

    def test_the_facts_of_the_javascript_adapter(self) -> None:
        tool = os.path.join(REPO, "tools", "opencode_facts.py")
        done = subprocess.run([PYTHON, tool, "--check"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_the_paths_are_those_of_the_languages(self) -> None:
        paths = [given["paths"] for _, given in self.matchers() if isinstance(given, dict)]
        endings = [["*" + ending for ending in endings] for endings in LANGUAGES.values()]
        self.assertEqual(sorted(paths), sorted(endings))
