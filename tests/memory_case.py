"""What the tests of the memory share: hookctl, events of a session, a look into the database."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
from typing import Any

from support import Done, HookTestCase, event

FENCE = "<recalled-memory>"


class MemoryTestCase(HookTestCase):
    """A repository of its own per test, and the plugin's events and command line in it."""

    session = "s1"

    def setUp(self) -> None:
        super().setUp()
        os.makedirs(os.path.join(self.project, ".git"))
        self.memory = os.path.join(self.project, ".claude", "memory")
        self.database = os.path.join(self.memory, "memory.db")

    def hookctl(self, *args: str, code: int = 0, stdin: str = "", **env: str) -> str:
        """Run `hookctl memory ...`; return what it printed."""
        command = ["sh", os.path.join(self.root, "bin", "hookctl"), "memory", *args]
        done = self.start(command, stdin, **env)
        self.assertEqual(done.code, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def add(self, title: str, *args: str, kind: str = "decision", **env: Any) -> str:
        """Store a memory; return its URI."""
        output = self.hookctl("add", "--kind", kind, "--title", title, *args, **env)
        return output.split()[-1]

    def listed(self, *args: str, **env: Any) -> list[dict[str, Any]]:
        document: list[dict[str, Any]] = json.loads(self.hookctl("list", "--json", *args, **env))
        return document

    def send(self, name: str, session: str = "", **fields: Any) -> Done:
        """Send an event of a session through the hooks."""
        given = event(name, session_id=session or self.session, cwd=self.project, **fields)
        env = given.pop("env", {})
        return self.run_event(given, **env)

    def read_file(self, path: str, session: str = "", **fields: Any) -> Done:
        given = {"file_path": os.path.join(self.project, path)}
        return self.send("PreToolUse", session, tool_name="Read", tool_input=given, **fields)

    def ask(self, prompt: str, session: str = "", **fields: Any) -> Done:
        return self.send("UserPromptSubmit", session, prompt=prompt, **fields)

    def edit(self, path: str, session: str = "", **fields: Any) -> Done:
        given = {"file_path": os.path.join(self.project, path), "old_string": "a"}
        return self.send("PostToolUse", session, tool_name="Edit", tool_input=given, **fields)

    def bash(self, command: str, session: str = "", **fields: Any) -> Done:
        given = {"command": command}
        return self.send("PostToolUse", session, tool_name="Bash", tool_input=given, **fields)

    def bash_failure(self, command: str, error: str, session: str = "", **fields: Any) -> Done:
        given = {"command": command}
        return self.send(
            "PostToolUseFailure", session, tool_name="Bash", tool_input=given, error=error, **fields
        )

    def end(self, session: str = "") -> None:
        self.assert_silent(self.send("SessionEnd", session, reason="other"))

    def rows(self, sql: str, *values: object, path: str = "") -> list[tuple[Any, ...]]:
        connection = sqlite3.connect(path or self.database)
        try:
            return connection.execute(sql, values).fetchall()
        finally:
            connection.close()

    def errors(self) -> list[dict[str, Any]]:
        return [line for line in self.log() if line["outcome"] not in ("spoke", "silent")]

    def bytes_with(self, needle: str, folder: str = "") -> list[str]:
        """The files below a folder that hold some bytes, in any of the usual encodings."""
        found = []
        for path in _walk(folder or self.base):
            with open(path, "rb") as file:
                data = file.read().lower()
            if any(needle.lower().encode(code) in data for code in ("utf-8", "utf-16-le")):
                found.append(os.path.relpath(path, self.base))
        return found

    def start_many(self, commands: list[list[str]], **env: str) -> list[subprocess.Popen[bytes]]:
        return [
            subprocess.Popen(
                command,
                env=self.env(**env),
                cwd=self.project,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            for command in commands
        ]


def _walk(folder: str) -> list[str]:
    return [os.path.join(top, name) for top, _, names in os.walk(folder) for name in names]
