"""Bench rows of sessions: what must not grow with transcripts, states and repositories."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from functools import partial
from typing import Any

from benchlab import Lab, Row
from wiring import Plugin

MB = 1_000_000
TURN = 50  # calls in one turn
TIMES, MEMORY = 1.3, 60.0
SHOWN, MANY = 4.0, 1.5
END_MS = 500.0


def rows(lab: Lab, plugins: list[Plugin]) -> list[Row]:
    """Return the rows, the small case before the large one that is compared with it."""
    found: list[Row] = []
    for plugin in [plugin for plugin in plugins if plugin.name == "ecc-hooks"]:
        found += stop_rows(lab, plugin) + start_rows(lab, plugin) + [end_row(lab, plugin)]
    return found


def stop_rows(lab: Lab, plugin: Plugin) -> list[Row]:
    """Return the rows of Stop with a short and a long transcript: unread, and with one new turn."""
    project = new_project(lab, "stop")
    never: list[Row] = []
    turn: list[Row] = []
    for size in (1, 500):
        transcript = lab.path("%d.jsonl" % size)
        write_transcript(transcript, project, size * MB)
        for kind, into in (("never read before", never), ("one more turn", turn)):
            name = "Stop, transcript of %d MB, %s" % (size, kind)
            key = "session-%d-%s" % (size, kind.split()[0])
            event = lab.event("Stop", session_id=key, transcript_path=transcript)
            row = in_project(lab.row(name, plugin, event), project)
            row = row._replace(ratio=None, processes=None)  # other hooks of Stop ask git
            state = os.path.join(project, ".claude", "sessions", key + ".json")
            if into is never:
                row = row._replace(prepare=partial(remove, state))
            else:
                call(row)
                shutil.copy(state, state + ".before")
                row = row._replace(prepare=partial(copy_back, state))
            if into:
                row = row._replace(ratio=TIMES, memory=MEMORY, against=into[0].name)
            into.append(row)
        with open(transcript, "ab") as file:
            file.write(records(project, TURN, time.time()))
    return never + turn


def start_rows(lab: Lab, plugin: Plugin) -> list[Row]:
    """Return the rows of SessionStart with a last session, with ten stored states and with many."""
    found: list[Row] = []
    for count in (10, 10_000):
        project = new_project(lab, "start %d" % count)
        transcript = lab.path("start %d.jsonl" % count)
        write_transcript(transcript, project, MB // 10)
        for number in range(10):
            event = lab.event("Stop", session_id="real-%d" % number, transcript_path=transcript)
            event["last_assistant_message"] = "That part is done, the next one is not.\n" * 20
            row = in_project(lab.row("", plugin, event), project)
            call(row)
        folder = os.path.join(project, ".claude", "sessions")
        for number in range(10, count):  # links look the same and are made quickly
            old = os.path.join(folder, "old-%d.json" % number)
            os.link(os.path.join(folder, "real-0.json"), old)
        event = lab.event("SessionStart", source="startup", session_id="new")
        name = "SessionStart, shows the last session, %d states" % count
        row = in_project(lab.row(name, plugin, event), project)._replace(speaks=True)
        state = os.path.join(folder, "new.json")
        row = row._replace(ratio=SHOWN, prepare=partial(remove, state))
        found.append(row._replace(ratio=MANY, against=found[0].name) if found else row)
    return found


def end_row(lab: Lab, plugin: Plugin) -> Row:
    """Return the row of SessionEnd in a repository of 20,000 files, 1,000 of them changed."""
    project = lab.path("repository")
    names = [os.path.join("d%03d" % (n % 200), "file-%d.txt" % n) for n in range(20_000)]
    for name in names[:200]:
        os.makedirs(os.path.join(project, os.path.dirname(name)))
    old = time.time() - 3600  # git reads files again that are as new as its index
    for name in names:
        path = os.path.join(project, name)
        with open(path, "w", encoding="ascii") as file:
            file.write("one line of %s\n" % name)
        os.utime(path, (old, old))
    who = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"]
    for words in (["init", "-q"], ["add", "."], [*who, "commit", "-q", "-m", "start"]):
        subprocess.run(["git", *words], cwd=project, env=lab.env(), check=True)
    for name in names[::20]:
        with open(os.path.join(project, name), "a", encoding="ascii") as file:
            file.write("and one more\n")
    transcript = lab.path("end.jsonl")
    write_transcript(transcript, project, MB // 10)
    event = lab.event("SessionEnd", reason="other", transcript_path=transcript)
    name = "SessionEnd, repository of 20,000 files, 1,000 changed"
    row = in_project(lab.row(name, plugin, event), project)
    call(row)
    with open(os.path.join(project, ".claude", "sessions", "bench.json"), encoding="utf-8") as file:
        facts = json.load(file)["end"]["git"]
    if "1000 files changed" not in facts["diff"][-1]:
        raise RuntimeError("no facts from git: %s" % facts)
    return row._replace(ratio=None, processes=None, ms=END_MS)


def new_project(lab: Lab, name: str) -> str:
    """Create a folder that looks like a repository; return it."""
    project = lab.path("project of " + name)
    os.makedirs(os.path.join(project, ".git"))
    with open(os.path.join(project, ".git", "HEAD"), "w", encoding="ascii") as file:
        file.write("ref: refs/heads/main\n")
    return project


def in_project(row: Row, project: str) -> Row:
    return row._replace(env={**row.env, "CLAUDE_PROJECT_DIR": project})


def write_transcript(path: str, project: str, size: int) -> None:
    """Write a transcript of this size; all but its last 1 MB is a hole without disk space."""
    data = records(project, TURN, time.time() - 3600)
    data = (data * (1 + MB // len(data)))[-min(size, MB) :]
    with open(path, "wb") as file:
        file.seek(size - len(data))
        file.write(data)


def records(project: str, calls: int, moment: float) -> bytes:
    """Return the transcript of a conversation with this number of calls."""
    when = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(moment))
    goal = "Go on with the next part, and mind that all the others still work after it"
    lines: list[dict[str, Any]] = [record("user", goal, when)]
    for number in range(calls):
        name = "toolu_%d_%d" % (moment, number)
        path = os.path.join(project, "src", "part-%d.py" % (number % 40))
        edit = {"file_path": path, "old_string": "one\n" * 5, "new_string": "two\n" * 5}
        call = {"type": "tool_use", "id": name, "name": "Edit", "input": edit}
        result = {"type": "tool_result", "tool_use_id": name, "content": "updated " + path}
        lines.append(record("assistant", [call], when))
        lines.append(record("user", [result], when))
        lines.append({"type": "attachment", "text": "x" * 300, "timestamp": when})
    lines.append(record("assistant", [{"type": "text", "text": "That part is done."}], when))
    return "".join(json.dumps(line) + "\n" for line in lines).encode("ascii")


def record(kind: str, content: object, when: str) -> dict[str, Any]:
    message = {"role": kind, "content": content}
    return {"isSidechain": False, "type": kind, "message": message, "timestamp": when}


def call(row: Row) -> None:
    """Run a row once, to create the state that the measured runs need."""
    with open(row.stdin, "rb") as stdin:
        subprocess.run(
            row.argv, env=row.env, stdin=stdin, stdout=subprocess.DEVNULL, check=True, timeout=60
        )


def remove(path: str) -> None:
    if os.path.exists(path):
        os.unlink(path)


def copy_back(path: str) -> None:
    shutil.copy(path + ".before", path)
