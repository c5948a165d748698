"""What a tool did: recorded, and where it failed before or shows something new, spoken of."""

from __future__ import annotations

import os

from hooklib.event import EDIT_TOOLS
from hooklib.memory.store import journal, memory_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.event import Event
    from hooklib.memory.search.recall_text import Item
    from hooklib.memory.store.entry import Memory

_PATH, _COMMAND, _SIGNATURE, _RULE = 400, 200, 600, 300
_ERROR = 40_000
_ADVICE = 2  # per session
_REPEATED = 5
_BUDGET = 1_200


def record(event: Event) -> str:
    """Record what a tool did; return an advice to the model, '' for none."""
    tool, call, path = event.tool_name, _call(event), event.file_path
    if tool in EDIT_TOOLS and path:
        name = event.spellings_of_path(path)[0].replace("\\", "/")
        journal.note(event, "edit", path=_plain(name), call=call)
        return _new_structure(event, path, name)
    data = journal.read(memory_folder.of(event), event.session_key)
    if tool == "Bash":
        from hooklib.shell import command_shape

        name = _plain(command_shape.of_command(event.command))
        weight = command_shape.weight(name)
        if weight > 1:  # else it looks at something, or moves something about
            return _ran(event, data, name, weight, call)
    if journal.asks(data):  # it was allowed
        journal.note(event, "did", call=call)
    return ""


def _ran(event: Event, data: bytes, name: str, weight: int, call: int) -> str:
    if b'{"is":"failed"' in data:  # it may be what helps
        from hooklib.sanitize import kept

        journal.note(event, "ran", shape=name, call=call, command=kept(event.command, _COMMAND))
    else:
        journal.note(event, "ran", shape=name, call=call)
    mark = b'"shape":"%s","call"' % name.encode("utf-8", "replace")
    times = sum(mark in line for line in data.split(b"\n") if line.startswith(b'{"is":"ran"'))
    if times + 1 != _REPEATED or weight < 3:
        return ""
    return _advise(
        event,
        data,
        "`%s` has now been run %d times in this session" % (name, _REPEATED),
        '--kind pattern --title "WHEN AND HOW %s IS RUN HERE"' % name,
    )


def _new_structure(event: Event, path: str, name: str) -> str:
    """Return an advice where a new file tells something about the project."""
    response = event.data.get("tool_response")
    if not isinstance(response, dict) or response.get("type") != "create" or event.agent_id:
        return ""
    from hooklib.memory.learn import structure

    root = event.project_root
    found = structure.noticed(path, root, _alone(root, name))
    if found is None:
        return ""
    data = journal.read(memory_folder.of(event), event.session_key)
    where = name.partition("/")[0] + "/**" if found[0] == "folder" else name
    return _advise(
        event,
        data,
        "new in this project: %s" % found[1],
        '--kind structure --title "WHAT IT IS FOR" --file "%s"' % where,
    )


def _advise(event: Event, data: bytes, what: str, how: str) -> str:
    if event.agent_id or data.count(b'{"is":"advised"') >= _ADVICE:
        return ""
    journal.note(event, "advised")
    return (
        "[memory] %s. If a later session should know about it, save it: "
        "`hookctl memory add %s --body \"...\"`. Otherwise go on." % (what, how)
    )  # fmt: skip


def failed(event: Event) -> str:
    """Record a failure; return what resolved it here before."""
    from hooklib.memory.learn import failures, signature
    from hooklib.memory.store import database, ingest
    from hooklib.sanitize import kept
    from hooklib.shell import command_shape

    name = _plain(command_shape.of_command(event.command)) if event.tool_name == "Bash" else ""
    error = kept(signature.of_error(event.text("error", _ERROR)), _SIGNATURE)
    journal.note(
        event, "failed", shape=name, signature=error, tool=event.tool_name[:100], call=_call(event)
    )
    if not error:
        return ""
    place = memory_folder.of(event)
    ingest.fold(place, event.session_key)
    known = database.read(place, lambda c: failures.known(c, error, name))
    if known is None:
        return ""
    from hooklib.memory.search import recall_text

    item, intro = _known(*known)
    return recall_text.once(event, intro, [item], _BUDGET)


def _known(memory: Memory, count: int, held: int) -> tuple[Item, str]:
    from hooklib.memory.search import recall_text

    before = max(1, count - 1)
    intro = "This failure was seen here %d time%s before; what resolved it" % (
        before,
        "" if before == 1 else "s",
    )
    item = recall_text.item(memory)
    item.stamp += " failed"  # here it helps, also where it was told before
    return item, "%s (it held %d time%s)." % (intro, held, "" if held == 1 else "s")


def asked(event: Event, kind: str) -> None:
    """Record that a permission was asked for, or denied."""
    from hooklib.memory.learn.permission_rules import rule_for
    from hooklib.sanitize import kept

    home = os.path.expanduser("~")
    rule = rule_for(event.tool_name, event.tool_input, event.project_root, home)
    if rule:
        journal.note(event, kind, rule=kept(rule, _RULE), call=_call(event))


def _call(event: Event) -> int:
    """Return a number for what a tool is called with: the same before and after it runs."""
    from binascii import crc32

    about = (event.tool_name, event.file_path, event.command, event.tool_input.get("url"))
    return crc32(repr(about).encode("utf-8", "replace"))


def _plain(text: str) -> str:
    """Return a path or a shape to keep; looked through for secrets where a part could be one."""
    parts = text.replace("/", " ").split(" ")
    if len(text) <= _PATH and not any(len(p) > 15 and any(map(str.isdigit, p)) for p in parts):
        return text
    from hooklib.sanitize import kept

    return kept(text, _PATH)


def _alone(root: str, name: str) -> bool:
    """Return whether a file is the only one in its top-level folder."""
    *folders, last = name.split("/")
    here = root
    for step, inner in zip(folders, [*folders[1:], last]):
        here = os.path.join(here, step)
        try:
            if os.listdir(here) != [inner]:
                return False
        except OSError:
            return False
    return bool(folders)
