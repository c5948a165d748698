"""What the tests of code quality share: edits as the client makes them, stand-ins for tools."""

from __future__ import annotations

import difflib
import json
import os
import subprocess
from typing import Any

from support import PYTHON, Done, HookTestCase, event

CACHE = os.path.expanduser(os.environ.get("CUSTOM_SKILLS_E2E") or "~/.cache/custom-skills-e2e")
# A tool that notes how it was called, and then does what the test says.
STAND_IN = """#!%s -IS
import json, os, sys, time
data = sys.stdin.buffer.read()
with open(%r, "a") as file:
    file.write(json.dumps([os.path.basename(sys.argv[0]), sys.argv[1:], os.getcwd()]) + "\\n")
text = data.decode("utf-8", "replace")
args = sys.argv[1:]
def say(said):
    sys.stdout.buffer.write(said.encode("utf-8"))
%s
"""
# what a formatter is to these tests: `x=1` becomes `x = 1`, in all lines
FORMATS = 'say(text.replace("=", " = ").replace("  =  ", " = "))'
RUFF = "[tool.ruff]\nline-length = 100\n"


def real(name: str) -> str:
    """Return a real tool of the end-to-end tests' cache or of `make lint`, '' where it is not."""
    for part in ("python-tools", "lint"):
        path = os.path.join(CACHE, part, "bin", name)
        if os.access(path, os.X_OK):
            return path
    return ""


class QualityTestCase(HookTestCase):
    """A project that is a git repository, with no commit yet."""

    def setUp(self) -> None:
        super().setUp()
        self.git("init", "-q")
        self.calls_file = os.path.join(self.base, "calls")

    def env(self, **more: str) -> dict[str, Any]:
        """The memory's hooks have something to say of new folders: not the subject here."""
        return super().env(**{"CUSTOM_SKILLS_DISABLED": "memory-recall", **more})

    def git(self, *args: str) -> str:
        who = ["-c", "user.name=t", "-c", "user.email=t@localhost", "-c", "init.defaultBranch=main"]
        done = subprocess.run(
            ["git", *who, *args], cwd=self.project, env=self.env(), capture_output=True, check=True
        )
        return os.fsdecode(done.stdout)

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "step")

    def put(self, name: str, text: str = "") -> str:
        """Write a file of the project; return its path."""
        path = os.path.join(self.project, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        return path

    def read(self, path: str) -> str:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()

    def tool(self, name: str, does: str = "", folder: str = ".venv/bin") -> str:
        """Put a stand-in for a tool into a folder of the project, or any other."""
        path = os.path.join(self.project, folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(STAND_IN % (PYTHON, self.calls_file, does))
        os.chmod(path, 0o755)
        return path

    def link(self, name: str, folder: str = ".venv/bin") -> None:
        """Put a real tool into a folder of the project."""
        if not real(name):
            self.skipTest("%s is not installed: make e2e or make lint does" % name)
        os.makedirs(os.path.join(self.project, folder), exist_ok=True)
        os.symlink(real(name), os.path.join(self.project, folder, name))

    def calls(self) -> list[Any]:
        """How the stand-ins were called since the last time: [name, arguments, folder]."""
        try:
            with open(self.calls_file, encoding="utf-8") as file:
                found = [json.loads(line) for line in file]
        except FileNotFoundError:
            return []
        os.unlink(self.calls_file)
        return found

    def settings(self, **switches: object) -> None:
        self.write("my project/.claude/settings.json", {"customSkills": switches})

    def edit(self, path: str, old: str, new: str, **env: str) -> Done:
        """Edit a file as the client does, and send what it sends then."""
        return self.run_event(self.edited(path, old, new), **env)

    def edited(self, path: str, old: str, new: str) -> dict[str, Any]:
        before = self.read(path)
        self.assertIn(old, before)
        ends = "\r\n" if "\r\n" in before else "\n"
        after = before.replace(old, new, 1)
        self.put(path, after)
        given = {"file_path": path, "old_string": old, "new_string": new, "replace_all": False}
        before, after = (text.replace(ends, "\n") for text in (before, after))
        response: dict[str, Any] = {
            "filePath": path,
            "oldString": old,
            "newString": new,
            "originalFile": before,
        }
        response["structuredPatch"] = patch(before, after)
        return self.post("Edit", given, response)

    def create(self, path: str, text: str, **env: str) -> Done:
        """Write a file, new or not, as the client does, and send what it sends then."""
        path = os.path.join(self.project, path)
        new = not os.path.exists(path)
        before = None if new else self.read(path)
        self.put(path, text)
        response: dict[str, Any] = {
            "type": "create" if new else "update",
            "filePath": path,
            "content": text,
        }
        response["structuredPatch"] = patch(before or "", text) if not new else []
        response["originalFile"] = before
        given = {"file_path": path, "content": text}
        return self.run_event(self.post("Write", given, response), **env)

    def post(self, tool: str, given: dict[str, Any], response: object = None) -> dict[str, Any]:
        fields = {"tool_name": tool, "tool_input": given, "cwd": self.project}
        return event("PostToolUse", **fields, tool_response=response)

    def stop(self, **fields: object) -> Done:
        env = {"CUSTOM_SKILLS_PROFILE": str(fields.pop("profile", ""))}
        given = {"stop_hook_active": False, "background_tasks": [], "cwd": self.project}
        return self.run_event(event("Stop", **{**given, **fields}), **env)


def patch(before: str, after: str) -> list[Any]:
    """The host's patch: three lines around each change, leading tabs shown as two spaces."""
    hunks: list[Any] = []
    for line in difflib.unified_diff(before.split("\n"), after.split("\n"), lineterm=""):
        if line.startswith("@@"):
            old, new = (part[1:].split(",") for part in line.split()[1:3])
            hunks.append({"oldStart": int(old[0]), "newStart": int(new[0]), "lines": []})
        elif hunks:
            body = line[1:]
            tabs = len(body) - len(body.lstrip("\t"))
            hunks[-1]["lines"].append(line[:1] + "  " * tabs + body[tabs:])
    return hunks
