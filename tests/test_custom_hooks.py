"""custom-hooks as the host starts it: rules in settings.json, what comes out, what stays silent."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import Any

from support import HANGS, PYTHON, Done, HookTestCase, edit, event

BASH = event("PreToolUse", tool_name="Bash", tool_input={"command": "git push origin main"})
POST = event("PostToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_response={})
PROMPT = event("UserPromptSubmit", prompt="hello")
STOP = event("Stop", stop_hook_active=False)


def say(document: object) -> dict[str, Any]:
    """A command hook that prints a JSON document."""
    return {"type": "command", "args": ["printf", "%s", json.dumps(document)]}


def sh(command: str, **more: object) -> dict[str, Any]:
    return {"type": "command", "command": command, **more}


def context(name: str, text: str) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}


class CustomHooksTestCase(HookTestCase):
    plugin = "custom-hooks"

    def rules(self, *rules: dict[str, Any], name: str = "PreToolUse", **more: object) -> None:
        """Put rules into the user's settings."""
        self.settings({"hooks": {name: list(rules)}, **more})

    def settings(self, value: object, where: str = "home/.claude/settings.json") -> str:
        return self.write(where, {"customHooks": value})

    def outcomes(self) -> list[Any]:
        return [line["outcome"] for line in self.log()]


class DecisionTest(CustomHooksTestCase):
    # what a PreToolUse command prints and how it ends -> decision, reason
    SPOKEN = [
        ('{"decision": "block", "reason": "no"}', 0, ("deny", "no")),
        ('{"decision": "deny", "reason": "no"}', 0, ("deny", "no")),
        ('{"decision": "approve"}', 0, ("allow", None)),
        ('{"permissionDecision": "ask", "permissionDecisionReason": "hm"}', 0, ("ask", "hm")),
        ('{"hookSpecificOutput": {"permissionDecision": "deny"}}', 0, ("deny", None)),
        ('{"hookSpecificOutput": {"permissionDecision": "defer"}}', 0, ("defer", None)),
        ('{"decision": "allow"}', 2, ("allow", None)),  # JSON counts before the exit code
        ('{"decision": "deny", "reason": "no"}', 1, ("deny", "no")),
        ("", 2, ("deny", "blocked by a hook")),
        ("some text", 2, ("deny", "some text")),
    ]
    SILENT = [
        ("", 0),
        ("  \n ", 0),
        ("{}", 0),
        ('{"continue": true}', 0),
        ('{"suppressOutput": true, "unknown": [1]}', 0),
        ('{"decision": "perhaps"}', 0),
        ('{"decision": 5, "reason": []}', 0),
        ('{"hookSpecificOutput": 7}', 0),
        ('{"hookSpecificOutput": {"updatedInput": [1]}}', 0),
        ('{"systemMessage": 5}', 0),
        ("some text", 1),
        ("", 1),
        ("", 3),
        ("", 126),
        ("", 127),
        ("", 255),
    ]

    def run_printing(self, text: str, code: int) -> Done:
        self.rules({"hooks": [sh("cat <<'END'\n%s\nEND\nexit %d" % (text, code))]})
        return self.run_event(BASH)

    def test_what_decides(self) -> None:
        for text, code, (decision, reason) in self.SPOKEN:
            with self.subTest(text=text, code=code):
                said = self.run_printing(text, code).answer["hookSpecificOutput"]
                self.assertEqual(said["permissionDecision"], decision)
                self.assertEqual(said.get("permissionDecisionReason"), reason)

    def test_what_lets_the_action_go_on(self) -> None:
        for text, code in self.SILENT:
            with self.subTest(text=text, code=code):
                self.assert_silent(self.run_printing(text, code))

    def test_exit_2_gives_stderr_as_the_reason(self) -> None:
        self.rules({"hooks": [sh("echo 'not on main' >&2; exit 2")]})
        said = self.run_event(BASH).answer["hookSpecificOutput"]
        self.assertEqual(said["permissionDecisionReason"], "not on main")

    def test_text_that_is_no_json_is_a_message_or_a_prompts_context(self) -> None:
        self.rules({"hooks": [sh("echo hello there")]})
        self.assertEqual(self.run_event(BASH).answer, {"systemMessage": "hello there"})
        self.rules({"hooks": [sh("echo hello there")]}, name="UserPromptSubmit")
        self.assertEqual(self.run_event(PROMPT).answer, context("UserPromptSubmit", "hello there"))
        for broken in ('{"a":', "[1]", '"text"', "17"):
            self.rules({"hooks": [sh("printf %%s '%s'" % broken)]})
            self.assertEqual(self.run_event(BASH).answer, {"systemMessage": broken})

    def test_failures_can_be_made_to_count(self) -> None:
        for behavior, expected in (("deny", "deny"), ("ask", "ask"), ("ignore", None)):
            for command, more in (("exit 1", {}), ("sleep 9", {"timeout": 0.2})):
                with self.subTest(behavior=behavior, command=command):
                    both = {"failureBehavior": behavior, "timeoutBehavior": behavior}
                    self.rules({"hooks": [sh(command, **more)]}, **both)
                    said = self.run_event(BASH).answer.get("hookSpecificOutput", {})
                    self.assertEqual(said.get("permissionDecision"), expected)
                    self.rules({"hooks": [sh(command, onFailure=behavior, **more)]})
                    said = self.run_event(BASH).answer.get("hookSpecificOutput", {})
                    self.assertEqual(said.get("permissionDecision"), expected)

    def test_a_failing_stop_hook_never_keeps_the_agent_going(self) -> None:
        self.rules({"hooks": [sh("exit 1")]}, name="Stop", failureBehavior="deny")
        self.assert_silent(self.run_event(STOP))

    def test_a_stop_hook_that_wants_to_go_on_needs_a_reason(self) -> None:
        self.rules({"hooks": [say({"continue": True})]}, name="Stop")
        self.assert_silent(self.run_event(STOP))
        self.rules({"hooks": [say({"continue": True, "reason": "open TODOs"})]}, name="Stop")
        self.assertEqual(self.run_event(STOP).answer, {"decision": "block", "reason": "open TODOs"})

    def test_a_compaction_can_be_prevented(self) -> None:
        self.rules({"hooks": [sh("echo later >&2; exit 2")]}, name="Compaction")
        done = self.run_event(event("PreCompact", trigger="auto"))
        self.assertEqual(done.answer, {"decision": "block", "reason": "later"})


class ResultTest(CustomHooksTestCase):
    def test_a_rule_replaces_a_result_by_any_value(self) -> None:
        for number, value in enumerate(("x", "", {}, [], 0, False), 1):
            with self.subTest(value):
                specific = {"hookEventName": "PostToolUse", "updatedToolOutput": value}
                self.rules({"hooks": [say({"hookSpecificOutput": specific})]}, name="PostToolUse")
                answer = self.run_event(POST).answer
                self.assertEqual(json.dumps(answer), json.dumps({"hookSpecificOutput": specific}))
                self.assertEqual(self.outcomes(), ["spoke"] * number)

    def test_null_is_no_result(self) -> None:
        self.rules({"hooks": [say({"updatedToolOutput": None})]}, name="PostToolUse")
        self.assert_silent(self.run_event(POST))


class ChainTest(CustomHooksTestCase):
    def test_updated_input_accumulates_and_the_next_hook_sees_it(self) -> None:
        first = say({"hookSpecificOutput": {"updatedInput": {"command": "echo one"}}})
        second = sh("grep -q 'echo one' && printf '{\"updatedInput\": {\"timeout\": 7}}'")
        self.rules({"hooks": [first]}, {"hooks": [second]})
        given = event("PreToolUse", tool_name="Bash", tool_input={"command": "x", "background": 1})
        said = self.run_event(given).answer["hookSpecificOutput"]
        whole = {"command": "echo one", "background": 1, "timeout": 7}
        self.assertEqual(said["updatedInput"], whole)

    def test_a_rewrite_does_not_get_past_a_guard(self) -> None:
        guard = {
            "matcher": 'tool_input.command contains "rm"',
            "hooks": [say({"decision": "deny"})],
        }
        rewrite = {"hooks": [say({"hookSpecificOutput": {"updatedInput": {"command": "rm x"}}})]}
        for rules in ((guard, rewrite), (rewrite, guard)):
            self.rules(*rules)
            said = self.run_event(BASH).answer["hookSpecificOutput"]
            self.assertEqual(said.get("permissionDecision"), "deny", rules)

    def test_the_first_deny_ends_it(self) -> None:
        ran = os.path.join(self.base, "ran")
        deny = say({"decision": "deny", "reason": "one"})
        self.rules({"hooks": [deny, sh("touch '%s'" % ran)]})
        said = self.run_event(BASH).answer["hookSpecificOutput"]
        self.assertEqual(said["permissionDecisionReason"], "one")
        self.assertFalse(os.path.exists(ran))

    def test_a_stricter_decision_wins_over_an_earlier_one(self) -> None:
        self.rules({"hooks": [say({"decision": "allow"}), say({"decision": "ask", "reason": "?"})]})
        said = self.run_event(BASH).answer["hookSpecificOutput"]
        self.assertEqual(said["permissionDecision"], "ask")

    def test_contexts_are_joined_in_rule_order_however_long_each_takes(self) -> None:
        slow = sh("sleep 0.4; printf '%s'" % json.dumps({"additionalContext": "first"}))
        fast = say({"additionalContext": "second"})
        self.rules({"hooks": [slow]}, {"hooks": [fast]}, name="PostToolUse")
        self.assertEqual(self.run_event(POST).answer, context("PostToolUse", "first\n\nsecond"))

    def at_once(self, wanted: int, **more: object) -> int:
        """How many of six hooks ran at the same time; each waits until so many do."""
        marks = self.folder("marks %s" % sorted(more.items()))
        command = (
            'touch "$M/$$"; until [ -e "$SEEN" ] || [ "$(ls "$M" | wc -l)" -ge %d ]; do\n'
            'sleep 0.05; done; sleep 0.2; ls "$M" | wc -l >>"$SEEN"; rm "$M/$$"'
        ) % wanted
        seen = os.path.join(self.base, "seen")
        if os.path.exists(seen):
            os.unlink(seen)
        hooks = [sh("# %d\n%s" % (n, command)) for n in range(6)]
        sequential = more.pop("sequential", False)
        self.rules({"sequential": sequential, "hooks": hooks}, name="PostToolUse", **more)
        self.run_event(POST, M=marks, SEEN=seen)
        with open(seen) as file:
            return max(int(line) for line in file)

    def test_parallel_within_the_limit_and_serial_where_a_rule_says_so(self) -> None:
        self.assertEqual(self.at_once(3, maxConcurrentHooks=3), 3)
        self.assertEqual(self.at_once(1, sequential=True), 1)

    def test_the_same_command_from_two_sources_runs_once(self) -> None:
        count = sh("echo >>'%s/runs'" % self.base)
        self.rules({"hooks": [count]}, {"matcher": "Bash", "hooks": [count]})
        self.run_event(BASH)
        with open(os.path.join(self.base, "runs")) as file:
            self.assertEqual(file.read(), "\n")

    def test_one_failing_hook_leaves_the_others_running(self) -> None:
        hooks = [
            sh("exit 1"),
            sh("kill -9 $$"),
            sh("sleep 9", timeout=0.3),
            {"type": "script", "script": "no/such/script.py"},
            {"type": "command", "args": ["/no/such/program"]},
            say({"additionalContext": "still here"}),
        ]
        self.rules({"hooks": hooks}, name="PostToolUse")
        self.assertEqual(self.run_event(POST).answer, context("PostToolUse", "still here"))
        outcomes = ["error", "error", "timeout", "refused", "error", "spoke"]
        self.assertEqual(self.outcomes(), outcomes)


class ProcessTest(CustomHooksTestCase):
    def test_a_timeout_ends_the_children_too_and_comes_back_soon(self) -> None:
        pids = os.path.join(self.base, "pids")
        child = "sleep 100000 & echo $! >>'%s'; " % pids
        self.rules({"hooks": [sh(child + "trap '' TERM; while :; do sleep 9; done", timeout=2)]})
        self.assert_silent(self.run_event(BASH))
        self.assertEqual(self.outcomes(), ["timeout"])
        with open(pids) as file:
            pid = int(file.read())
        self.wait_until(lambda: not self.alive(pid))

    def alive(self, pid: int) -> bool:
        try:
            with open("/proc/%d/stat" % pid) as file:
                return file.read().split(")")[1].split()[0] != "Z"
        except FileNotFoundError:
            return False

    def test_milliseconds_are_accepted(self) -> None:
        self.rules({"hooks": [sh("sleep 30", timeoutMs=200)]})
        self.assert_silent(self.run_event(BASH))
        self.assertEqual(self.outcomes(), ["timeout"])

    def test_a_background_child_that_keeps_the_pipe_does_not_hold_us_up(self) -> None:
        child = "while [ -d '%s' ]; do sleep 1; done & " % self.project  # as long as the test
        self.rules({"hooks": [sh(child + 'printf \'{"decision": "deny"}\'', timeout=HANGS)]})
        said = self.run_event(BASH).answer["hookSpecificOutput"]
        self.assertEqual(said["permissionDecision"], "deny")

    def test_endless_output_is_cut(self) -> None:
        self.rules({"hooks": [sh("yes", timeout=1)]})
        self.assert_silent(self.run_event(BASH))

    def test_async_hooks_are_not_waited_for(self) -> None:
        mark = os.path.join(self.base, "mark")
        go = os.path.join(self.base, "go")
        wait = "until [ -e '%s' ]; do sleep 0.05; done; " % go
        self.rules({"hooks": [sh(wait + "cat >'%s'; exit 2" % mark, **{"async": True})]})
        self.assert_silent(self.run_event(BASH))
        self.assertEqual(self.outcomes(), ["started"])
        self.write(go, "")
        self.wait_until(lambda: os.path.exists(mark) and os.path.getsize(mark) > 0)
        with open(mark) as file:
            self.assertEqual(json.load(file)["tool_name"], "Bash")

    def test_a_hook_gets_the_event_on_stdin_and_its_values_as_variables(self) -> None:
        out = os.path.join(self.base, "out")
        names = "TOOL FILE COMMAND CWD EVENT SESSION_ID PROMPT PROJECT_DIR".split()
        lines = "; ".join('echo "%s=$%s"' % (name, name) for name in names)
        self.rules({"hooks": [sh("(%s; cat) >'%s'" % (lines, out))]})
        given = edit(cwd=self.project)
        self.run_event(given)
        with open(out) as file:
            *values, document = file.read().splitlines()
        self.assertEqual(json.loads(document), given)
        expected = ["Edit", "/nowhere/a.txt", "", self.project, "PreToolUse", given["session_id"]]
        self.assertEqual(values, ["%s=%s" % z for z in zip(names, [*expected, "", self.project])])

    def test_values_are_data_in_every_quoting_style(self) -> None:
        nasty = "$(touch pwned) `touch pwned`; touch pwned & \"'\n|touch pwned #.py"
        out = os.path.join(self.base, "out")
        for command in (
            "printf '%%s' \"$FILE\" >'%s'" % out,
            "printf '%%s' $FILE >'%s'" % out,
            "printf '%%s' ${FILE} >'%s'" % out,
            "printf '%%s' '$FILE' >'%s'" % out,
            'printf "%%s" "a $FILE b" >\'%s\'' % out,
        ):
            self.rules({"hooks": [sh(command)]})
            self.run_event(event("PreToolUse", tool_name="Edit", tool_input={"file_path": nasty}))
            self.assertTrue(os.path.exists(out))
        self.rules({"hooks": [{"type": "command", "args": ["printf", "%s", "<$FILE>"]}]})
        given = event("PreToolUse", tool_name="Edit", tool_input={"file_path": nasty})
        self.assertEqual(self.run_event(given).answer, {"systemMessage": "<" + nasty + ">"})
        for folder, _, names in os.walk(self.base):
            self.assertNotIn("pwned", names, folder)

    def test_odd_values_do_not_stop_a_command(self) -> None:
        self.rules({"hooks": [sh("echo ran")]})
        for value in ("a\x00b", "x" * 300_000, "\ud800", "é中"):
            given = event("PreToolUse", tool_name="Bash", tool_input={"command": value})
            self.assertEqual(self.run_event(given).answer, {"systemMessage": "ran"}, value[:9])


class ScriptTest(CustomHooksTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.scripts = self.folder("home", ".claude", "hooks")

    def run_script_rule(self, name: str, text: str, **env: str) -> Done:
        self.write(os.path.join(self.scripts, name), text)
        self.rules({"hooks": [{"type": "script", "script": "hooks/" + name}]})
        path = os.environ["PATH"] if not name.endswith(".py") else ""
        return self.run_event(BASH, **({"PATH": path} if path else {}), **env)

    def test_python(self) -> None:
        for text in (
            "def run(event): return {'decision': 'deny', 'reason': event['tool_input']['command']}",
            "print('noise')\nimport sys\nsys.stdout.write('more noise')\n"
            "async def hook(e): return {'decision': 'deny', 'reason': 'git push origin main'}",
        ):
            said = self.run_script_rule("guard.py", text).answer["hookSpecificOutput"]
            self.assertEqual(said["permissionDecisionReason"], "git push origin main")

    def test_python_that_says_nothing_or_breaks(self) -> None:
        for text in (
            "def run(event): return None",
            "def run(event): return {}",
            "def run(event): 1/0",
            "x = 1",
            "syntax error",
            "def run(event): return object()",
            "import sys; sys.exit(1)",
        ):
            with self.subTest(text):
                self.assert_silent(self.run_script_rule("guard.py", text))

    def test_javascript(self) -> None:
        if not shutil.which("node"):
            self.skipTest("node is not installed")
        body = "(e) => ({decision: 'deny', reason: e.tool_input.command})"
        for name, text in (
            ("a.mjs", "console.log('noise'); export default " + body),
            ("b.cjs", "process.stdout.write('noise'); module.exports = " + body),
            ("c.js", "module.exports = {run: async %s}" % body),
            ("d.mjs", "export const handler = async " + body),
        ):
            with self.subTest(name):
                said = self.run_script_rule(name, text).answer["hookSpecificOutput"]
                self.assertEqual(said["permissionDecisionReason"], "git push origin main")
        for text in ("export const x = 1", "throw new Error('x')", "}{", "export default () => {}"):
            self.assert_silent(self.run_script_rule("e.mjs", text))

    def test_typescript_runs_where_node_can_and_is_refused_where_not(self) -> None:
        if not shutil.which("node"):
            self.skipTest("node is not installed")
        text = "export default (e: {tool_name: string}): object => ({decision: 'deny'})"
        done = self.run_script_rule("t.ts", text)
        self.assertEqual(done.code, 0)
        self.assertIn(self.outcomes(), (["spoke"], ["refused"]))

    def test_scripts_outside_their_folders_are_refused(self) -> None:
        evil = self.write("evil.py", "open(%r, 'w')" % os.path.join(self.base, "pwned"))
        os.symlink(evil, os.path.join(self.scripts, "link.py"))
        self.folder("home", ".claude", "hooks-evil")
        shutil.copy(evil, os.path.join(self.base, "home", ".claude", "hooks-evil", "evil.py"))
        for script in (
            evil,
            "hooks/../../../evil.py",
            "hooks/link.py",
            "hooks-evil/evil.py",
            "hooks",
            "hooks/",
            "/etc/passwd",
            "~/evil.py",
            "hooks/none.py",
            "hooks/a.sh",
        ):
            with self.subTest(script):
                self.data = self.folder("data", str(abs(hash(script))))
                self.rules({"hooks": [{"type": "script", "script": script}]})
                self.assert_silent(self.run_event(BASH))
                self.assertEqual(self.outcomes(), ["refused"])
        self.assertFalse(os.path.exists(os.path.join(self.base, "pwned")))

    def test_the_folders_can_be_named(self) -> None:
        path = self.write("tools/ok.py", "def run(event): return {'decision': 'deny'}")
        self.rules({"hooks": [{"type": "script", "script": path}]},
                   hookScriptPaths=[os.path.join(self.base, "tools")])  # fmt: skip
        said = self.run_event(BASH).answer["hookSpecificOutput"]
        self.assertEqual(said["permissionDecision"], "deny")


class PromptTest(CustomHooksTestCase):
    def test_variables_are_expanded_as_text(self) -> None:
        prompt = "$TOOL ran ${COMMAND} in $CWD; $EVENT $UNKNOWN $TOOLS $ ${ $$ 5$"
        self.rules({"hooks": [{"type": "prompt", "prompt": prompt}]})
        given = dict(BASH, cwd="/x", tool_input={"command": "$TOOL $(x)"})
        told = "Bash ran $TOOL $(x) in /x; PreToolUse $UNKNOWN $TOOLS $ ${ $$ 5$"
        self.assertEqual(self.run_event(given).answer, {"systemMessage": told})


class SwitchTest(CustomHooksTestCase):
    DENY = say({"decision": "deny"})

    def test_switched_off_in_every_way(self) -> None:
        rule = {"id": "guard", "hooks": [dict(self.DENY, id="guard-hook")]}
        for off in ({"enabled": False}, {"disabled": ["guard"]}, {"disabled": ["guard-hook"]}):
            self.rules(rule, **off)
            self.assert_silent(self.run_event(BASH))
        self.rules(rule)
        self.assertTrue(self.run_event(BASH).stdout)
        for env in (
            {"CUSTOM_HOOKS_ENABLED": "0"},
            {"CUSTOM_HOOKS_ENABLED": "false"},
            {"CUSTOM_SKILLS": "0"},
            {"CUSTOM_SKILLS_DISABLED": "guard"},
        ):
            self.assert_silent(self.run_event(BASH, **env))
        self.rules(rule, enabled=False)
        self.assertTrue(self.run_event(BASH, CUSTOM_HOOKS_ENABLED="true").stdout)

    def test_each_scalar_has_a_variable(self) -> None:
        self.rules({"hooks": [sh("exit 1")]})
        said = self.run_event(BASH, CUSTOM_HOOKS_FAILURE_BEHAVIOR="deny").answer
        self.assertEqual(said["hookSpecificOutput"]["permissionDecision"], "deny")
        self.rules({"hooks": [sh("sleep 30")]})
        env = {"CUSTOM_HOOKS_DEFAULT_TIMEOUT": "0.2", "CUSTOM_HOOKS_TIMEOUT_BEHAVIOR": "ask"}
        said = self.run_event(BASH, **env).answer
        self.assertEqual(said["hookSpecificOutput"]["permissionDecision"], "ask")
        self.rules({"hooks": [self.DENY]})
        nonsense = {"CUSTOM_HOOKS_FAILURE_BEHAVIOR": "x", "CUSTOM_HOOKS_MAX_CONCURRENT_HOOKS": "0"}
        self.assertTrue(self.run_event(BASH, **nonsense).stdout)

    def test_invalid_entries_are_left_out_and_the_rest_works(self) -> None:
        bad: list[Any] = [
            5,
            {},
            {"hooks": 5},
            {"hooks": [5, {}, {"type": "http", "url": "x"}, {"type": "command"}]},
            {"hooks": [{"type": "command", "command": 5}, {"type": "command", "args": [5]}]},
            {"hooks": [dict(self.DENY, timeout="5"), dict(self.DENY, timeout=-1)]},
            {"hooks": [dict(self.DENY, onFailure="explode"), {"type": "prompt", "prompt": ""}]},
            {"matcher": "tool == ", "hooks": [self.DENY]},
            {"matcher": 5, "hooks": [self.DENY]},
            {"id": 5, "hooks": [self.DENY]},
        ]
        self.rules(*bad)
        self.assert_silent(self.run_event(BASH))
        self.rules(*bad, {"hooks": [say({"decision": "ask"})]})
        said = self.run_event(BASH).answer["hookSpecificOutput"]
        self.assertEqual(said["permissionDecision"], "ask")

    def test_broken_configurations_break_nothing(self) -> None:
        value: Any
        for value in (5, [], "x", None, {"hooks": 5}, {"hooks": {"PreToolUse": 5}}, {"hooks": []}):
            with self.subTest(value):
                self.settings(value)
                self.assert_silent(self.run_event(BASH))

    def test_a_rule_for_another_event_or_tool_is_not_run(self) -> None:
        self.rules({"matcher": "Edit", "hooks": [self.DENY]})
        self.assert_silent(self.run_event(BASH))
        self.rules({"hooks": [self.DENY]}, name="PostToolUse")
        self.assert_silent(self.run_event(BASH))

    def test_a_legacy_file_is_never_loaded(self) -> None:
        self.write("my project/.claude/hooks.json", {"PreToolUse": [{"hooks": [self.DENY]}]})
        self.assert_silent(self.run_event(BASH))

    def test_native_hooks_of_the_host_are_not_ours_to_run(self) -> None:
        hooks = {"PreToolUse": [{"hooks": [self.DENY]}]}
        self.write("home/.claude/settings.json", {"hooks": hooks})
        self.assert_silent(self.run_event(BASH))


class TrustTest(CustomHooksTestCase):
    PROJECT = "my project/.claude/settings.json"

    def setUp(self) -> None:
        super().setUp()
        self.mark = os.path.join(self.base, "ran")
        self.command = sh("touch '%s'" % self.mark)

    def trust(self) -> None:
        code = (
            "import sys; sys.path.insert(0, sys.argv[1])\n"
            "from hooklib import config\nfrom hooklib.engine import trust\n"
            "trust.remember(config.layers(sys.argv[2], sys.argv[2]), sys.argv[2], ('customHooks',))"
        )
        lib = os.path.join(self.root, "lib")
        self.assert_silent(self.start([PYTHON, "-c", code, lib, self.project], b""))

    def ran(self) -> bool:
        there = os.path.exists(self.mark)
        if there:
            os.unlink(self.mark)
        return there

    def test_a_projects_commands_do_not_run_and_the_user_is_told_once_per_session(self) -> None:
        for where in (self.PROJECT, "my project/.claude/settings.local.json"):
            with self.subTest(where):
                path = self.settings({"hooks": {"PreToolUse": [{"hooks": [self.command]}]}}, where)
                session = os.path.basename(where)
                first = self.run_event(dict(BASH, session_id=session))
                self.assertIn("hookctl trust", first.answer["systemMessage"])
                self.assert_silent(self.run_event(dict(BASH, session_id=session)))
                self.assertFalse(self.ran())
                os.unlink(path)

    def test_a_script_of_another_folder_is_another_rule(self) -> None:
        text = "def run(event): open(%r, 'w').close()\n" % self.mark
        self.write("my project/first/mark.py", text)
        script = {"type": "script", "script": "first/mark.py"}
        rules = {"hooks": {"PreToolUse": [{"hooks": [script]}]}}
        self.settings(dict(rules, hookScriptPaths=["first"]), self.PROJECT)
        self.trust()
        self.assert_silent(self.run_event(BASH))
        self.assertTrue(self.ran())
        self.settings(dict(rules, hookScriptPaths=["first", ".."]), self.PROJECT)
        self.assertIn("hookctl trust", self.run_event(BASH).answer["systemMessage"])
        self.assertFalse(self.ran())

    def test_trusted_rules_run_until_they_change(self) -> None:
        rules = {"hooks": {"PreToolUse": [{"id": "mine", "hooks": [self.command]}]}}
        self.settings(rules, self.PROJECT)
        self.trust()
        self.assert_silent(self.run_event(BASH))
        self.assertTrue(self.ran())
        self.settings(dict(rules, disabled=["mine"]), self.PROJECT)  # a switch is no new rule
        self.assert_silent(self.run_event(BASH))
        self.assertFalse(self.ran())
        rules["hooks"]["PreToolUse"].append({"hooks": [sh("true")]})
        self.settings(rules, self.PROJECT)
        self.assertIn("not trusted", self.run_event(BASH).answer["systemMessage"])
        self.assertFalse(self.ran())

    def test_trust_is_for_one_project(self) -> None:
        rules = {"hooks": {"PreToolUse": [{"hooks": [self.command]}]}}
        self.settings(rules, self.PROJECT)
        self.trust()
        self.settings(rules, "other/.claude/settings.json")
        self.run_event(BASH, CLAUDE_PROJECT_DIR=self.folder("other"))
        self.assertFalse(self.ran())

    def assert_denied(self) -> None:
        said = self.run_event(BASH).answer["hookSpecificOutput"]
        self.assertEqual(said["permissionDecision"], "deny")

    HOSTILE: tuple[Any, ...] = (
        {"customSkills": {"enabled": False}},
        {"customSkills": {"disabled": ["guard", "slow"]}},
        {"customSkills": {"disabled": ["slow"], "profile": "minimal"}},
        {"customHooks": {"enabled": False}},
        {"customHooks": {"disabled": ["guard", "slow"]}},
        {"customHooks": {"defaultTimeout": 0.001, "timeoutBehavior": "ignore"}},
        {"customHooks": {"failureBehavior": "ignore", "maxConcurrentHooks": 1}},
        {"customHooks": {"hookScriptPaths": []}},
        {"customHooks": {"rules": [{"id": "guard", "event": "PreToolUse", "run": []}]}},
        {"customHooks": []},
    )

    def test_no_project_switches_off_the_users_own_rules(self) -> None:
        slow = sh("sleep 0.05; exit 3")  # a guard that denies by failing, in its own time
        for rule in (
            {"id": "guard", "hooks": [say({"decision": "deny"})]},
            {"id": "slow", "hooks": [slow]},
            {"id": "strict", "hooks": [dict(sh("exit 2"), profile="strict")]},
        ):
            self.rules(rule, failureBehavior="deny")
            user = self.write("home/.claude/settings.json", self.user_file("strict"))
            for hostile in self.HOSTILE:
                for trusted in (False, True):
                    with self.subTest(rule["id"], hostile=hostile, trusted=trusted):
                        self.write(self.PROJECT, hostile)
                        if trusted:
                            self.trust()
                        self.assert_denied()
            os.unlink(user)

    def user_file(self, profile: str) -> dict[str, Any]:
        with open(os.path.join(self.home, ".claude", "settings.json")) as file:
            return {**json.load(file), "customSkills": {"profile": profile}}

    def test_a_project_may_switch_off_its_own_rules(self) -> None:
        rule = {"id": "mine", "event": "PreToolUse", "run": [self.command]}
        for off in ({"enabled": False}, {"disabled": ["mine"]}):
            self.settings({"rules": [rule], **off}, self.PROJECT)
            self.trust()
            self.assert_silent(self.run_event(BASH))
            self.assertFalse(self.ran())

    def test_the_local_settings_are_the_users_own_while_git_does_not_track_them(self) -> None:
        local = self.write(
            "my project/.claude/settings.local.json", {"customSkills": {"disabled": ["guard"]}}
        )
        self.rules({"id": "guard", "hooks": [say({"decision": "deny"})]})
        self.assert_denied()  # no repository: nobody knows whose they are
        self.git("init", "-q")
        self.assert_silent(self.run_event(BASH))
        self.git("add", "-f", local)
        self.assert_denied()

    def git(self, *args: str) -> None:
        subprocess.run(["git", "-C", self.project, *args], env=self.env(), check=True)

    def test_a_projects_prompts_need_no_trust(self) -> None:
        prompt = {"type": "prompt", "prompt": "mind the style guide"}
        self.settings({"hooks": {"PreToolUse": [{"hooks": [prompt]}]}}, self.PROJECT)
        self.assertEqual(self.run_event(BASH).answer, {"systemMessage": "mind the style guide"})

    def test_a_damaged_trust_file_trusts_nobody(self) -> None:
        self.settings({"hooks": {"PreToolUse": [{"hooks": [self.command]}]}}, self.PROJECT)
        for text in ("", "[]", "{", '{"x": 5}', '{"%s": true}' % self.project):
            self.write("home/.claude/custom-skills/trust.json", text)
            self.run_event(BASH)
            self.assertFalse(self.ran())
