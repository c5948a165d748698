"""Record what a tool did, and advise the model about known failures and new structure."""

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
_REPEATED = 5  # runs of a command before the model is advised to save how it is run
_BUDGET = 1_200


def record_operation(event: Event) -> str:
    """Record an edit or a command; return advice for the model, or ''."""
    tool, call, path = event.tool_name, _call(event), event.file_path
    if tool in EDIT_TOOLS and path:
        name = event.spellings_of_path(path)[0].replace("\\", "/")
        journal.record(event, "edit", path=_plain(name), call=call)
        return _new_structure(event, path, name)
    data = journal.read(memory_folder.for_event(event), event.session_key)
    if tool == "Bash":
        from hooklib.shell import command_shape

        name = _plain(command_shape.of_command(event.command))
        weight = command_shape.weight(name)
        if weight > 1:  # not for commands that only look at files or move them
            return _record_command(event, data, name, weight, call)
    if journal.has_pending_permission(data):  # the tool ran, so the user allowed it
        journal.record(event, "did", call=call)
    return ""


def _record_command(event: Event, data: bytes, name: str, weight: int, call: int) -> str:
    if b'{"is":"failed"' in data:  # the command may resolve that failure: keep all of it
        from hooklib.sanitize import clean

        journal.record(event, "ran", shape=name, call=call, command=clean(event.command, _COMMAND))
    else:
        journal.record(event, "ran", shape=name, call=call)
    mark = b'"shape":"%s","call"' % name.encode("utf-8", "replace")
    times = sum(mark in line for line in data.split(b"\n") if line.startswith(b'{"is":"ran"'))
    if times + 1 != _REPEATED or weight < 3:
        return ""
    return _advise(
        event,
        data,
        "`%s` ran %d times in this session" % (name, _REPEATED),
        '--kind pattern --title "WHEN AND HOW %s IS RUN HERE"' % name,
    )


def _new_structure(event: Event, path: str, name: str) -> str:
    """Return advice if a new file shows something about the project's structure, or ''."""
    response = event.data.get("tool_response")
    if not isinstance(response, dict) or response.get("type") != "create" or event.agent_id:
        return ""
    from hooklib.memory.learn import structure

    root = event.project_root
    discovery = structure.describe_new_file(path, root, _is_alone(root, name))
    if discovery is None:
        return ""
    data = journal.read(memory_folder.for_event(event), event.session_key)
    glob = name.partition("/")[0] + "/**" if discovery[0] == "folder" else name
    return _advise(
        event,
        data,
        "new in this project: %s" % discovery[1],
        '--kind structure --title "WHAT IT IS FOR" --file "%s"' % glob,
    )


def _advise(event: Event, data: bytes, reason: str, options: str) -> str:
    if event.agent_id or data.count(b'{"is":"advised"') >= _ADVICE:
        return ""
    journal.record(event, "advised")
    text = '[memory] %s. Useful to a later session? `hookctl memory add %s --body "..."`'
    return text % (reason, options)


def record_failure(event: Event) -> str:
    """Record a failure; return the solution that resolved it here before, or ''."""
    from hooklib.memory.learn import failures, signature
    from hooklib.memory.store import database, ingest
    from hooklib.sanitize import clean
    from hooklib.shell import command_shape

    name = _plain(command_shape.of_command(event.command)) if event.tool_name == "Bash" else ""
    error = clean(signature.of_error(event.text("error", _ERROR)), _SIGNATURE)
    journal.record(
        event, "failed", shape=name, signature=error, tool=event.tool_name[:100], call=_call(event)
    )
    if not error:
        return ""
    folder = memory_folder.for_event(event)
    ingest.apply_journal(folder, event.session_key)
    solution = database.read(folder, lambda c: failures.find_solution(c, error, name))
    if solution is None:
        return ""
    from hooklib.memory.search import recall_text

    item, intro = _solution_item(*solution)
    return recall_text.unseen_items(event, intro, [item], _BUDGET)


def _solution_item(memory: Memory, count: int, times_resolved: int) -> tuple[Item, str]:
    from hooklib.memory.search import recall_text

    numbers = (_times(max(1, count - 1)), _times(times_resolved))
    item = recall_text.item(memory)
    item.stamp += " failed"  # show it for the failure even if it was shown before
    return item, "Failed here %s before; this resolved it %s." % numbers


def _times(number: int) -> str:
    return "once" if number == 1 else "%d times" % number


def record_permission(event: Event, kind: str) -> None:
    """Record that a permission was asked for, or denied."""
    from hooklib.memory.learn.permission_rules import rule_for
    from hooklib.sanitize import clean

    home = os.path.expanduser("~")
    rule = rule_for(event.tool_name, event.tool_input, event.project_root, home)
    if rule:
        journal.record(event, kind, rule=clean(rule, _RULE), call=_call(event))


def _call(event: Event) -> int:
    """Return a checksum of the tool's input, the same before and after the tool runs."""
    from binascii import crc32

    about = (event.tool_name, event.file_path, event.command, event.tool_input.get("url"))
    return crc32(repr(about).encode("utf-8", "replace"))


def _plain(text: str) -> str:
    """Return a path or command shape without secrets; search only where a part could be one."""
    parts = text.replace("/", " ").split(" ")
    if len(text) <= _PATH and not any(len(p) > 15 and any(map(str.isdigit, p)) for p in parts):
        return text
    from hooklib.sanitize import clean

    return clean(text, _PATH)


def _is_alone(root: str, name: str) -> bool:
    """Return whether a file is the only one in its top-level folder."""
    *folders, last = name.split("/")
    current = root
    for step, inner in zip(folders, [*folders[1:], last]):
        current = os.path.join(current, step)
        try:
            if os.listdir(current) != [inner]:
                return False
        except OSError:
            return False
    return bool(folders)
