"""Bench rows of the memory: what recalling costs, whatever the number of memories."""

from __future__ import annotations

import os
import random
import sys
from typing import Callable

from benchlab import Lab, Row
from wiring import Plugin

FEW, MANY = 100, 100_000
GROWTH = 1.5  # what a thousand times as many memories may cost
READ_RATIO = 2.5
_CORE = 10  # memories that are always told
_FILE = "src/shop/orders.py"
_WORDS = (
    "cache queue order invoice parser token retry session index schema router worker payment"
    " report export import search filter upload stream merge branch deploy config secret limit"
    " timeout metric logger client server cursor socket thread process buffer layout button theme"
).split()


def rows(lab: Lab, plugins: list[Plugin]) -> list[Row]:
    found: list[Row] = []
    for plugin in [plugin for plugin in plugins if plugin.name == "ecc-hooks"]:
        projects = {count: fill(lab, plugin, count) for count in (0, FEW, MANY)}
        for count, project in projects.items():
            found += _reads(lab, plugin, project, count)
        for count in (FEW, MANY):
            found += _speaking(lab, plugin, projects[count], count)
    return found


def _reads(lab: Lab, plugin: Plugin, project: str, count: int) -> list[Row]:
    name = "PreToolUse Read, nothing to recall of %s memories" % format(count, ",")
    row = _row(lab, plugin, project, name, _read(project, "docs/other.txt"))
    return [row._replace(ratio=READ_RATIO)]


def _speaking(lab: Lab, plugin: Plugin, project: str, count: int) -> list[Row]:
    events: dict[str, dict[str, object]] = {
        "PreToolUse Read, recalls": _read(project, _FILE),
        "SessionStart, tells the important": {"hook_event_name": "SessionStart", "source": "clear"},
        "UserPromptSubmit, recalls": {
            "hook_event_name": "UserPromptSubmit",
            "prompt": "why does the order cursor in src/shop/orders.py retry the payment worker?",
        },
    }
    found = []
    for name, event in events.items():
        row = _row(lab, plugin, project, "%s, %s memories" % (name, format(count, ",")), event)
        row = row._replace(speaks=True, ratio=None, prepare=_forgetting(project))
        if count == MANY:
            against = "%s, %s memories" % (name, format(FEW, ","))
            row = row._replace(ratio=GROWTH, against=against)
        found.append(row)
    return found


def _row(lab: Lab, plugin: Plugin, project: str, name: str, event: dict[str, object]) -> Row:
    given = {**lab.event(str(event["hook_event_name"]), **event), "cwd": project}
    row = lab.row(name, plugin, given)
    return row._replace(env={**row.env, "CLAUDE_PROJECT_DIR": project})


def _read(project: str, path: str) -> dict[str, object]:
    given = {"file_path": os.path.join(project, path)}
    return {"hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": given}


def _forgetting(project: str) -> Callable[[], None]:
    """Return what makes the session forget that it was told something."""
    record = os.path.join(project, ".claude", "memory", "sessions", "bench.jsonl")

    def forget() -> None:
        if os.path.exists(record):
            os.unlink(record)

    return forget


def fill(lab: Lab, plugin: Plugin, count: int) -> str:
    """Return a project with so many memories: of many files and words, some always told."""
    sys.path.insert(0, os.path.join(plugin.root, "lib"))
    from hooklib.memory.store import database, memories, memory_folder
    from hooklib.memory.store.entry import Memory

    project = lab.path("project with %d memories" % count)
    os.makedirs(os.path.join(project, ".git"))
    chance = random.Random(count)  # noqa: S311

    def memory(number: int) -> Memory:
        made: Memory = Memory.__new__(Memory)  # as it is read: nothing to clean, that takes minutes
        some = chance.choices(_WORDS, k=24)
        made.uri = "memory://project/note/%d" % number
        made.kind, made.title, made.body = "note", " ".join(some[:6]), " ".join(some[6:])
        folder = "src/%s%d" % (some[0], number % 997)
        globs = ["%s/*.py" % folder, "%s/%s.py" % (folder, some[1]), "%s*.ts" % some[2]]
        made.tags, made.globs = some[:2], [globs[number % 3]]
        made.priority = 3 if number % 100 else 2
        made.source, made.confidence, made.session, made.superseded = "user", 1.0, "", ""
        made.created = made.updated = "2026-01-01T00:00:00Z"
        made.id, made.used, made.uses = 0, "", 0
        return made

    if count:

        def work(connection) -> None:  # type: ignore[no-untyped-def]
            for number in range(_CORE):
                title = "the order rule number %d of the shop" % number
                memories.add(connection, Memory("core", title, "why " * 20, [], [_FILE], 1))
            for number in range(count - _CORE):
                memories.insert(connection, memory(number))

        database.write(memory_folder.project(project), work)
    return project
