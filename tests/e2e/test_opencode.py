"""The same hooks in the real OpenCode: what they say reaches the model, what they refuse stays."""

from __future__ import annotations

import glob
import json
import os
import time
import unittest
from typing import Any

from clients import cache_dir
from fake_openai import FakeOpenAI, Request, Turn
from opencode_lab import GPT, MODEL, OpenCodeLab, Run

FENCE = "<session-history>"
GOAL = "Build the purple report"


def call(tool: str, **fields: object) -> Turn:
    return {"tool": tool, "input": fields}


def rule(event: str, command: str, matcher: object = "*", **more: object) -> dict[str, Any]:
    run = {"type": "command", "command": command, **more}
    return {"event": event, "matcher": matcher, "run": [run]}


def refuse(reason: str) -> str:
    return "echo '%s' >&2; exit 2" % reason


def patch(*lines: str) -> Turn:
    return call("apply_patch", patchText="\n".join(["*** Begin Patch", *lines, "*** End Patch"]))


class OpenCodeTestCase(unittest.TestCase):
    """A lab of its own per test, with the plugin installed for the user."""

    fine: tuple[str, ...] = ("spoke", "silent")  # outcomes that the hooks' own log may hold

    def setUp(self) -> None:
        self.lab = OpenCodeLab()
        self.addCleanup(self.lab.__exit__)
        self.lab.install()

    def tearDown(self) -> None:
        self.assertEqual(
            [line for line in self.lab.hook_log() if line["outcome"] not in self.fine], []
        )

    def session(self, script: list[Turn], prompt: str = "go", **more: Any) -> Run:
        """Run a session in which the client must play the whole script."""
        run = self.lab.run([*script, "bye"], prompt, **more)
        self.assertEqual((run.code, run.unused), (0, []), run.stderr[-2000:])
        return run

    def writes(self, *names: str) -> list[Turn]:
        return [call("write", filePath=self.lab.path(name), content="text\n") for name in names]

    def rules(self, *rules: dict[str, Any]) -> None:
        path = os.path.join(self.lab.config, "settings.json")
        self.lab.write(path, {"customHooks": {"rules": list(rules)}})

    def states(self) -> dict[str, dict[str, Any]]:
        found = {}
        for path in glob.glob(os.path.join(glob.escape(self.lab.project), ".claude/sessions/*")):
            if path.endswith(".json") and "index" not in path:
                with open(path, encoding="utf-8") as file:
                    found[os.path.basename(path)] = json.load(file)
        return found

    def ran(self, *hooks: str) -> list[int]:
        """How often each of these hooks ran."""
        names = [line["hook"] for line in self.lab.hook_log()]
        return [names.count(hook) for hook in hooks]


class MemoryTest(OpenCodeTestCase):
    def test_the_first_request_holds_the_previous_session(self) -> None:
        first = self.session([*self.writes("a.txt"), call("bash", command="echo no; exit 3")], GOAL)
        self.assertFalse(first.sent(FENCE))
        (state,) = self.states().values()
        self.assertEqual((state["host"], state["model"]), ("opencode", MODEL))
        second = self.session(self.writes("b.txt"), "and now?")
        self.assertEqual(second.counts(FENCE), [1, 1])
        told = second.requests[0].system
        for part in (GOAL, "a.txt (created)", "branch main", "bye", "echo no; exit 3"):
            self.assertIn(part, told)
        self.assertNotIn(FENCE, "".join(request.text for request in second.side_requests))
        # the system prompt is not stored: it must say the same when the session goes on
        third = self.session([], "go on", options=("--continue",))
        self.assertIn(told.partition(FENCE)[2], third.requests[0].system)

    def test_another_project_is_told_nothing(self) -> None:
        self.session(self.writes("a.txt"), GOAL)
        self.lab.project = self.lab.folder("other", "my project")
        self.assertFalse(self.session([], "hello").sent(FENCE))

    def test_what_is_kept_is_private_and_holds_no_secret(self) -> None:
        secret = "ghp_" + "a1B2c3D4" * 5
        self.session([call("bash", command="echo " + secret)], "use %s for it" % secret)
        data = os.path.join(self.lab.config, "plugins", "data", "ecc-hooks-opencode-custom-skills")
        (transcript,) = glob.glob(os.path.join(glob.escape(data), "transcripts", "*"))
        self.assertEqual(os.stat(transcript).st_mode & 0o777, 0o600)
        for folder, _, names in os.walk(data):
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    self.assertNotIn(secret.encode(), file.read(), name)

    def test_a_subagent_is_told_apart(self) -> None:
        given = call("task", description="sub", prompt="do it", subagent_type="general")
        sub = self.writes("sub.txt")
        self.session([given, *sub, "sub done"], GOAL)
        (state,) = self.states().values()
        self.assertEqual(state["agents"], {"general": 1})
        self.assertEqual(state["files"]["sub.txt"]["by"], ["general"])
        self.assertEqual((state["prompts"], state["last_message"]), (1, "bye"))
        self.assertEqual(self.ran("session-start", "save-subagent", "save-session"), [1, 1, 1])

    def test_a_compaction_keeps_what_matters(self) -> None:
        todo = {"content": "mend the roof", "status": "pending", "priority": "high"}
        script = [
            call("todowrite", todos=[todo]),
            {"blocks": self.writes("a.txt")[0], "tokens": 19_000},
        ]
        run = self.session(script, GOAL, context=20_000)
        (summary,) = [one for one in run.side_requests if "summarization" in one.system]
        self.assertRegex(summary.text, r"(?s)Keep in the summary.*open tasks.*mend the roof")
        (state,) = self.states().values()
        self.assertEqual(len(state["compactions"]), 1)
        self.assertEqual(state["compactions"][0]["trigger"], "auto")
        self.assertIn(FakeOpenAI.SIDE, json.dumps(state))  # the summary
        self.assertEqual(self.ran("session-start", "pre-compact", "post-compact"), [2, 1, 1])
        self.assertEqual(self.ran("restart-compact-count"), [1])


class GuardTest(OpenCodeTestCase):
    def test_a_denied_command_does_not_run_and_the_model_gets_the_reason(self) -> None:
        self.rules(
            rule("PreToolUse", refuse("No removing here."), 'tool_input.command matches "rm *"'),
        )
        run = self.session([call("bash", command="rm README.md"), call("bash", command="ls")])
        self.assertEqual(run.requests[-1].tool_results, ["No removing here.", "README.md\n"])
        self.assertEqual(self.lab.read("README.md"), "A project.\n")

    def test_an_edit_by_any_tool_is_guarded(self) -> None:
        self.rules(
            rule("PreToolUse", refuse("Hands off."), {"tools": "Edit|Write", "paths": "*.lock"})
        )
        self.lab.write(self.lab.path("a.lock"), "one\n")
        path = self.lab.path("a.lock")
        edit = call("edit", filePath=path, oldString="one", newString="two")
        write = call("write", filePath=path, content="two\n")
        run = self.session([edit, write, *self.writes("b.txt")])
        refused, written = ["Hands off."] * 2, "Wrote file successfully."
        self.assertEqual(run.requests[-1].tool_results, [*refused, written])
        new = ("*** Add File: c.txt", "+new")
        update = patch(*new, "*** Update File: a.lock", "@@", "-one", "+two")
        delete = patch(*new, "*** Delete File: a.lock")
        move = patch(*new, "*** Update File: b.txt", "*** Move to: b.lock", "@@", "-text", "+t")
        run = self.session([update, delete, move, patch(*new)], model=GPT)
        *refused, done = run.requests[-1].tool_results
        self.assertEqual(refused, ["Hands off."] * 3)
        self.assertIn("Success", done)
        self.assertEqual(self.lab.read("a.lock"), "one\n")
        self.assertEqual((self.lab.read("b.lock"), self.lab.read("b.txt")), ("", "text\n"))

    def test_a_changed_input_is_what_runs(self) -> None:
        answer = {"hookEventName": "PreToolUse", "updatedInput": {"command": "echo changed"}}
        told = "echo '%s'" % json.dumps({"hookSpecificOutput": answer})
        self.rules(rule("PreToolUse", told, "Bash"))
        run = self.session([call("bash", command="echo given")])
        self.assertEqual(run.requests[-1].tool_results, ["changed\n"])

    def test_the_prompt_gets_its_context_and_a_refused_one_no_answer(self) -> None:
        self.rules(
            rule("UserPromptSubmit", "echo MORE-CONTEXT"),
            rule("UserPromptSubmit", refuse("Not this."), 'prompt matches "forbidden*"'),
        )
        run = self.session([], "an allowed one")
        self.assertEqual(run.counts("MORE-CONTEXT"), [1])
        refused = self.lab.run(["bye"], "forbidden words")
        self.assertEqual(refused.requests, [])

    def test_a_hanging_script_delays_a_call_by_its_own_limit(self) -> None:
        self.rules(rule("PreToolUse", "sleep 100", "Bash", timeout=2))
        run = self.session([call("bash", command="echo ran")])
        self.assertEqual(run.requests[-1].tool_results, ["ran\n"])
        waited = run.requests[1].when - run.requests[0].when
        self.assertGreater(waited, 2)
        self.assertLess(waited, 30)
        self.fine = (*self.fine, "timeout")

    def test_a_launcher_that_hangs_is_ended_by_the_adapter(self) -> None:
        self.rules(rule("PreToolUse", "exec sleep 20", "Bash", timeout=20))
        run = self.session([call("bash", command="echo ran")], CUSTOM_SKILLS_OPENCODE_SECONDS="1")
        self.assertEqual(run.requests[-1].tool_results, ["ran\n"])
        self.assertLess(run.requests[1].when - run.requests[0].when, 15)
        self.fine = (*self.fine, "timeout")
        self.assertIn("timeout", [line["outcome"] for line in self.lab.hook_log()])

    def test_broken_rules_and_a_missing_python_break_nothing(self) -> None:
        self.rules(rule("PreToolUse", "exit 1"), {"event": "PreToolUse", "run": "nonsense"})
        run = self.session([call("bash", command="echo ran")])
        self.assertEqual(run.requests[-1].tool_results, ["ran\n"])
        self.fine = (*self.fine, "error", "invalid rules, see hookctl validate")
        data = os.path.join(self.lab.config, "plugins", "data", "ecc-hooks-opencode-custom-skills")
        os.unlink(os.path.join(data, "python"))
        nowhere = self.lab.folder("empty")
        for name in ("sh", "git", "bash"):
            os.symlink("/bin/" + name, os.path.join(nowhere, name))
        run = self.session([call("bash", command="echo ran")], PATH=nowhere)
        self.assertEqual(run.requests[-1].tool_results, ["ran\n"])


class AdviceTest(OpenCodeTestCase):
    def test_context_before_a_tool_is_in_its_output(self) -> None:
        run = self.session(self.writes("a.txt", "b.txt", "c.txt"), COMPACT_THRESHOLD="2")
        self.assertEqual(run.counts("[strategic-compact] 2 edits"), [0, 0, 1, 1])
        self.assertIn("about 55 tokens", run.requests[-1].tool_results[1])

    def test_silence_leaves_a_session_as_it_is(self) -> None:
        run = self.session([*self.writes("a.txt"), call("bash", command="echo hi")])
        self.assertEqual(run.requests[-1].tool_results, ["Wrote file successfully.", "hi\n"])
        self.assertNotIn("hook", run.requests[-1].system.lower())


class QualityTest(OpenCodeTestCase):
    """With real ruff and mypy in the project."""

    BAD = "import os\ndef f( ) -> int:\n    print('x')\n    return os.sep\n"

    def setUp(self) -> None:
        super().setUp()
        os.symlink(os.path.join(cache_dir(), "python-tools"), self.lab.path(".venv"))
        config = "[tool.ruff]\nline-length = 100\n[tool.mypy]\nstrict = true\n"
        self.lab.write(self.lab.path("pyproject.toml"), config)

    def assert_checked(self, run: Run) -> None:
        """The file is formatted, and the model reads the three findings in order."""
        said = run.requests[1].tool_results[0]
        self.assertRegex(said, r"(?s)Success|success")
        self.assertRegex(said, r"(?s)ruff.*a\.py.*return-value.*print")
        self.assertIn('def f() -> int:\n    print("x")', self.lab.read("a.py"))

    def test_an_edit_is_formatted_and_its_findings_are_in_the_output(self) -> None:
        run = self.session([call("write", filePath=self.lab.path("a.py"), content=self.BAD)])
        self.assert_checked(run)

    def test_an_edit_through_apply_patch_is_checked(self) -> None:
        added = ["+" + line for line in self.BAD.splitlines()]
        self.assert_checked(self.session([patch("*** Add File: a.py", *added)], model=GPT))

    def test_a_change_through_apply_patch_is_checked(self) -> None:
        self.lab.write(self.lab.path("a.py"), "import os\n\n\ndef g() -> None:\n    print(os)\n")
        added = ["+" + line for line in self.BAD.splitlines()[1:]]
        change = patch("*** Update File: a.py", "@@", "     print(os)", *added)
        run = self.session([change], model=GPT)
        self.assert_checked(run)
        self.assertEqual(run.requests[1].tool_results[0].count("print"), 1)  # not the old one

    def test_a_clean_edit_says_nothing(self) -> None:
        clean = "def f() -> int:\n    return 1\n"
        run = self.session([call("write", filePath=self.lab.path("a.py"), content=clean)])
        self.assertEqual(run.requests[1].tool_results, ["Wrote file successfully."])


class ServeTest(OpenCodeTestCase):
    """`opencode serve` goes on after a turn, as the interactive client does."""

    def talk(self, script: list[Turn], turns: int, **config: object) -> list[Request]:
        """Send one prompt; return the requests once there were so many, or time is up."""
        with FakeOpenAI(script) as model, self.lab.serve(model, **config) as ask:
            session = ask("POST", "/session", {})
            parts = [{"type": "text", "text": "hello"}]
            ask("POST", "/session/%s/message" % session["id"], {"parts": parts})
            until = time.monotonic() + 30
            while len(model.requests) < turns and time.monotonic() < until:
                time.sleep(0.2)
            time.sleep(2)  # for one that should not come
            return model.requests

    def test_a_refused_end_goes_on_but_not_for_ever(self) -> None:
        self.rules(rule("Stop", refuse("Clean up first.")))
        requests = self.talk(["one", "two", "three", "four", "five", "six"], 4)
        self.assertEqual([one.text.count("Clean up first.") for one in requests], [0, 1, 2, 3])
        self.fine = (*self.fine, "cannot be delivered: decision")

    def test_a_rule_answers_a_permission(self) -> None:
        allow, deny = ("echo '%s'" % json.dumps({"decision": d}) for d in ("allow", "deny"))
        self.rules(
            rule("PermissionRequest", allow, 'tool_input.command matches "echo *"'),
            rule("PermissionRequest", deny, "Write"),
        )
        script = [call("bash", command="echo let through"), *self.writes("a.txt"), "bye"]
        requests = self.talk(script, 2, permission={"bash": "ask", "edit": "ask"})
        self.assertEqual(requests[1].tool_results, ["let through\n"])
        self.assertEqual(self.lab.read("a.txt"), "")


class InstallTest(OpenCodeTestCase):
    ADVICE = "[strategic-compact] 2 edits"

    def edits(self, *names: str) -> Run:
        return self.session(self.writes(*names), COMPACT_THRESHOLD="2")

    def test_a_project_s_copy_beside_the_user_s(self) -> None:
        said = self.lab.install("--project", self.lab.project)
        self.assertIn(self.lab.path(".opencode"), said)
        run = self.edits("a.txt", "b.txt")
        self.assertEqual(run.counts(self.ADVICE), [0, 0, 1])
        self.assertEqual(self.ran("save-session"), [1])
        self.lab.install("--remove")
        self.assertTrue(self.edits("c.txt", "d.txt").sent(self.ADVICE))  # the project's own
        self.lab.install("--remove", "--project", self.lab.project)
        self.assertFalse(self.edits("e.txt", "f.txt").sent(self.ADVICE))
        left = [name for name in os.listdir(self.lab.path(".opencode")) if "ecc" in name]
        self.assertEqual(left, [])  # what else is there is the client's

    def test_a_project_s_copy_needs_no_network(self) -> None:
        self.lab.install("--project", self.lab.project)
        self.assertEqual(self.session([]).strangers, [])
        os.unlink(self.lab.path(".opencode", ".npmrc"))
        self.assertIn("@opencode-ai", "".join(self.session([]).strangers))  # what it prevents
