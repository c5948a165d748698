"""auto-skill: the index that a session begins with."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from typing import Any

from knowledge_case import BASE, PROJECT, SKILLS, USER, KnowledgeTestCase, category, skill

from support import event


class IndexTest(KnowledgeTestCase):
    def test_a_line_per_category_and_skill(self) -> None:
        self.fill(PROJECT, [category("deploying", 3, "deploy", "發布")], [skill("pdf", 1)])
        head, line, second, other = self.lines()
        self.assertTrue(head.startswith(BASE))
        where = "skills/auto-skill/knowledge-base/deploying.md"
        self.assertEqual(
            line, "- Deploying (%s): 3 entries [project] | keywords: deploy, 發布" % where
        )
        self.assertTrue(second.startswith(SKILLS))
        self.assertEqual(
            other, "- pdf (skills/auto-skill/experience/skill-pdf.md): 1 entry [project]"
        )
        self.assertEqual(self.odd_log(), [])

    def test_nothing_to_show_nothing_printed(self) -> None:
        self.assert_silent(self.begin())
        self.fill(PROJECT, [], [])
        self.assert_silent(self.begin())
        self.fill(PROJECT, [category("a", 0)], [skill("b", 0)])
        self.assert_silent(self.begin())
        self.assertEqual(self.odd_log(), [])
        self.assertEqual(os.listdir(self.home), [])

    def test_most_used_first_and_stable(self) -> None:
        listed = [category("b", 2), category("z", 9), category("a", 2), category("c", 5)]
        self.fill(PROJECT, listed)
        first = self.begin().context
        self.assertEqual([line[2] for line in first.splitlines()[1:]], ["Z", "C", "A", "B"])
        self.fill(PROJECT, listed[::-1])
        self.assertEqual(self.begin().context, first)

    def test_the_budget_holds_and_the_rest_is_counted(self) -> None:
        self.fill(
            PROJECT,
            [category("類別%d" % n, n, "關鍵字%d" % n) for n in range(1, 301)],
            [skill("skill%d" % n, n) for n in range(1, 201)],
        )
        said = self.begin().context
        self.assertLessEqual(len(said.encode()), 6_000)
        self.assertGreater(len(said.encode()), 5_500)
        base, skills = said.split(SKILLS)
        for block, total, first in ((base, 300, "類別300"), (skills, 200, "skill200")):
            lines = block.splitlines()
            self.assertTrue(lines[1].startswith("- %s (" % first), lines[1])
            shown = [line for line in lines if "[project]" in line]
            self.assertIn("- and %d more: `hookctl knowledge list`" % (total - len(shown)), lines)
            self.assertGreater(len(shown), 10)

    def test_many_skills_alone_may_use_the_whole_budget(self) -> None:
        self.fill(PROJECT, None, [skill("skill%d" % n, n) for n in range(1, 201)])
        said = self.begin().context
        self.assertGreater(len(said.encode()), 5_500)
        self.assertLessEqual(len(said.encode()), 6_000)
        self.assertNotIn(BASE, said)

    def test_broken_indexes_are_skipped_and_logged_once(self) -> None:
        self.fill(USER, [category("mine")])
        path = PROJECT + "/knowledge-base/_index.json"
        for text in (
            "", "{", "[]", "null", "7", '{"categories": {}}', '{"categories": "x"}', "{}",
            '{"categories": [', "\x00", '{"a":' * 20000, '{"categories": [%s]}x' % ("9" * 5000),
        ):  # fmt: skip
            with self.subTest(text[:20]):
                self.data = self.folder("data", str(hash(text)))
                self.write(path, text)
                self.assertEqual([line[:6] for line in self.lines()[1:]], ["- Mine"])
                (line,) = self.odd_log()
                self.assertEqual(
                    (line["hook"], line["kind"]), ("knowledge-index", "knowledge-base")
                )
                self.assertTrue(line["outcome"].startswith("project index: "), line)

    def test_a_bad_encoding_a_directory_a_pipe_and_a_loop_are_skipped(self) -> None:
        self.fill(USER, [category("mine")])
        folder = self.folder("my project", "skills", "auto-skill", "knowledge-base")
        path = os.path.join(folder, "_index.json")

        def encoding() -> None:
            with open(path, "wb") as file:
                file.write(b'{"categories": [{"id": "\xff"}]}')

        makers: dict[str, Callable[[], object]] = {
            "encoding": encoding,
            "directory": lambda: os.mkdir(path),
            "pipe": lambda: os.mkfifo(path),
            "device": lambda: os.symlink("/dev/zero", path),
            "loop": lambda: os.symlink("_index.json", path),
        }
        for name, make in makers.items():
            with self.subTest(name):
                self.data = self.folder("data", name)
                make()
                self.assertEqual([line[:6] for line in self.lines()[1:]], ["- Mine"])
                self.assertEqual(len(self.odd_log()), 1)
                (os.rmdir if name == "directory" else os.unlink)(path)

    def test_no_permission(self) -> None:
        run = ["sh", os.path.join(self.root, "hooks", "run"), "SessionStart"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:  # who may read everything
            if not shutil.which("setpriv"):
                self.skipTest("root without setpriv")
            run = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", *run]
        self.fill(USER, [category("mine")])
        self.fill(PROJECT, [category("theirs")])
        for path in ("knowledge-base/_index.json", "knowledge-base", ""):
            with self.subTest(path):
                self.data = self.folder("data", path.replace("/", " "))
                closed = os.path.join(self.base, PROJECT, path)
                mode = os.stat(closed).st_mode
                os.chmod(closed, 0)
                said = self.start(run, event("SessionStart", source="startup")).context
                os.chmod(closed, mode)
                self.assertEqual([line[:6] for line in said.splitlines()[1:]], ["- Mine"])
                told = [(line["kind"], line["outcome"]) for line in self.odd_log()]
                want = "project index: cannot be read: Permission denied"
                self.assertEqual(set(told), {(kind, want) for kind, _ in told})
                self.assertEqual(len(told), len({kind for kind, _ in told}))
                self.assertIn("knowledge-base", dict(told))

    def test_not_on_resume_nor_fork_but_after_a_compaction(self) -> None:
        self.fill(PROJECT, [category("a")])
        first = self.begin().context
        for source in ("resume", "fork", ""):
            self.assert_silent(self.begin(source))
        for source in ("compact", "clear", "startup"):
            self.assertEqual(self.begin(source).context, first)
        script = "auto-skill/knowledge-index.py"
        self.assertEqual(
            self.run_script(script, event("SessionStart", source="startup")).context, first
        )
        self.assert_silent(self.run_script(script, event("SessionStart", source="resume")))

    def test_switched_off(self) -> None:
        self.fill(PROJECT, [category("a", 1, "word")])
        for env in (
            {"CUSTOM_SKILLS": "0"},
            {"CUSTOM_SKILLS_DISABLED": "knowledge-index"},
            {"CUSTOM_SKILLS_PROFILE": "minimal"},
        ):
            self.assert_silent(self.begin(**env))
        self.write(
            "my project/.claude/settings.json",
            {"customSkills": {"disabled": ["knowledge-index", "knowledge-reminder"]}},
        )
        self.assert_silent(self.begin())
        self.assert_silent(self.ask("a word"))

    def test_garbage(self) -> None:
        for given in ("not json", "[]", b"\xff\xfe", ""):
            for name in ("SessionStart", "UserPromptSubmit"):
                run = ["sh", os.path.join(self.root, "hooks", "run"), name]
                self.assert_silent(self.start(run, given))
        self.fill(PROJECT, [category("a", 1, "word")])
        for odd in (None, 5, ["word"], {"a": "word"}, ""):
            self.assert_silent(self.ask(odd))

    def test_it_writes_nothing_beside_its_own_data(self) -> None:
        self.fill(PROJECT, [category("a", 1, "word")])
        before = self.tree(self.project)
        self.begin()
        self.ask("a word")
        self.assertEqual(self.tree(self.project), before)
        self.assertEqual(os.listdir(self.home), [])

    def tree(self, top: str) -> dict[str, Any]:
        found = {}
        for folder, _, names in os.walk(top):
            for name in names:
                path = os.path.join(folder, name)
                found[path] = os.stat(path).st_mtime_ns
        return found
