#!/usr/bin/env python3
"""UserPromptSubmit: show the knowledge files whose keywords occur in the prompt."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

from hooklib.event import MAX_TEXT, Event
from hooklib.knowledge import index_cache
from hooklib.knowledge.note_folders import KINDS
from hooklib.output import Output


def run(event: Event) -> Output | None:
    prompt = event.text("prompt", MAX_TEXT)
    start, root = event.start_dir, event.project_root
    topics = []
    for kind in KINDS:
        lines = index_cache.topics(start, root, kind)[1]  # the session start logged problems
        if lines:
            from hooklib.knowledge.keyword_match import matching_topics

            topics += [(kind, line) for line in matching_topics(prompt, lines)]
    if not topics:
        return None
    from hooklib.knowledge.keyword_match import reminder

    text = reminder(event.session_key, topics, start, root)
    return Output(context=text) if text else None


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
