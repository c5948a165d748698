#!/usr/bin/env python3
"""SessionStart: tell the agent which knowledge and experience there is, and in which files."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

from hooklib import log
from hooklib.event import Event
from hooklib.knowledge import index_cache
from hooklib.knowledge.keyword_match import forget
from hooklib.knowledge.note_folders import KINDS
from hooklib.output import Output

ENOUGH = 64_000  # bytes of topics: some are left out, a few hundred fill any budget


def run(event: Event) -> Output | None:
    if event.text("source") in ("resume", "fork"):  # it is in the context already
        return None
    forget(event.session_key)
    start, root = event.start_dir, event.project_root
    found = []
    for kind in KINDS:
        total, lines, problems = index_cache.topics(start, root, kind, ENOUGH)
        found.append((total, lines))
        for place, problem in problems:
            what = "%s index: %s" % (place.layer, problem)
            log.write(event.name, "knowledge-index", what, kind=kind.folder)
    if not any(lines for _, lines in found):
        return None
    from hooklib.knowledge.index_text import blocks

    text = blocks(found[0], found[1], start, root)
    return Output(context=text) if text else None


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
