"""ecc-hooks in the real Gemini CLI, from a linked extension: what reaches the model, what not."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import unittest

from clients import cache_dir
from fake_gemini import Turn
from gemini_lab import EXTENSION, GeminiLab, Run

from support import PLUGINS, PYTHON, REPO

ADVICE = "[strategic-compact]"
ROOT = os.path.join(PLUGINS, EXTENSION)


def call(tool: str, **fields: object) -> Turn:
    return {"tool": tool, "input": fields}


def say(document: object) -> str:
    """Return a command that prints a hook's answer."""
    return "cat > /dev/null; printf %s '" + json.dumps(document) + "'"


class GeminiTestCase(unittest.TestCase):
    """A lab of its own per test, with the extension linked."""

    fine: tuple[str, ...] = ("spoke", "silent")  # outcomes that the extension's log may hold
    root = ROOT

    def setUp(self) -> None:
        self.lab = GeminiLab()
        self.addCleanup(self.lab.__exit__)
        self.lab.link(self.extension())

    def extension(self) -> str:
        return ROOT

    def tearDown(self) -> None:
        self.assertEqual(
            [line for line in self.lab.hook_log() if line["outcome"] not in self.fine], []
        )

    def session(self, script: list[Turn], prompt: str = "go", *options: str, **env: str) -> Run:
        """Run a session in which the client must play the whole script."""
        run = self.lab.run([*script, "bye"], prompt, *options, **env)
        self.assertEqual((run.code, run.unused), (0, []), run.stderr)
        return run

    def rules(self, **rules: object) -> None:
        """Write rules of the user's own: event -> command, or (matcher, command)."""
        hooks = {}
        for event, rule in rules.items():
            matcher, command = rule if isinstance(rule, tuple) else ("", rule)
            hook = {"type": "command", "command": command, "timeout": 20}
            hooks[event] = [{**({"matcher": matcher} if matcher else {}), "hooks": [hook]}]
        path = os.path.join(self.lab.home, ".claude", "settings.json")
        self.lab.write(path, {"customHooks": {"hooks": hooks}})


class SpecifiedTest(GeminiTestCase):
    """The cases that the description of Gemini CLI's hook system lists."""

    def test_context_at_the_start_of_a_session(self) -> None:
        first = self.session([call("write_file", file_path="a.txt", content="one\n")], "Write a")
        self.assertFalse(first.sent("session-history"))
        second = self.session([], "And now?")
        self.assertEqual(second.counts("asked for:"), [1])
        told = second.requests[0].newest
        self.assertIn('- "Write a"', told)
        self.assertIn("files changed: a.txt (created)", told)
        self.assertIn("loaded: session of", second.stderr)

    def test_a_rewritten_request_reaches_the_api(self) -> None:
        request = {"messages": [{"role": "user", "content": "Say exactly: rewritten."}]}
        self.rules(BeforeModel=say({"hookSpecificOutput": {"llm_request": request}}))
        run = self.session([], "the original words")
        (sent,) = run.requests
        self.assertEqual(
            sent.contents, [{"role": "user", "parts": [{"text": "Say exactly: rewritten."}]}]
        )

    def test_an_allowed_tool_runs(self) -> None:
        answer = {"decision": "allow", "reason": "File writing approved"}
        self.rules(PreToolUse=('tool == "Write"', say(answer)))
        run = self.session([call("write_file", file_path="a.txt", content="hello")])
        self.assertEqual(self.lab.read("a.txt"), "hello")
        self.assertIn("Successfully created", run.requests[1].newest)

    def test_a_blocked_tool_does_not_and_the_model_gets_the_reason(self) -> None:
        answer = {"decision": "block", "reason": "File writing blocked by security policy"}
        self.rules(PreToolUse=('tool == "Write"', say(answer)))
        run = self.session([call("write_file", file_path="a.txt", content="hello")])
        self.assertFalse(os.path.exists(self.lab.path("a.txt")))
        (result,) = run.requests[1].results
        self.assertIn("File writing blocked by security policy", json.dumps(result))


class FailingRulesTest(GeminiTestCase):
    fine = (*GeminiTestCase.fine, "error", "timeout")

    def test_the_session_goes_on_whatever_a_hook_does(self) -> None:
        self.lab.write(os.path.join(self.lab.home, "raises.py"), "raise SystemExit([1] / 0)\n")
        commands = (
            "exit 1",
            "exit 127",
            "kill -9 $$",
            "printf {{{",
            "sleep 60",
            "/no/such/program",
        )
        for number, command in enumerate(commands):
            hook = {"type": "command", "command": command, "timeout": 1}
            events = (
                "SessionStart UserPromptSubmit PreToolUse PostToolUse BeforeModel Stop SessionEnd"
            )
            hooks = {event: [{"hooks": [hook]}] for event in events.split()}
            path = os.path.join(self.lab.home, ".claude", "settings.json")
            self.lab.write(path, {"customHooks": {"hooks": hooks}})
            with self.subTest(command):
                name = "f%d.txt" % number
                run = self.session([call("write_file", file_path=name, content="x")])
                self.assertEqual(self.lab.read(name), "x")
                self.assertIn("Successfully created", run.requests[1].newest)
                self.assertEqual(run.stdout.strip(), "bye")


class BrokenExtensionTest(GeminiTestCase):
    fine = (*GeminiTestCase.fine, "interpreter ended with 1")

    def extension(self) -> str:
        self.copy = os.path.join(self.lab.root, "it's $(here)", EXTENSION)
        return str(shutil.copytree(ROOT, self.copy))

    def test_edits_go_on_whatever_part_of_it_is_gone(self) -> None:
        for number, part in enumerate(
            ("", "lib/hooklib/main.py", "lib", "hooks/run", "hooks/rules")
        ):
            path = os.path.join(self.copy, part)
            if os.path.isfile(path):
                os.unlink(path)
            elif part:
                shutil.rmtree(path)
            name = "f%d.txt" % number
            with self.subTest(part):
                run = self.session([call("write_file", file_path=name, content="x")])
                self.assertEqual(self.lab.read(name), "x")
                self.assertEqual(run.stdout.strip(), "bye")
        self.assertTrue(any(line["hook"] == "suggest-compact" for line in self.lab.hook_log()))


class HooksTest(GeminiTestCase):
    def writes(self, *names: str) -> list[Turn]:
        return [call("write_file", file_path=name, content="x\n") for name in names]

    def test_advice_reaches_the_model_with_the_result_of_the_edit(self) -> None:
        run = self.session(self.writes("a", "b", "c"), COMPACT_THRESHOLD="2")
        self.assertEqual(run.counts(ADVICE), [0, 0, 1, 1])
        self.assertIn("Successfully created", run.requests[2].newest)
        self.assertIn("suggest /compress", run.requests[2].newest)

    def test_a_session_with_nothing_to_tell_is_told_nothing(self) -> None:
        run = self.session([*self.writes("a"), call("run_shell_command", command="true")])
        self.assertNotIn(
            "<hook_context>", json.dumps([request.contents for request in run.requests])
        )
        self.assertNotIn("Hook", run.stderr)

    def test_switched_off(self) -> None:
        run = self.session(self.writes("a"), COMPACT_THRESHOLD="1", CUSTOM_SKILLS="0")
        self.assertFalse(run.sent(ADVICE))
        self.assertEqual(self.lab.hook_log(), [])

    def test_a_failed_command_is_a_failure_and_remembered(self) -> None:
        self.rules(PostToolUseFailure=say({"additionalContext": "LOOK THERE"}))
        commands = [call("run_shell_command", command=line) for line in ("true", "echo no; exit 3")]
        run = self.session([*commands, *self.writes("a")])
        self.assertEqual(run.counts("LOOK THERE"), [0, 0, 1, 1])
        self.assertTrue(self.session([]).sent("echo no; exit 3 (Exit code 3: no)"))

    def test_a_rewritten_command_is_the_one_that_runs(self) -> None:
        self.rules(
            PreToolUse=('tool == "Bash"', say({"updatedInput": {"command": "echo two > f"}}))
        )
        self.session([call("run_shell_command", command="echo one > f", description="write")])
        self.assertEqual(self.lab.read("f"), "two\n")

    def test_a_question_with_nobody_to_ask_is_a_refusal(self) -> None:
        self.rules(
            PreToolUse=say({"permissionDecision": "ask", "permissionDecisionReason": "SURE?"})
        )
        run = self.session(self.writes("a"))
        self.assertEqual(self.lab.read("a"), "")
        self.assertIn("SURE?", json.dumps(run.requests[1].results))

    def test_a_turn_that_a_rule_never_lets_end_ends(self) -> None:
        self.fine = (
            *self.fine,
            "cannot be delivered: decision: hooks have kept this turn going too often",
        )
        self.rules(Stop=say({"decision": "block", "reason": "GO ON"}))
        run = self.lab.run([])
        self.assertEqual(run.code, 0)
        self.assertEqual(len(run.requests), 9)  # the first, and eight that it was made to make
        self.assertIn("GO ON", run.requests[8].newest)

    def test_a_compression_is_recognised_among_all_that_are_announced(self) -> None:
        """What is compressed lies before the prompt, so a session must be resumed for it.

        The client then counts the tokens itself: a low threshold makes both counts exceed it.
        """
        self.lab.settings(model={"compressionThreshold": 0.0005})
        full = {"blocks": "done", "tokens": 600_000}
        long = call("write_file", file_path="b", content="a long line\n" * 300)
        self.lab.run([*self.writes("a"), long, full], "first", COMPACT_THRESHOLD="3")
        run = self.session(
            [*self.writes("c", "d")], "second", "--resume", "latest", COMPACT_THRESHOLD="3"
        )
        self.assertGreater(len(run.side_requests), 0)  # the summary
        ran = [line["hook"] for line in self.lab.hook_log()]
        self.assertEqual(ran.count("pre-compact"), 1)
        self.assertEqual(ran.count("restart-compact-count"), 1)
        self.assertFalse(run.sent(ADVICE))  # there were two edits since
        self.assertEqual(run.counts("before the compaction"), [0, 1, 1])
        self.assertIn("b (created); a (created)", run.requests[1].newest)


class ModelRulesTest(GeminiTestCase):
    def test_the_tools_are_restricted(self) -> None:
        choice = {"mode": "ANY", "allowedFunctionNames": ["read_file"]}
        self.rules(BeforeToolSelection=say({"hookSpecificOutput": {"toolConfig": choice}}))
        run = self.session([])
        self.assertEqual(run.requests[0].body["toolConfig"], {"functionCallingConfig": choice})

    def test_an_answer_in_the_models_place(self) -> None:
        self.rules(BeforeModel=say({"llm_response": {"text": "not asked"}}))
        run = self.lab.run(["asked"])
        self.assertEqual((run.code, run.requests), (0, []))
        self.assertIn("not asked", run.stdout)

    def test_a_response_is_masked_with_the_wiring_of_the_readme(self) -> None:
        with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
            (wiring,) = re.findall(
                r'```json\n(\{ "hooks": \{ "AfterModel".*?)```', file.read(), re.S
            )
        self.lab.settings(**json.loads(wiring.replace("<extension>", ROOT)))
        program = "import json, sys; text = json.load(sys.stdin)['llm_response'].get('text') or ''"
        program += "; text = text.replace('hunter2', '***')"
        program += "; print(json.dumps({'llm_response': {'text': text}}))"
        mask = 'python3 -c "%s"' % program
        self.rules(AfterModel=mask)
        self.fine = (*self.fine, "cannot be delivered: llm_response")
        read = call("read_file", file_path="README.md")
        run = self.session([["the password is ", "hunter2.", read]])
        self.assertIn("the password is ***.", run.stdout)
        self.assertNotIn("hunter2", run.stdout)
        self.assertEqual(len(run.requests), 2)  # the tool call in the third chunk is still made


class QualityTest(GeminiTestCase):
    def test_an_edit_is_formatted_and_its_findings_reach_the_model(self) -> None:
        os.symlink(os.path.join(cache_dir(), "python-tools"), self.lab.path(".venv"))
        self.lab.write(
            self.lab.path("pyproject.toml"), "[tool.ruff]\n\n[tool.mypy]\nstrict = true\n"
        )
        ugly = "def name( a:int )->str:\n    print( a )\n    return a\n"
        write = call("write_file", file_path="report.py", content=ugly)
        old, new = "    return a\n", "    return  str( a )\n"
        edit = call(
            "replace", file_path="report.py", old_string=old, new_string=new, instruction="-"
        )
        run = self.session([write, edit])
        self.assertEqual(
            self.lab.read("report.py"),
            "def name(a: int) -> str:\n    print(a)\n    return str(a)\n",
        )
        first, second = (request.newest for request in run.requests[1:])
        self.assertIn("Successfully created", first)
        for part in ("[format] ruff reformatted report.py", "[return-value]", "[debug code]"):
            self.assertIn(part, first.partition("<hook_context>")[2])
        self.assertIn("[format] ruff reformatted report.py", second)
        self.assertNotIn("[return-value]", second)
        self.assertNotIn("[debug code]", second)  # it is not in what this edit added


class InteractiveTest(GeminiTestCase):
    def test_a_session_that_ends_twice_is_completed_once(self) -> None:
        native = {"type": "command", "command": "echo end >> ends"}
        self.lab.settings(hooks={"SessionEnd": [{"hooks": [native]}]})
        script = [call("write_file", file_path="a", content="x\n"), "WRITTEN"]
        with self.lab.screen(script, COMPACT_THRESHOLD="1") as screen:
            screen.wait("Type your message")
            screen.type("go")
            screen.wait("WRITTEN")
            screen.type("/quit")
            self.assertEqual(screen.end(), 0)
        self.assertGreater(self.lab.read("ends").count("end"), 1)  # else this test shows nothing
        ran = [line["hook"] for line in self.lab.hook_log()]
        self.assertEqual(ran.count("session-end"), 1)


class InstallTest(unittest.TestCase):
    def speaks(self, lab: GeminiLab) -> bool:
        run = lab.run([call("write_file", file_path="a", content="x")], COMPACT_THRESHOLD="1")
        self.assertEqual(run.code, 0)
        return run.sent(ADVICE)

    def test_make_install_gemini_and_out_again(self) -> None:
        with GeminiLab() as lab:
            self.assertFalse(self.speaks(lab))
            for words, on in (([], True), (["--remove"], False)):
                tool = [PYTHON, os.path.join(REPO, "tools", "install_gemini.py"), *words]
                subprocess.run(tool, env=lab.env(), check=True, stdout=subprocess.DEVNULL)
                self.assertEqual(EXTENSION in lab.cli("extensions", "list").stdout, on)
                self.assertEqual(self.speaks(lab), on)

    def test_a_copied_extension_works_as_well(self) -> None:
        with GeminiLab() as lab:
            shutil.copytree(ROOT, os.path.join(lab.home, ".gemini", "extensions", EXTENSION))
            self.assertTrue(self.speaks(lab))
