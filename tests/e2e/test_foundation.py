"""The bundle's foundation in the real Claude Code: what the model is told, and when it is not."""

from __future__ import annotations

import json
import os
import shlex
import subprocess

from bundle import (
    BundleTestCase,
    bash,
    call,
    complaints,
    copy_working_tree,
    hook_lines,
    marketplace,
    plugins,
)
from lab import commit
from tui import Tui

from support import PYTHON

ADVICE = "[strategic-compact]"
INDEX = "[Auto-Skill Knowledge Base]"


class CompactAdviceTest(BundleTestCase):
    def test_the_model_is_told_at_the_fiftieth_edit_once(self) -> None:
        path = self.lab.path("a.txt")
        script = [call("Write", file_path=path, content="edit 1")]
        for number in range(1, 51):
            old, new = "edit %d" % number, "edit %d" % (number + 1)
            script.append(call("Edit", file_path=path, old_string=old, new_string=new))
        run = self.session(script, CUSTOM_SKILLS_DISABLED="remind-to-save")
        self.assertEqual(self.lab.read("a.txt"), "edit 51")
        # request 50 brings the result of the 50th call; 51 is the last and keeps it in the history
        self.assertEqual(run.counts(ADVICE), [0] * 50 + [1, 1])
        self.assertIn(ADVICE + " 50 edits", run.requests[50].newest)

    def test_a_subagents_edits_do_not_count(self) -> None:
        agent = call(
            "Agent",
            description="three files",
            prompt="SUBTASK: write them",
            subagent_type="general-purpose",
            run_in_background=False,
        )
        work = {"match": "SUBTASK", "blocks": self.writes("s1", "s2", "s3")}
        end = {"match": self.lab.path("s3"), "blocks": "SUBTASK ended"}
        run = self.session([agent, work, end, *self.writes("m1", "m2")], COMPACT_THRESHOLD="2")
        self.assertTrue(all(map(self.lab.read, ("s1", "s2", "s3"))))
        self.assertEqual(run.counts(ADVICE), [0, 0, 0, 0, 0, 1])
        self.assertIn(ADVICE + " 2 edits", run.requests[5].newest)

    def test_a_resumed_session_counts_on(self) -> None:
        first = self.session(self.writes("a", "b"), COMPACT_THRESHOLD="3")
        run = self.session(self.writes("c"), "more", first.session_id, COMPACT_THRESHOLD="3")
        self.assertEqual(run.counts(ADVICE), [0, 1])

    def test_a_compaction_starts_the_count_anew(self) -> None:
        session = self.session(self.writes("a", "b"), COMPACT_THRESHOLD="3").session_id
        compaction = self.lab.run(["<summary>Two files.</summary>"], "/compact", session)
        self.assertIn("compact_boundary", [event.get("subtype") for event in compaction.events])
        run = self.session(self.writes("c", "d", "e"), "more", session, COMPACT_THRESHOLD="3")
        self.assertEqual(run.counts(ADVICE), [0, 0, 0, 1])


class SwitchTest(BundleTestCase):
    def speaks(self, **env: str) -> bool:
        """Make two edits with a threshold of two, in a new session."""
        self.files = getattr(self, "files", 0) + 2
        script = self.writes("f%d" % self.files, "f%d" % (self.files + 1))
        return self.session(script, COMPACT_THRESHOLD="2", **env).sent(ADVICE)

    def test_claude_plugin_disable(self) -> None:
        self.assertTrue(self.speaks())
        self.lab.cli("plugin", "disable", "ecc-hooks@custom-skills")
        self.assertFalse(self.speaks())
        self.lab.cli("plugin", "enable", "ecc-hooks@custom-skills")
        self.assertTrue(self.speaks())

    def test_environment_variables(self) -> None:
        self.assertFalse(self.speaks(CUSTOM_SKILLS_DISABLED="suggest-compact"))
        self.assertFalse(self.speaks(CUSTOM_SKILLS="0"))
        self.assertTrue(self.speaks(CUSTOM_SKILLS_DISABLED="something-else"))

    def test_a_settings_key_written_in_the_middle_of_a_session(self) -> None:
        switch = json.dumps({"customSkills": {"disabled": ["suggest-compact"]}})
        path = self.lab.path(".claude", "settings.local.json")
        for content, told in (("{}", 1), (switch, 0)):
            write = bash(
                "mkdir -p .claude; echo %s > .claude/settings.local.json" % shlex.quote(content)
            )
            first, second = self.writes("a%d" % told, "b%d" % told)
            run = self.session([first, write, second], COMPACT_THRESHOLD="2")
            self.assertEqual(run.counts(ADVICE), [0, 0, 0, told])
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read().strip(), content)


class RemovedUnderneathTest(BundleTestCase):
    fine = (*BundleTestCase.fine, "interpreter ended with 1")

    def test_edits_go_on_whatever_part_of_the_plugin_is_gone(self) -> None:
        root = self.lab.cached("ecc-hooks")
        script = self.writes("0")
        for number, part in enumerate(("lib/hooklib", "lib", "hooks/run", "hooks", "."), 1):
            script.append(bash("rm -rf " + shlex.quote(os.path.normpath(os.path.join(root, part)))))
            script += self.writes(str(number))
        run = self.session(script, COMPACT_THRESHOLD="1")  # which also checks each call's result
        self.assertFalse(os.path.exists(root))
        self.assertTrue(all(map(self.lab.read, "012345")))
        self.assertIn(ADVICE, run.requests[1].newest)  # it did run at first
        for request in run.requests[2:]:
            self.assertNotRegex(request.newest.lower(), "hook|block|plugin directory")


class ValidTest(BundleTestCase):
    def test_validate_strict(self) -> None:
        folders = [os.path.join(marketplace(), "plugins", name) for name in plugins()]
        for folder in (marketplace(), *folders):
            done = self.lab.cli("plugin", "validate", "--strict", folder, check=False)
            self.assertEqual(done.returncode, 0, done.stdout)

    def test_the_client_has_no_complaint_about_us(self) -> None:
        run = self.session(self.writes("a", "b"), COMPACT_THRESHOLD="2")
        for name in plugins():
            self.assertIn("Loading hooks from plugin: " + name, run.debug)
        self.assertTrue(run.sent(ADVICE))
        self.assertEqual(complaints(run.debug), [])

    def test_a_complaint_would_be_noticed(self) -> None:
        broken = self.lab.folder("broken marketplace")
        copy_working_tree(broken)
        path = os.path.join(broken, "plugins", "ecc-hooks", "hooks", "hooks.json")
        with open(path, encoding="utf-8") as file:
            hooks = json.load(file)
        hooks["hooks"]["PreToolUse"][0]["description"] = "not for the host"
        self.lab.write(path, hooks)
        commit(broken)
        self.lab = self.new_lab(broken)
        self.assertNotEqual(complaints(self.session([]).debug), [])


class KnowledgeIndexTest(BundleTestCase):
    def test_the_index_is_in_the_first_request(self) -> None:
        folder = self.lab.path("skills", "auto-skill", "knowledge-base")
        self.lab.write(os.path.join(folder, "deploying.md"), "# How to deploy\n")
        category = {"id": "deploying", "name": "Deploying", "file": "deploying.md", "count": 3}
        self.lab.write(os.path.join(folder, "_index.json"), {"categories": [category]})
        run = self.session([])
        self.assertEqual(run.counts(INDEX), [1])
        line = "- Deploying (skills/auto-skill/knowledge-base/deploying.md): 3 entries [project]"
        self.assertIn(line, run.requests[0].text)

    def test_no_index_no_word(self) -> None:
        self.assertFalse(self.session([]).sent(INDEX))


class InstallScriptTest(BundleTestCase):
    def setUp(self) -> None:
        self.lab = self.new_lab()

    def test_install_switches_on_and_remove_switches_off(self) -> None:
        install = [PYTHON, os.path.join(marketplace(), "tools", "install.py")]
        self.lab.call(install)
        run = self.session(self.writes("a", "b"), COMPACT_THRESHOLD="2")
        self.assertEqual(run.counts(ADVICE), [0, 0, 1])
        self.assertEqual(complaints(run.debug), [])
        self.lab.call([*install, "--remove"])
        self.assertFalse(self.session(self.writes("c", "d"), COMPACT_THRESHOLD="2").sent(ADVICE))
        # a directory marketplace runs in place: nothing of ours writes there
        status = ["git", "status", "--porcelain", "--ignored"]
        done = subprocess.run(status, cwd=marketplace(), capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "")


class ScreenTest(BundleTestCase):
    def screen(self, *names: str) -> str:
        """Return what a person sees after edits with a threshold of two."""
        with Tui(self.lab, [*self.writes(*names), "That is all."], COMPACT_THRESHOLD="2") as tui:
            tui.type("write them")
            tui.wait("That is all.")
            screen = tui.wait(" · done ")
            self.told = [ADVICE in request.text for request in tui.model.requests]
        self.assertTrue(all(name in screen and self.lab.read(name) for name in names))
        return screen

    def test_no_hook_shows_below_the_threshold(self) -> None:
        self.assertEqual(hook_lines(self.screen("first.txt")), [])
        self.assertNotIn(True, self.told)

    def test_no_hook_shows_at_the_threshold(self) -> None:
        self.assertEqual(hook_lines(self.screen("first.txt", "second.txt")), [])
        self.assertIn(True, self.told)

    def test_a_failing_and_a_speaking_hook_would_show(self) -> None:
        hooks = {
            "PreToolUse": "echo oops >&2; exit 1",
            "PostToolUse": """echo '{"systemMessage": "well done"}'""",
        }
        groups = {
            event: [{"hooks": [{"type": "command", "command": command, "timeout": 5}]}]
            for event, command in hooks.items()
        }
        self.lab.write(self.lab.path(".claude", "settings.json"), {"hooks": groups})
        shown = "\n".join(hook_lines(self.screen("first.txt")))
        self.assertIn("PreToolUse:Write hook failed", shown)
        self.assertIn("well done", shown)
