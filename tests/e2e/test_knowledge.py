"""Knowledge in the real Claude Code: what the model is told of it, and how an agent adds to it."""

from __future__ import annotations

import json
import os
import textwrap
from typing import Any

from bundle import BundleTestCase, bash, call, complaints, marketplace
from claude_lab import Run

from support import PLUGINS

INDEX, REMINDER, HISTORY = "[Auto-Skill Knowledge Base]", "[Auto-Skill] ", "<session-history>"
PLUGIN = "auto-skill-hooks@custom-skills"
SKILL = "auto-skill-hooks:auto-skill"
LINE = (
    "- Deploying (~/claude config/skills/auto-skill/knowledge-base/deploying.md,"
    " skills/auto-skill/knowledge-base/deploying.md): 5 entries (2 [user] + 3 [project])"
)


class KnowledgeTestCase(BundleTestCase):
    def setUp(self) -> None:
        # the client leaves a plugin's bin/ with a quote or a dollar in its path out of PATH
        self.lab = self.new_lab(marketplace(), prefix="lab with space ")

    def fill(self) -> None:
        """Write a category into both layers, and a skill's experience into the project's."""
        layers = (
            (os.path.join(self.lab.config, "skills", "auto-skill"), 2),
            (self.lab.path("skills", "auto-skill"), 3),
        )
        for top, count in layers:
            listed: dict[str, Any] = {"id": "deploying", "name": "Deploying", "count": count}
            listed.update(file="deploying.md", keywords=["deploy", "部署"])
            self.lab.write(top + "/knowledge-base/_index.json", {"categories": [listed]})
            text = "## Note\nkept in layer %d\n" % count
            self.lab.write(top + "/knowledge-base/deploying.md", text)
        skill = {"skillId": "pdf", "file": "skill-pdf.md", "count": 1, "keywords": []}
        self.lab.write(top + "/experience/_index.json", {"skills": [skill]})
        self.lab.write(top + "/experience/skill-pdf.md", "## Fonts\n")

    def enable(self, **plugins: bool) -> None:
        """Change `enabledPlugins` in the user's settings, as a person would by hand."""
        path = os.path.join(self.lab.config, "settings.json")
        with open(path, encoding="utf-8") as file:
            settings = json.load(file)
        for name, on in plugins.items():
            settings["enabledPlugins"][name.replace("_", "-") + "@custom-skills"] = on
        self.lab.write(path, settings)

    def hook_context(self, run: Run, event: str = "SessionStart") -> str:
        """The context that hooks gave the model on an event, byte for byte."""
        texts = run.requests[0].text.split(event + " hook additional context: ")[1:]
        self.assertLessEqual(len(texts), 1)
        return texts[0].partition("\n</system-reminder>")[0] if texts else ""

    def tree(self, top: str) -> dict[str, bytes]:
        """The files of a folder, git's own left out."""
        found = {}
        for folder, folders, names in os.walk(top):
            folders[:] = [name for name in folders if name != ".git"]
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    found[os.path.relpath(os.path.join(folder, name), top)] = file.read()
        return found


class TogetherTest(KnowledgeTestCase):
    def test_both_texts_reach_the_model_and_each_is_the_same_alone(self) -> None:
        self.fill()
        self.session(self.writes("a.txt"), "Build the purple report")
        both = self.hook_context(self.session([], "hello"))
        self.enable(ecc_hooks=False)
        knowledge = self.hook_context(self.session([], "hello"))
        self.enable(ecc_hooks=True, auto_skill_hooks=False)
        history = self.hook_context(self.session([], "hello"))
        self.assertTrue(knowledge.startswith(INDEX) and LINE in knowledge, knowledge)
        self.assertIn("- pdf (skills/auto-skill/experience/skill-pdf.md): 1 entry", knowledge)
        self.assertTrue(history.startswith(HISTORY) and "purple report" in history, history)
        # the client joins them in the order in which the hooks ended
        self.assertIn(both, (knowledge + "\n" + history, history + "\n" + knowledge))
        self.enable(auto_skill_hooks=True)
        self.assertEqual(len(self.hook_context(self.session([], "hello"))), len(both))

    def test_not_twice_on_resume_and_again_after_a_compaction(self) -> None:
        self.fill()
        session = self.session([], "hello").session_id
        self.assertEqual(self.session([], "more", session).counts(INDEX), [1])  # in its history
        summary = ["<summary>They said hello.</summary>"]
        self.lab.run(summary, "/compact", session, CUSTOM_SKILLS="0")
        self.assertEqual(self.session([], "more", session).counts(INDEX), [0])
        self.lab.run(summary, "/compact", session)
        self.assertEqual(self.session([], "more", session).counts(INDEX), [1])


class ReminderTest(KnowledgeTestCase):
    def test_at_the_prompt_that_names_a_keyword_once_per_session(self) -> None:
        self.fill()
        self.assertFalse(self.session([], "a deployment").sent(REMINDER))
        first = self.session([], "請幫我部署這個專案")
        self.assertEqual(self.hook_context(first, "UserPromptSubmit").splitlines()[1:], [LINE])
        again = self.session(self.writes("a.txt"), "deploy it", first.session_id)
        self.assertEqual(again.counts(REMINDER), [1, 1])  # the one in its history
        self.assertTrue(self.session([], "deploy it").sent(REMINDER))

    def test_the_paths_can_be_read_as_they_are(self) -> None:
        self.fill()
        paths = LINE.partition("(")[2].partition(")")[0].split(", ")
        run = self.session([call("Read", file_path=path) for path in paths])
        self.assertIn("kept in layer 2", run.requests[1].newest)
        self.assertIn("kept in layer 3", run.requests[2].newest)


class SkillTest(KnowledgeTestCase):
    def example(self) -> str:
        """The call of `hookctl knowledge add` in SKILL.md, as it stands there."""
        path = os.path.join(PLUGINS, "auto-skill-hooks", "skills", "auto-skill", "SKILL.md")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        start, end = text.index("       hookctl knowledge add"), text.index("       END\n")
        return textwrap.dedent(text[start:end] + "       END\n")

    def test_it_is_offered_and_opens_without_a_question(self) -> None:
        run = self.lab.run([call("Skill", skill=SKILL), "bye"], mode="default")
        self.assertEqual((run.code, run.unused, run.failed_calls), (0, [], []))
        self.assertIn("\n- %s: " % SKILL, run.requests[0].text)
        for part in ("Ask the user first", "hookctl knowledge add", "on which layer"):
            self.assertIn(part, run.requests[1].newest)
        self.assertEqual(complaints(run.debug), [])

    def test_its_example_records_what_the_next_session_is_told(self) -> None:
        command = self.example()
        run = self.session([bash(command), bash("hookctl knowledge search wheels pip")])
        self.assertIn("now 1 entry [user]", run.requests[1].newest)
        self.assertIn("Wheels without a compiler [user]", run.requests[2].newest)
        told = self.hook_context(self.session([], "hello"))
        line = "(~/claude config/skills/auto-skill/knowledge-base/python-packaging.md): 1 entry"
        self.assertIn(line + " [user] | keywords: wheel, pip, 打包", told)
        self.assertTrue(self.session([], "why does pip fail?").sent(REMINDER))
        self.assertEqual(list(self.tree(self.lab.path("skills"))), [])

    def test_the_project_layer_from_below_its_top(self) -> None:
        script = [
            bash("mkdir -p deep/er && cd deep/er && hookctl knowledge add --project"
                 " --experience pdf --title Fonts --body 'Embed them.'"),
        ]  # fmt: skip
        self.session(script)
        self.assertIn("## Fonts\n", self.lab.read("skills", "auto-skill/experience/skill-pdf.md"))
        self.assertIn("- pdf (skills/", self.hook_context(self.session([], "hello")))

    def test_the_slash_command(self) -> None:
        self.fill()
        run = self.session([], "/auto-skill-hooks:knowledge")
        self.assertIn("5 entries (2 [user] + 3 [project])", run.requests[0].newest)
        run = self.session([], "/auto-skill-hooks:knowledge search kept layer")
        self.assertIn("Note [project]  skills/auto-skill", run.requests[0].newest)


class NoTraceTest(KnowledgeTestCase):
    def test_disabled_and_uninstalled(self) -> None:
        self.fill()
        self.enable(ecc_hooks=False)  # it has files of its own in the project
        project, mine = self.tree(self.lab.project), os.path.join(self.lab.config, "skills")
        notes = self.tree(mine)
        self.assertTrue(self.session([], "deploy").sent(INDEX))
        self.enable(auto_skill_hooks=False)
        self.assert_unheard()
        self.lab.cli("plugin", "uninstall", PLUGIN)
        self.assert_unheard()
        self.assertEqual(self.tree(self.lab.project), project)
        self.assertEqual(self.tree(mine), notes)
        left = os.listdir(os.path.join(self.lab.config, "plugins", "data"))
        self.assertNotIn("auto-skill-hooks-custom-skills", left)
        with open(os.path.join(self.lab.config, "settings.json"), encoding="utf-8") as file:
            self.assertNotIn("auto-skill", file.read())

    def assert_unheard(self) -> None:
        run = self.session([], "deploy")
        self.assertEqual(self.hook_context(run) + self.hook_context(run, "UserPromptSubmit"), "")
        self.assertFalse(run.sent("auto-skill"))  # nor is the skill offered
