"""auto-skill: the folders that hold knowledge, and how they are merged."""

from __future__ import annotations

import os

from knowledge_case import HIDDEN, PROJECT, USER, KnowledgeTestCase, category, skill


class LayerTest(KnowledgeTestCase):
    def test_layers_are_merged_by_id(self) -> None:
        self.fill(USER, [category("git", 2, "rebase", "Merge"), category("own")], [skill("pdf", 4)])
        self.fill(PROJECT, [category("git", 3, "merge", "hooks", name="Other")], [skill("pdf", 1)])
        _, git, own, _, pdf = self.lines()
        paths = "~/.claude/skills/auto-skill/%s, skills/auto-skill/%s"
        file = "knowledge-base/git.md"
        told = "- Git (%s): 5 entries (2 [user] + 3 [project]) | keywords: rebase, Merge, hooks"
        self.assertEqual(git, told % (paths % (file, file)))
        self.assertTrue(own.endswith(": 1 entry [user]"))
        self.assertIn("5 entries (4 [user] + 1 [project])", pdf)

    def test_both_project_folders_count(self) -> None:
        self.fill(PROJECT, [category("a", 2)])
        self.fill(HIDDEN, [category("a", 1), category("b", 1)])
        _, a, b = self.lines()
        self.assertIn(": 3 entries [project]", a)
        self.assertIn("(.claude/skills/auto-skill/knowledge-base/b.md)", b)

    def test_a_link_to_the_other_folder_does_not_count_twice(self) -> None:
        self.fill(PROJECT, [category("a", 2)])
        self.folder("my project", ".claude")
        os.symlink("../skills", os.path.join(self.project, ".claude", "skills"))
        self.assertIn(": 2 entries [project]", self.lines()[1])

    def test_below_the_top_of_the_repository_paths_are_whole(self) -> None:
        self.folder("my project", ".git")
        below = self.folder("my project", "packages", "one")
        self.fill(PROJECT, [category("a", 2)])
        self.fill("my project/packages/one/skills/auto-skill", [category("b", 1)])
        _, a, b = self.lines(CLAUDE_PROJECT_DIR=below)
        self.assertIn("(%s/skills/auto-skill/knowledge-base/a.md)" % self.project, a)
        self.assertIn("(%s/skills/auto-skill/knowledge-base/b.md)" % below, b)

    def test_the_configuration_folder_can_be_elsewhere(self) -> None:
        self.fill("config/skills/auto-skill", [category("a")])
        (_, line) = self.lines(CLAUDE_CONFIG_DIR=os.path.join(self.base, "config"))
        self.assertIn("(%s/config/skills/auto-skill/knowledge-base/a.md)" % self.base, line)

    def test_a_project_whose_name_would_break_a_line_is_no_error(self) -> None:
        self.fill("my\tproject\n/skills/auto-skill", [category("a", 1, "word")])
        self.project = os.path.join(self.base, "my\tproject\n")
        self.assert_silent(self.begin())
        self.assert_silent(self.ask("a word"))
        self.fill(USER, [category("mine", 1, "word")])
        self.assertEqual(len(self.lines()), 2)
        self.assertTrue(self.ask("a word").context)
        self.assertEqual(self.odd_log(), [])

    def test_a_file_where_a_folder_should_be_is_no_knowledge(self) -> None:
        self.write("my project/skills", "a plain file")
        self.assert_silent(self.begin())
        self.assertEqual(self.odd_log(), [])
