"""Gemini CLI's events become ours, and our answers its own."""

from __future__ import annotations

import json
import os
import unittest
from typing import Any
from unittest import mock

from gemini_case import EVENTS, HOST_TOOLS, decoded

from hooklib.hosts.gemini import adapter, tool_names
from hooklib.output import Output
from support import PLUGINS, HookTestCase


class DecodeTest(unittest.TestCase):
    # sample: our event, our tool, fields of its input, fields of the event
    TABLE: dict[str, tuple[str, str, dict[str, Any], dict[str, Any]]] = {
        "BeforeTool.write_file": ("PreToolUse", "Write", {"content": "one\ntwo\n"}, {}),
        "BeforeTool.replace": ("PreToolUse", "Edit", {"old_string": "one"}, {}),
        "BeforeTool.read_file": ("PreToolUse", "Read", {"offset": 2, "limit": 1}, {}),
        "BeforeTool.grep_search": (
            "PreToolUse",
            "Grep",
            {"path": "/home/dev/project/src", "glob": "*.txt"},
            {},
        ),
        "BeforeTool.glob": ("PreToolUse", "Glob", {"pattern": "**/*.txt"}, {}),
        "BeforeTool.list_directory": ("PreToolUse", "LS", {"path": "/home/dev/project/src"}, {}),
        "BeforeTool.write_todos": (
            "PreToolUse",
            "TodoWrite",
            {"todos": [{"description": "a", "status": "pending", "content": "a"}]},
            {},
        ),
        "AfterTool.write_file": ("PostToolUse", "Write", {}, {}),
        "AfterTool.replace": ("PostToolUse", "Edit", {}, {}),
        "AfterTool.run_shell_command": ("PostToolUse", "Bash", {"command": "pwd"}, {}),
        "AfterTool.run_shell_command.background": ("PostToolUse", "Bash", {}, {}),
        "AfterTool.run_shell_command.misleading": ("PostToolUse", "Bash", {}, {}),
        "AfterTool.run_shell_command.failed": (
            "PostToolUseFailure",
            "Bash",
            {},
            {"error": "Exit code 3\nerr"},
        ),
        "AfterTool.run_shell_command.killed": (
            "PostToolUseFailure",
            "Bash",
            {},
            {"error": "Exit code: killed by signal 9"},
        ),
        "AfterTool.read_file.failed": (
            "PostToolUseFailure",
            "Read",
            {},
            {"error": "File not found: /home/dev/project/missing.txt"},
        ),
        "AfterTool.replace.failed": ("PostToolUseFailure", "Edit", {}, {}),
        "BeforeAgent": ("UserPromptSubmit", "", {}, {"prompt": "do it please"}),
        "AfterAgent": ("Stop", "", {}, {"last_assistant_message": "bye"}),
        "SessionStart": ("SessionStart", "", {}, {"source": "startup"}),
        "SessionEnd": ("SessionEnd", "", {}, {"reason": "exit"}),
        "PreCompress": ("PreCompact", "", {}, {"trigger": "auto"}),
        "Notification": ("Notification", "", {}, {"notification_type": "ToolPermission"}),
        "BeforeModel": ("BeforeModel", "", {}, {}),
        "AfterModel": ("AfterModel", "", {}, {}),
        "BeforeToolSelection": ("BeforeToolSelection", "", {}, {}),
    }

    def test_every_event_and_tool_has_our_names(self) -> None:
        for name, (event, tool, given, fields) in self.TABLE.items():
            with self.subTest(name):
                found = decoded(name)
                self.assertEqual((found.name, found.tool_name), (event, tool))
                self.assertEqual(found.data["hook_event_name"], event)
                self.assertEqual(found.host, "gemini")
                for key, value in given.items():
                    self.assertEqual(found.tool_input[key], value)
                for key, value in fields.items():
                    self.assertEqual(found.data[key], value)

    def test_a_failure_has_an_error_and_no_response_and_the_other_way_round(self) -> None:
        for name in EVENTS:
            if name.startswith("AfterTool"):
                found = decoded(name)
                failed = found.name == "PostToolUseFailure"
                self.assertEqual("error" in found.data, failed, name)
                self.assertEqual("tool_response" in found.data, not failed, name)

    def test_a_commands_output_is_what_it_printed(self) -> None:
        for name, output in (
            ("", "/home/dev/project/src"),
            (".background", ""),
            (".misleading", "hi\nExit Code: 7"),
        ):
            found = decoded("AfterTool.run_shell_command" + name)
            self.assertEqual(found.data["tool_response"]["stdout"], output)

    def test_relative_paths_are_resolved_and_others_kept(self) -> None:
        for given, path in (
            ("src/out.txt", "/home/dev/project/src/out.txt"),
            ("../out.txt", "/home/dev/out.txt"),
            ("/etc/hosts", "/etc/hosts"),
        ):
            found = decoded("BeforeTool.write_file", tool_input={"file_path": given})
            self.assertEqual(found.file_path, path)

    def test_a_server_tool_has_claudes_spelling(self) -> None:
        context = {"server_name": "files", "tool_name": "read_all"}
        name = "mcp_files_read_all"
        found = decoded("BeforeTool.glob", tool_name=name, mcp_context=context)
        self.assertEqual(found.tool_name, "mcp__files__read_all")
        self.assertEqual(decoded("BeforeTool.glob", tool_name="new_tool").tool_name, "new_tool")

    def test_the_prompt_is_without_what_hooks_have_put_before_it(self) -> None:
        text = "<hook_context>&lt;old&gt;\nnews</hook_context>\n\nfix it"
        self.assertEqual(decoded("BeforeAgent", prompt=text).data["prompt"], "fix it")
        self.assertEqual(decoded("BeforeAgent", prompt="a < b").data["prompt"], "a < b")

    def test_odd_values_do_no_harm(self) -> None:
        response: Any
        for response in (None, "text", [], {}, {"llmContent": 5}, {"error": ["x"]}):
            found = decoded("AfterTool.run_shell_command", tool_response=response)
            self.assertIn(found.name, ("PostToolUse", "PostToolUseFailure"))
        for given in (None, "text", {"file_path": 5}, {"todos": 7}, {"end_line": "x"}):
            for tool in ("write_file", "read_file", "write_todos"):
                decoded("BeforeTool.write_file", tool_name=tool, tool_input=given)

    def test_a_rewritten_input_has_the_clients_names_alone(self) -> None:
        for tool in HOST_TOOLS:
            given = EVENTS.get("BeforeTool." + tool, {}).get("tool_input")
            if given is not None and tool != "write_todos":
                made = tool_names.claude_input(tool, given, "")
                self.assertEqual(tool_names.client_input(tool, made), given)
        made = {**tool_names.claude_input("replace", {"file_path": "a"}, "/p"), "replace_all": True}
        back = {"file_path": "/p/a", "allow_multiple": True}
        self.assertEqual(tool_names.client_input("replace", made), back)


class EncodeTest(HookTestCase):
    def setUp(self) -> None:
        super().setUp()
        os.environ["CLAUDE_PLUGIN_DATA"] = self.data
        self.addCleanup(os.environ.pop, "CLAUDE_PLUGIN_DATA")

    def encoded(self, name: str, lost: tuple[str, ...] = (), **said: Any) -> dict[str, Any]:
        answer, missing = adapter.HOST.answer(decoded(name), Output(**said))
        self.assertEqual(missing, list(lost))
        return json.loads(answer) if answer else {}

    def specific(self, name: str, **said: Any) -> dict[str, Any]:
        specific: dict[str, Any] = self.encoded(name, **said)["hookSpecificOutput"]
        return specific

    def test_context_where_the_client_takes_it(self) -> None:
        for name, theirs in (
            ("SessionStart", "SessionStart"),
            ("BeforeAgent", "BeforeAgent"),
            ("AfterTool.write_file", "AfterTool"),
            ("AfterTool.run_shell_command.failed", "AfterTool"),
        ):
            told = self.specific(name, context="news")
            self.assertEqual(told, {"hookEventName": theirs, "additionalContext": "news"})

    def test_context_where_it_does_not(self) -> None:
        self.assertEqual(self.encoded("SessionEnd", ("context",), context="x"), {})
        self.assertEqual(self.encoded("Notification", ("context",), context="x"), {})
        self.assertEqual(self.encoded("PreCompress", context="x"), {})

    def test_hookctl_is_named_by_its_path_as_it_is_not_on_the_agents(self) -> None:
        path = "'%s' memory add" % os.path.join(PLUGINS, "ecc-hooks", "bin", "hookctl")
        told = self.specific("AfterTool.write_file", context="save it: `hookctl memory add -x`")
        self.assertEqual(told["additionalContext"], "save it: `%s -x`" % path)
        told = self.encoded("AfterAgent", decision="block", reason="do: hookctl memory add -x")
        self.assertEqual(told["reason"], "do: %s -x" % path)

    def test_a_refused_tool(self) -> None:
        for decision in ("deny", "block"):
            told = self.encoded("BeforeTool.write_file", decision=decision, reason="no")
            self.assertEqual(told, {"decision": "deny", "reason": "no"})
        told = self.encoded("BeforeTool.write_file", decision="deny", reason="no", context="see a")
        self.assertEqual(told, {"decision": "deny", "reason": "no\n\nsee a"})

    def test_an_allowed_tool(self) -> None:
        told = self.encoded("BeforeTool.write_file", decision="allow", reason="fine")
        self.assertEqual(told, {"decision": "allow", "reason": "fine"})

    def test_a_question_with_nobody_to_ask_is_a_refusal(self) -> None:
        for person, decision in ((True, "ask"), (False, "deny")):
            with mock.patch.object(adapter, "_can_ask", return_value=person):
                told = self.encoded("BeforeTool.write_file", decision="ask", reason="sure?")
            self.assertEqual(told["decision"], decision)
            self.assertIn("sure?", told["reason"])

    def test_a_refused_prompt(self) -> None:
        told = self.encoded("BeforeAgent", decision="block", reason="no")
        self.assertEqual(told, {"decision": "deny", "reason": "no"})

    def test_a_complaint_about_a_result_does_not_replace_it(self) -> None:
        told = self.specific("AfterTool.write_file", decision="block", reason="fix it")
        self.assertEqual(told["additionalContext"], "fix it")

    def test_a_replaced_result_does(self) -> None:
        told = self.encoded("AfterTool.run_shell_command", updated_output={"stdout": "***"})
        self.assertEqual(told, {"decision": "deny", "reason": "***"})
        self.encoded("SessionStart", ("updated_output",), updated_output="x")

    def test_a_changed_input(self) -> None:
        made = {"file_path": "/p/b", "content": "x"}
        told = self.specific("BeforeTool.write_file", updated_input=made)
        self.assertEqual(told, {"hookEventName": "BeforeTool", "tool_input": made})

    def test_messages_and_stopping(self) -> None:
        for name in DecodeTest.TABLE:
            self.assertEqual(self.encoded(name, message="hi"), {"systemMessage": "hi"})
        told = self.encoded("BeforeTool.write_file", stop="enough")
        self.assertEqual(told, {"continue": False, "stopReason": "enough"})
        self.encoded("SessionStart", ("stop",), stop="enough")

    def test_the_models_request(self) -> None:
        request = {"messages": [{"role": "user", "content": "x"}]}
        told = self.specific("BeforeModel", fields={"llm_request": request})
        self.assertEqual(told, {"hookEventName": "BeforeModel", "llm_request": request})
        self.encoded("AfterModel", ("llm_request",), fields={"llm_request": request})

    def test_an_answer_in_the_models_place_needs_a_refusal(self) -> None:
        told = self.encoded("BeforeModel", fields={"llm_response": {"text": "hello"}})
        self.assertEqual(told["decision"], "deny")
        (candidate,) = told["hookSpecificOutput"]["llm_response"]["candidates"]
        self.assertEqual(candidate["content"]["parts"], ["hello"])
        self.assertEqual(candidate["finishReason"], "STOP")

    def test_a_masked_chunk_does_not_end_the_stream(self) -> None:
        chunk = {"text": "a secret", "candidates": [{"content": {"parts": ["a secret"]}}]}
        event = decoded("AfterModel", llm_response=chunk)
        answer, lost = adapter.HOST.encode(event, Output(fields={"llm_response": {"text": "***"}}))
        (candidate,) = json.loads(answer)["hookSpecificOutput"]["llm_response"]["candidates"]
        self.assertEqual(candidate, {"content": {"role": "model", "parts": ["***"]}})
        self.assertEqual(lost, [])

    def test_a_chunk_without_text_is_left_alone(self) -> None:
        """It may hold tool calls, which the client does not show to hooks."""
        response = {"text": "***"}
        self.assertEqual(
            self.encoded("AfterModel", ("llm_response",), fields={"llm_response": response}), {}
        )

    def test_the_choice_of_tools(self) -> None:
        choice = {"mode": "ANY", "allowedFunctionNames": ["read_file"]}
        told = self.specific("BeforeToolSelection", fields={"toolConfig": choice})
        self.assertEqual(told["toolConfig"], choice)
