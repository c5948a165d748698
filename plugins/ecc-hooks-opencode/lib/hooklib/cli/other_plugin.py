"""Run another plugin's hooks in its own hookctl: its copy of the library may differ."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

from hooklib import jsonio
from hooklib.cli import terminal
from hooklib.cli.answer import COMMAND, REHEARSAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class OtherPlugin:
    """A running `hookctl answer` of another plugin: one line of JSON per event, one in reply."""

    def __init__(self, root: str, request: dict[str, Any]) -> None:
        self.problem = ""
        env = {name: value for name, value in os.environ.items() if name != REHEARSAL}
        command = ["sh", os.path.join(root, "hooks", "run"), "--hookctl", COMMAND]
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115  closed by close()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, env=env
        )
        self._ask(request)

    def answer(self, name: str, data: dict[str, Any], starts: bool) -> dict[str, Any]:
        """Return the hooks' answers to an event, or why they could not be run."""
        reply = self._ask({"name": name, "data": data, "starts": starts})
        if self.problem:
            return {"runs": False, "why": self.problem, "invalid": 1}
        return reply

    def close(self) -> None:
        """End the process and copy what its hooks printed to stderr."""
        for pipe in (self.process.stdin, self.process.stdout):
            try:
                pipe.close()  # type: ignore[union-attr]
            except OSError:  # it ended before it read everything
                pass
        self.process.wait()
        if not self.problem:
            sys.stderr.write(self._printed())
        self.errors.close()

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        if self.problem:
            return {}
        try:
            self.process.stdin.write(jsonio.dumps(request).encode("ascii") + b"\n")  # type: ignore[union-attr]
            self.process.stdin.flush()  # type: ignore[union-attr]
            reply = jsonio.loads(self.process.stdout.readline())  # type: ignore[union-attr]
        except (OSError, ValueError, RecursionError):
            reply = None
        if not isinstance(reply, dict):
            self.process.kill()
            self.process.wait()
            last_line = (self._printed().strip().splitlines() or [""])[-1]
            reply = {"error": "its hookctl does not answer, update the plugin: %s" % last_line}
        self.problem = terminal.clean(reply.get("error", ""))
        return reply

    def _printed(self) -> str:
        self.errors.seek(0)
        return self.errors.read().decode("utf-8", "replace")
