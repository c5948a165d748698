"""auto-skill: the files that a prompt brings up."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

from knowledge_case import PROJECT, KnowledgeTestCase, category, skill

from support import event

REMINDER = "[Auto-Skill] "


class ReminderTest(KnowledgeTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.fill(
            PROJECT,
            [
                category(
                    "deploying",
                    3,
                    "deploy",
                    "Blue Green",
                    "部署",
                    "C++",
                    "node.js",
                    "py測試",
                    "деплой",
                )
            ],
            [skill("pdf", 2, "fonts")],
        )

    def names_deploying(self, prompt: str) -> bool:
        """Whether this prompt, the first of a session, brings up the file about deploying."""
        self.sessions = getattr(self, "sessions", 0) + 1
        said = self.ask(prompt, session_id="s%d" % self.sessions).context
        self.assertTrue(not said or said.startswith(REMINDER))
        return "deploying.md" in said

    def test_whole_words_in_any_case(self) -> None:
        for prompt in (
            "deploy", "Please DEPLOY it.", "(deploy)", "re-deploy now", "請deploy這個", "deploy,s",
            "do a blue\n green one", "use C++ here", "why node.js?", "deploys? deploy!", "deploy's",
            "in C++20", "DEPLOY", "跑py測試吧", "сделай Деплой!",
        ):  # fmt: skip
            self.assertTrue(self.names_deploying(prompt), prompt)

    def test_parts_of_words_say_nothing(self) -> None:
        for prompt in (
            "", " ", "deployment", "redeploy", "deploy_all", "undeployed deploys", "bluegreen",
            "blue, green", "deployé", "éploy", "部 署", "nodeXjs", "C+", "dépløy", "/help", "abc++",
            "numpy測試", "部罪署", "deploy1", "2deploy", "деплоить",
            "x" * 30_000,
        ):  # fmt: skip
            self.assertFalse(self.names_deploying(prompt), prompt)

    def test_chinese_anywhere(self) -> None:
        for prompt in ("部署", "怎麼部署到正式環境", "請先部署。", "deployments 部署s"):
            self.assertTrue(self.names_deploying(prompt), prompt)

    def test_the_line_names_file_and_count(self) -> None:
        said = self.ask("deploy").context
        line = "- Deploying (skills/auto-skill/knowledge-base/deploying.md): 3 entries [project]"
        self.assertEqual(said.splitlines()[1:], [line])

    def test_experience_is_named_too(self) -> None:
        self.assertIn(
            "- pdf (skills/auto-skill/experience/skill-pdf.md)", self.ask("fonts").context
        )

    def test_once_per_session(self) -> None:
        self.assertTrue(self.ask("deploy").context)
        self.assert_silent(self.ask("deploy"))
        self.assertNotIn("deploying.md", self.ask("deploy with fonts").context)
        self.assertTrue(self.ask("deploy", session_id="other").context)

    def test_again_after_a_compaction_but_not_after_a_resume(self) -> None:
        self.ask("deploy")
        self.begin("resume")
        self.assert_silent(self.ask("deploy"))
        self.ask("deploy", session_id="other")
        self.begin("compact")
        self.assertTrue(self.ask("deploy").context)
        self.assert_silent(self.ask("deploy", session_id="other"))

    def test_once_even_if_many_ask_at_once(self) -> None:
        run = ["sh", os.path.join(self.root, "hooks", "run"), "UserPromptSubmit"]
        given = json.dumps(event("UserPromptSubmit", prompt="deploy")).encode()
        pipe = subprocess.PIPE
        started = [
            subprocess.Popen(run, stdin=pipe, stdout=pipe, stderr=pipe, env=self.env())
            for _ in range(20)
        ]
        answers = [process.communicate(given)[0] for process in started]
        self.assertEqual(len([answer for answer in answers if answer]), 1)

    def test_at_most_600_bytes_and_the_rest_at_the_next_prompt(self) -> None:
        self.fill(PROJECT, [category("類別%02d" % n, n, "word") for n in range(1, 21)])
        told: list[Any] = []
        for _ in range(12):
            said = self.ask("a word").context
            self.assertLessEqual(len(said.encode()), 600)
            told += said.splitlines()[1:]
        self.assertEqual(len(told), 20)
        self.assertEqual(len(set(told)), 20)
        self.assertTrue(told[0].startswith("- 類別20 ("))
        self.assert_silent(self.ask("a word"))

    def test_a_category_and_a_skill_of_one_name_are_told_apart(self) -> None:
        self.fill(PROJECT, [category("skill-pdf", 1, "word")], [skill("pdf", 1, "word")])
        self.assertEqual(len(self.ask("word").context.splitlines()), 3)

    def test_ids_of_any_kind_are_told_apart(self) -> None:
        self.fill(PROJECT, [category("a", 1, "word", id="../x"), category("b", 1, "word", id="類")])
        self.assertEqual(len(self.ask("word").context.splitlines()), 3)
        self.assert_silent(self.ask("word"))
        self.assertEqual(len(os.listdir(os.path.join(self.data, "counters"))), 2)

    def test_a_file_that_has_gone_is_not_named(self) -> None:
        os.unlink(os.path.join(self.base, PROJECT, "knowledge-base", "deploying.md"))
        self.assert_silent(self.ask("deploy"))

    def test_a_broken_index_is_not_logged_at_every_prompt(self) -> None:
        self.write(PROJECT + "/knowledge-base/_index.json", "{")
        self.assert_silent(self.ask("deploy"))
        self.assertTrue(self.ask("fonts").context)
        self.assertEqual(self.odd_log(), [])

    def test_the_script_works_by_itself(self) -> None:
        script = "auto-skill/knowledge-reminder.py"
        given = event("UserPromptSubmit", prompt="deploy")
        self.assertTrue(self.run_script(script, given).context)
        self.assert_silent(self.run_script(script, given))
