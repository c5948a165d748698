"""Gemini CLI's events, as the real client sends them, through the extension's launcher."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor

from support import PLUGINS, REPO, HookTestCase

sys.path.insert(0, os.path.join(PLUGINS, "ecc-hooks", "lib"))

from hooklib import transcript  # noqa: E402
from hooklib.engine import event_names  # noqa: E402
from hooklib.hosts.gemini import adapter, chat_transcript, tool_names  # noqa: E402
from hooklib.output import Output  # noqa: E402

ROOT = os.path.join(PLUGINS, "ecc-hooks-gemini")
SAMPLES = os.path.join(REPO, "tests", "samples")
TRANSCRIPT = os.path.join(SAMPLES, "gemini-transcript.jsonl")
with open(os.path.join(SAMPLES, "gemini.json"), encoding="utf-8") as _file:
    EVENTS: dict = json.load(_file)
# the events that Gemini CLI 0.61.0 has, and its tools
HOST_EVENTS = set(
    "SessionStart SessionEnd BeforeAgent AfterAgent BeforeModel AfterModel BeforeToolSelection"
    " BeforeTool AfterTool PreCompress Notification".split()
)
HOST_TOOLS = sorted(tool_names.TOOLS)
ADVICE = "[strategic-compact]"


def sample(name: str, **fields: object) -> dict:
    return {**json.loads(json.dumps(EVENTS[name])), **fields}


def decoded(name: str, **fields: object) -> object:
    data = sample(name, **fields)
    return adapter.decode(data["hook_event_name"], json.dumps(data).encode())


class DecodeTest(unittest.TestCase):
    # sample: our event, our tool, fields of its input, fields of the event
    TABLE = {
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
                made = tool_names.arguments(tool, given, "")
                self.assertEqual(tool_names.rewritten(tool, made), given)
        made = {**tool_names.arguments("replace", {"file_path": "a"}, "/p"), "replace_all": True}
        back = {"file_path": "/p/a", "allow_multiple": True}
        self.assertEqual(tool_names.rewritten("replace", made), back)


class EncodeTest(HookTestCase):
    def setUp(self) -> None:
        super().setUp()
        os.environ["CLAUDE_PLUGIN_DATA"] = self.data
        self.addCleanup(os.environ.pop, "CLAUDE_PLUGIN_DATA")

    def told(self, name: str, lost: tuple = (), **said: object) -> dict:
        answer, missing = adapter.encode(decoded(name), Output(**said))
        self.assertEqual(missing, list(lost))
        return json.loads(answer) if answer else {}

    def specific(self, name: str, **said: object) -> dict:
        return self.told(name, **said)["hookSpecificOutput"]

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
        self.assertEqual(self.told("SessionEnd", ("context",), context="x"), {})
        self.assertEqual(self.told("Notification", ("context",), context="x"), {})
        self.assertEqual(self.told("PreCompress", context="x"), {})

    def test_hookctl_is_named_by_its_path_as_it_is_not_on_the_agents(self) -> None:
        path = "'%s' memory add" % os.path.join(PLUGINS, "ecc-hooks", "bin", "hookctl")
        told = self.specific("AfterTool.write_file", context="save it: `hookctl memory add -x`")
        self.assertEqual(told["additionalContext"], "save it: `%s -x`" % path)
        told = self.told("AfterAgent", decision="block", reason="do: hookctl memory add -x")
        self.assertEqual(told["reason"], "do: %s -x" % path)

    def test_a_refused_tool(self) -> None:
        for decision in ("deny", "block"):
            told = self.told("BeforeTool.write_file", decision=decision, reason="no")
            self.assertEqual(told, {"decision": "deny", "reason": "no"})
        told = self.told("BeforeTool.write_file", decision="deny", reason="no", context="see a")
        self.assertEqual(told, {"decision": "deny", "reason": "no\n\nsee a"})

    def test_an_allowed_tool(self) -> None:
        told = self.told("BeforeTool.write_file", decision="allow", reason="fine")
        self.assertEqual(told, {"decision": "allow", "reason": "fine"})

    def test_a_question_with_nobody_to_ask_is_a_refusal(self) -> None:
        there = adapter._someone_is_there
        self.addCleanup(setattr, adapter, "_someone_is_there", there)
        for person, decision in ((True, "ask"), (False, "deny")):
            adapter._someone_is_there = lambda person=person: person
            told = self.told("BeforeTool.write_file", decision="ask", reason="sure?")
            self.assertEqual(told["decision"], decision)
            self.assertIn("sure?", told["reason"])

    def test_a_refused_prompt(self) -> None:
        told = self.told("BeforeAgent", decision="block", reason="no")
        self.assertEqual(told, {"decision": "deny", "reason": "no"})

    def test_a_complaint_about_a_result_does_not_replace_it(self) -> None:
        told = self.specific("AfterTool.write_file", decision="block", reason="fix it")
        self.assertEqual(told["additionalContext"], "fix it")

    def test_a_replaced_result_does(self) -> None:
        told = self.told("AfterTool.run_shell_command", updated_output={"stdout": "***"})
        self.assertEqual(told, {"decision": "deny", "reason": "***"})
        self.told("SessionStart", ("updated_output",), updated_output="x")

    def test_a_changed_input(self) -> None:
        made = {"file_path": "/p/b", "content": "x"}
        told = self.specific("BeforeTool.write_file", updated_input=made)
        self.assertEqual(told, {"hookEventName": "BeforeTool", "tool_input": made})

    def test_messages_and_stopping(self) -> None:
        for name in DecodeTest.TABLE:
            self.assertEqual(self.told(name, message="hi"), {"systemMessage": "hi"})
        told = self.told("BeforeTool.write_file", stop="enough")
        self.assertEqual(told, {"continue": False, "stopReason": "enough"})
        self.told("SessionStart", ("stop",), stop="enough")

    def test_the_models_request(self) -> None:
        request = {"messages": [{"role": "user", "content": "x"}]}
        told = self.specific("BeforeModel", fields={"llm_request": request})
        self.assertEqual(told, {"hookEventName": "BeforeModel", "llm_request": request})
        self.told("AfterModel", ("llm_request",), fields={"llm_request": request})

    def test_an_answer_in_the_models_place_needs_a_refusal(self) -> None:
        told = self.told("BeforeModel", fields={"llm_response": {"text": "hello"}})
        self.assertEqual(told["decision"], "deny")
        (candidate,) = told["hookSpecificOutput"]["llm_response"]["candidates"]
        self.assertEqual(candidate["content"]["parts"], ["hello"])
        self.assertEqual(candidate["finishReason"], "STOP")

    def test_a_masked_chunk_does_not_end_the_stream(self) -> None:
        chunk = {"text": "a secret", "candidates": [{"content": {"parts": ["a secret"]}}]}
        event = decoded("AfterModel", llm_response=chunk)
        answer, lost = adapter.encode(event, Output(fields={"llm_response": {"text": "***"}}))
        (candidate,) = json.loads(answer)["hookSpecificOutput"]["llm_response"]["candidates"]
        self.assertEqual(candidate, {"content": {"role": "model", "parts": ["***"]}})
        self.assertEqual(lost, [])

    def test_a_chunk_without_text_is_left_alone(self) -> None:
        """It may hold tool calls, which the client does not show to hooks."""
        response = {"text": "***"}
        self.assertEqual(
            self.told("AfterModel", ("llm_response",), fields={"llm_response": response}), {}
        )

    def test_the_choice_of_tools(self) -> None:
        choice = {"mode": "ANY", "allowedFunctionNames": ["read_file"]}
        told = self.specific("BeforeToolSelection", fields={"toolConfig": choice})
        self.assertEqual(told["toolConfig"], choice)


class GeminiTestCase(HookTestCase):
    plugin = "ecc-hooks-gemini"

    def send(self, name: str, launcher: str = "run", env: dict | None = None, **fields: object):
        """Send a sample through the extension's own command for it."""
        given = sample(name, cwd=self.project, **fields)
        event = given["hook_event_name"]
        words = ["sh", os.path.join(self.root, "hooks", launcher), event]
        words += ["--host", "gemini"] if launcher == "run" else []
        return self.start(words, given, GEMINI_PROJECT_DIR=self.project, **(env or {}))

    def rules(self, path: str = "home/.claude/settings.json", **rules: str) -> None:
        """Write rules of the user's own: event -> command."""
        hooks = {
            event: [{"hooks": [{"type": "command", "command": command, "timeout": 10}]}]
            for event, command in rules.items()
        }
        self.write(path, {"customHooks": {"hooks": hooks}})

    def runs(self, hook: str) -> int:
        return sum(line["hook"] == hook for line in self.log())


class ChannelTest(GeminiTestCase):
    def test_advice_before_a_tool_is_told_with_its_result_once(self) -> None:
        once = {"COMPACT_THRESHOLD": "1"}
        self.assert_silent(self.send("BeforeTool.write_file", env=once))
        told = self.send("AfterTool.write_file", env=once).context
        self.assertIn(ADVICE, told)
        self.assertIn("/compress", told)
        self.assert_silent(self.send("AfterTool.write_file", env=once))

    def test_it_is_told_with_the_next_prompt_where_there_was_no_result(self) -> None:
        self.send("BeforeTool.write_file", env={"COMPACT_THRESHOLD": "1"})
        self.assertIn(ADVICE, self.send("BeforeAgent").context)

    def test_another_session_is_not_told(self) -> None:
        self.send("BeforeTool.write_file", env={"COMPACT_THRESHOLD": "1"})
        self.assert_silent(self.send("AfterTool.write_file", session_id="another"))
        self.assertIn(ADVICE, self.send("AfterTool.write_file").context)

    def test_a_session_that_begins_anew_is_not_told(self) -> None:
        self.send("BeforeTool.write_file", env={"COMPACT_THRESHOLD": "1"})
        self.send("SessionStart", source="clear")
        self.assert_silent(self.send("AfterTool.write_file"))

    def test_silence_where_there_is_nothing_to_say(self) -> None:
        for name in EVENTS:
            if name != "AfterModel":
                with self.subTest(name):
                    self.assert_silent(self.send(name))

    def test_the_switch_turns_everything_off(self) -> None:
        self.rules(Stop='echo \'{"decision": "block", "reason": "x"}\'')
        path = os.path.join(self.home, ".claude", "settings.json")
        with open(path, encoding="utf-8") as file:
            settings = {**json.load(file), "customSkills": {"enabled": False}}
        self.write("home/.claude/settings.json", settings)
        for name in EVENTS:
            self.assert_silent(self.send(name))
        self.assertEqual(self.log(), [])
        self.assertFalse(os.path.exists(os.path.join(self.data, "counters")))

    def test_without_a_data_folder_of_the_host_it_is_the_usual_one(self) -> None:
        self.send("BeforeTool.write_file", env={"CLAUDE_PLUGIN_DATA": ""})
        folder = ".claude/plugins/data/ecc-hooks-gemini-custom-skills"
        self.assertTrue(os.path.exists(os.path.join(self.home, folder, "hooks.log")))


class RepetitionTest(GeminiTestCase):
    def test_the_second_end_of_a_session_is_not_run(self) -> None:
        for _ in range(2):
            self.assert_silent(self.send("SessionEnd"))
        self.assertEqual(self.runs("session-end"), 1)
        self.send("SessionStart", source="resume")
        with ThreadPoolExecutor() as pool:
            list(pool.map(lambda _: self.send("SessionEnd"), range(4)))
        self.assertEqual(self.runs("session-end"), 2)

    def transcript(self, *sizes: int) -> str:
        records = [
            {"id": "a%d" % n, "type": "gemini", "content": "", "tokens": {"input": size}}
            for n, size in enumerate(sizes)
        ]
        lines = [json.dumps(record, separators=(",", ":")) for record in records]
        return self.write("chats/session.jsonl", "\n".join([*lines, '{"$set":{}}', ""]))

    def compress(self, *sizes: int, **fields: object) -> int:
        """Send PreCompress after replies of these sizes; return how often it has run so far."""
        path = self.transcript(*sizes)
        self.assert_silent(self.send("PreCompress", transcript_path=path, **fields))
        return self.runs("pre-compact")

    def test_it_is_a_compression_only_where_the_context_is_full(self) -> None:
        self.assertEqual(self.compress(), 0)
        self.assertEqual(self.compress(100), 0)
        self.assertEqual(self.compress(524_287), 0)
        self.assertEqual(self.compress(524_288), 1)
        self.assertEqual(self.compress(524_288, 600_000), 1)  # it did not work: no second snapshot
        self.assertEqual(self.compress(600_000, 20_000), 1)
        self.assertEqual(self.compress(20_000, 700_000), 2)

    def test_one_that_the_user_asked_for_always_is(self) -> None:
        self.assertEqual(self.compress(100, trigger="manual"), 1)
        self.assertEqual(self.compress(100, trigger="manual"), 2)

    def test_the_clients_own_threshold_counts(self) -> None:
        self.write("home/.gemini/settings.json", {"model": {"compressionThreshold": 0.1}})
        self.assertEqual(self.compress(100_000), 0)
        self.assertEqual(self.compress(110_000), 1)
        for broken in ("{ // comment", {"model": 5}, {"model": {"compressionThreshold": "x"}}):
            self.write("home/.gemini/settings.json", broken)
            self.assertEqual(self.compress(110_000), 1)

    def test_what_waits_to_be_told_outlives_it(self) -> None:
        self.send("BeforeTool.write_file", env={"COMPACT_THRESHOLD": "1"})
        self.compress(100, trigger="manual")
        self.assertIn(ADVICE, self.send("AfterTool.write_file").context)

    def test_after_it_the_edits_are_counted_anew_and_the_model_is_told_what_it_lost(self) -> None:
        shutil.copy(TRANSCRIPT, os.path.join(self.base, "t.jsonl"))
        path = os.path.join(self.base, "t.jsonl")
        env = {"COMPACT_THRESHOLD": "2"}
        self.send("BeforeTool.write_file", env=env)
        self.send("AfterAgent", transcript_path=path)
        with open(path, "a", encoding="utf-8") as file:
            file.write('{"id":"z","type":"gemini","content":"","tokens":{"input":900000}}\n')
        self.assert_silent(self.send("PreCompress", transcript_path=path))
        self.assertEqual(self.runs("restart-compact-count"), 1)
        self.send("BeforeTool.write_file", env=env)
        told = self.send("AfterTool.write_file", env=env).context
        self.assertIn("before the compaction", told)
        self.assertIn("src/out.txt", told)
        self.assertNotIn(ADVICE, told)


class TurnTest(GeminiTestCase):
    AGAIN = 'echo \'{"decision": "block", "reason": "the tests are red"}\''

    def test_a_turn_is_kept_going_eight_times_and_no_more(self) -> None:
        self.rules(Stop=self.AGAIN)
        for _ in range(8):
            told = self.send("AfterAgent").answer
            self.assertEqual(told, {"decision": "deny", "reason": "the tests are red"})
            self.assert_silent(self.send("BeforeAgent", prompt="the tests are red"))
        self.assert_silent(self.send("AfterAgent"))
        self.assertIn("too often", self.log()[-1]["outcome"])

    def test_without_a_reason_the_model_is_still_told_something(self) -> None:
        self.rules(Stop='echo \'{"decision": "block"}\'')
        reason = self.send("AfterAgent").answer["reason"]
        self.assertTrue(reason)
        self.assert_silent(self.send("BeforeAgent", prompt=reason))

    def test_the_users_next_prompt_begins_a_new_count(self) -> None:
        self.rules(Stop=self.AGAIN)
        for _ in range(9):
            self.send("AfterAgent")
        self.send("BeforeAgent", prompt="try again")
        self.assertEqual(self.send("AfterAgent").answer["decision"], "deny")

    def test_the_reason_is_no_prompt_of_the_users(self) -> None:
        self.rules(Stop=self.AGAIN, UserPromptSubmit="echo asked")
        self.assertEqual(self.send("BeforeAgent").context, "asked")
        self.send("AfterAgent")
        self.assert_silent(self.send("BeforeAgent", prompt="the tests are red"))
        self.assertEqual(self.send("BeforeAgent", prompt="other").context, "asked")

    def test_a_rule_is_told_that_the_turn_was_kept_going(self) -> None:
        command = "cat > seen.json; " + self.AGAIN
        self.rules(Stop=command)
        for expected in (False, True):
            self.send("AfterAgent", stop_hook_active=False)
            with open(os.path.join(self.project, "seen.json"), encoding="utf-8") as file:
                self.assertIs(json.load(file)["stop_hook_active"], expected)


class RulesTest(GeminiTestCase):
    DENY = 'echo \'{"decision": "block", "reason": "not here"}\''

    def test_a_rule_in_claudes_words_decides(self) -> None:
        rule = {"matcher": 'tool == "Write" && tool_input.file_path matches "src/*"'}
        hooks = [{"type": "command", "command": self.DENY}]
        settings = {"customHooks": {"hooks": {"PreToolUse": [{**rule, "hooks": hooks}]}}}
        self.write("home/.claude/settings.json", settings)
        told = self.send("BeforeTool.write_file").answer
        self.assertEqual(told, {"decision": "deny", "reason": "not here"})
        self.assert_silent(self.send("BeforeTool.run_shell_command"))

    def test_a_rule_rewrites_a_command(self) -> None:
        self.rules(PreToolUse='echo \'{"updatedInput": {"command": "ls"}}\'')
        told = self.send("BeforeTool.run_shell_command").answer["hookSpecificOutput"]
        given = EVENTS["BeforeTool.run_shell_command"]["tool_input"]
        self.assertEqual(told["tool_input"], {**given, "command": "ls"})

    def test_hookctl_tries_a_rule_as_this_host_would_run_it(self) -> None:
        self.rules(BeforeModel='echo \'{"llm_response": {"text": "no"}}\'')
        tool = ["sh", os.path.join(self.root, "bin", "hookctl"), "test", "BeforeModel", "--json"]
        (told,) = self.start([*tool, "--host", "gemini"], "").answer["plugins"]
        self.assertEqual((told["plugin"], told["runs"]), ("ecc-hooks-gemini", True))
        self.assertEqual(told["answer"]["decision"], "deny")

    def test_a_rule_for_failures(self) -> None:
        self.rules(PostToolUseFailure='echo \'{"additionalContext": "look there"}\'')
        self.assertEqual(self.send("AfterTool.run_shell_command.failed").context, "look there")
        self.assert_silent(self.send("AfterTool.run_shell_command"))

    def test_a_projects_commands_wait_for_trust(self) -> None:
        self.rules("my project/.claude/settings.json", PreToolUse=self.DENY)
        told = self.send("BeforeTool.write_file").answer
        self.assertNotIn("decision", told)
        self.assertIn("hookctl trust", told["systemMessage"])

    def test_whatever_a_rule_does_the_host_sees_success(self) -> None:
        for command in ("exit 1", "exit 127", "kill -9 $$", "echo {{{", "echo '[]'", "/no/such"):
            self.rules(PreToolUse=command, BeforeModel=command, Stop=command)
            for name, launcher in (
                ("BeforeTool.write_file", "run"),
                ("AfterAgent", "run"),
                ("BeforeModel", "rules"),
            ):
                with self.subTest(command=command, event=name):
                    done = self.send(name, launcher)
                    self.assertEqual((done.code, done.stderr), (0, ""))
                    self.assertNotIn("decision", done.answer)


class RulesLauncherTest(GeminiTestCase):
    """hooks/rules: for events in which only the user's rules take part."""

    MODEL = 'echo \'{"llm_request": {"messages": []}}\''

    def started(self, name: str = "BeforeModel") -> bool:
        """Return whether the launcher went on to Python, which leaves its path behind."""
        shutil.rmtree(self.data, ignore_errors=True)
        done = self.send(name, "rules")
        self.assertEqual((done.code, done.stderr), (0, ""))
        return os.path.exists(os.path.join(self.data, "python"))

    def test_without_rules_nothing_is_started(self) -> None:
        self.assertFalse(self.started())
        self.assertFalse(self.started("Notification"))
        self.write("home/.claude/settings.json", {"hooks": {}, "model": "x"})
        self.assertFalse(self.started())

    def test_a_rule_for_another_event_of_the_model_starts_nothing(self) -> None:
        self.rules(BeforeToolSelection=self.MODEL)
        self.assertFalse(self.started("BeforeModel"))
        self.assertTrue(self.started("BeforeToolSelection"))
        self.assertTrue(self.started("Notification"))

    def test_rules_are_found_wherever_the_engine_reads_them(self) -> None:
        for path in (
            "home/.claude/settings.json",
            "my project/.claude/settings.json",
            "my project/.claude/settings.local.json",
        ):
            self.rules(path, BeforeModel=self.MODEL)
            self.assertTrue(self.started(), path)
            os.unlink(os.path.join(self.base, path))
        self.assertFalse(self.started())

    def test_from_a_folder_below_the_top_of_a_repository(self) -> None:
        self.folder("my project", ".git")
        self.rules("my project/.claude/settings.json", BeforeModel=self.MODEL)
        self.project = self.folder("my project", "deep", "er")
        self.assertTrue(self.started())

    def test_with_a_configuration_folder_elsewhere(self) -> None:
        config = self.folder("else where")
        self.rules("else where/settings.json", BeforeModel=self.MODEL)
        done = self.send("BeforeModel", "rules", {"CLAUDE_CONFIG_DIR": config})
        told = done.answer["hookSpecificOutput"]
        self.assertEqual(told, {"hookEventName": "BeforeModel", "llm_request": {"messages": []}})


class TranscriptTest(GeminiTestCase):
    def state(self) -> dict:
        folder = os.path.join(self.home, ".claude", "sessions")
        (name,) = os.listdir(folder)
        path = os.path.join(folder, name, EVENTS["AfterAgent"]["session_id"] + ".json")
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def check(self, held: dict) -> None:
        self.assertEqual([goal["text"] for goal in held["goals"]], ["do it please"])
        self.assertEqual(held["prompts"], 1)
        ((path, file),) = held["files"].items()
        self.assertEqual(
            (path, file["how"], file["count"]), ("/home/dev/project/src/out.txt", "created", 2)
        )
        failed = [each["command"] for each in held["failed"]]
        self.assertEqual(failed, ["echo err >&2; exit 3", "kill -9 $$"])
        self.assertEqual(held["tools"]["Bash"], 5)
        self.assertEqual([task["subject"] for task in held["tasks"]], ["a"])
        self.assertEqual((held["host"], held["model"]), ("gemini", "gemini-2.5-flash"))

    def test_the_session_is_remembered(self) -> None:
        self.assert_silent(self.send("AfterAgent", transcript_path=TRANSCRIPT))
        held = self.state()
        self.check(held)
        self.assertEqual(held["last_message"], "bye")

    def test_read_in_pieces_it_tells_the_same(self) -> None:
        with open(TRANSCRIPT, encoding="utf-8") as file:
            text = file.read()
        path = os.path.join(self.base, "t.jsonl")
        for part in range(1, 8):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text[: len(text) * part // 7])
            self.send("AfterAgent", transcript_path=path)
        self.check(self.state())

    def test_the_size_of_the_context(self) -> None:
        self.assertEqual(transcript.context_tokens(TRANSCRIPT), 100)
        self.assertEqual(chat_transcript.size(TRANSCRIPT), (100, "gemini-2.5-flash"))
        self.assertEqual(chat_transcript.size(os.path.join(self.base, "none")), (0, ""))
        broken = self.write("broken.jsonl", '{"id":"x","tokens":5}\n{"id":"y","tokens":{"inp')
        self.assertEqual(chat_transcript.size(broken), (0, ""))

    def test_broken_records_tell_nothing(self) -> None:
        for line in (
            b'{"id":"x"',
            b'{"id":"x","type":"user"}',
            b'{"id":"x","type":"user","content":7}',
            b'{"id":"x","type":"info","content":"y"}',
            b'{"id":"x","type":"user","content":[{"functionResponse":{}}]}',
        ):
            self.assertEqual(chat_transcript.records(line, set()), [], line)
        odd = b'{"id":"x","type":"gemini","toolCalls":[5,{"id":1},{"id":"a","name":"b"}]}'
        (only,) = chat_transcript.records(odd, set())
        self.assertEqual(only["message"]["content"], [{"type": "text", "text": ""}])


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
        for event in sorted(set(claude) - event_names.SILENT_ON["gemini"]):
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
