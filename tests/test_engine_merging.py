"""Planning and merging: tables of what runs, and of what several answers come to."""

from __future__ import annotations

import unittest
from typing import Any

from hooklib.engine import aggregator, hook_result, planner, registry
from hooklib.event import Event
from hooklib.output import Output

DECISIONS = ["deny", "defer", "ask", "allow"]  # the strictest first


def tools(mode: str = "", *names: str) -> dict[str, Any]:
    config: dict[str, Any] = {"mode": mode} if mode else {}
    if names:
        config["allowedFunctionNames"] = list(names)
    return {"toolConfig": config}


def merge(*outputs: Output) -> Output:
    merged = aggregator.merge(list(outputs))
    assert merged
    return merged


class MergeTest(unittest.TestCase):
    def test_of_two_decisions_the_stricter_wins_in_either_order(self) -> None:
        for high, strict in enumerate(DECISIONS):
            for mild in DECISIONS[high:]:
                for pair in ((strict, mild), (mild, strict)):
                    merged = merge(*(Output(decision=each) for each in pair))
                    self.assertEqual(merged.decision, strict, pair)

    def test_what_ends_a_serial_event(self) -> None:
        for name, ending in (
            ("PreToolUse", "deny"),
            ("PermissionRequest", "allow deny ask"),
            ("Stop", "block"),
            ("SubagentStop", "block"),
            ("PostToolUse", ""),
            ("UserPromptSubmit", ""),
            ("SessionStart", ""),
        ):
            for decision in ("", "allow", "ask", "defer", "deny", "block"):
                expected = decision in ending.split()
                self.assertIs(aggregator.is_final(name, Output(decision=decision)), expected, name)

    def test_a_later_output_and_later_fields_win(self) -> None:
        merged = merge(Output(updated_output="a"), Output(), Output(updated_output="b"))
        self.assertEqual(merged.updated_output, "b")
        first = Output(fields={"llm_request": {"model": "a", "messages": [1]}})
        second = Output(fields={"llm_request": {"messages": [2]}})
        merged = merge(first, second)
        self.assertEqual(merged.fields, {"llm_request": {"model": "a", "messages": [2]}})

    def test_allowed_tools_unite_and_none_wins(self) -> None:
        for first, second, expected in (
            (tools("ANY", "a"), tools("ANY", "b", "a"), tools("ANY", "a", "b")),
            (tools("ANY", "a"), tools("NONE"), tools("NONE")),
            (tools("NONE"), tools("ANY", "a"), tools("NONE")),
            (tools("AUTO"), tools("ANY", "a"), tools("ANY", "a")),
            (tools("ANY", "a"), {}, tools("ANY", "a")),
        ):
            merged = merge(Output(fields=first), Output(fields=second))
            self.assertEqual(merged.fields, expected)

    def test_the_first_stop_is_kept(self) -> None:
        merged = merge(Output("x"), Output(stop="one"), Output(stop="two"))
        self.assertEqual((merged.stop, merged.context), ("one", "x"))


class OutputTest(unittest.TestCase):
    EMPTY_RESULTS: tuple[object, ...] = ("", {}, [], 0, False)

    def test_an_empty_result_is_a_value(self) -> None:
        for value in self.EMPTY_RESULTS:
            with self.subTest(value):
                output = Output(updated_output=value)
                self.assertNotEqual(output, Output())
                self.assertEqual(output, Output(updated_output=value))
                self.assertEqual(repr(output), "Output(updated_output=%r)" % (value,))
                document = {"hookSpecificOutput": {"updatedToolOutput": value}}
                self.assertEqual(hook_result.from_document("PostToolUse", document), output)
                merged = aggregator.merge([Output(updated_output="old"), output, Output("x")])
                self.assertEqual(merged, Output("x", updated_output=value))
        self.assertIsNone(hook_result.from_document("PostToolUse", {"updatedToolOutput": None}))

    def test_outputs_are_compared_by_all_fields(self) -> None:
        fields: dict[str, Any] = {name: name for name in Output.__slots__}
        for name in fields:
            self.assertNotEqual(Output(**fields), Output(**{**fields, name: "other"}), name)
        self.assertEqual(Output(**fields), Output(**fields))
        self.assertEqual(Output(fields={}), Output())

    def test_the_size_counts_what_is_delivered(self) -> None:
        self.assertEqual(Output("ä", "b", "deny", "c", stop="d").size, 5)
        self.assertEqual(Output(updated_output="ä").size, 2)
        self.assertEqual(Output(updated_output={}).size, 2)

    def test_why_the_turn_is_stopped(self) -> None:
        for document, reason in (
            ({"stopReason": "one", "decision": "deny", "reason": "two"}, "one"),
            ({"decision": "deny", "reason": "two"}, "two"),
            ({"stopReason": "", "decision": "block", "reason": "two"}, "two"),
            ({}, "stopped by a hook"),
        ):
            output = hook_result.from_document("PreToolUse", {"continue": False, **document})
            self.assertEqual(output.stop if output else None, reason)


class PlanTest(unittest.TestCase):
    def hooks(
        self, *rules: dict[str, Any], event: str = "PostToolUse", trusted: bool = True
    ) -> list[Any]:
        source = registry.Source("user", "settings.json", trusted=trusted)
        return registry.collect(list(rules), source, event, "rules")[0]

    def plan(
        self, hooks: list[Any], name: str = "PostToolUse", off: str = "", profile: str = "strict"
    ) -> planner.Plan:
        for hook in hooks:
            hook.source.disabled, hook.source.profile = frozenset(off.split()), profile
        return planner.plan(Event(name, {"tool_name": "Edit", "tool_input": {}}), hooks)

    def rule(self, command: str, **more: object) -> dict[str, Any]:
        run = [{"type": "command", "command": command}]
        return {"event": ["PostToolUse", "PreToolUse", "Stop"], "run": run, **more}

    def commands(self, plan: planner.Plan) -> list[Any]:
        return [hook.entry["command"] for hook in plan.hooks]

    def test_order_is_kept_and_the_same_thing_runs_once(self) -> None:
        plan = self.plan(self.hooks(self.rule("b"), self.rule("a"), self.rule("b", matcher="Edit")))
        self.assertEqual(self.commands(plan), ["b", "a"])
        self.assertEqual([why for _, why in plan.left_out], ["the same runs already"])

    def test_who_stays_out_and_why(self) -> None:
        rules = [
            self.rule("a", id="x"),
            self.rule("b", matcher="Write"),
            self.rule("c", matcher="("),
        ]
        plan = self.plan(self.hooks(*rules, self.rule("d", matcher="tool ==")), off="x")
        self.assertEqual(self.commands(plan), [])
        reasons = [why.partition(":")[0] for _, why in plan.left_out]
        self.assertEqual(
            reasons, ["switched off", "does not match", "does not match", "broken matcher"]
        )
        plan = self.plan(self.hooks(self.rule("a"), trusted=False))
        self.assertEqual([why for _, why in plan.left_out], ["not trusted"])

    def test_profiles(self) -> None:
        source = registry.Source("plugin", bundled=True)
        entry = {"type": "script", "script": "a.py", "profile": "standard"}
        hooks = registry.collect({"Stop": [{"hooks": [entry]}]}, source, "Stop")[0]
        for profile, runs in (("minimal", 0), ("standard", 1), ("strict", 1)):
            self.assertEqual(len(self.plan(hooks, "Stop", profile=profile).hooks), runs)

    def test_serial_or_parallel(self) -> None:
        for name, sequential, serial in (
            ("PostToolUse", False, False),
            ("PostToolUse", True, True),
            ("PreToolUse", False, True),
            ("Stop", False, True),
        ):
            hooks = self.hooks(self.rule("a", sequential=sequential), self.rule("b"), event=name)
            self.assertIs(self.plan(hooks, name).serial, serial, name)
        other = self.hooks(self.rule("a", sequential=True, matcher="Write"), self.rule("b"))
        self.assertFalse(self.plan(other).serial)  # a rule that does not match decides nothing
