"""What an output becomes for Claude Code: the channel that each event really has, or nothing."""

import json
import unittest
from typing import Any

from hooklib.engine import aggregator
from hooklib.event import Event
from hooklib.hosts import claude
from hooklib.output import Output
from support import event

CONTEXT = {
    "SessionStart": True,
    "UserPromptSubmit": True,
    "PreToolUse": True,
    "PostToolUse": True,
    "PostToolUseFailure": True,
    "PostToolBatch": True,
    "SubagentStart": True,
    "Stop": True,
    "SubagentStop": True,
    "SessionEnd": False,
    "Notification": False,
    "PostCompact": False,
    "PermissionRequest": False,
    "NoSuchEvent": False,
}
MESSAGE = (
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "Stop",
)
BLOCK = (
    "UserPromptSubmit",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "Stop",
    "SubagentStop",
)
DECIDES = ("PreToolUse", "PermissionRequest")  # in words of their own
STOP = ("UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop")


def encode(name: str, **said: Any) -> tuple[Any, ...]:
    """Return (document or text, what was lost)."""
    printed, lost = claude.HOST.encode(Event(name, event(name)), Output(**said))
    if name == "PreCompact":
        return printed, lost
    return (json.loads(printed) if printed else None), lost


class EncodeTest(unittest.TestCase):
    def test_context_goes_where_the_model_reads_it(self) -> None:
        for name, reaches in CONTEXT.items():
            with self.subTest(name):
                document, lost = encode(name, context="hello")
                if reaches:
                    specific = {"hookEventName": name, "additionalContext": "hello"}
                    self.assertEqual((document, lost), ({"hookSpecificOutput": specific}, []))
                else:
                    self.assertEqual((document, lost), (None, ["context"]))

    def test_messages_go_where_the_user_sees_them(self) -> None:
        for name in CONTEXT:
            with self.subTest(name):
                document, lost = encode(name, message="hello")
                if name in MESSAGE:
                    self.assertEqual((document, lost), ({"systemMessage": "hello"}, []))
                else:
                    self.assertEqual((document, lost), (None, ["message"]))

    def test_precompact_prints_its_context_bare_and_nothing_else(self) -> None:
        self.assertEqual(encode("PreCompact", context="keep this"), ("keep this", []))
        self.assertEqual(encode("PreCompact", message="hi", stop="s"), ("", ["message", "stop"]))

    def test_precompact_can_be_blocked(self) -> None:
        printed, lost = encode("PreCompact", context="x", decision="block", reason="not now")
        self.assertEqual(json.loads(printed), {"decision": "block", "reason": "not now"})

    def test_decisions_before_a_tool(self) -> None:
        for decision, told in (
            ("deny", "deny"),
            ("block", "deny"),
            ("ask", "ask"),
            ("allow", "allow"),
        ):
            document, lost = encode("PreToolUse", decision=decision, reason="because")
            specific = document["hookSpecificOutput"]
            self.assertEqual(specific["permissionDecision"], told)
            self.assertEqual(specific["permissionDecisionReason"], "because")
            self.assertEqual(lost, [])

    def test_blocks_go_where_the_host_reads_them(self) -> None:
        for name in set(CONTEXT).difference(DECIDES):
            for decision in ("block", "deny"):
                with self.subTest(name + " " + decision):
                    document, lost = encode(name, decision=decision, reason="because")
                    if name in BLOCK:
                        expected = {"decision": "block", "reason": "because"}
                        self.assertEqual((document, lost), (expected, []))
                        self.assertEqual(encode(name, decision="allow"), (None, []))
                    else:
                        self.assertEqual((document, lost), (None, ["decision"]))

    def test_permission_requests(self) -> None:
        allowed, _ = encode("PermissionRequest", decision="allow", updated_input={"a": 1})
        answer = {"behavior": "allow", "updatedInput": {"a": 1}}
        self.assertEqual(allowed["hookSpecificOutput"]["decision"], answer)
        denied, _ = encode("PermissionRequest", decision="deny", reason="no")
        answer = {"behavior": "deny", "message": "no"}
        self.assertEqual(denied["hookSpecificOutput"]["decision"], answer)
        self.assertEqual(encode("PermissionRequest", decision="ask"), (None, []))

    def test_an_input_that_nobody_reads(self) -> None:
        for name in ("SessionStart", "SessionEnd", "Notification", "SubagentStart"):
            self.assertEqual(encode(name, updated_input={}), (None, ["updated_input"]))

    def test_the_turn_is_stopped_where_the_host_can(self) -> None:
        for name in CONTEXT:
            with self.subTest(name):
                document, lost = encode(name, stop="enough")
                if name in STOP:
                    expected = {"continue": False, "stopReason": "enough"}
                    self.assertEqual((document, lost), (expected, []))
                else:
                    self.assertEqual((document, lost), (None, ["stop"]))

    def test_a_result_is_replaced_by_any_value(self) -> None:
        values: tuple[object, ...] = ("x", "", {}, [], 0, False)
        for value in values:
            with self.subTest(value):
                document, lost = encode("PostToolUse", updated_output=value)
                specific = {"hookEventName": "PostToolUse", "updatedToolOutput": value}
                self.assertEqual((document, lost), ({"hookSpecificOutput": specific}, []))
                self.assertEqual(encode("Stop", updated_output=value), (None, ["updated_output"]))

    def test_nothing_said_is_nothing_printed(self) -> None:
        for name in (*CONTEXT, "PreCompact"):
            self.assertEqual(encode(name)[0] or None, None)

    def test_long_context_is_cut_at_a_line_with_a_note(self) -> None:
        for sample in ("中文 line\n" * 3000, "a line\n" * 3000, "😀\n" * 6000):
            document, _ = encode("SessionStart", context=sample)
            said = document["hookSpecificOutput"]["additionalContext"]
            self.assertLessEqual(len(said.encode("utf-16-le")) // 2, 9_900)
            self.assertIn("\n[cut: ", said)
            self.assertTrue(sample.startswith(said.rpartition("\n")[0]))

    def test_context_within_the_limit_is_whole(self) -> None:
        document, _ = encode("SessionStart", context="x" * 9_900)
        self.assertEqual(len(document["hookSpecificOutput"]["additionalContext"]), 9_900)

    def test_any_text_is_one_line_of_ascii_json(self) -> None:
        printed, _ = claude.HOST.encode(Event("Stop", {}), Output(context='é"\n\ud800\x00\u2028'))
        self.assertEqual(printed.count("\n"), 1)
        self.assertTrue(printed.isascii())


class MergeTest(unittest.TestCase):
    def test_texts_are_joined_in_order(self) -> None:
        merged = aggregator.merge([Output("a", message="1"), Output(), Output("b", message="2")])
        assert merged
        self.assertEqual((merged.context, merged.message), ("a\n\nb", "1 | 2"))

    def test_the_strictest_decision_wins(self) -> None:
        allow, ask = Output(decision="allow", reason="fine"), Output(decision="ask", reason="hm")
        deny = Output(decision="deny", reason="no")
        self.assertEqual(aggregator.merge([allow, deny, ask]), deny)
        self.assertEqual(aggregator.merge([allow, ask]), ask)
        self.assertEqual(aggregator.merge([allow, Output()]), allow)

    def test_nothing_merges_to_nothing(self) -> None:
        self.assertIsNone(aggregator.merge([]))
