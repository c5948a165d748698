"""Record a compaction in a session's state: a snapshot before it, the summary after it."""

from __future__ import annotations

import os

from hooklib import clock, files, sanitize
from hooklib.sessions import tool_calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.sessions.session_state import SessionState
    from hooklib.sessions.state_folder import StateFolder

LOG = "compaction-log.txt"
_LOG_BYTES = 64_000
_SNAPSHOTS = 5
_SUMMARY_BYTES = 12_000
_TWICE_SECONDS = 120


def take_snapshot(
    state: SessionState, folder: StateFolder, trigger: str, git: dict[str, Any]
) -> None:
    """Add a snapshot of the state; replace the last one if the host asks twice for a compaction."""
    snapshot: dict[str, Any] = {"when": clock.now(), "trigger": trigger[:20], "git": git}
    snapshot["tasks"] = [dict(task) for task in tool_calls.open_tasks(state)]
    snapshot["decisions"] = list(state["decisions"])
    last = state["compactions"][-1] if state["compactions"] else {}
    is_repeated = last.get("trigger") == trigger and "summary" not in last
    if is_repeated and _is_recent(str(last.get("when"))):
        snapshot["when"] = last["when"]
        state["compactions"][-1] = snapshot
        return
    state["compactions"] = [*state["compactions"], snapshot][-_SNAPSHOTS:]
    _log(folder, state, snapshot)


def keep_summary(state: SessionState, text: str, trigger: str) -> None:
    """Store the model's summary and mark the snapshot that it belongs to."""
    inner = text.partition("<summary>")[2].rpartition("</summary>")[0] or text
    summary = {"when": clock.now(), "text": sanitize.clean(inner, _SUMMARY_BYTES)}
    last = state["compactions"][-1] if state["compactions"] else {"summary": True}
    if "summary" in last:
        last = {"when": summary["when"], "trigger": trigger[:20]}
        state["compactions"] = [*state["compactions"], last][-_SNAPSHOTS:]
    last["summary"] = True
    state["summary"] = summary


def _is_recent(when: str) -> bool:
    import time

    return when > clock.stamp(time.time() - _TWICE_SECONDS)


def _log(folder: StateFolder, state: SessionState, snapshot: dict[str, Any]) -> None:
    """Append a line to the folder's log; the caller holds the folder's lock."""
    path = os.path.join(folder.path, LOG)
    counts = (len(state["goals"]), len(state["files"]), len(snapshot["tasks"]))
    line = "%s %s %s: " % (snapshot["when"], snapshot["trigger"], state["session"][:100])
    line += "%d goals, %d files changed, %d open tasks\n" % counts
    try:  # a cloned repository may hold a link here: do not copy its target's text
        old = b"" if os.path.islink(path) else files.read_tail(path, _LOG_BYTES)
    except OSError:
        old = b""
    if len(old) == _LOG_BYTES:
        old = old[_LOG_BYTES // 2 :].partition(b"\n")[2]
    files.write_atomic(path, old + sanitize.clean(line, 400).encode("utf-8", "replace") + b"\n")
