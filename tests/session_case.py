"""What the tests of the session memory share: a transcript as Claude Code writes it, and events."""

from __future__ import annotations

import json
import os
import subprocess
import time
from typing import Any

from support import SESSION, Done, HookTestCase, event

FENCE, END = "<session-history>", "</session-history>"
OTHER = "0d3c1f5a-7b22-4c0e-9f10-5c1d7e2b9a44"
THIRD = "7e5efc58-3182-4ce0-a0b8-4e05f8d0954f"


class Transcript:
    """A file of records, each a line, as Claude Code 2.1.326 writes them."""

    def __init__(self, path: str, session: str = SESSION, age: float = 60, agent: bool = False):
        self.path, self.session, self.agent = path, session, agent
        self.started, self.count = time.time() - age, 0
        os.makedirs(os.path.dirname(path), exist_ok=True)

    def add(self, kind: str, content: object = None, **more: object) -> None:
        """Append one record; content is the message's, None for a record that has no message."""
        self.count += 1
        moment = self.started + self.count / 100
        when = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment)) + ".%03dZ" % (
            moment % 1 * 1000
        )
        record: dict[str, Any] = {"parentUuid": None, "isSidechain": self.agent, "type": kind}
        if content is not None:
            record["message"] = {"role": kind, "content": content}
            if kind == "assistant":
                record["message"].update(model="claude-sonnet-4-5", id="msg_%d" % self.count)
        record.update(uuid="uuid-%d" % self.count, timestamp=when, sessionId=self.session)
        record.update(more)
        self.raw(json.dumps(record, separators=(",", ":")) + "\n")

    def raw(self, text: str) -> None:
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(text)

    def prompt(self, text: str, **more: object) -> None:
        self.add("user", text, **more)

    def say(self, text: str) -> None:
        self.add("assistant", [{"type": "text", "text": text}])

    def call(
        self,
        tool: str,
        given: dict[str, Any],
        result: str = "done",
        error: bool = False,
        **more: object,
    ) -> None:
        """Add a call of a tool and what came of it."""
        name = "toolu_%s_%d" % (os.path.basename(self.path)[:12], self.count)
        self.add("assistant", [{"type": "tool_use", "id": name, "name": tool, "input": given}])
        block = {"type": "tool_result", "tool_use_id": name, "content": result}
        self.add("user", [{**block, "is_error": True} if error else block], **more)

    def create(self, path: str) -> None:
        self.call("Write", {"file_path": path}, "File created successfully at: " + path)

    def edit(self, path: str) -> None:
        self.call("Edit", {"file_path": path}, "The file %s has been updated." % path)

    def bash(self, command: str, failure: str = "") -> None:
        self.call("Bash", {"command": command}, failure or "fine", bool(failure))

    def task(self, number: int, subject: str) -> None:
        made = {"task": {"id": str(number), "subject": subject}}
        self.call("TaskCreate", {"subject": subject}, "created", toolUseResult=made)


class SessionTestCase(HookTestCase):
    """A project that looks like a repository, and the events of its sessions."""

    def setUp(self) -> None:
        super().setUp()
        self.make_repository(self.project)
        self.transcripts = self.folder("home", ".claude", "projects", "my-project")
        self.transcript = self.new_transcript()

    def make_repository(self, folder: str, branch: str = "main") -> None:
        """Lay down what of a repository is looked at without git."""
        self.write(os.path.join(folder, ".git", "HEAD"), "ref: refs/heads/%s\n" % branch)

    def new_transcript(self, session: str = SESSION, age: float = 60) -> Transcript:
        return Transcript(os.path.join(self.transcripts, session + ".jsonl"), session, age)

    def send(
        self, name: str, session: str = SESSION, env: dict[str, str] | None = None, **more: Any
    ) -> Done:
        given = event(name, session_id=session, cwd=self.project, **more)
        given["transcript_path"] = os.path.join(self.transcripts, session + ".jsonl")
        return self.run_event(given, **(env or {}))

    def stop(self, session: str = SESSION, last: str = "", **more: Any) -> None:
        """End a turn; the host is told nothing."""
        given: dict[str, Any] = {"stop_hook_active": False, "last_assistant_message": last}
        self.assert_silent(self.send("Stop", session, **{**given, **more}))

    def begin(self, session: str = OTHER, source: str = "startup", **env: str) -> Done:
        done = self.send("SessionStart", session, env, source=source)
        self.assertEqual((done.code, done.stderr), (0, ""))
        return done

    def end(self, session: str = SESSION, **env: str) -> None:
        self.assert_silent(self.send("SessionEnd", session, env, reason="prompt_input_exit"))

    def work(self, session: str = SESSION, goal: str = "Build it", file: str = "a.txt") -> None:
        """Let a session write a file and end its turn."""
        transcript = self.new_transcript(session)
        transcript.prompt(goal)
        transcript.create(os.path.join(self.project, file))
        self.stop(session)

    def path(self, *names: str) -> str:
        return os.path.join(self.project, *names)

    def sessions(self, *names: str) -> str:
        return self.path(".claude", "sessions", *names)

    def keys(self) -> list[str]:
        """The sessions of which there is a state."""
        names = [name[: -len(".json")] for name in os.listdir(self.sessions()) if ".json" in name]
        return sorted(name for name in names if "." not in name)

    def state(self, session: str = SESSION) -> dict[str, Any]:
        with open(self.sessions(session + ".json"), encoding="utf-8") as file:
            document: dict[str, Any] = json.load(file)
            return document

    def change_state(self, session: str = SESSION, **fields: object) -> None:
        self.write(self.sessions(session + ".json"), {**self.state(session), **fields})

    def history(self, done: Done) -> str:
        """What stands between the fences."""
        text = done.context
        self.assertEqual((text.count(FENCE), text.count(END)), (1, 1), text)
        return text.partition(FENCE)[2].partition(END)[0]

    def git(self, *args: str) -> str:
        """Run the real git in the project; the first time, make it a repository."""
        if not os.path.isdir(self.path(".git", "objects")):
            subprocess.run(["git", "init", "-q"], cwd=self.project, check=True)
        who = [
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@localhost",
            "-c",
            "core.hooksPath=/dev/null",
        ]
        env = {"PATH": os.environ["PATH"], "HOME": self.home, "GIT_CONFIG_NOSYSTEM": "1"}
        done = subprocess.run(
            ["git", *who, *args], cwd=self.project, env=env, capture_output=True, check=True
        )
        return done.stdout.decode()

    def commit(self, message: str = "one") -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
