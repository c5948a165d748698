"""HookManager and the bridge to the Agent SDK, without the SDK; tests/e2e/test_sdk.py has it."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import sys
import types
import unittest
from typing import Any
from unittest import mock

from hooklib import hosts
from hooklib.agent import sdk
from hooklib.agent.manager import HookManager
from hooklib.engine import loader
from hooklib.event import Event
from hooklib.hosts.sdk import build_query_options
from hooklib.output import Output
from support import HookTestCase, event

BASH = event("PreToolUse", tool_name="Bash", tool_input={"command": "ls -l"})
NO_SDK = mock.patch.dict(sys.modules, {"claude_agent_sdk": None})


def command(text: str, **more: object) -> dict[str, Any]:
    return {"type": "command", "command": text, **more}


def rules(**events: object) -> dict[str, Any]:
    """Return a configuration: event -> one hook, or a list of rules."""
    return {
        "hooks": {
            name: value if isinstance(value, list) else [{"hooks": [value]}]
            for name, value in events.items()
        }
    }


class SdkTestCase(HookTestCase):
    def setUp(self) -> None:
        super().setUp()
        patch = mock.patch.dict(os.environ, self.env(), clear=True)
        patch.start()
        self.addCleanup(patch.stop)

    def manager(self, config: object = None, **keys: object) -> HookManager:
        return HookManager(config, self.project, **keys)  # type: ignore[arg-type]

    def outcomes(self) -> list[str]:
        return [line["outcome"] for line in self.log()]


class ExecuteTest(SdkTestCase):
    def test_a_command_continues_or_blocks_by_its_exit_code(self) -> None:
        manager = self.manager()
        for code, blocked in ((0, False), (1, True), (2, True), (3, True), (127, True)):
            done = manager.execute_command(command("echo why >&2; exit %d" % code), BASH)
            if not blocked:
                self.assertEqual(done, {"continue": True})
            else:
                self.assertEqual(done["decision"], "block")
                self.assertIn("why", done["reason"])
                self.assertNotIn("continue", done)

    def test_every_event_is_blocked_alike(self) -> None:
        for name in ("PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop", "PreCompact"):
            for code in (1, 2):
                done = self.manager().execute_command(command("exit %d" % code), event(name))
                self.assertEqual(done["decision"], "block", (name, code))

    def test_failure_behavior_counts_before_that(self) -> None:
        fails = command("exit 1")
        for config, entry in (
            ({"failureBehavior": "ignore"}, fails),
            ({}, {**fails, "onFailure": "ignore"}),
            ({"failureBehavior": "deny"}, {**fails, "onFailure": "continue"}),
        ):
            self.assertEqual(self.manager(config).execute_command(entry, BASH), {"continue": True})
        done = self.manager({"failureBehavior": "ask"}).execute_command(fails, BASH)
        self.assertEqual(done["hookSpecificOutput"]["permissionDecision"], "ask")

    def test_variables_are_data(self) -> None:
        given = event(
            "PreToolUse", tool_name="Edit", tool_input={"file_path": "$(touch pwned) ;.py"}
        )
        entry = command('printf %s "$TOOL $FILE" >&2; exit 1')
        self.assertIn(
            "Edit $(touch pwned) ;.py", self.manager().execute_command(entry, given)["reason"]
        )

    def test_a_timeout_continues_and_is_logged(self) -> None:
        done = self.manager().execute_command(command("sleep 100000", timeout=0.2), BASH)
        self.assertEqual((done, self.outcomes()), ({"continue": True}, ["timeout"]))
        deny = self.manager({"timeoutBehavior": "deny", "defaultTimeout": 0.2})
        self.assertEqual(deny.execute_command(command("sleep 100000"), BASH)["decision"], "block")

    def test_a_script_returns_its_whole_object(self) -> None:
        answer = {
            "systemMessage": "careful",
            "hookSpecificOutput": {
                "hookEventName": "PreToolUse",
                "permissionDecision": "allow",
                "updatedInput": {"command": "ls"},
                "additionalContext": "told",
            },
        }
        text = "def run(event):\n    assert event['tool_name'] == 'Bash'\n    return %r\n" % answer
        self.write("my project/.claude/hooks/a.py", text)
        done = self.manager().execute_script({"script": ".claude/hooks/a.py"}, BASH)
        self.assertEqual(done, {"continue": True, **answer})

    def test_a_script_that_cannot_run_continues_and_is_logged(self) -> None:
        self.write("my project/elsewhere/a.py", "def run(event): return {'decision': 'block'}")
        self.write("my project/hooks/broken.py", "def run(event): raise RuntimeError\n")
        self.write("my project/hooks/syntax.py", "def run(event:\n")
        os.symlink(self.project + "/elsewhere/a.py", self.project + "/hooks/link.py")
        for name in (
            *("elsewhere/a.py", "hooks/link.py", "hooks/../elsewhere/a.py", "/etc/passwd"),
            *("hooks/missing.py", "hooks/broken.py", "hooks/syntax.py"),
        ):
            done = self.manager().execute_script({"script": name}, BASH)
            self.assertEqual(done, {"continue": True}, name)
        self.assertEqual(self.outcomes(), ["refused"] * 5 + ["error"] * 2)
        allowed = self.manager({"hookScriptPaths": ["elsewhere"]})
        done = allowed.execute_script({"script": "elsewhere/a.py"}, BASH)
        self.assertEqual(done["decision"], "block")

    def test_a_prompt_is_a_message_on_every_event(self) -> None:
        for name in ("PreToolUse", "PreCompact", "SessionEnd"):
            given = event(name, tool_name="Bash", tool_input={"command": "ls"})
            done = self.manager().execute_prompt({"prompt": "$TOOL: $COMMAND, $HOME"}, given)
            self.assertEqual(done, {"systemMessage": "Bash: ls, $HOME", "continue": True})

    def test_an_invalid_hook_continues(self) -> None:
        for entry in ({}, {"command": 7}, {"command": "exit 2", "timeout": -1}):
            self.assertEqual(self.manager().execute_command(entry, BASH), {"continue": True})
        self.assertEqual(self.outcomes(), ["invalid hook"] * 3)

    def test_a_command_of_an_untrusted_project_does_not_run(self) -> None:
        manager = self.manager(rules(PreToolUse=command("exit 2")))
        (hook,) = manager._rules.hooks["PreToolUse"]
        hook.source.trusted = False
        self.assertEqual(manager.execute_command(hook, BASH), {"continue": True})
        self.assertIsNone(manager.run("PreToolUse", BASH).output)


class LoadTest(SdkTestCase):
    def test_the_shapes_of_a_configuration(self) -> None:
        by_event = {"PreToolUse": [{"hooks": [command("exit 2")]}]}
        config: Any
        for config in (
            {"hooks": by_event},
            by_event,
            {"enabled": True, **by_event},
            {"rules": [{"event": "PreToolUse", "run": [command("exit 2")]}]},
            loader.from_value({"hooks": by_event}),
        ):
            self.assertEqual(self.manager(config).get_hook_counts(), {"PreToolUse": 1})
        for config in (None, {}, {"hooks": by_event, "enabled": False}):
            self.assertEqual(self.manager(config).get_hook_counts(), {})

    def test_loading_replaces_and_names_what_is_wrong(self) -> None:
        manager = self.manager(rules(PreToolUse=command("exit 2")))
        warnings = manager.load_hooks(rules(Stop=[7, {"hooks": [command("true"), {"type": "x"}]}]))
        self.assertEqual(manager.get_hook_counts(), {"Stop": 1})
        self.assertIn("customHooks.hooks.Stop[0]: not an object", str(warnings[0]))
        self.assertEqual(len(warnings), 2)
        self.assertEqual(len(self.manager({"hooks": 7}).warnings), 1)

    def test_aliases_and_switched_off_rules(self) -> None:
        config = rules(
            Compaction=[{"id": "a", "hooks": [command("true")]}],
            BeforeTool=[{"hooks": [command("true", id="b")]}],
        )
        manager = self.manager({**config, "disabled": ["b"]})
        self.assertEqual(manager.get_hook_counts(), {"PreCompact": 1})

    def test_it_opens_no_file(self) -> None:
        config = rules(
            PreToolUse=[{"matcher": "Bash", "hooks": [{"type": "prompt", "prompt": "x"}]}]
        )
        with mock.patch("builtins.open", side_effect=AssertionError):
            manager = self.manager(config)
            output = manager.run("PreToolUse", BASH).output
        self.assertEqual(output, Output(message="x"))

    def test_exit_codes_where_it_is_no_bridge(self) -> None:
        config = rules(PreToolUse=command("exit 1"))
        output = self.manager(config).run("PreToolUse", BASH).output
        assert output
        self.assertEqual(output.decision, "deny")
        standard = self.manager(config, nonzero_blocks=False)
        self.assertIsNone(standard.run("PreToolUse", BASH).output)


class EncodeTest(unittest.TestCase):
    def answer(self, name: str, **said: object) -> dict[str, Any]:
        told, _ = sdk.document(Event(name, {}, "sdk"), Output(**said))  # type: ignore[arg-type]
        return told

    def test_the_adapter_is_known(self) -> None:
        self.assertIs(hosts.adapter("sdk"), sdk.HOST)
        given = sdk.HOST.decode("PreToolUse", json.dumps(BASH).encode())
        text, lost = sdk.HOST.encode(given, Output(decision="deny", reason="no"))
        self.assertEqual(json.loads(text)["hookSpecificOutput"]["permissionDecision"], "deny")
        self.assertEqual((sdk.HOST.encode(given, Output()), lost), (("", []), []))

    def test_a_stop_before_a_tool_is_a_denial(self) -> None:
        told = self.answer("PreToolUse", stop="enough", updated_input={"a": 1}, message="m")
        specific = told.pop("hookSpecificOutput")
        self.assertEqual(told, {"systemMessage": "m"})
        self.assertEqual(specific.pop("hookEventName"), "PreToolUse")
        self.assertEqual(
            specific, {"permissionDecision": "deny", "permissionDecisionReason": "enough"}
        )
        both = self.answer("PreToolUse", stop="enough", decision="deny", reason="no")
        self.assertEqual(both["hookSpecificOutput"]["permissionDecisionReason"], "no")

    def test_a_stop_elsewhere_has_the_name_that_the_sdk_knows(self) -> None:
        told = self.answer("PostToolUse", stop="enough")
        self.assertEqual(told, {"continue_": False, "stopReason": "enough"})

    def test_nothing_is_told_before_a_compaction_but_a_block(self) -> None:
        self.assertEqual(self.answer("PreCompact", context='{"a": 1}', message="m"), {})
        blocked = self.answer("PreCompact", decision="block", reason="not now")
        self.assertEqual(blocked, {"decision": "block", "reason": "not now"})

    def test_the_id_of_the_call_that_stands_beside_the_input(self) -> None:
        given = {"tool_name": "Write", "tool_input": {}}
        self.assertEqual(
            sdk.from_callback("PermissionRequest", given, "t1").text("tool_use_id"), "t1"
        )
        self.assertEqual(sdk.from_callback("Stop", {}, "random").text("tool_use_id"), "")


class CallbackTest(SdkTestCase):
    def call(self, manager: HookManager, given: object, use: object = "t1") -> dict[str, Any]:
        callback = manager.create_sdk_callback("PreToolUse")
        return asyncio.run(callback(given, use, {"signal": None}))

    def test_one_matcher_per_event_as_dicts(self) -> None:
        config = rules(
            PreToolUse=[{"hooks": [command("true"), command("false")]}],
            PostToolUse=command("true"),
            Notification=command("true"),
            BeforeModel=command("true"),
        )
        with NO_SDK:
            made = self.manager(config).convert_to_sdk_format()
        self.assertEqual(sorted(made), ["Notification", "PostToolUse", "PreToolUse"])
        (entry,) = made["PreToolUse"]
        self.assertEqual(sorted(entry), ["hooks", "matcher", "timeout"])
        self.assertIsNone(entry["matcher"])
        self.assertTrue(asyncio.iscoroutinefunction(entry["hooks"][0]))
        self.assertEqual([line["event"] for line in self.log()], ["BeforeModel", "Notification"])

    def test_as_the_sdks_own_objects_where_it_is_installed(self) -> None:
        installed = types.ModuleType("claude_agent_sdk")
        installed.HookMatcher = types.SimpleNamespace  # type: ignore[attr-defined]
        with mock.patch.dict(sys.modules, {"claude_agent_sdk": installed}):
            made = self.manager(rules(Stop=command("true"))).convert_to_sdk_format()
        self.assertIsInstance(made["Stop"][0], types.SimpleNamespace)

    def test_the_matchers_time_is_longer_than_all_hooks_take(self) -> None:
        config = rules(
            PreToolUse=[{"hooks": [command("a", timeout=400), command("b", timeout=400)]}]
        )
        with NO_SDK:
            (entry,) = self.manager(config).convert_to_sdk_format()["PreToolUse"]
            (short,) = self.manager(rules(Stop=command("a"))).convert_to_sdk_format()["Stop"]
        self.assertGreater(entry["timeout"], 800)
        self.assertGreater(short["timeout"], 30)

    def test_what_callbacks_answer(self) -> None:
        says = 'echo \'{"hookSpecificOutput": {"additionalContext": "told"}}\''
        for text, wanted in (
            ("true", {}),
            (
                "echo no >&2; exit 2",
                {"permissionDecision": "deny", "permissionDecisionReason": "no"},
            ),
            (says, {"additionalContext": "told"}),
        ):
            told = self.call(self.manager(rules(PreToolUse=command(text))), BASH)
            specific = told.get("hookSpecificOutput", {})
            specific.pop("hookEventName", "")
            self.assertEqual(specific, wanted)
        one = [{"matcher": "Edit", "hooks": [command("exit 2")]}]
        self.assertEqual(self.call(self.manager(rules(PreToolUse=one)), BASH), {})

    def test_each_event_reaches_its_rules(self) -> None:
        seen = self.base + "/seen"
        entry = command("echo $EVENT >> '%s'" % seen)
        manager = self.manager(rules(PreToolUse=entry, Stop=entry, UserPromptSubmit=entry))

        async def main() -> None:
            for name in ("PreToolUse", "Stop", "UserPromptSubmit"):
                given = event(name, prompt_id="x", tool_use_id="t1")
                self.assertEqual(await manager.create_sdk_callback(name)(given, "t1", {}), {})

        asyncio.run(main())
        with open(seen, encoding="utf-8") as file:
            self.assertEqual(file.read().split(), ["PreToolUse", "Stop", "UserPromptSubmit"])

    def test_a_single_hook_as_a_callback(self) -> None:
        callback = self.manager().create_sdk_callback(command("echo no >&2; exit 1"))
        self.assertEqual(asyncio.run(callback(BASH, "t1", None))["decision"], "block")
        callback = self.manager().create_sdk_callback({"type": "prompt", "prompt": "on $EVENT"})
        told = asyncio.run(callback(BASH, "t1", None))
        self.assertEqual(told, {"systemMessage": "on PreToolUse", "continue": True})

    def test_callbacks_never_raise(self) -> None:
        manager = self.manager(rules(PreToolUse=command("true")))
        odd: Any
        for odd in (None, 7, [], {"tool_input": 7, "tool_name": 7}, {"x": object()}):
            self.assertEqual(self.call(manager, odd, odd), {})
        with mock.patch.object(manager, "run", side_effect=SystemExit(2)):
            self.assertEqual(self.call(manager, BASH), {})
        self.assertEqual(self.log()[-1]["error"], "SystemExit")

    def test_a_crashing_script_changes_nothing(self) -> None:
        self.write("my project/hooks/broken.py", "def run(event): raise RuntimeError\n")
        script = {"type": "script", "script": "hooks/broken.py"}
        self.assertEqual(self.call(self.manager(rules(PreToolUse=script)), BASH), {})
        self.assertEqual(self.outcomes(), ["error"])

    def test_a_hanging_hook_holds_nobody_up(self) -> None:
        go = os.path.join(self.base, "go")
        wait = "until [ -e '%s' ]; do sleep 0.05; done" % go
        pair = [command(wait, timeout=60), command("sleep 100000", timeout=0.4)]
        manager = self.manager(rules(PreToolUse=[{"hooks": pair}]))
        callback = manager.create_sdk_callback("PreToolUse")

        async def main() -> list[Any]:
            calls = [callback({**BASH, "tool_use_id": "t%d" % n}, "", None) for n in range(5)]
            waiting = asyncio.gather(*calls)
            await asyncio.sleep(0.02)
            self.write(go, "")  # a loop that is held up never comes here
            return await waiting

        self.assertEqual(asyncio.run(main()), [{}] * 5)
        self.assertEqual(sorted(self.outcomes()), ["silent"] * 5 + ["timeout"] * 5)

    def test_both_ways_at_once_run_a_hook_once(self) -> None:
        tick = command("printf x >> '%s/count'; echo no >&2; exit 2" % self.base)
        manager = self.manager(rules(PreToolUse=tick))
        callback = manager.create_sdk_callback("PreToolUse")

        async def main() -> list[Any]:
            return list(await asyncio.gather(*(callback(BASH, "t1", None) for _ in range(4))))

        told = asyncio.run(main())
        for answer in told:
            self.assertEqual(answer["hookSpecificOutput"]["permissionDecision"], "deny")
        self.assertEqual(os.path.getsize(self.base + "/count"), 1)


class OptionsTest(SdkTestCase):
    def settings(self, **keys: object) -> None:
        self.write("home/.claude/settings.json", keys)

    def build(self, **keys: object) -> dict[str, Any]:
        with NO_SDK:
            return build_query_options(self.project, **keys)  # type: ignore[arg-type]

    def test_without_rules_no_options(self) -> None:
        self.assertEqual(self.build(), {})

    def test_rules_become_hooks_and_stay_up_to_date(self) -> None:
        self.settings(customHooks=rules(PreToolUse=command("echo one >&2; exit 2")))
        options = self.build()
        self.assertEqual(list(options), ["hooks"])
        ((entry,),) = options["hooks"].values()

        def reason(use: str) -> str:
            told = asyncio.run(entry["hooks"][0]({**BASH, "tool_use_id": use}, use, None))
            text: str = told.get("hookSpecificOutput", {}).get("permissionDecisionReason", "")
            return text

        self.assertEqual(reason("t1"), "one")
        self.settings(customHooks=rules(PreToolUse=command("echo other >&2; exit 2")))
        self.assertEqual(reason("t2"), "other")
        self.settings()
        self.assertEqual(reason("t3"), "")

    def test_the_clients_own_hooks_only_where_asked_for(self) -> None:
        self.settings(**rules(Stop=command("true")))
        self.assertEqual(self.build(), {})
        self.assertEqual(list(self.build(native=True)["hooks"]), ["Stop"])

    def test_rules_of_an_untrusted_project_are_left_out(self) -> None:
        config = rules(PreToolUse=command("exit 2"), Stop={"type": "prompt", "prompt": "done"})
        self.write("my project/.claude/settings.json", {"customHooks": config})
        self.assertEqual(list(self.build()["hooks"]), ["Stop"])  # a text starts nothing


class PackageTest(unittest.TestCase):
    def test_the_command_is_there(self) -> None:
        self.assertIsNotNone(importlib.util.find_spec("hooklib.cli"))
