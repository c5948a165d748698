"""Start a session: note it in its state, and return what the model should know of earlier ones."""

from __future__ import annotations

import os
import time

from hooklib import clock, files
from hooklib.output import Output
from hooklib.sessions import aliases, briefing, retention, session_state, state_writer
from hooklib.text import byte_length, cut_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.event import Event
    from hooklib.sessions.session_state import SessionState
    from hooklib.sessions.state_folder import StateFolder

DAYS = 7
_ALIASES = 5
_ALIAS_BYTES = 1_000


def begin(state: SessionState, source: str) -> None:
    """Mark where a fork begins: its transcript repeats the records of another session."""
    if source == "fork" and not state["cursors"]:
        state["since"] = clock.precise(time.time())


def for_new_context(event: Event, folder: StateFolder) -> Output | None:
    """Return the briefing for an empty context, or None."""
    keys = retention.latest(folder)
    if len(keys) > retention.KEEP:
        state_writer.remove_old(event, folder)
    state = _previous_state(event, folder, keys)
    extra_lines = [line for line in (_package_manager(event), _aliases(folder)) if line]
    room = briefing.BUDGET - sum(byte_length(line) + 1 for line in extra_lines)
    texts = [briefing.for_new_session(state, room), *extra_lines] if state else extra_lines
    if not texts:
        return None
    return Output(context="\n".join(texts), message=_message(event, state) if state else "")


def after_compaction(event: Event, folder: StateFolder) -> Output | None:
    """Return the facts that the compaction may have lost, or None; its summary is not known yet.

    After /compact the facts are in the context already: the command's output shows what PreCompact
    printed.
    """
    state = session_state.load(folder, event.session_key)
    compactions = state["compactions"] if state else []
    is_manual = bool(compactions) and compactions[-1].get("trigger") == "manual"
    facts = briefing.after_compaction(state) if state and not is_manual else ""
    texts = [text for text in (facts, _package_manager(event)) if text]
    return Output(context="\n".join(texts)) if texts else None


def _previous_state(event: Event, folder: StateFolder, keys: list[str]) -> SessionState | None:
    """Return the state of this project's latest other session within DAYS, or None."""
    oldest = clock.stamp(time.time() - DAYS * 24 * 3600)
    for key in keys:
        state = session_state.load(folder, key) if key != event.session_key else None
        if state is None or state["root"] != folder.root or not session_state.is_real(state):
            continue
        if state["updated"] >= oldest:
            return _with_missing_end(event, folder, key, state) or state
    return None


def _with_missing_end(
    event: Event, folder: StateFolder, key: str, state: SessionState
) -> SessionState | None:
    """Add a killed session's last records, as its transcript lies beside this one; None if none."""
    transcript = os.path.join(os.path.dirname(event.transcript_path), key + ".jsonl")
    offset = state["cursors"].get("main", {}).get("offset")
    if not event.transcript_path or files.size(transcript) in (-1, offset):
        return None
    from hooklib.sessions import transcript_reader

    return state_writer.update_stored(
        folder,
        key,
        lambda state: transcript_reader.add_new_records(state, folder, transcript, event.host),
    )


def _message(event: Event, state: SessionState) -> str:
    """Return one line for the user."""
    if not event.settings.flag("sessionMessage", env="CUSTOM_SKILLS_SESSION_MESSAGE"):
        return ""
    from hooklib import fence

    day, branch = fence.line(state["updated"][:10], 10), fence.line(state.get("branch"), 60)
    counts = [("goal", len(state["goals"])), ("file", len(state["files"]))]
    parts = ["%d %s%s" % (n, noun, "" if n == 1 else "s") for noun, n in counts if n]
    on_branch = " on " + branch if branch else ""
    return "loaded: session of %s%s, %s" % (day, on_branch, ", ".join(parts))


def _package_manager(event: Event) -> str:
    from hooklib.sessions import package_manager

    name, source = package_manager.detect(
        list(dict.fromkeys((event.start_dir, event.project_root)))
    )
    return "package manager: %s (from %s)" % (name, source) if name else ""


def _aliases(folder: StateFolder) -> str:
    paths = [(name, folder.file_of(key)) for name, key in aliases.read(folder).items()]
    existing = [(name, path) for name, path in paths if os.path.exists(path)][:_ALIASES]
    text = "; ".join("%s = %s" % (name, folder.relative(path)) for name, path in existing)
    return cut_bytes("session aliases: " + text, _ALIAS_BYTES) if text else ""
