"""Read new transcript records into a session's state, each record once."""

from __future__ import annotations

import time

from hooklib import checked, clock, files, prose, sanitize, transcript
from hooklib.sessions import tool_calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.event import Event
    from hooklib.sessions.session_state import SessionState
    from hooklib.sessions.state_folder import StateFolder

    Record = dict[str, Any]

MAIN = "main"
_GOALS, _GOAL_BYTES = 20, 400
_MESSAGE_BYTES, _LOOKED_AT = 2_000, 20_000
_CURSORS = 100
_LATE_SECONDS = 0.5
_DECISIONS, _DECISION_BYTES = 20, 300


def add_turn(state: SessionState, folder: StateFolder, event: Event) -> bool:
    """Add the new records to state; return whether the transcript holds the whole turn.

    If only the last message is missing, that is fine: the event carries it, and while the model
    wrote it the host had time to write the rest. Only in a very short turn may more be missing.
    """
    state.pop("end", None)
    previous, seen = state.pop("last_message", ""), state.get("seen", "")
    add_new_records(state, folder, event.transcript_path, event.host)
    message = sanitize.clean(event.text("last_assistant_message", _LOOKED_AT), _MESSAGE_BYTES)
    is_complete = not message or not event.transcript_path or state.get("last_message") == message
    state["last_message"] = message or state.get("last_message", previous)
    return is_complete or seen < state.get("seen", "") < clock.precise(time.time() - _LATE_SECONDS)


def add_subagent(state: SessionState, folder: StateFolder, event: Event) -> None:
    """Add the new records of a subagent, which may stop more than once."""
    name, source = sanitize.clean(event.agent_type, 100), (event.agent_id or event.agent_type)[:100]
    if source not in state["cursors"]:
        state["agents"][name] = state["agents"].get(name, 0) + 1
    cursor = state["cursors"].setdefault(source, {})
    cursor.update(agent=name, path=event.text("agent_transcript_path"))
    add_new_records(state, folder, event.transcript_path, event.host)


def add_new_records(state: SessionState, folder: StateFolder, path: str, host: str) -> bool:
    """Add the new records of the session's and its subagents' transcripts; return if there are any.

    The host writes transcripts about 100 ms late; the next event finds what this one missed.
    """
    cursors = state["cursors"] = {MAIN: {}, **state["cursors"]}
    grown = [_add_from_transcript(state, folder, source, path, host) for source in list(cursors)]
    tool_calls.shorten_pending(state)
    while len(cursors) > _CURSORS:
        del cursors[next(source for source in cursors if source != MAIN)]
    return any(grown)


def _add_from_transcript(
    state: SessionState, folder: StateFolder, source: str, path: str, host: str
) -> bool:
    """Add the new records of one transcript: the session's own at path, or a subagent's."""
    stored = state["cursors"][source]
    agent = ""
    if source != MAIN:
        agent = checked.text(stored.get("agent")) or "subagent"
        path = checked.text(stored.get("path"))
    numbers = [stored.get(name) for name in ("offset", "sum")]
    has_cursor = all(isinstance(number, int) and number >= 0 for number in numbers)
    cursor = (
        transcript.Cursor(stored["offset"], stored["sum"]) if has_cursor else transcript.Cursor()
    )
    if files.size(path) in (-1, cursor.offset):
        return False
    try:
        records, cursor, fits = transcript.new_records(path, cursor, host)
    except OSError:
        return False
    # A replaced file repeats records counted before; a fork's file copies another session's.
    counted_until = "" if fits else state.get("seen" if has_cursor else "since", "")
    answer = ""
    for record in records:
        when = checked.text(record.get("timestamp"))
        if counted_until and when and when <= counted_until:
            continue
        if not counted_until and not agent and "19" < when < state["started"]:
            state["started"] = _timestamp(record)  # the session is older than the hooks in it
        if bool(record.get("isSidechain")) == bool(agent):
            answer = _add_record(state, folder, record, agent) or answer
        if not agent and when > state.get("seen", ""):
            state["seen"] = when
    if answer.strip():
        state["last_message"] = sanitize.clean(answer, _MESSAGE_BYTES)
    stored.update(offset=cursor.offset, sum=cursor.sum)
    return True


def _add_record(state: SessionState, folder: StateFolder, record: Record, agent: str) -> str:
    """Add one record; return the assistant's text in it."""
    message, text = record["message"], ""
    content = message.get("content")
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
    blocks = [block for block in blocks if isinstance(block, dict)]
    if record.get("type") == "assistant":
        if not agent and isinstance(message.get("model"), str) and message["model"][:1] != "<":
            state["model"] = message["model"][:100]
        for block in blocks:
            if block.get("type") == "tool_use":
                tool_calls.note_call(state, block)
            elif not agent and block.get("type") == "text":
                text = checked.text(block.get("text"))
                for decision in prose.decisions(text):
                    add_decision(state, decision, _timestamp(record))
    elif record.get("type") == "user":
        for block in blocks:
            if block.get("type") == "tool_result":
                for decision in tool_calls.note_result(state, folder, block, record, agent):
                    add_decision(state, decision, _timestamp(record))
        if not agent:
            _note_prompt(state, record, blocks)
    return text


def _note_prompt(state: SessionState, record: Record, blocks: list[Record]) -> None:
    """Count a prompt and add it as a goal; skip what the host wrote in the user's name."""
    if record.get("isMeta") or record.get("isCompactSummary"):
        return
    texts = [checked.text(block.get("text")) for block in blocks if block.get("type") == "text"]
    text = sanitize.prompt("\n".join(texts)) if texts else ""
    if not text:
        return
    state["prompts"] += 1
    goal = {"when": _timestamp(record), "text": sanitize.clean(text, _GOAL_BYTES)}
    if [last.get("text") for last in state["goals"][-1:]] != [goal["text"]]:
        state["goals"].append(goal)
    if len(state["goals"]) > _GOALS:  # keep the first: it says what the session is about
        del state["goals"][1]


def add_decision(state: SessionState, text: str, when: str) -> None:
    text = sanitize.clean(" ".join(text.split()), _DECISION_BYTES)
    if text and all(text != decision.get("text") for decision in state["decisions"]):
        state["decisions"].append({"when": when, "text": text})
        del state["decisions"][:-_DECISIONS]


def _timestamp(record: Record) -> str:
    return checked.text(record.get("timestamp"))[:19] + "Z"
