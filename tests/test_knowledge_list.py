"""hookctl knowledge list and search."""

from __future__ import annotations

import json

from knowledge_case import PROJECT, USER, KnowledgeToolTestCase, category, skill


class ListTest(KnowledgeToolTestCase):
    def test_list(self) -> None:
        self.assertIn("no knowledge yet", self.good("list"))
        self.assertEqual(self.good(), self.good("list"))
        self.fill(USER, [category("a", 2, "x")])
        self.fill(
            PROJECT,
            [category("a", 3, "y"), category("b\x1b[31m", 1, file="b.md")],
            [skill("pdf", 1)],
        )
        said = self.good("list")
        self.assertIn("5 entries (2 [user] + 3 [project])", said)
        self.assertNotIn("\x1b", said)
        data = json.loads(self.good("list", "--json"))
        self.assertEqual([one["id"] for one in data], ["a", "b", "pdf"])
        self.assertEqual((data[0]["entries"], data[0]["keywords"]), (5, ["x", "y"]))
        self.assertEqual(len(data[0]["files"]), 2)
        self.write(PROJECT + "/experience/_index.json", "{")
        self.assertIn("not JSON", self.good("list"))

    def test_search(self) -> None:
        self.add("deploy", "Blue green", "--body", "Switch the router.", "--keyword", "release")
        self.add("deploy", "Rollback", "--body", "After blue, switch back: password=hunter2horse")
        self.add("other", "Nothing", "--body", "of that kind")
        titles = [
            hit["title"] for hit in json.loads(self.good("search", "--json", "BLUE", "switch"))
        ]
        self.assertEqual(titles, ["Blue green", "Rollback"])
        said = self.good("search", "release")
        self.assertIn("Blue green [project]  skills/auto-skill/knowledge-base/deploy.md:3", said)
        self.assertIn("Rollback", said)  # the category's keyword
        self.assertEqual(self.good("search", "zebra"), "nothing found\n")
        self.write(USER + "/knowledge-base/_index.json", "{")
        self.assertIn("not JSON", self.good("search", "release"))
        self.assertNotIn("hunter2", self.good("search", "--json", "rollback"))
