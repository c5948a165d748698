"""Random indexes and random Markdown: nothing breaks, nothing a person wrote is lost."""

from __future__ import annotations

import json
import os
import random
import shutil
import unittest.mock
from typing import Any

from hooklib.knowledge import entries, find_entries, index_cache, index_text, keyword_match, repair
from hooklib.knowledge.add_entry import Note, record
from hooklib.knowledge.layer import Refused, layers
from hooklib.knowledge.note_folders import KINDS, Kind
from support import HookTestCase

CASES = 120
ODD: list[Any] = [
    None, True, 0, 1, -1, 3, 10**30, 1.5, float("nan"), "", "a", "a.md", "x/y.md", "../a.md",
    "a\nb", "\x1b[31mz", "\ud800", "類", "  ", "con", "_index.json", "README.md", "skill-a.md", "A",
    "a" * 300, "\x1e\x1f\t", "http://u:pw123456@h/", "\u202ex", "a.md/", "skill-.md", ".md", "# x",
]  # fmt: skip
PIECES = [
    "## A\n", "## B\ntext\n", "# T\n", "```\n", "~~~\n", "text\n", "\n", "##\n", "## \n", "\r\n",
    "**Keywords:** a, b\n", "**keywords：** 一，二\n", "## C\r\n", "   ## D\n", "    ```\n",
    "\t```\n", "````\n", "`` ` ``\n", "\x00", "\u2028## E\n", "- x\n  ```\n", "<!-- x\n", "-->\n",
    "<!-- y -->\n",
]  # fmt: skip
FILES = ("a.md", "b.md", "skill-a.md", "skill-b.md", "類.md", "README.md", "x/y.md", "skill-.md")


class RandomTest(HookTestCase):
    """Each case is made from its number: a failure names it, and it can be run again."""

    def setUp(self) -> None:
        super().setUp()
        env = {"HOME": self.home, "CLAUDE_PLUGIN_DATA": self.data, "CLAUDE_CONFIG_DIR": ""}
        patch = unittest.mock.patch.dict(os.environ, env)
        patch.start()
        self.addCleanup(patch.stop)

    def make(self, number: int) -> None:
        """Fill the user's layer, the project's and sometimes its hidden one."""
        self.random = random.Random(number)
        for folder in (self.home, self.project):
            shutil.rmtree(folder)
            os.mkdir(folder)
        tops = [self.home + "/.claude", self.project, self.project + "/.claude"]
        for top in tops[: self.random.choice((2, 2, 3))]:
            for kind in KINDS:
                self.fill(os.path.join(top, "skills", "auto-skill", kind.folder), kind)

    def fill(self, folder: str, kind: Kind) -> None:
        os.makedirs(folder)
        for name in FILES:
            path, luck = os.path.join(folder, name), self.random.random()
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if luck < 0.05:
                os.mkdir(path)
            elif luck < 0.1:
                os.symlink(self.random.choice(("a.md", "/etc/passwd", name, "../../x")), path)
            elif luck < 0.5:
                with open(path, "wb") as file:
                    file.write(self.markdown().encode("utf-8" if luck < 0.45 else "utf-16"))
        with open(os.path.join(folder, "_index.json"), "wb") as file:
            file.write(self.index(kind))

    def markdown(self) -> str:
        return "".join(self.random.choices(PIECES, k=self.random.randint(0, 8)))

    def index(self, kind: Kind) -> bytes:
        if self.random.random() < 0.1:
            return self.random.choice((b"", b"{", b"[]", b"null", b"\xff", b'{"categories": {}}'))
        listed = [self.entry(kind) for _ in range(self.random.randint(0, 6))]
        value = {"version": "1", kind.list_key: listed, "totalEntries": self.odd(3)}
        text = json.dumps(value, ensure_ascii=self.random.random() < 0.5)
        return text.encode("utf-8", "surrogatepass")

    def entry(self, kind: Kind) -> Any:
        id = self.random.choice(("a", "b", "類", "A", "", "a-2", "x y", "b\t"))
        words = ["w1", "部署", "C++", self.odd("w2")]
        value = {
            kind.id_key: self.odd(id), "name": self.odd("N"), "keywords": self.odd(words),
            "file": self.odd(kind.file_prefix + id + ".md"), "count": self.odd(2),
        }  # fmt: skip
        value.pop(self.random.choice(("x", *value)), None)
        return self.odd(value)

    def odd(self, usual: Any) -> Any:
        luck = self.random.random()
        odd = self.random.choice(ODD)
        return usual if luck < 0.8 else odd if luck < 0.95 else self.random.choice(([odd], {}))

    def tree(self, top: str, ending: str = "") -> dict[str, object]:
        found: dict[str, object] = {}
        for folder, _, names in os.walk(top):
            for path in (os.path.join(folder, name) for name in names if name.endswith(ending)):
                if os.path.islink(path):
                    found[path] = os.readlink(path)
                else:
                    with open(path, "rb") as file:
                        found[path] = file.read()
        return found

    def test_what_is_told_stays_in_its_bounds(self) -> None:
        for number in range(CASES):
            with self.subTest(number):
                self.make(number)
                before = self.tree(self.home), self.tree(self.project)
                told = self.tell(64_000)
                self.assertLessEqual(len(told.encode("utf-8", "replace")), 6_000)
                self.assertTrue(all(line.isprintable() for line in told.split("\n")), told)
                self.assertNotIn("pw123456", told)
                self.assertEqual((self.tell(0), self.tell(0)), (told, told))  # kept, read back
                self.assertLessEqual(len(self.remind(number).encode("utf-8", "replace")), 600)
                hits, _ = find_entries.search("a", self.project, self.project)
                json.dumps(hits)
                self.assertEqual((self.tree(self.home), self.tree(self.project)), before)

    def tell(self, large: int) -> str:
        with unittest.mock.patch.multiple(index_cache, LARGE=large, _SETTLE_SECONDS=0):
            found = [index_cache.topics(self.project, self.project, kind)[:2] for kind in KINDS]
        return index_text.blocks(found[0], found[1], self.project, self.project)

    def remind(self, number: int) -> str:
        found = [
            (kind, line)
            for kind in KINDS
            for line in keyword_match.matching_topics(
                "w1 部署 C++", index_cache.topics(self.project, self.project, kind)[1]
            )
        ]
        return keyword_match.reminder("s%d" % number, found, self.project, self.project)

    def test_reindex_mends_everything_and_touches_no_note(self) -> None:
        for number in range(CASES):
            self.make(number)
            for layer in layers(self.project, self.project):
                with self.subTest(number, layer=layer.top):
                    notes = self.tree(layer.top, ".md")
                    repair.mend(layer)
                    self.assertEqual(self.tree(layer.top, ".md"), notes)
                    left = {problem["problem"] for problem in repair.check(layer)}
                    self.assertLessEqual(left, {"outside", "unreadable"})
                    if not left:
                        self.assertEqual(repair.mend(layer), [])

    def test_an_added_entry_is_one_more_at_the_end(self) -> None:
        added = 0
        for number in range(CASES):
            self.make(number)
            for layer in layers(self.project, self.project):
                kind, id = self.random.choice(KINDS), self.random.choice(("a", "b", "新"))
                with self.subTest(number, layer=layer.top, id=id):
                    before = self.tree(layer.top, ".md")
                    try:
                        note = Note("Title", self.markdown(), ["k1, k2"])
                        done = record(layer, kind, id, note)
                    except Refused:
                        self.assertEqual(self.tree(layer.top, ".md"), before)
                        continue
                    added += 1
                    path = os.path.realpath(os.path.join(layer.folder(kind), done["file"]))
                    old, after = before.pop(path, b""), self.tree(layer.top, ".md")
                    new = after.pop(path)
                    self.assertEqual(after, before)
                    assert isinstance(old, bytes) and isinstance(new, bytes)
                    self.assertTrue(new.startswith(old))
                    counts = [len(entries.split(text.decode())) for text in (old, new)]
                    self.assertEqual(counts, [done["entries"] - 1, done["entries"]])
        self.assertGreater(added, CASES / 2)


class MarkdownTest(unittest.TestCase):
    def test_what_is_an_entry(self) -> None:
        for text, titles in (
            ("", []),
            ("## A\n", ["A"]),
            ("# T\n### s\n##x\n  ## y\n## A", ["A"]),
            ("## A\r\n## B\r\n", ["A", "B"]),
            ("```\n## A\n```\n## B", ["B"]),
            ("~~~~ md\n## A\n~~~\n## B\n~~~~\n## C", ["C"]),
            ("```\n## A\n    ```\n## B\n```\n## C", ["C"]),
            ("    ```\n## A\n", ["A"]),
            ("\t```\n## A\n", ["A"]),
            ("``` a`b\n## A\n", ["A"]),
            ("<!--\n## Template\n-->\n## A", ["A"]),
            ("<!-- x -->\n## A\n", ["A"]),
            ("text <!--\n## A\n", ["A"]),
            ("- x\n  ```\n  ## y\n  ```\n## A", ["A"]),
            ("## 🔧 標題\n**日期：** 2026-02-11\n\n---\n\n## B", ["🔧 標題", "B"]),
        ):
            self.assertEqual([entry.title for entry in entries.split(text)], titles, text)

    def test_what_is_never_closed(self) -> None:
        for text, line in (
            ("```\n", 1), ("a\n~~~\n```\n", 2), ("a\n\n<!-- b\n", 3), ("```\n```\n", 0),
            ("`a`\n", 0), ("<!-- a\nb -->", 0), ("```\n```\n```", 3),
        ):  # fmt: skip
            self.assertEqual(entries.unclosed_line(text), line, text)
