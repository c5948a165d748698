"""What the tests of knowledge files share: layers with files in them, events, and hookctl."""

from __future__ import annotations

import json
import os
from typing import Any

from support import Done, HookTestCase, event

BASE = "[Auto-Skill Knowledge Base]"
SKILLS = "[Auto-Skill Experience]"
USER, PROJECT = "home/.claude/skills/auto-skill", "my project/skills/auto-skill"
HIDDEN = "my project/.claude/skills/auto-skill"


def category(id: str, count: int = 1, /, *keywords: str, **more: object) -> dict[str, Any]:
    return {
        "id": id, "name": id.title(), "keywords": list(keywords), "file": id + ".md",
        "count": count, **more,
    }  # fmt: skip


def skill(id: str, count: int = 1, *keywords: str) -> dict[str, Any]:
    return {
        "skillId": id, "file": "skill-%s.md" % id, "keywords": list(keywords), "count": count,
    }  # fmt: skip


class KnowledgeTestCase(HookTestCase):
    plugin = "auto-skill-hooks"

    def fill(self, root: str, categories: object = None, skills: object = None) -> None:
        """Write the indexes of a layer and a file for each entry that names a plain one."""
        for folder, key, listed in (
            ("knowledge-base", "categories", categories),
            ("experience", "skills", skills),
        ):
            if listed is None:
                continue
            self.write("%s/%s/_index.json" % (root, folder), {key: listed})
            for entry in listed if isinstance(listed, list) else []:
                file = entry.get("file") if isinstance(entry, dict) else None
                if isinstance(file, str) and file and "/" not in file and file.isprintable():
                    self.write("%s/%s/%s" % (root, folder, file), "# Notes\n\n## One\ntext\n")

    def begin(self, source: str = "startup", **env: str) -> Done:
        return self.run_event(event("SessionStart", source=source), **env)

    def lines(self, **env: str) -> list[Any]:
        return self.begin(**env).context.splitlines()

    def ask(self, prompt: object, **fields: object) -> Done:
        return self.run_event(event("UserPromptSubmit", prompt=prompt, **fields))

    def odd_log(self) -> list[Any]:
        return [line for line in self.log() if line["outcome"] not in ("spoke", "silent")]


class KnowledgeToolTestCase(KnowledgeTestCase):
    def tool(self, *args: str, given: str = "", **env: str) -> Done:
        return self.start(
            ["sh", os.path.join(self.root, "bin", "hookctl"), "knowledge", *args], given, **env
        )

    def good(self, *args: str, given: str = "", **env: str) -> str:
        done = self.tool(*args, given=given, **env)
        self.assertEqual((done.code, done.stderr), (0, ""), done.stdout)
        return done.stdout

    def bad(self, code: int, *args: str, **env: str) -> str:
        done = self.tool(*args, **env)
        self.assertEqual(done.code, code, done.stdout + done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        return done.stdout + done.stderr

    def add(self, id: str, title: str, *args: str, **env: str) -> str:
        return self.good("add", "--category", id, "--title", title, *args, **env)

    def text(self, path: str) -> str:
        with open(os.path.join(self.base, path), encoding="utf-8", newline="") as file:
            return file.read()

    def index(self, path: str = PROJECT + "/knowledge-base") -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.text(path + "/_index.json"))
        return document

    def drift(self, *args: str) -> list[Any]:
        done = self.tool("check", "--json", *args)
        problems = json.loads(done.stdout)["problems"]
        self.assertEqual(done.code, 1 if problems else 0)
        return sorted({problem["problem"] for problem in problems})
