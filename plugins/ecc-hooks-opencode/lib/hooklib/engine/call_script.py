"""Call a user's Python script: its function gets the event and returns the hook's output object.

Started as `python3 -I call_script.py SCRIPT` with the event on stdin. What the script prints goes
to stderr, so that stdout holds the answer and nothing else.
"""

import json
import os
import runpy
import sys

FUNCTIONS = ("run", "hook", "handler", "main")


def main(path: str) -> int:
    answer_to = os.dup(1)
    os.dup2(2, 1)
    event = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    sys.path.insert(0, os.path.dirname(path))
    defined = runpy.run_path(path)
    function = next((defined[name] for name in FUNCTIONS if callable(defined.get(name))), None)
    if function is None:
        print("no function named " + ", ".join(FUNCTIONS), file=sys.stderr)
        return 1
    answer = function(event)
    if hasattr(answer, "__await__"):
        import asyncio

        answer = asyncio.run(answer)
    if answer is not None:
        with open(answer_to, "w", encoding="utf-8") as out:
            json.dump(answer, out)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
