#!/usr/bin/env python3
"""PreToolUse: suggest a compaction after every so many edits of a session."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

from hooklib import hosts, state
from hooklib.event import Event
from hooklib.output import Output

DEFAULT_THRESHOLD = 50
REPEAT = 25


def run(event: Event) -> Output | None:
    if event.agent_id:  # a subagent's edits do not fill this context
        return None
    edits = state.increment(event.session_key, "edits")
    threshold = event.settings.positive_int(
        "compactThreshold", DEFAULT_THRESHOLD, env="COMPACT_THRESHOLD"
    )
    if edits < threshold or (edits - threshold) % REPEAT:
        return None
    return Output(context=_advice(edits, event))


def _advice(edits: int, event: Event) -> str:
    host = hosts.adapter(event.host)
    tokens = host.context_tokens(event.transcript_path)
    size = ", about %d tokens in context" % tokens if tokens else ""
    return (
        "[strategic-compact] %d edits since the start or the last compaction%s. At a good moment "
        "(after exploration or a milestone, before a change of topic) suggest %s to the user; in "
        "the middle of a task, go on." % (edits, size, host.compact_command)
    )


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
