"""docs/TEXTS.md lists what hooks say to the model and the user, and is true."""

from __future__ import annotations

import ast
import os
import re
import unittest
from typing import NamedTuple

from support import LIB, PLUGINS, REPO

PAGE = os.path.join(REPO, "docs", "TEXTS.md")
SCRIPTS = os.path.join(PLUGINS, "ecc-hooks", "scripts")
# every text of ours that begins with its topic in brackets; patterns and settings do not
TAGGED = re.compile(r"\[(?:[a-z]{3}[a-z -]*|Auto-Skill[^\]]*|%s)\] \S")


class Row(NamedTuple):
    file: str
    before: int
    now: int
    text: str


def rows() -> list[Row]:
    with open(PAGE, encoding="utf-8") as file:
        found = re.findall(r"(?m)^\| (\S+) \| (\d+) \| (\d+) \| `` (.*) `` \|$", file.read())
    return [
        Row(name, int(before), int(now), text.replace("\\|", "|").replace("\\n", "\n"))
        for name, before, now, text in found
    ]


def path_of(name: str) -> str:
    if name.startswith("scripts/"):
        return os.path.join(SCRIPTS, name[len("scripts/") :])
    return os.path.join(LIB, "hooklib", name)


def texts_in(path: str) -> set[str]:
    """Return the texts in a file of Python, its docstrings left out."""
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    statements = [node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)]
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in statements
    }


class TextsTest(unittest.TestCase):
    def test_each_text_is_in_its_file_with_its_bytes(self) -> None:
        self.assertGreater(len(rows()), 60)
        for row in rows():
            with self.subTest(row.text):
                self.assertIn(row.text, texts_in(path_of(row.file)))
                self.assertEqual(len(row.text.encode()), row.now)

    def test_the_sums(self) -> None:
        before, now = sum(row.before for row in rows()), sum(row.now for row in rows())
        line = "In all: %d bytes in 0.1, %d now, %d %% fewer." % (
            before,
            now,
            round(100 * (1 - now / before)),
        )
        with open(PAGE, encoding="utf-8") as file:
            self.assertIn(line, file.read())
        self.assertLess(now, 0.75 * before)

    def test_each_text_with_a_tag_is_listed(self) -> None:
        listed = {row.text for row in rows()}
        tops = [
            *(os.path.join(LIB, "hooklib", t) for t in ("knowledge", "memory", "quality")),
            SCRIPTS,
        ]
        files = [
            os.path.join(folder, name)
            for top in tops
            for folder, _, names in os.walk(top)
            for name in names
            if name.endswith(".py")
        ]
        tagged = {text for path in files for text in texts_in(path) if TAGGED.match(text)}
        self.assertGreater(len(tagged), 8)
        self.assertEqual(tagged - listed, {"[%s] %s: %s", "[%s] %s: %s (%s)"})


if __name__ == "__main__":
    unittest.main()
