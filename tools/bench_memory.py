"""Bench rows of the memory: the cost of recall with few and with very many memories."""

from __future__ import annotations

import os
import random
import sys
from typing import Callable

from benchlab import Lab, Row
from wiring import Plugin

FEW, MANY = 100, 100_000
GROWTH = 1.5  # how much slower recall may be with a thousand times as many memories
READ_RATIO = 2.5
_CORE = 10  # memories that are always shown
_FILE = "src/shop/orders.py"
_WORDS = (
    "cache queue order invoice parser token retry session index schema router worker payment"
    " report export import search filter upload stream merge branch deploy config secret limit"
    " timeout metric logger client server cursor socket thread process buffer layout button theme"
).split()


def rows(lab: Lab, plugins: list[Plugin]) -> list[Row]:
    table: list[Row] = []
    for plugin in [plugin for plugin in plugins if plugin.name == "ecc-hooks"]:
        projects = {count: fill(lab, plugin, count) for count in (0, FEW, MANY)}
        for count, project in projects.items():
            table += _reads(lab, plugin, project, count)
        for count in (FEW, MANY):
            table += _speaking(lab, plugin, projects[count], count)
    return table


def _reads(lab: Lab, plugin: Plugin, project: str, count: int) -> list[Row]:
    name = "PreToolUse Read, nothing to recall of %s memories" % format(count, ",")
    row = _row(lab, plugin, project, name, _read(project, "docs/other.txt"))
    return [row._replace(ratio=READ_RATIO)]


def _speaking(lab: Lab, plugin: Plugin, project: str, count: int) -> list[Row]:
    events: dict[str, dict[str, object]] = {
        "PreToolUse Read, recalls": _read(project, _FILE),
        "SessionStart, shows the important": {"hook_event_name": "SessionStart", "source": "clear"},
        "UserPromptSubmit, recalls": {
            "hook_event_name": "UserPromptSubmit",
            "prompt": "why does the order cursor in src/shop/orders.py retry the payment worker?",
        },
    }
    table = []
    for name, event in events.items():
        row = _row(lab, plugin, project, "%s, %s memories" % (name, format(count, ",")), event)
        row = row._replace(speaks=True, ratio=None, prepare=_journal_removal(project))
        if count == MANY:
            against = "%s, %s memories" % (name, format(FEW, ","))
            row = row._replace(ratio=GROWTH, against=against)
        table.append(row)
    return table


def _row(lab: Lab, plugin: Plugin, project: str, name: str, event: dict[str, object]) -> Row:
    full_event = {**lab.event(str(event["hook_event_name"]), **event), "cwd": project}
    row = lab.row(name, plugin, full_event)
    return row._replace(env={**row.env, "CLAUDE_PROJECT_DIR": project})


def _read(project: str, path: str) -> dict[str, object]:
    tool_input = {"file_path": os.path.join(project, path)}
    return {"hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": tool_input}


def _journal_removal(project: str) -> Callable[[], None]:
    """Return a function that removes the session's journal, so that memories are shown again."""
    path = os.path.join(project, ".claude", "memory", "sessions", "bench.jsonl")

    def remove_journal() -> None:
        if os.path.exists(path):
            os.unlink(path)

    return remove_journal


def fill(lab: Lab, plugin: Plugin, count: int) -> str:
    """Create a project with count memories about many files and words, and return its folder."""
    sys.path.insert(0, os.path.join(plugin.root, "lib"))
    from hooklib.memory.store import database, memories, memory_folder
    from hooklib.memory.store.entry import Memory

    project = lab.path("project with %d memories" % count)
    os.makedirs(os.path.join(project, ".git"))
    chance = random.Random(count)  # noqa: S311

    def memory(number: int) -> Memory:
        new: Memory = Memory.__new__(
            Memory
        )  # as the database reads it: the constructor's checks would take minutes
        some = chance.choices(_WORDS, k=24)
        new.uri = "memory://project/note/%d" % number
        new.kind, new.title, new.body = "note", " ".join(some[:6]), " ".join(some[6:])
        folder = "src/%s%d" % (some[0], number % 997)
        globs = ["%s/*.py" % folder, "%s/%s.py" % (folder, some[1]), "%s*.ts" % some[2]]
        new.tags, new.globs = some[:2], [globs[number % 3]]
        new.priority = 3 if number % 100 else 2
        new.source, new.confidence, new.session, new.superseded = "user", 1.0, "", ""
        new.created = new.updated = "2026-01-01T00:00:00Z"
        new.id, new.used, new.uses = 0, "", 0
        return new

    if count:

        def work(connection) -> None:  # type: ignore[no-untyped-def]
            for number in range(_CORE):
                title = "the order rule number %d of the shop" % number
                memories.add(connection, Memory("core", title, "why " * 20, [], [_FILE], 1))
            for number in range(count - _CORE):
                memories.insert(connection, memory(number))

        database.write(memory_folder.project(project), work)
    return project
