"""Call the function of a user's Python script with the event; print the object that it returns.

The engine starts `python3 -I call_script.py SCRIPT` with the event on stdin. What the script prints
goes to stderr, so that stdout holds the answer alone.
"""

import json
import os
import runpy
import sys

FUNCTIONS = ("run", "hook", "handler", "main")


def main(path: str) -> int:
    answer_fd = os.dup(1)
    os.dup2(2, 1)
    event = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    sys.path.insert(0, os.path.dirname(path))
    namespace = runpy.run_path(path)
    function = next((namespace[name] for name in FUNCTIONS if callable(namespace.get(name))), None)
    if function is None:
        print("no function named " + ", ".join(FUNCTIONS), file=sys.stderr)
        return 1
    answer = function(event)
    if hasattr(answer, "__await__"):
        import asyncio

        answer = asyncio.run(answer)
    if answer is not None:
        with open(answer_fd, "w", encoding="utf-8") as out:
            json.dump(answer, out)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
