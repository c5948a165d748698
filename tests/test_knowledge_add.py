"""hookctl knowledge add."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from typing import Any

from knowledge_case import HIDDEN, PROJECT, USER, KnowledgeToolTestCase, category, skill


class AddTest(KnowledgeToolTestCase):
    def test_an_entry_with_title_date_keywords_and_body(self) -> None:
        self.add(
            "deploy", "Blue green", "--keyword", "release", "--keyword", "部署", "--body", "Do so."
        )
        text = self.text(PROJECT + "/knowledge-base/deploy.md")
        self.assertRegex(
            text,
            r"\A# deploy\n\n## Blue green\n\*\*Date:\*\* \d{4}-\d\d-\d\d\n"
            r"\*\*Keywords:\*\* release, 部署\n\nDo so\.\n\Z",
        )
        index = self.index()
        (found,) = index["categories"]
        self.assertEqual(found, category("deploy", 1, "release", "部署", name="deploy"))
        self.assertEqual(index["totalEntries"], 1)
        self.assertRegex(index["lastUpdated"], r"\A\d{4}-\d\d-\d\d\Z")
        self.assertTrue(self.lines()[1].startswith("- deploy ("))
        self.assertEqual(self.drift(), [])

    def test_experience_and_the_users_layer(self) -> None:
        self.good(
            "add", "--experience", "pdf", "--title", "Fonts", "--user", "--body", "-", given="*x*\n"
        )
        text = self.text(USER + "/experience/skill-pdf.md")
        self.assertIn("## Fonts\n**Date:** ", text)
        self.assertIn("\n**Skill:** pdf\n\n*x*\n", text)
        (found,) = self.index(USER + "/experience")["skills"]
        self.assertEqual(found, skill("pdf", 1))
        self.assertFalse(os.path.exists(os.path.join(self.base, PROJECT)))
        path = os.path.join(self.base, USER, "experience")
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o700)
        self.assertEqual(stat.S_IMODE(os.stat(path + "/skill-pdf.md").st_mode), 0o600)
        self.assertIn("pdf", self.begin().context)

    def test_what_a_person_wrote_stays(self) -> None:
        own = "# My own\n\nIntro\n## First\n\n  odd   spacing\t\n```\n## not one\n```\nend"
        own = own.replace("\n", "\r\n")
        path = PROJECT + "/knowledge-base/deploy.md"
        with open(self.write(path, ""), "w", encoding="utf-8", newline="") as file:
            file.write(own)
        index: dict[str, Any] = {
            "version": "7", "lastUpdated": "x", "extra": {"a": [1]},
            "categories": [{"note": "mine", **category("deploy", 9, "Release"), "z": None}, "odd"],
        }  # fmt: skip
        self.write(PROJECT + "/knowledge-base/_index.json", json.dumps(index, indent=4))
        self.add("deploy", "Second", "--keyword", "release", "--keyword", "new")
        text = self.text(path)
        self.assertTrue(text.startswith(own + "\r\n\r\n## Second\r\n"))
        now = self.index()
        self.assertEqual((now["version"], now["extra"]), ("7", {"a": [1]}))
        self.assertEqual(now["categories"][1], "odd")
        want = {**index["categories"][0], "count": 2, "keywords": ["Release", "new"]}
        self.assertEqual(now["categories"][0], want)
        self.assertEqual(list(now["categories"][0]), list(want))
        self.assertIn('\n    "version"', self.text(PROJECT + "/knowledge-base/_index.json"))

    def test_modes_and_links_stay(self) -> None:
        self.add("a", "One")
        folder = os.path.join(self.base, PROJECT, "knowledge-base")
        index = os.path.join(folder, "_index.json")
        os.chmod(index, 0o640)
        os.rename(os.path.join(folder, "a.md"), os.path.join(folder, "real.md"))
        os.symlink("real.md", os.path.join(folder, "a.md"))
        self.add("a", "Two")
        self.assertTrue(os.path.islink(os.path.join(folder, "a.md")))
        self.assertIn("## Two", self.text(folder + "/real.md"))
        self.assertEqual(stat.S_IMODE(os.stat(index).st_mode), 0o640)

    def test_headings_in_a_body_are_no_entries(self) -> None:
        self.add(
            "a", "One", "--body", "# Top\n## Two\n### Three\n```\n## code\n```\n~~~md\n# x\n~~~"
        )
        text = self.text(PROJECT + "/knowledge-base/a.md")
        self.assertIn("\n### Top\n### Two\n### Three\n```\n## code\n```\n~~~md\n# x\n~~~\n", text)
        self.assertEqual(self.index()["categories"][0]["count"], 1)
        self.assertEqual(self.drift(), [])

    def test_a_body_is_text(self) -> None:
        given = "\x1b[31mred\x1b[0m  \rtwo\r\n\tthree\x00\n\n```\ncode  \n```\n"
        self.good("add", "--category", "a", "--title", "T", "--body", "-", given=given)
        text = self.text(PROJECT + "/knowledge-base/a.md")
        self.assertTrue(text.endswith("\n\nred  \ntwo\n\tthree\n\n```\ncode  \n```\n"), text)

    def test_keywords_may_be_listed(self) -> None:
        self.add("a", "T", "--keyword", "x, y，z、x", "--keyword", "Y")
        self.assertEqual(self.index()["categories"][0]["keywords"], ["x", "y", "z"])

    def test_a_file_that_is_not_utf_8_is_left_alone(self) -> None:
        self.fill(PROJECT, [category("a")])
        path = os.path.join(self.base, PROJECT, "knowledge-base", "a.md")
        for content in ("## 部署\n".encode("big5"), "## One\n".encode("utf-16")):
            with open(path, "wb") as file:
                file.write(content)
            self.assertIn("not UTF-8", self.bad(1, "add", "--category", "a", "--title", "T"))
            with open(path, "rb") as file:
                self.assertEqual(file.read(), content)

    def test_secrets_are_not_written(self) -> None:
        token = "ghp_" + "a1B2" * 9
        self.add(
            "a",
            "T " + token,
            "--keyword",
            token,
            "--body",
            "export TOKEN=" + token,
            "--name",
            token,
        )
        for file in ("a.md", "_index.json"):
            self.assertNotIn("a1B2", self.text(PROJECT + "/knowledge-base/" + file))

    def test_20_at_once_lose_nothing(self) -> None:
        command = ["sh", os.path.join(self.root, "bin", "hookctl"), "knowledge", "add"]
        started = [
            subprocess.Popen(
                [
                    *command,
                    "--category",
                    "c%d" % (n % 3),
                    "--title",
                    "T%d" % n,
                    "--keyword",
                    "k%d" % n,
                ],
                env=self.env(),
                cwd=self.project,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            for n in range(20)
        ]
        for process in started:
            self.assertEqual((process.communicate()[0][:8], process.returncode), (b"recorded", 0))
        index = self.index()
        self.assertEqual(index["totalEntries"], 20)
        self.assertEqual(sum(len(entry["keywords"]) for entry in index["categories"]), 20)
        self.assertEqual(self.drift(), [])
        names = sorted(os.listdir(os.path.join(self.base, PROJECT)))
        self.assertEqual(names, ["knowledge-base"])
        names = sorted(os.listdir(os.path.join(self.base, PROJECT, "knowledge-base")))
        self.assertEqual(names, ["_index.json", "c0.md", "c1.md", "c2.md"])

    def test_an_existing_hidden_layer_is_used(self) -> None:
        self.fill(HIDDEN, [category("a")])
        self.add("a", "Two")
        self.assertFalse(os.path.exists(os.path.join(self.base, PROJECT)))
        self.assertEqual(self.index(HIDDEN + "/knowledge-base")["categories"][0]["count"], 2)

    def test_json(self) -> None:
        done = json.loads(self.add("a", "One", "--json"))
        path = os.path.join(self.base, PROJECT, "knowledge-base", "a.md")
        want = {
            "id": "a", "file": path, "entries": 1, "new": True, "layer": "project",
            "kind": "knowledge-base", "title": "One",
        }  # fmt: skip
        self.assertEqual(done, want)

    def test_refusals_change_nothing(self) -> None:
        self.add("a", "One")
        self.write(PROJECT + "/knowledge-base/open.md", "## X\n```\ncode")
        before = self.snapshot()
        ids = ("../x", "a/b", "", ".", "..", "_index", "-x", "con", "a b", "x\n", "x" * 65, "a:b")
        for args in (
            ("--category", "a", "--title", "one"),
            ("--category", "A", "--title", "Two"),
            ("--category", "open", "--title", "Two"),
            ("--category", "a", "--title", "Two", "--body", "```\nnever closed"),
            *(("--category=" + id, "--title", "T") for id in ids),
        ):
            with self.subTest(args):
                self.assertTrue(self.bad(1, "add", *args).startswith("hookctl: "))
                self.assertEqual(self.snapshot(), before)

    def test_wrong_usage(self) -> None:
        for args in (
            ("add",), ("add", "--title", "x"), ("add", "--category", "a"), ("search",), ("no",),
            ("add", "--category", "a", "--experience", "b", "--title", "t"),
            ("init", "--user", "--project"),
        ):  # fmt: skip
            self.bad(2, *args)
        self.assertEqual(
            self.bad(1, "add", "--category", "a", "--title", " # "), "hookctl: the title is empty\n"
        )
        self.assertFalse(os.path.exists(os.path.join(self.base, PROJECT)))

    def test_a_broken_index_is_not_overwritten(self) -> None:
        path = self.write(PROJECT + "/knowledge-base/_index.json", '{"categories": [')
        self.assertIn("not JSON", self.bad(1, "add", "--category", "a", "--title", "T"))
        self.assertEqual(self.text(path), '{"categories": [')

    def test_nothing_is_written_outside(self) -> None:
        target = self.write("home/outside.md", "mine\n")
        self.fill(PROJECT, [category("a"), category("up", file="../../../../home/outside.md")])
        folder = os.path.join(self.base, PROJECT, "knowledge-base")
        os.unlink(folder + "/a.md")
        os.symlink(target, folder + "/a.md")
        self.bad(1, "add", "--category", "a", "--title", "T")
        self.bad(1, "add", "--category", "up", "--title", "T")
        self.assertEqual(self.text(target), "mine\n")

    def test_nothing_is_made_outside(self) -> None:
        listed = [category("link", file="out/new.md"), category("deep", file="in/new.md")]
        listed.append(category("self", file="_index.json"))
        self.write(PROJECT + "/knowledge-base/_index.json", {"categories": listed})
        folder = os.path.join(self.base, PROJECT, "knowledge-base")
        os.symlink(self.home, folder + "/out")
        self.bad(1, "add", "--category", "link", "--title", "T")
        self.bad(1, "add", "--category", "self", "--title", "T")
        self.assertEqual(os.listdir(self.home), [])
        self.add("deep", "T")
        self.assertIn("## T\n", self.text(folder + "/in/new.md"))

    def test_topics_that_share_a_file_share_its_count(self) -> None:
        self.fill(PROJECT, [category("a"), category("b", file="a.md"), category("c")])
        self.add("a", "Two")
        counts = [entry["count"] for entry in self.index()["categories"]]
        self.assertEqual(counts, [2, 2, 1])

    def test_a_project_folder_that_leads_out_is_refused(self) -> None:
        outside = self.folder("home", "elsewhere")
        self.folder("my project", "skills")
        os.symlink(outside, os.path.join(self.project, "skills", "auto-skill"))
        self.assertIn("leads out", self.bad(1, "add", "--category", "a", "--title", "T"))
        self.assertIn("leads out", self.bad(1, "init"))
        self.assertEqual(os.listdir(outside), [])

    def test_an_index_that_leads_out_is_not_written(self) -> None:
        target = self.write("home/settings.json", "{}")
        self.folder("my project", "skills", "auto-skill", "knowledge-base")
        link = os.path.join(self.base, PROJECT, "knowledge-base", "_index.json")
        for to in (target, os.path.join(self.home, "new.json")):
            os.symlink(to, link)
            self.assertIn("leads out", self.bad(1, "add", "--category", "a", "--title", "T"))
            self.assertIn("leads out", self.bad(1, "reindex"))
            os.unlink(link)
        self.assertEqual((self.text(target), os.listdir(self.home)), ("{}", ["settings.json"]))
        self.assertEqual(os.listdir(os.path.dirname(link)), [])

    def test_no_project_means_the_users_layer(self) -> None:
        here = {"CLAUDE_PROJECT_DIR": self.home}
        self.add("a", "One", **here)
        self.assertTrue(os.path.exists(os.path.join(self.base, USER, "knowledge-base", "a.md")))
        self.assertIn("not in a project", self.bad(1, "init", "--project", **here))

    def snapshot(self) -> dict[str, Any]:
        found = {}
        for folder, _, names in os.walk(self.project):
            for name in names:
                found[os.path.join(folder, name)] = self.text(os.path.join(folder, name))
        return found
