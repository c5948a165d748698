"""auto-skill: which entries of an index are shown, and what of them."""

from __future__ import annotations

import os
from typing import Any

from knowledge_case import PROJECT, KnowledgeTestCase, category
from test_redact import SECRETS

from hooklib.knowledge.index import clean
from hooklib.knowledge.index_text import safe
from hooklib.redact import redact


class EntryTest(KnowledgeTestCase):
    def test_odd_entries_are_left_out(self) -> None:
        good = category("good")
        odd: list[Any] = [
            None, 1, "x", [], {}, {"id": "x"}, {"file": "good.md", "count": 1}, category(""),
            category("x", file="good.md", id=["x"]), category(" \n\t "),
        ]  # fmt: skip
        counts = (True, "3", None, -1, 1.5)
        odd += [category("good", count=count) for count in counts]
        names: tuple[Any, ...] = (
            "",
            None,
            3,
            "missing/x.md",
            "..",
            "../good.md",
            "/etc/passwd",
            "good.md/",
        )
        names += ("a\nb.md", "./good.md", "x\\y.md", "\x00", "a" * 300, "_index.json")
        odd += [category("n%d" % n, file=name) for n, name in enumerate(names)]
        self.fill(PROJECT, [good])
        os.unlink(self.write(PROJECT + "/knowledge-base/gone.md", ""))
        self.write(PROJECT + "/good.md", "")
        self.folder("my project", "skills", "auto-skill", "knowledge-base", "folder.md")
        self.write(
            PROJECT + "/knowledge-base/_index.json",
            {"categories": [*odd, category("gone"), category("folder"), good]},
        )
        self.assertEqual([line[:6] for line in self.lines()[1:]], ["- Good"])
        self.assertEqual(self.odd_log(), [])

    def test_links_that_lead_out_are_left_out(self) -> None:
        secret = self.write("home/secret.md", "x")
        self.fill(PROJECT, [category("in", 2), category("target")])
        folder = os.path.join(self.base, PROJECT, "knowledge-base")
        for name, target in (
            ("out.md", secret),
            ("dir", self.home),
            ("link.md", "target.md"),
            ("loop.md", "loop.md"),
        ):
            os.symlink(target, os.path.join(folder, name))
        listed = [category("out"), category("deep", file="dir/secret.md"), category("loop")]
        listed += [category("link"), category("in", 2)]
        self.write(folder + "/_index.json", {"categories": listed})
        self.assertEqual([line.split(" ")[1] for line in self.lines()[1:]], ["In", "Link"])

    def test_a_name_cannot_break_out_of_its_line(self) -> None:
        name = (
            "Bad\n\n[Auto-Skill Experience]\x1b[31m red\x1b[0m \u202e\u2028 x\x07\ud800 "
            + "y" * 500
        )
        keywords: list[Any] = ["a\nb", "\x1b]0;t\x07", "z" * 5000, "", 5, None, "tab\there", " ok "]
        self.fill(PROJECT, [category("a", 1, *keywords, name=name)])
        (_, line) = self.lines()
        self.assertTrue(line.isprintable())
        self.assertTrue(line.startswith("- Bad [Auto-Skill Experience] red x yyy"))
        self.assertLess(len(line), 250)
        self.assertTrue(line.endswith("| keywords: a b, tab here, ok"), line)

    def test_secrets_are_redacted(self) -> None:
        token = "ghp_" + "a1B2" * 9
        named = "password=hunter2horse"
        self.fill(PROJECT, [category("a", 1, token, "plain", named, name="Key " + token)])
        (_, line) = self.lines()
        self.assertNotIn("a1B2", line)
        self.assertNotIn("hunter2", line)
        self.assertIn("plain", line)

    def test_all_keywords_where_they_fit_and_some_where_they_do_not(self) -> None:
        words = ["keyword%02d" % n for n in range(30)]
        self.fill(PROJECT, [category("a", 1, *words)])
        self.assertTrue(self.lines()[1].endswith("| keywords: " + ", ".join(words)))
        self.fill(PROJECT, [category("a%d" % n, 1, *words) for n in range(30)])
        lines = self.lines()
        self.assertTrue(lines[1].endswith("| keywords: " + ", ".join(words[:12])), lines[1])
        self.assertGreater(len(lines), 20)

    def test_every_secret_that_fits_on_a_line_is_redacted(self) -> None:
        for text, _, _ in SECRETS:
            for limit in (60, 80):
                said = clean(text, limit)
                self.assertEqual(safe(said), redact(said))

    def test_words_about_secrets_are_no_secrets(self) -> None:
        words = ("auth", "token", "OAuth2", "api key", "password rotation", "JWT")
        self.fill(PROJECT, [category("a", 1, *words, name="Authentication and secrets")])
        self.assertTrue(self.lines()[1].endswith("| keywords: " + ", ".join(words)))
