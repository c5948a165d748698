"""The facade for agent programs, driven by a small agent loop as specs/002 describes it."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from typing import Any
from unittest import mock

from hooklib import config, paths
from hooklib.agent import run_once, service
from hooklib.agent.manager import HookManager
from hooklib.engine import trust
from support import HookTestCase

SESSION = "s-1"
CRASH = "exit 1"
HANG = "sleep 100000"


def rule(command: str, matcher: object = None, **more: object) -> dict[str, Any]:
    return {"matcher": matcher, "hooks": [{"type": "command", "command": command, **more}]}


def says(**document: object) -> str:
    """Return a command that answers with a JSON document."""
    return "printf %%s '%s'" % json.dumps(document)


def specific(**fields: object) -> str:
    return says(hookSpecificOutput=fields)


class Agent:
    """A whole agent but for the model: its turns are a script of texts and tool calls."""

    def __init__(self, *turns: object, limit: int = 100) -> None:
        self.turns = list(turns)
        self.limit = limit  # messages beyond which it compacts
        self.messages: list[str] = []
        self.ran: list[dict[str, Any]] = []  # inputs with which the tool really ran
        self.asked = 0  # questions to the user, who always says yes
        self.calls = 0

    def run(self, prompt: str = "go") -> Agent:
        self.say("context", service.on_session_start(SESSION))
        self.messages.append(prompt)
        self.say("context", service.on_user_prompt_submit(prompt, SESSION))
        again = False
        for turn in self.turns:
            self.compact()
            if isinstance(turn, dict):
                self.tool(turn)
                continue
            self.messages.append(str(turn))
            if not service.on_stop("end_turn", SESSION, stop_hook_active=again):
                break
            again = True
            self.messages.append("[System] Hook requested continuation. Please continue.")
        service.on_session_end(SESSION)
        return self

    def say(self, label: str, text: str | None) -> None:
        if text is not None:
            self.messages.append("[%s] %s" % (label, text))

    def compact(self) -> None:
        count = len(self.messages)
        if count > self.limit and not service.on_compaction(100 * count, count, SESSION):
            self.messages = ["[summary]"]

    def tool(self, given: dict[str, Any]) -> None:
        self.calls += 1
        use = "toolu_%d" % self.calls
        before = service.on_pre_tool_use("Tool", use, given, SESSION)
        if before.decision == "deny":
            self.messages.append("[denied] " + before.reason)
            return
        given = {**given, **(before.modified_input or {})}
        if before.decision == "ask" or given.get("dangerous"):
            answer = service.on_permission_request("Tool", given, SESSION)
            self.asked += answer == "ask"
            if answer == "deny":
                self.messages.append("[denied] permission")
                return
        self.ran.append(given)
        if given.get("fails"):
            told = service.on_post_tool_use_failure("Tool", use, given, "it failed", SESSION)
            self.messages.append("it failed")
            self.say("context", told)
            return
        result = {"success": True, "llmContent": "result"}
        after = service.on_post_tool_use("Tool", use, given, result, SESSION)
        content = str(result["llmContent"])
        if after.additional_context:
            content += "\n\n[Hook Context]\n" + after.additional_context
        if after.modified_output is not None:
            content = str(after.modified_output)
        self.messages.append(content)


class ServiceTestCase(HookTestCase):
    def setUp(self) -> None:
        super().setUp()
        patch = mock.patch.dict(os.environ, self.env(), clear=True)
        patch.start()
        self.addCleanup(patch.stop)
        self.addCleanup(service.configure)
        self.rules()

    def rules(self, **events: object) -> None:
        """Configure rules: event -> one command, or a list of rules."""
        hooks = {name: [rule(v)] if isinstance(v, str) else v for name, v in events.items()}
        service.configure(self.project, {"hooks": hooks, "defaultTimeout": 60})

    def outcomes(self) -> list[str]:
        return [line["outcome"] for line in self.log()]


class IntegrationTest(ServiceTestCase):
    def test_without_hooks_nothing_changes_and_nothing_starts(self) -> None:
        with mock.patch("hooklib.process.run", side_effect=AssertionError):
            agent = Agent({"a": 1}, {"fails": 1}, {"dangerous": 1}, "bye", limit=1).run()
        self.assertEqual(agent.messages, ["[summary]", "bye"])
        self.assertEqual(agent.ran, [{"a": 1}, {"fails": 1}, {"dangerous": 1}])
        self.assertEqual(agent.asked, 1)
        self.assertFalse(service.is_hooks_available())
        self.assertEqual(self.log(), [])

    def test_input_is_changed_before_the_tool_runs(self) -> None:
        first = rule(specific(updatedInput={"a": 2}))
        # sees what the first one made of it, and adds to it
        second = rule("grep -q '.a.: *2' && " + specific(updatedInput={"b": 3}))
        self.rules(PreToolUse=[first, second])
        self.assertEqual(Agent({"a": 1, "c": 4}).run().ran, [{"a": 2, "b": 3, "c": 4}])

    def test_a_tool_is_denied_with_the_reason(self) -> None:
        self.rules(PreToolUse="echo not here >&2; exit 2")
        agent = Agent({"a": 1}, "bye").run()
        self.assertEqual((agent.ran, agent.messages), ([], ["go", "[denied] not here", "bye"]))

    def test_a_request_to_stop_denies_the_tool(self) -> None:
        self.rules(PreToolUse=says(**{"continue": False, "stopReason": "enough"}))
        self.assertEqual(Agent({"a": 1}).run().messages, ["go", "[denied] enough"])

    def test_context_is_appended_to_the_result(self) -> None:
        self.rules(PostToolUse=specific(additionalContext="mind the gap"))
        self.assertEqual(
            Agent({"a": 1}).run().messages, ["go", "result\n\n[Hook Context]\nmind the gap"]
        )

    def test_an_objection_after_the_tool_is_told(self) -> None:
        self.rules(PostToolUse="echo bad style >&2; exit 2")
        self.assertIn("bad style", Agent({"a": 1}).run().messages[1])

    def test_the_result_is_replaced(self) -> None:
        self.rules(PostToolUse=specific(updatedToolOutput="[redacted]"))
        self.assertEqual(Agent({"a": 1}).run().messages, ["go", "[redacted]"])

    def test_permission_is_decided(self) -> None:
        for said, ran, asked in (("allow", 1, 0), ("deny", 0, 0), ("ask", 1, 1)):
            with self.subTest(said):
                self.rules(PermissionRequest=specific(decision={"behavior": said}))
                agent = Agent({"dangerous": True}).run()
                self.assertEqual((len(agent.ran), agent.asked), (ran, asked))

    def test_asking_before_the_tool_leads_to_the_permission(self) -> None:
        self.rules(PreToolUse=specific(permissionDecision="ask"))
        agent = Agent({"a": 1}).run()
        self.assertEqual((len(agent.ran), agent.asked), (1, 1))

    def test_a_deferred_call_is_told(self) -> None:
        self.rules(PreToolUse=specific(permissionDecision="defer"))
        self.assertEqual(service.on_pre_tool_use("Tool", "", {}, SESSION).decision, "defer")

    def test_a_stop_is_forced_to_go_on(self) -> None:
        # the hook of specs/002: continue with a reason; quiet once it goes on because of it
        again = says(**{"continue": True, "reason": "Incomplete TODOs found"})
        self.rules(Stop="grep -q 'active.: *true' || " + again)
        agent = Agent("done?", "done.", "never said").run()
        self.assertEqual(agent.messages[1], "done?")
        self.assertIn("[System]", agent.messages[2])
        self.assertEqual(agent.messages[3:], ["done."])
        output = service.run_event("Stop", {"stop_hook_active": False})
        self.assertEqual(output.reason, "Incomplete TODOs found")

    def test_compaction_is_prevented(self) -> None:
        for name in ("PreCompact", "Compaction"):
            self.rules(**{name: says(decision="block", reason="not now")})
            self.assertEqual(Agent("bye", limit=0).run().messages, ["go", "bye"])
        self.rules(Compaction=says(systemMessage="so be it"))
        self.assertEqual(Agent("bye", limit=0).run().messages, ["[summary]", "bye"])

    def test_a_failure_is_an_event_of_its_own(self) -> None:
        seen = self.base + "/seen"
        self.rules(
            PostToolUseFailure="cat > '%s'; %s" % (seen, specific(additionalContext="try again")),
            PostToolUse=specific(additionalContext="wrong event"),
        )
        agent = Agent({"fails": True}).run()
        self.assertEqual(agent.messages, ["go", "it failed", "[context] try again"])
        with open(seen, encoding="utf-8") as file:
            self.assertEqual(json.load(file)["error"], "it failed")

    def test_a_prompt_gets_context(self) -> None:
        texts = [rule("echo first"), rule(specific(additionalContext="second"))]
        self.rules(UserPromptSubmit=texts)
        self.assertEqual(Agent().run().messages, ["go", "[context] first\n\nsecond"])

    def test_a_refused_prompt_is_told(self) -> None:
        self.rules(UserPromptSubmit="echo no secrets >&2; exit 2")
        self.assertEqual(
            Agent().run().messages[1], "[context] A hook refuses this prompt: no secrets"
        )
        self.assertEqual(service.run_event("UserPromptSubmit", {"prompt": "x"}).decision, "block")

    def test_a_session_starts_and_ends(self) -> None:
        ended = self.base + "/ended"
        self.rules(SessionStart="echo hello $SESSION_ID", SessionEnd="cat > '%s'" % ended)
        self.assertEqual(Agent().run().messages, ["[context] hello s-1", "go"])
        with open(ended, encoding="utf-8") as file:
            self.assertEqual(json.load(file)["session_id"], SESSION)

    def test_messages_reach_the_user(self) -> None:
        told: list[str] = []
        prompt = {"hooks": [{"type": "prompt", "prompt": "about to use $TOOL"}]}
        service.configure(self.project, {"PreToolUse": [prompt]}, on_message=told.append)
        Agent({"a": 1}).run()
        self.assertEqual(told, ["about to use Tool"])

        def broken(_: str) -> None:
            raise RuntimeError

        service.configure(self.project, {"PreToolUse": [prompt]}, on_message=broken)
        self.assertEqual(len(Agent({"a": 1}).run().ran), 1)
        self.assertEqual(self.log()[-1]["error"], "RuntimeError")


EVENTS = (
    "SessionStart SessionEnd UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure"
    " PermissionRequest Stop PreCompact"
).split()


class BrokenHookTest(ServiceTestCase):
    def unharmed(self) -> None:
        agent = Agent({"a": 1}, {"fails": 1}, {"dangerous": 1}, "bye", limit=1).run()
        self.assertEqual(agent.messages, ["[summary]", "bye"])
        self.assertEqual((len(agent.ran), agent.asked), (3, 1))

    def test_crashing_hooks_change_nothing(self) -> None:
        for command in (CRASH, "no-such-program", "kill -9 $$", "echo '{\"decision\":'; exit 1"):
            self.rules(**dict.fromkeys(EVENTS, command))
            self.unharmed()
        self.assertEqual(set(self.outcomes()), {"error"})
        self.assertEqual({line["event"] for line in self.log()}, set(EVENTS))

    def test_a_hanging_hook_changes_nothing_and_is_ended(self) -> None:
        for event in EVENTS:
            with self.subTest(event):
                self.rules(**{event: [rule(HANG, timeout=0.3)]})
                self.unharmed()
        self.assertEqual(set(self.outcomes()), {"timeout"})

    def test_the_others_are_heard(self) -> None:
        for event in ("PreToolUse", "PostToolUse"):
            context = rule(specific(additionalContext="still here"))
            self.rules(**{event: [rule(CRASH), rule(HANG, timeout=0.3), context]})
            output = service.run_event(event, {"tool_name": "Tool", "tool_input": {}})
            self.assertEqual(output.context, "still here")

    def test_failure_and_timeout_refuse_where_the_rules_say_so(self) -> None:
        for failing in (rule(CRASH, onFailure="deny"), rule(HANG, onFailure="deny", timeout=0.3)):
            self.rules(PreToolUse=[failing])
            self.assertEqual(Agent({"a": 1}).run().ran, [])

    def test_values_that_are_no_json_do_not_switch_the_rules_off(self) -> None:
        self.rules(PreToolUse="echo no >&2; exit 2")
        odd: Any
        for odd in ({"path": object()}, {("a", 1): 2}, {"a": {1, 2}}, {"a": float("nan")}):
            self.assertEqual(service.on_pre_tool_use("T", "", odd, SESSION).decision, "deny")

    def test_arguments_of_the_wrong_type_never_raise(self) -> None:
        self.rules(**dict.fromkeys(EVENTS, "true"))
        loop: dict[str, Any] = {}
        loop["self"] = loop
        for odd in (None, 7, b"\xff", loop, "\ud800"):
            service.on_pre_tool_use(odd, odd, odd, odd)  # type: ignore[arg-type]
            service.on_post_tool_use("T", "", {}, odd, SESSION)
            service.on_stop(odd, odd)  # type: ignore[arg-type]
            service.on_user_prompt_submit(odd, odd)  # type: ignore[arg-type]

    def test_a_broken_configuration_is_no_configuration(self) -> None:
        for broken in ({"hooks": 7}, {"hooks": {"Stop": 7}}, {"hooks": {"Stop": [7]}}, {"x": 1}):
            service.configure(self.project, broken)
            self.assertFalse(service.is_hooks_available())
            self.unharmed()


class GuardTest(ServiceTestCase):
    def count(self) -> int:
        try:
            return os.path.getsize(self.base + "/count")
        except FileNotFoundError:
            return 0

    def counting(self, **events: str) -> None:
        tick = "printf x >> '%s/count'; " % self.base
        self.rules(**{event: tick + command for event, command in events.items()})

    def call(self, use: str = "t1", session: str = SESSION) -> service.PreToolHookResult:
        return service.on_pre_tool_use("Tool", use, {"a": 1}, session)

    def test_an_event_runs_once_per_tool_call(self) -> None:
        self.counting(PreToolUse=specific(additionalContext="once"), PostToolUse="true")
        self.assertEqual([self.call().additional_context for _ in "123"], ["once", "", ""])
        self.assertEqual(self.count(), 1)
        service.on_post_tool_use("Tool", "t1", {}, {}, SESSION)  # another event
        self.call("t2")
        self.call(session="s-2")
        self.assertEqual(self.count(), 4)

    def test_a_denied_call_stays_denied(self) -> None:
        self.counting(PreToolUse="echo no >&2; exit 2")
        self.assertEqual({self.call()[:2] for _ in "123"}, {("deny", "no")})
        self.assertEqual(self.count(), 1)

    def test_the_input_stays_changed(self) -> None:
        self.counting(PreToolUse=specific(updatedInput={"a": 2}))
        self.assertEqual([self.call().modified_input for _ in "12"], [{"a": 2}, {"a": 2}])

    def test_without_an_id_every_call_runs(self) -> None:
        self.counting(PreToolUse="true")
        self.call("")
        self.call("")
        self.assertEqual(self.count(), 2)

    def test_who_asks_meanwhile_waits_for_the_decision(self) -> None:
        self.counting(PreToolUse="sleep 0.1; echo no >&2; exit 2")
        found: list[str] = []
        threads = [
            threading.Thread(target=lambda: found.append(self.call().decision)) for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((found, self.count()), (["deny"] * 8, 1))

    def test_what_is_remembered_is_bounded(self) -> None:
        manager = HookManager({})
        with mock.patch.object(run_once, "REMEMBERED", 10):
            for number in range(50):
                manager.run("PreToolUse", {"tool_use_id": "t%d" % number})
        self.assertEqual(len(manager._once._outputs), 10)

    def test_parallel_calls_do_not_mix(self) -> None:
        command = """printf '{"hookSpecificOutput": {"updatedInput": {"b": "%s"}}}' "$COMMAND" """
        service.configure(self.project, {"PreToolUse": [rule(command)]})
        found: dict[int, object] = {}

        def work(number: int) -> None:
            given = {"command": str(number)}
            done = service.on_pre_tool_use("Bash", "t%d" % number, given, SESSION)
            found[number] = (done.modified_input or {}).get("b")

        threads = [threading.Thread(target=work, args=(number,)) for number in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, {number: str(number) for number in range(20)})


class ConfigurationTest(ServiceTestCase):
    def setUp(self) -> None:
        super().setUp()
        service.configure(self.project)

    def settings(self, where: str, **keys: object) -> str:
        return self.write(where, keys)

    def deny(self, reason: str) -> dict[str, Any]:
        return {"hooks": {"PreToolUse": [rule("echo %s >&2; exit 2" % reason)]}}

    def reason(self, project: str = "") -> str:
        return service.on_pre_tool_use("Tool", "", {}, SESSION, project or None).reason

    def trust(self, *keys: str) -> None:
        trust.remember(config.layers(self.project, self.project), self.project, keys)

    def test_the_users_rules_are_read_and_read_again_when_they_change(self) -> None:
        self.assertEqual(self.reason(), "")
        path = self.settings("home/.claude/settings.json", customHooks=self.deny("one"))
        self.assertEqual(self.reason(), "one")
        self.assertTrue(service.is_hooks_available())
        with mock.patch("hooklib.engine.loader.load", side_effect=AssertionError):
            self.assertEqual(self.reason(), "one")  # nothing has changed: nothing is read
        self.settings(path, customHooks=self.deny("two"))
        os.utime(path, (1, 1))
        self.assertEqual(self.reason(), "two")
        os.unlink(path)
        self.assertEqual(self.reason(), "")

    def test_the_projects_rules_run_once_they_are_trusted(self) -> None:
        self.settings("my project/.claude/settings.json", customHooks=self.deny("project"))
        self.assertEqual((self.reason(), service.is_hooks_available()), ("", False))
        self.assertIn("not trusted, see hookctl trust", self.outcomes())
        self.trust("customHooks")
        self.assertEqual((self.reason(), service.is_hooks_available()), ("project", True))

    def test_the_hosts_own_hooks_only_where_asked_for(self) -> None:
        self.settings("home/.claude/settings.json", **self.deny("native"))
        self.assertEqual(self.reason(), "")
        service.configure(self.project, native=True)
        self.assertEqual(self.reason(), "native")

    def test_switches(self) -> None:
        path = self.settings("home/.claude/settings.json", customHooks=self.deny("on"))
        for name, value in (("CUSTOM_SKILLS", "0"), ("CUSTOM_HOOKS_ENABLED", "false")):
            self.assertEqual(self.reason(), "on")
            with mock.patch.dict(os.environ, {name: value}):
                self.assertEqual((self.reason(), service.is_hooks_available()), ("", False))
        self.settings(path, customHooks=self.deny("on"), customSkills={"enabled": False})
        self.assertEqual(self.reason(), "")
        rules = self.deny("on")
        rules["hooks"]["PreToolUse"][0]["id"] = "mine"
        self.settings(path, customHooks={**rules, "disabled": ["mine"]})
        self.assertEqual((self.reason(), service.is_hooks_available()), ("", False))

    def test_two_projects_have_rules_of_their_own(self) -> None:
        other = self.folder("other project")
        self.settings("my project/.claude/settings.json", customHooks=self.deny("project"))
        self.trust("customHooks")
        with mock.patch.dict(os.environ, {"CLAUDE_PROJECT_DIR": ""}):
            self.assertEqual((self.reason(other), self.reason(self.project)), ("", "project"))

    def test_a_library_in_no_plugin_has_a_name_of_its_own(self) -> None:
        with mock.patch.object(paths, "_LIB", "/usr/lib/python3/site-packages"):
            self.assertEqual(paths.plugin_name(), "hooklib")


class AsyncTest(ServiceTestCase):
    def test_every_function_has_an_async_form(self) -> None:
        self.rules(PreToolUse="echo no >&2; exit 2", Stop=says(decision="block", reason="more"))

        async def main() -> list[Any]:
            tool: Any = ("Tool", "", {}, SESSION)
            await service.on_session_end_async(SESSION)
            return [
                await service.on_session_start_async(SESSION),
                await service.on_user_prompt_submit_async("hi", SESSION),
                await service.on_pre_tool_use_async(*tool),
                await service.on_post_tool_use_async("Tool", "", {}, {}, SESSION),
                await service.on_post_tool_use_failure_async("Tool", "", {}, "oh", SESSION),
                await service.on_permission_request_async("Tool", {}, SESSION),
                await service.on_stop_async(None, SESSION),
                await service.on_compaction_async(1, 1, SESSION),
            ]

        denied, empty = service.PreToolHookResult("deny", "no"), service.PostToolHookResult()
        wanted = [None, None, denied, empty, None, "ask", True, False]
        self.assertEqual(asyncio.run(main()), wanted)

    def test_the_loop_goes_on_while_hooks_run(self) -> None:
        # each is there, and waits for what only the loop can do while all of them run
        marks, go = self.folder("marks"), os.path.join(self.base, "go")
        wait = "until [ -e '%s' ]; do sleep 0.05; done" % go
        self.rules(PreToolUse=[rule("touch '%s'/$$; %s" % (marks, wait))])

        async def main() -> list[Any]:
            calls = [service.on_pre_tool_use_async("T", str(n), {}, SESSION) for n in range(5)]
            waiting = asyncio.gather(*calls)
            while len(os.listdir(marks)) < 5:
                await asyncio.sleep(0.02)
            self.write(go, "")
            return await waiting

        self.assertEqual(len(asyncio.run(main())), 5)
        self.assertEqual(self.outcomes(), ["silent"] * 5)

    def test_a_cancelled_call_harms_nobody(self) -> None:
        go = os.path.join(self.base, "go")
        self.rules(PreToolUse=[rule("until [ -e '%s' ]; do sleep 0.05; done" % go)])

        async def main() -> str:
            call = service.on_pre_tool_use_async("T", "", {}, SESSION)
            try:
                await asyncio.wait_for(call, 0.05)
            except asyncio.TimeoutError:
                self.write(go, "")
                while not self.log():
                    await asyncio.sleep(0.02)
                return "late"
            return "in time"

        self.assertEqual(asyncio.run(main()), "late")
