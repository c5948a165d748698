#!/usr/bin/env python3
"""UserPromptSubmit: show the memories that the prompt is about."""

from __future__ import annotations

if __name__ == "__main__":
    import os
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))

from hooklib.event import MAX_TEXT, Event
from hooklib.memory.handlers import user_prompt
from hooklib.output import Output


def run(event: Event) -> Output | None:
    text = user_prompt.memories_for_prompt(event, event.text("prompt", MAX_TEXT))
    return Output(context=text) if text else None


if __name__ == "__main__":
    from hooklib.main import run_alone

    sys.exit(run_alone(__file__, run))
