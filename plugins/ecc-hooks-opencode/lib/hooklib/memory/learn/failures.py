"""What failed before and what resolved it: a success of the same command after changes."""

from __future__ import annotations

from hooklib.checked import text
from hooklib.memory.store import journal, memories
from hooklib.memory.store.entry import Memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from sqlite3 import Connection
    from typing import Any

    Line = dict[str, Any]

SOURCE = "failure"
_FILES, _COMMANDS = 8, 4
_LINES = 200  # between a failure and its solution
_TITLE = 120
_LOOKING = ("git status", "git diff", "git log", "git show", "git blame", "git grep", "git branch")


def add(connection: Connection, lines: Sequence[tuple[bool, Line]]) -> None:
    """Note failures and what resolved them: all lines are given, the fresh ones are to be added.

    For a failure in the session itself also a subagent's changes count.
    """
    waiting: dict[tuple[str, str], list[Line]] = {}
    for fresh, line in lines:
        shape, agent = text(line.get("shape")), text(line.get("agent"))
        if line["is"] == "failed" and text(line.get("signature")):
            if fresh:
                _count(connection, line)
            if shape:
                waiting.setdefault((shape, agent), []).append(line)
        elif line["is"] in ("edit", "ran"):
            if line["is"] == "ran" and (shape, agent) in waiting:
                resolved = _resolved(waiting[shape, agent], line)
                if resolved is not None:
                    del waiting[shape, agent]
                for failed, changes in resolved or () if fresh else ():
                    _solve(connection, failed, changes, line)
            for (_, other), since in waiting.items():
                if other in ("", agent):
                    since.append(line)
                    del since[_LINES:]


def _resolved(since: list[Line], worked: Line) -> list[tuple[Line, list[Line]]] | None:
    """Return the failures that a success resolves, each with the changes in between.

    With no changes it resolves none: the very same command was lucky ([]), another one tells
    nothing (None).
    """
    found: dict[str, tuple[Line, list[Line]]] = {}
    for number, line in enumerate(since):
        changes = [each for each in since[number:] if _changes(each, text(worked.get("shape")))]
        if line["is"] == "failed" and changes:
            found.setdefault(text(line.get("signature")), (line, changes))
    if not found and since[0].get("call") != worked.get("call"):
        return None
    return list(found.values())


def _changes(line: Line, shape: str) -> bool:
    """Return whether a line may be what helped; another run of the same command is not."""
    return line["is"] == "edit" or (
        line["is"] == "ran" and text(line.get("shape")) not in (shape, *_LOOKING)
    )


def known(connection: Connection, signature: str, shape: str) -> tuple[Memory, int, int] | None:
    """Return what resolved a failure before, how often it was seen and how often that held.

    The same error of another command will do where this one has no answer.
    """
    sql = (
        "SELECT solution, count, held FROM failure WHERE signature = ? AND solution != ''"
        " ORDER BY shape = ? DESC, held DESC, last DESC LIMIT 1"
    )
    found = connection.execute(sql, (signature, shape)).fetchone()
    memory = memories.get(connection, found[0]) if found else None
    return (memory, found[1], found[2]) if memory and not memory.superseded else None


def _count(connection: Connection, line: Line) -> None:
    at = journal.when(line)
    sql = (
        "INSERT INTO failure (signature, shape, tool, first, last, count) VALUES (?, ?, ?, ?, ?, 1)"
        " ON CONFLICT DO UPDATE SET last = excluded.last, count = count + 1"
    )
    names = ("signature", "shape", "tool")
    connection.execute(sql, (*(text(line.get(name)) for name in names), at, at))


def _solve(connection: Connection, failed: Line, changes: list[Line], worked: Line) -> None:
    """Store what happened between a failure and the success of the same command."""
    shape, signature = text(failed.get("shape")), text(failed.get("signature"))
    files = list(dict.fromkeys(text(c.get("path")) for c in changes if c["is"] == "edit"))
    ran = [text(c.get("command")) or text(c.get("shape")) for c in changes if c["is"] == "ran"]
    commands = [each for each in dict.fromkeys(ran) if each]
    if not files and not commands:
        return
    first = signature.splitlines()[0]
    parts = ["`%s` failed with: %s" % (shape, signature.replace("\n", "; "))]
    if files:
        more = " and %d more" % (len(files) - _FILES) if len(files) > _FILES else ""
        parts.append("changed before it worked: %s%s" % (", ".join(files[-_FILES:]), more))
    if commands:
        parts.append("run before it worked: " + "; ".join(commands[-_COMMANDS:]))
    parts.append("then this worked: %s" % (text(worked.get("command")) or shape))
    title = "%s: %s" % (shape, first[:_TITLE])
    memory = Memory("solution", title, "\n".join(parts), (), files[-_FILES:], 4, SOURCE, 0.8)
    held = connection.execute(
        "SELECT solution FROM failure WHERE signature = ? AND shape = ?", (signature, shape)
    ).fetchone()
    old = memories.get(connection, held[0]) if held and held[0] else None
    if old is not None and old.source != SOURCE:  # somebody wrote it down in better words
        uri = old.uri
    else:
        if old is not None:
            memories.replace(connection, old, memory)
        else:
            memories.add(connection, memory)
        uri = memory.uri
    connection.execute(
        "UPDATE failure SET solution = ?, held = held + 1 WHERE signature = ? AND shape = ?",
        (uri, signature, shape),
    )
