"""hookctl knowledge init, check and reindex."""

from __future__ import annotations

import json
import os

from knowledge_case import HIDDEN, PROJECT, USER, KnowledgeToolTestCase, category, skill


class RepairTest(KnowledgeToolTestCase):
    def test_init_makes_a_layer_once(self) -> None:
        self.good("init")
        self.assertEqual(self.index()["categories"], [])
        self.assertEqual(self.index(PROJECT + "/experience")["skills"], [])
        self.write(PROJECT + "/knowledge-base/_index.json", "mine")
        self.assertEqual(self.good("init"), "already exists\n")
        self.assertEqual(self.text(PROJECT + "/knowledge-base/_index.json"), "mine")
        self.good("init", "--user")
        self.assertEqual(self.index(USER + "/knowledge-base")["totalEntries"], 0)
        self.assert_silent(self.ask("anything"))

    def test_check_names_each_drift_and_reindex_mends_it(self) -> None:
        listed = [
            category("right", 1), category("wrong", 5, "kept"), category("gone", 2, "kept"),
            category("waiting", 0, "kept"), category("twice", 1, "a"), category("twice", 1, "b"),
            category("", 1, file="nameless.md"), {"id": "fileless", "count": 1}, "odd",
        ]  # fmt: skip
        self.fill(PROJECT, listed, [skill("pdf", 3)])
        folder = os.path.join(self.base, PROJECT, "knowledge-base")
        for name in ("gone.md", "waiting.md"):
            os.unlink(os.path.join(folder, name))
        entry = "# New notes\n\n## A\n**Keywords:** x, y\n## B\n**keywords：** Y，z\n"
        self.write(PROJECT + "/knowledge-base/unlisted.md", entry)
        self.write(PROJECT + "/experience/skill-new.md", "## A\n")
        self.write(PROJECT + "/knowledge-base/README.md", "## no category\n")
        problems = json.loads(self.tool("check", "--json").stdout)["problems"]
        told = {
            (one["kind"], one["problem"], one["text"].split(" ")[0].rstrip(":")) for one in problems
        }
        self.assertEqual(
            told,
            {
                ("knowledge-base", "count", "wrong"), ("knowledge-base", "no-file", "gone"),
                ("knowledge-base", "duplicate", "twice"), ("knowledge-base", "odd", "entry"),
                ("knowledge-base", "no-entry", "unlisted.md"),
                ("knowledge-base", "no-entry", "nameless.md"),
                ("knowledge-base", "total", "totalEntries"),
                ("experience", "count", "pdf"), ("experience", "no-entry", "skill-new.md"),
            },
        )  # fmt: skip
        self.assertEqual([one["problem"] for one in problems].count("odd"), 3)
        self.assertIn(
            "skills/auto-skill/knowledge-base: wrong: the index says 5", self.bad(1, "check")
        )
        self.good("reindex")
        self.assertEqual(self.drift(), [])
        found = {entry["id"]: entry for entry in self.index()["categories"]}
        self.assertEqual(
            {id: entry["count"] for id, entry in found.items()},
            {"right": 1, "wrong": 1, "gone": 0, "waiting": 0, "twice": 1, "nameless": 1,
             "fileless": 0, "unlisted": 2},
        )  # fmt: skip
        self.assertEqual(found["gone"]["keywords"], ["kept"])
        self.assertEqual(found["twice"]["keywords"], ["a", "b"])
        want = category("unlisted", 2, "x", "y", "z", name="New notes")
        self.assertEqual(found["unlisted"], want)
        new = self.index(PROJECT + "/experience")["skills"][1]
        self.assertEqual(new, skill("new", 1))
        self.assertEqual(self.index()["totalEntries"], 6)
        self.assertEqual(
            json.loads(self.text(PROJECT + "/knowledge-base/_index.json.old"))["categories"], listed
        )
        self.assertEqual(self.good("reindex"), "nothing to repair\n")

    def test_a_broken_index_is_put_aside_and_made_again(self) -> None:
        self.fill(PROJECT, [category("a", 1)])
        self.write(PROJECT + "/knowledge-base/_index.json", "{broken")
        self.assertEqual(self.drift(), ["broken"])
        self.good("reindex")
        self.assertEqual(self.text(PROJECT + "/knowledge-base/_index.json.old"), "{broken")
        self.assertEqual(self.index()["categories"][0]["name"], "Notes")
        self.assertEqual(self.drift(), [])

    def test_odd_names_and_keywords_are_mended(self) -> None:
        self.fill(PROJECT, [category("a", 1, "x"), category("a", 1, "y")], [])
        self.write(
            PROJECT + "/knowledge-base/_index.json",
            {"categories": [category("a", keywords=["x", 5]), category("a", keywords=[7, "y"])]},
        )
        self.write(PROJECT + "/experience/skill-.md", "## A\n")
        self.good("reindex")
        self.assertEqual(self.index()["categories"][0]["keywords"], ["x", 5, "y"])
        self.assertEqual(self.index(PROJECT + "/experience")["skills"][0]["skillId"], "skill-")
        self.assertEqual(self.drift(), [])

    def test_what_leads_out_is_named_and_left(self) -> None:
        self.fill(PROJECT, [category("up", file="../x.md"), category("link")])
        path = os.path.join(self.base, PROJECT, "knowledge-base", "link.md")
        os.unlink(path)
        os.symlink("/etc/passwd", path)
        self.assertEqual(self.drift("--project"), ["outside", "total"])
        self.bad(1, "reindex")
        self.assertEqual(self.drift(), ["outside"])

    def test_the_layers_are_told_apart(self) -> None:
        self.fill(USER, [category("a", 7)])
        self.fill(PROJECT, [category("a", 1)])
        self.good("reindex", "--project")
        self.assertEqual(self.drift("--project"), [])
        self.assertEqual(self.drift("--user"), ["count", "total"])
        self.good("reindex", "--user")
        self.assertEqual(self.drift(), [])

    def test_all_folders_of_a_project_are_looked_at(self) -> None:
        self.folder("my project", ".git")
        below = "my project/packages/one"
        for root in (PROJECT, HIDDEN, below + "/skills/auto-skill"):
            self.fill(root, [category("a", 7)])
        here = {"CLAUDE_PROJECT_DIR": os.path.join(self.base, below)}
        self.assertEqual(self.bad(1, "check", **here).count("the index says 7"), 3)
        self.assertEqual(self.good("reindex", **here).count("repaired"), 3)
        self.add("a", "New", **here)
        self.assertEqual(self.index()["totalEntries"], 2)

    def test_a_folder_that_a_link_leads_to_is_looked_at_once(self) -> None:
        self.fill(PROJECT, [category("a", 7)])
        self.folder("my project", ".claude")
        os.symlink("../skills", os.path.join(self.project, ".claude", "skills"))
        self.assertEqual(self.bad(1, "check").count("the index says 7"), 1)

    def test_nothing_there_is_no_drift(self) -> None:
        self.assertEqual(self.good("check"), "indexes and files agree\n")
        self.assertEqual(self.good("reindex"), "nothing to repair\n")
        self.assertEqual(os.listdir(self.project), [])
