#!/usr/bin/env python3
"""SessionStart: show the agent which knowledge and experience exists, and in which files."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

from hooklib import log
from hooklib.event import Event
from hooklib.knowledge import index_cache
from hooklib.knowledge.keyword_match import forget_shown_topics
from hooklib.knowledge.note_folders import KINDS
from hooklib.output import Output

MAX_TOPIC_BYTES = 64_000  # more than any budget for the context: a few hundred topics fill it


def run(event: Event) -> Output | None:
    if event.text("source") in ("resume", "fork"):  # the index is already in the context
        return None
    forget_shown_topics(event.session_key)
    start, root = event.start_dir, event.project_root
    topics = []
    for kind in KINDS:
        total, lines, problems = index_cache.topics(start, root, kind, MAX_TOPIC_BYTES)
        topics.append((total, lines))
        for folder, problem in problems:
            message = "%s index: %s" % (folder.layer, problem)
            log.write(event.name, "knowledge-index", message, kind=kind.folder)
    if not any(lines for _, lines in topics):
        return None
    from hooklib.knowledge.index_text import blocks

    text = blocks(topics[0], topics[1], start, root)
    return Output(context=text) if text else None


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
