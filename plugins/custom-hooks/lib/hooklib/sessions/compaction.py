"""What a compaction leaves in a session's state: a snapshot before it, the summary after it."""

from __future__ import annotations

import os

from hooklib import clock, files, sanitize
from hooklib.sessions import tool_calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.sessions.session_state import State
    from hooklib.sessions.state_folder import Place

LOG = "compaction-log.txt"
_LOG_BYTES = 64_000
_KEPT = 5
_SUMMARY_BYTES = 12_000
_TWICE_SECONDS = 120


def snapshot(held: State, place: Place, trigger: str, git: dict[str, Any]) -> None:
    """Note how things stand; a host that asks twice for one compaction leaves one snapshot."""
    taken: dict[str, Any] = {"when": clock.now(), "trigger": trigger[:20], "git": git}
    taken["tasks"] = [dict(task) for task in tool_calls.open_tasks(held)]
    taken["decisions"] = list(held["decisions"])
    last = held["compactions"][-1] if held["compactions"] else {}
    again = last.get("trigger") == trigger and "summary" not in last
    if again and _recent(str(last.get("when"))):
        taken["when"] = last["when"]
        held["compactions"][-1] = taken
        return
    held["compactions"] = [*held["compactions"], taken][-_KEPT:]
    _log(place, held, taken)


def summarise(held: State, text: str, trigger: str) -> None:
    """Keep the summary that the model wrote, with the snapshot that it belongs to."""
    inner = text.partition("<summary>")[2].rpartition("</summary>")[0] or text
    summary = {"when": clock.now(), "text": sanitize.kept(inner, _SUMMARY_BYTES)}
    last = held["compactions"][-1] if held["compactions"] else {"summary": True}
    if "summary" in last:
        last = {"when": summary["when"], "trigger": trigger[:20]}
        held["compactions"] = [*held["compactions"], last][-_KEPT:]
    last["summary"] = True
    held["summary"] = summary


def _recent(when: str) -> bool:
    import time

    return when > clock.stamp(time.time() - _TWICE_SECONDS)


def _log(place: Place, held: State, taken: dict[str, Any]) -> None:
    """Add a line to the log beside the states; the caller holds the folder's lock."""
    path = os.path.join(place.folder, LOG)
    counts = (len(held["goals"]), len(held["files"]), len(taken["tasks"]))
    line = "%s %s %s: " % (taken["when"], taken["trigger"], held["session"][:100])
    line += "%d goals, %d files changed, %d open tasks\n" % counts
    try:  # a link in a cloned repository must not bring another file's text here
        old = b"" if os.path.islink(path) else files.read_tail(path, _LOG_BYTES)
    except OSError:
        old = b""
    if len(old) == _LOG_BYTES:
        old = old[_LOG_BYTES // 2 :].partition(b"\n")[2]
    files.write_atomic(path, old + sanitize.kept(line, 400).encode("utf-8", "replace") + b"\n")
