#!/usr/bin/env python3
"""SessionStart: tell the agent which knowledge files exist, so that it opens the right one."""

from __future__ import annotations

import os

if __name__ == "__main__":
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

from hooklib import paths, state
from hooklib.event import Event
from hooklib.output import Output
from hooklib.text import cut_lines

BUDGET = 6_000


def run(event: Event) -> Output | None:
    lines = []
    for layer, root in _layers(event.project_root):
        folder = os.path.join(root, "knowledge-base")
        index = state.read_json(os.path.join(folder, "_index.json"))
        categories = index.get("categories") if isinstance(index, dict) else None
        for category in categories if isinstance(categories, list) else []:
            line = _line(category, folder)
            if line:
                lines.append("%s [%s]" % (line, layer))
    if not lines:
        return None
    return Output(context=cut_lines("\n".join(["[Auto-Skill Knowledge Base]", *lines]), BUDGET))


def _layers(project: str) -> list[tuple[str, str]]:
    return [
        ("user", os.path.join(paths.config_dir(), "skills", "auto-skill")),
        ("project", os.path.join(project, "skills", "auto-skill")),
        ("project", os.path.join(project, ".claude", "skills", "auto-skill")),
    ]


def _line(category: object, folder: str) -> str:
    """Return one category as a line; '' for one that is empty, odd or has no file."""
    if not isinstance(category, dict):
        return ""
    name, file, count = (category.get(key) for key in ("name", "file", "count"))
    if not (isinstance(name, str) and isinstance(file, str) and isinstance(count, int)):
        return ""
    path = os.path.join(folder, os.path.basename(file))
    if count <= 0 or not os.path.isfile(path):
        return ""
    return "- %s: %s (%d entries)" % (" ".join(name.split()), path, count)


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
