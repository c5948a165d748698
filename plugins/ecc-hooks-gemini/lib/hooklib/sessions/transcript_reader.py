"""Fold the records of a transcript into a session's state, each once."""

from __future__ import annotations

import time

from hooklib import checked, clock, files, prose, sanitize, transcript
from hooklib.sessions import tool_calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.event import Event
    from hooklib.sessions.session_state import State
    from hooklib.sessions.state_folder import Place

    Record = dict[str, Any]

MAIN = "main"
_GOALS, _GOAL_BYTES = 20, 400
_MESSAGE_BYTES, _LOOKED_AT = 2_000, 20_000
_CURSORS = 100
_LATE_SECONDS = 0.5
_DECISIONS, _DECISION_BYTES = 20, 300


def turn(held: State, place: Place, event: Event) -> bool:
    """Add what the session did since the last time; False where the turn is not all there yet.

    A last message alone that is not there is no matter: the event tells it, and the model took
    longer to write it than the host to write down all before it. A very short turn may lack more.
    """
    held.pop("end", None)
    before, seen = held.pop("last_message", ""), held.get("seen", "")
    read(held, place, event.transcript_path, event.host)
    said = sanitize.kept(event.text("last_assistant_message", _LOOKED_AT), _MESSAGE_BYTES)
    there = not said or not event.transcript_path or held.get("last_message") == said
    held["last_message"] = said or held.get("last_message", before)
    return there or seen < held.get("seen", "") < clock.precise(time.time() - _LATE_SECONDS)


def subagent(held: State, place: Place, event: Event) -> None:
    """Add what a subagent did; it may stop more than once."""
    name, source = sanitize.kept(event.agent_type, 100), (event.agent_id or event.agent_type)[:100]
    if source not in held["cursors"]:
        held["agents"][name] = held["agents"].get(name, 0) + 1
    cursor = held["cursors"].setdefault(source, {})
    cursor.update(agent=name, path=event.text("agent_transcript_path"))
    read(held, place, event.transcript_path, event.host)


def read(held: State, place: Place, path: str, host: str) -> bool:
    """Add what is new in the session's transcript and its subagents'; False where nothing is.

    The host writes them some 100 ms behind: what one event does not find yet, the next one does.
    """
    cursors = held["cursors"] = {MAIN: {}, **held["cursors"]}
    told = [_fold(held, place, source, path, host) for source in list(cursors)]
    tool_calls.settle(held)
    while len(cursors) > _CURSORS:
        del cursors[next(source for source in cursors if source != MAIN)]
    return any(told)


def _fold(held: State, place: Place, source: str, path: str, host: str) -> bool:
    """Add what is new in one transcript: the session's own at path, or that of a subagent."""
    at = held["cursors"][source]
    agent = ""
    if source != MAIN:
        agent, path = checked.text(at.get("agent")) or "subagent", checked.text(at.get("path"))
    good = all(isinstance(at.get(name), int) and at[name] >= 0 for name in ("offset", "sum"))
    cursor = transcript.Cursor(at["offset"], at["sum"]) if good else transcript.Cursor()
    if files.size(path) in (-1, cursor.offset):
        return False
    try:
        records, cursor, fits = transcript.news(path, cursor, host)
    except OSError:
        return False
    # what a replaced file repeats was counted before, what a fork copied is the other session's
    since = "" if fits else held.get("seen" if good else "since", "")
    answer = ""
    for each in records:
        when = checked.text(each.get("timestamp"))
        if since and when and when <= since:
            continue
        if not since and not agent and "19" < when < held["started"]:
            held["started"] = _when(each)  # before these hooks were there
        if bool(each.get("isSidechain")) == bool(agent):
            answer = _add(held, place, each, agent) or answer
        if not agent and when > held.get("seen", ""):
            held["seen"] = when
    if answer.strip():
        held["last_message"] = sanitize.kept(answer, _MESSAGE_BYTES)
    at.update(offset=cursor.offset, sum=cursor.sum)
    return True


def _add(held: State, place: Place, entry: Record, agent: str) -> str:
    """Add one record; return what the assistant said in it to the user."""
    message, said = entry["message"], ""
    content = message.get("content")
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
    blocks = [block for block in blocks if isinstance(block, dict)]
    if entry.get("type") == "assistant":
        if not agent and isinstance(message.get("model"), str) and message["model"][:1] != "<":
            held["model"] = message["model"][:100]
        for block in blocks:
            if block.get("type") == "tool_use":
                tool_calls.called(held, block)
            elif not agent and block.get("type") == "text":
                said = checked.text(block.get("text"))
                for decision in prose.decisions(said):
                    decide(held, decision, _when(entry))
    elif entry.get("type") == "user":
        for block in blocks:
            if block.get("type") == "tool_result":
                for decision in tool_calls.returned(held, place, block, entry, agent):
                    decide(held, decision, _when(entry))
        if not agent:
            _asked(held, entry, blocks)
    return said


def _asked(held: State, entry: Record, blocks: list[Record]) -> None:
    """Note the user's prompt; what the host wrote in the user's name is none."""
    if entry.get("isMeta") or entry.get("isCompactSummary"):
        return
    texts = [checked.text(block.get("text")) for block in blocks if block.get("type") == "text"]
    text = sanitize.prompt("\n".join(texts)) if texts else ""
    if not text:
        return
    held["prompts"] += 1
    goal = {"when": _when(entry), "text": sanitize.kept(text, _GOAL_BYTES)}
    if [each.get("text") for each in held["goals"][-1:]] != [goal["text"]]:
        held["goals"].append(goal)
    if len(held["goals"]) > _GOALS:  # the first one says what it was all about
        del held["goals"][1]


def decide(held: State, text: str, when: str) -> None:
    text = sanitize.kept(" ".join(text.split()), _DECISION_BYTES)
    if text and all(text != each.get("text") for each in held["decisions"]):
        held["decisions"].append({"when": when, "text": text})
        del held["decisions"][:-_DECISIONS]


def _when(entry: Record) -> str:
    return checked.text(entry.get("timestamp"))[:19] + "Z"
