#!/usr/bin/env python3
"""Write what OpenCode's adapter, which is JavaScript, needs to know of the library and its wiring.

One JSON file beside it; `--check` compares. `make sync` and `make check-sync` run it.
"""

from __future__ import annotations

import json
import os
import sys

from wiring import REPO, load_plugin, seconds

sys.path.insert(0, os.path.join(REPO, "plugins", "ecc-hooks", "lib"))

from hooklib.engine import event_names  # noqa: E402
from hooklib.event import EDIT_TOOLS  # noqa: E402

FILE = os.path.join(REPO, "plugins", "ecc-hooks-opencode", "facts.json")


def facts() -> dict[str, object]:
    """Return what else events are called in settings, the tools that edit, an event's seconds."""
    limits = {
        event: max(int(seconds(handler)) for group in groups for handler in group["hooks"])
        for event, groups in load_plugin(os.path.join(REPO, "plugins", "ecc-hooks")).hooks.items()
    }
    aliases = {event: event_names.spellings(event)[1:] for event in event_names.EVENTS}
    aliases = {event: names for event, names in aliases.items() if names}
    return {"aliases": aliases, "editTools": EDIT_TOOLS, "seconds": limits}


def main(argv: list[str]) -> int:
    text = json.dumps(facts(), indent=2, sort_keys=True) + "\n"
    if "--check" not in argv:
        with open(FILE, "w", encoding="utf-8") as file:
            file.write(text)
        return 0
    with open(FILE, encoding="utf-8") as file:
        same = file.read() == text
    print("opencode-facts: %s" % ("as the library says" if same else "run `make sync`"))
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
