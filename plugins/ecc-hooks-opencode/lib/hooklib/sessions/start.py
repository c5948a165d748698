"""The beginning of a session: what it is told, and what is noted of it."""

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
    from hooklib.sessions.session_state import State
    from hooklib.sessions.state_folder import Place

DAYS = 7
_ALIASES = 5
_ALIAS_BYTES = 1_000


def begin(held: State, source: str) -> None:
    """Note that the session has begun; a fork's transcript repeats what another one did."""
    if source == "fork" and not held["cursors"]:
        held["since"] = clock.precise(time.time())


def from_nothing(event: Event, place: Place) -> Output | None:
    """Return what a session that knows nothing should know, None where there is nothing."""
    order = retention.latest(place)
    if len(order) > retention.KEEP:
        state_writer.drop_old(event, place)
    held = _earlier(event, place, order)
    about = [line for line in (_package_manager(event), _aliases(place)) if line]
    room = briefing.BUDGET - sum(byte_length(line) + 1 for line in about)
    texts = [briefing.earlier(held, room), *about] if held else about
    if not texts:
        return None
    return Output(context="\n".join(texts), message=_message(event, held) if held else "")


def after_compaction(event: Event, place: Place) -> Output | None:
    """Return what the compaction may have lost.

    Its summary is not known yet. After one that the user asked for, the context holds what
    PreCompact printed: the command's own output shows it.
    """
    held = session_state.load(place, event.session_key)
    asked_for = held and [each.get("trigger") for each in held["compactions"][-1:]] == ["manual"]
    text = briefing.lost(held) if held and not asked_for else ""
    texts = [line for line in (text, _package_manager(event)) if line]
    return Output(context="\n".join(texts)) if texts else None


def _earlier(event: Event, place: Place, order: list[str]) -> State | None:
    """Return the latest other session of this very project that is not too old."""
    oldest = clock.stamp(time.time() - DAYS * 24 * 3600)
    for key in order:
        held = session_state.load(place, key) if key != event.session_key else None
        if held is None or held["root"] != place.root or not session_state.is_real(held):
            continue
        if held["updated"] >= oldest:
            return _completed(event, place, key, held) or held
    return None


def _completed(event: Event, place: Place, key: str, held: State) -> State | None:
    """Add what a session did before it was killed: a host keeps its transcripts side by side."""
    transcript = os.path.join(os.path.dirname(event.transcript_path), key + ".jsonl")
    read = held["cursors"].get("main", {}).get("offset")
    if not event.transcript_path or files.size(transcript) in (-1, read):
        return None
    from hooklib.sessions import transcript_reader

    return state_writer.complete(
        place, key, lambda held: transcript_reader.read(held, place, transcript, event.host)
    )


def _message(event: Event, held: State) -> str:
    """Return one line for the user."""
    if not event.settings.flag("sessionMessage", env="CUSTOM_SKILLS_SESSION_MESSAGE"):
        return ""
    from hooklib import fence

    day, branch = fence.line(held["updated"][:10], 10), fence.line(held.get("branch"), 60)
    counts = [("goal", len(held["goals"])), ("file", len(held["files"]))]
    told = ["%d %s%s" % (n, what, "" if n == 1 else "s") for what, n in counts if n]
    where = " on " + branch if branch else ""
    return "loaded: session of %s%s, %s" % (day, where, ", ".join(told))


def _package_manager(event: Event) -> str:
    from hooklib.sessions import package_manager

    name, source = package_manager.detect(
        list(dict.fromkeys((event.start_dir, event.project_root)))
    )
    return "package manager: %s (from %s)" % (name, source) if name else ""


def _aliases(place: Place) -> str:
    named = [(name, place.path(key)) for name, key in aliases.read(place).items()]
    there = [pair for pair in named if os.path.exists(pair[1])][:_ALIASES]
    paths = [(name, place.relative(path)) for name, path in there]
    text = "; ".join("%s = %s" % pair for pair in paths)
    return cut_bytes("session aliases: " + text, _ALIAS_BYTES) if text else ""
