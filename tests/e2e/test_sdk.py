"""A program with the real Claude Agent SDK, and this repository installed by pip beside it."""

from __future__ import annotations

import atexit
import functools
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from typing import Any

from bundle import bash, call, copy_working_tree
from claude_lab import MODEL, ClaudeLab
from clients import MissingError, cache_dir
from fake_anthropic import FakeAnthropic, Request, Turn, text_of

from support import LIB

AGENT = """
import asyncio, json, sys
from claude_agent_sdk import ClaudeAgentOptions, HookMatcher, query
from hooklib.hosts.sdk import build_query_options

async def main(folder, native, more):
    rules = build_query_options(folder, native=native)
    assert all(isinstance(m, HookMatcher) for found in rules["hooks"].values() for m in found)
    options = ClaudeAgentOptions(cwd=folder, permission_mode="bypassPermissions", **more, **rules)
    async for message in query(prompt="go", options=options):
        print(type(message).__name__)

asyncio.run(main(*json.loads(sys.argv[1])))
"""
TRUST = """
import sys
from hooklib import config
from hooklib.engine import trust
folder = sys.argv[1]
trust.remember(config.layers(folder, folder), folder, ("customHooks", "hooks"))
"""


@functools.cache
def python() -> str:
    """Return the interpreter that has the SDK."""
    folder = "Scripts" if os.name == "nt" else "bin"
    path = os.path.join(cache_dir(), "sdk", folder, "python")
    if not os.path.exists(path):
        raise MissingError("no Agent SDK in %s: run `make e2e`, which installs it" % cache_dir())
    return path


@functools.cache
def package() -> str:
    """Return a folder into which pip has installed the working tree, with no network."""
    folder = os.path.realpath(tempfile.mkdtemp(prefix="custom skills "))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    source, target = os.path.join(folder, "source"), os.path.join(folder, "installed")
    copy_working_tree(source)
    pip = [python(), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    pip += ["--no-index", "--no-deps", "--no-build-isolation", "--target", target, source]
    subprocess.run(pip, check=True, timeout=60, stdin=subprocess.DEVNULL)
    return target


class SdkTest(unittest.TestCase):
    def setUp(self) -> None:
        self.lab = ClaudeLab()
        self.addCleanup(self.lab.__exit__)

    def rules(self, **events: list[Any]) -> None:
        """Write the project's rules and trust them."""
        rules = [
            {"event": event, "matcher": rule.get("matcher"), "run": rule["hooks"]}
            for event, found in events.items()
            for rule in found
        ]
        self.settings(customHooks={"rules": rules})

    def settings(self, **keys: object) -> None:
        self.lab.write(self.lab.path(".claude", "settings.json"), keys)
        env = self.lab.env(PYTHONPATH=package())
        subprocess.run([python(), "-c", TRUST, self.lab.project], env=env, check=True)

    def run_agent(self, *script: Turn, native: bool = False, **options: object) -> list[Request]:
        """Run the program to its end; the model answers from script. Return what it was sent."""
        given = json.dumps([self.lab.project, native, {"model": MODEL, **options}])
        command = [python(), "-c", AGENT, given]
        model = FakeAnthropic([*script, "bye"])
        run = self.lab.play(model, command, self.lab.root, PYTHONPATH=package())
        self.assertEqual((run.code, run.unused), (0, []), run.stderr)
        self.assertIn("ResultMessage", run.stdout)
        return run.requests

    def results(self, requests: list[Request]) -> list[tuple[bool, str]]:
        """Return (whether it is an error, its text) of each tool call."""
        return [
            (bool(block.get("is_error")), text_of(block.get("content")))
            for block in requests[-1].tool_results
        ]

    def outcomes(self, hook: str) -> list[str]:
        return [line["outcome"] for line in self.lab.hook_log() if line["hook"] == hook]

    def test_a_rule_denies_one_call_and_lets_another_run(self) -> None:
        deny = {"type": "command", "command": "echo people push, not programs >&2; exit 2"}
        matcher = 'tool == "Bash" && tool_input.command matches "git push*"'
        self.rules(PreToolUse=[{"matcher": matcher, "hooks": [deny]}])
        requests = self.run_agent(bash("git push origin main"), bash("git status"))
        (denied, reason), (failed, status) = self.results(requests)
        self.assertTrue(denied)
        self.assertIn("people push, not programs", reason)
        self.assertFalse(failed)
        self.assertIn("On branch main", status)

    def test_a_rule_adds_context_and_another_changes_the_input(self) -> None:
        self.lab.write(
            self.lab.path(".claude", "hooks", "upper.py"),
            "def run(event):\n"
            "    text = event['tool_input']['content'].upper()\n"
            "    return {'hookSpecificOutput': {'updatedInput': {'content': text}}}\n",
        )
        upper = {"type": "script", "script": ".claude/hooks/upper.py"}
        context = json.dumps({"hookSpecificOutput": {"additionalContext": "MIND-THE-LINKS"}})
        told = {"type": "command", "command": "echo '%s'" % context}
        self.rules(
            PreToolUse=[{"matcher": "Write", "hooks": [upper]}],
            PostToolUse=[{"matcher": {"paths": "*.md"}, "hooks": [told]}],
        )
        notes, other = self.lab.path("notes.md"), self.lab.path("other.txt")
        requests = self.run_agent(
            call("Write", file_path=other, content="one"),
            call("Write", file_path=notes, content="two"),
        )
        self.assertEqual((self.lab.read("other.txt"), self.lab.read("notes.md")), ("ONE", "TWO"))
        self.assertEqual([r.text.count("MIND-THE-LINKS") for r in requests], [0, 0, 1])

    def test_hooks_that_crash_or_hang_change_nothing(self) -> None:
        self.lab.write(self.lab.path("hooks", "broken.py"), "def run(event): raise RuntimeError\n")
        crash = {"id": "crash", "type": "script", "script": "hooks/broken.py"}
        hang = {"id": "hang", "type": "command", "command": "sleep 30", "timeout": 0.5}
        fails = {"id": "fails", "type": "command", "command": "exit 1", "onFailure": "ignore"}
        every = [{"hooks": [crash, hang, fails]}]
        self.rules(PreToolUse=every, PostToolUse=every, UserPromptSubmit=every, Stop=every)
        path = self.lab.path("a.txt")
        requests = self.run_agent(call("Write", file_path=path, content="written"))
        self.assertEqual(self.lab.read("a.txt"), "written")
        ((failed, text),) = self.results(requests)
        self.assertFalse(failed)
        self.assertNotIn("hook", text.lower())
        self.assertEqual(self.outcomes("crash"), ["error"] * 4)
        self.assertEqual(self.outcomes("hang"), ["timeout"] * 4)
        self.assertEqual(self.outcomes("fails"), ["error"] * 4)

    def test_a_request_to_stop_keeps_the_tool_from_running(self) -> None:
        stop = json.dumps({"continue": False, "stopReason": "enough for today"})
        hook = {"type": "command", "command": "echo '%s'" % stop}
        self.rules(PreToolUse=[{"matcher": "Write", "hooks": [hook]}])
        path = self.lab.path("a.txt")
        requests = self.run_agent(call("Write", file_path=path, content="written"))
        self.assertEqual(self.lab.read("a.txt"), "")
        self.assertIn("enough for today", self.results(requests)[0][1])

    def test_a_prompt_gets_context_and_a_stop_goes_on(self) -> None:
        again = "grep -q 'active.: *true' || { echo TODO-IS-OPEN >&2; exit 2; }"
        self.rules(
            UserPromptSubmit=[{"hooks": [{"type": "command", "command": "echo TODAY-IS-MONDAY"}]}],
            Stop=[{"hooks": [{"type": "command", "command": again}]}],
        )
        requests = self.run_agent("done?")
        self.assertEqual(len(requests), 2)
        self.assertIn("TODAY-IS-MONDAY", requests[0].text)
        self.assertNotIn("TODO-IS-OPEN", requests[0].text)
        self.assertIn("TODO-IS-OPEN", requests[1].newest)

    def test_the_clients_own_hooks_where_it_does_not_run_them(self) -> None:
        deny = {"type": "command", "command": "echo x >> count; echo not here >&2; exit 2"}
        self.settings(hooks={"PreToolUse": [{"matcher": "Write", "hooks": [deny]}]})
        write = call("Write", file_path=self.lab.path("a.txt"), content="written")
        requests = self.run_agent(write, native=True, setting_sources=[])
        self.assertIn("not here", self.results(requests)[0][1])
        self.assertEqual(self.lab.read("count"), "x\n")

    def test_the_whole_library_is_installed(self) -> None:
        def files(top: str) -> list[str]:
            found = []
            for folder, folders, names in os.walk(os.path.join(top, "hooklib")):
                folders[:] = [name for name in folders if name != "__pycache__"]
                found += [os.path.relpath(os.path.join(folder, name), top) for name in names]
            return sorted(found)

        self.assertEqual(files(package()), files(LIB))

    def test_the_command_is_installed(self) -> None:
        env = self.lab.env(PYTHONPATH=package())
        hookctl = [python(), os.path.join(package(), "bin", "hookctl")]
        for arguments, code in ((["--help"], 0), (["no-such-command"], 2)):
            done = subprocess.run([*hookctl, *arguments], env=env, capture_output=True, text=True)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn("hookctl", done.stdout + done.stderr)
