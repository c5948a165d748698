"""Bench rows of the knowledge index: few categories, very many, and a changed index."""

from __future__ import annotations

import json
import os
import time

from benchlab import Lab, Row
from wiring import Plugin

FILES = 10_000  # if there are more categories, several share a file


def rows(lab: Lab, plugins: list[Plugin]) -> list[Row]:
    """Return the rows of a session's start and of a prompt, by number of categories."""
    plugin = next((plugin for plugin in plugins if plugin.name == "auto-skill-hooks"), None)
    if plugin is None:
        return []
    start = lab.event("SessionStart", source="startup")
    prompt = lab.event("UserPromptSubmit", prompt="look at the report and fix what is wrong")
    few, many, most = (knowledge(lab, count) for count in (20, 10_000, 100_000))
    changed = knowledge(lab, 10_000, " changed")
    found = []
    for name, event, project in (
        ("SessionStart, 20 categories", start, few),
        ("SessionStart, 10,000 categories", start, many),
        ("SessionStart, 100,000 categories", start, most),
        ("SessionStart, 10,000 categories, index changed", start, changed),
        ("UserPromptSubmit, 20 categories, silent", prompt, few),
        ("UserPromptSubmit, 10,000 categories, silent", prompt, many),
    ):
        row = lab.row(name, plugin, event)
        env = {**row.env, "CLAUDE_PROJECT_DIR": project}
        found.append(row._replace(env=env, speaks=event is start))
    found[0] = found[0]._replace(ratio=2.5)
    for number in (1, 2):
        found[number] = found[number]._replace(ratio=1.5, against=found[0].name)
    found[3] = found[3]._replace(ratio=None, ms=1_000, prepare=lambda: change(changed))
    found[5] = found[5]._replace(ratio=5.0)
    return found


def knowledge(lab: Lab, count: int, name: str = "") -> str:
    """Create a project with count categories of knowledge; return its folder.

    Write it piece by piece: the memory of this process counts for the processes that it starts.
    """
    project = lab.path("knowledge %d%s" % (count, name))
    folder = os.path.join(project, "skills", "auto-skill", "knowledge-base")
    os.makedirs(folder)
    with open(os.path.join(folder, "_index.json"), "w", encoding="utf-8") as index:
        index.write('{"version": "1.0.0", "totalEntries": %d, "categories": [\n' % count)
        for number in range(count):
            file = "category-%d.md" % (number % FILES)
            if number < FILES:
                with open(os.path.join(folder, file), "w", encoding="utf-8") as text:
                    text.write("# Notes\n\n## One\n")
            words = ["keyword%d" % number, "topic %d" % number, "關鍵字%d" % number]
            entry = {
                "id": "category-%d" % number, "name": "Category %d" % number, "keywords": words,
                "file": file, "count": number % 100 + 1,
            }  # fmt: skip
            index.write(json.dumps(entry) + (",\n" if number + 1 < count else "\n]}\n"))
    change(project)
    return project


def change(project: str) -> None:
    """Give a project's index a new modification time, about an hour ago."""
    folder = os.path.join(project, "skills", "auto-skill", "knowledge-base")
    then = time.time() - 3600
    os.utime(os.path.join(folder, "_index.json"), (then, then))
    os.utime(folder, (0, 0))
