"""What the tests start from: this repository's plugins, installed in the client as by a user."""

from __future__ import annotations

import atexit
import functools
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from typing import Any

from claude_lab import ClaudeLab, Run
from fake_anthropic import Turn
from lab import commit

from support import REPO

_RECORD = re.compile(r"^(?=\d{4}-\d\d-\d\dT\S+ \[[A-Z]+\] )", re.MULTILINE)
_COMPLAINT = re.compile(r"\S+ \[(WARN|ERROR)\] ")


class BundleTestCase(unittest.TestCase):
    """A lab of its own per test, with all plugins of the marketplace installed."""

    fine: tuple[str, ...] = ("spoke", "silent")  # outcomes that the hooks' own log may hold

    def setUp(self) -> None:
        self.lab = self.new_lab(marketplace())

    def tearDown(self) -> None:
        self.assertEqual(
            [line for line in self.lab.hook_log() if line["outcome"] not in self.fine], []
        )

    def new_lab(self, repository: str = "", **where: str) -> ClaudeLab:
        """Return a lab, with the plugins of a marketplace where one is given."""
        lab = ClaudeLab(**where)
        self.addCleanup(lab.__exit__)
        if repository:
            lab.add_marketplace(repository)
            lab.install(*plugins())
        return lab

    def session(self, script: list[Turn], prompt: str = "go", resume: str = "", **env: Any) -> Run:
        """Run a session in which the client must play the whole script without an error."""
        run = self.lab.run([*script, "bye"], prompt, resume, **env)
        self.assertEqual((run.code, run.unused, run.failed_calls), (0, [], []), run.stderr)
        return run

    def writes(self, *names: str) -> list[Turn]:
        """Return one turn per name that writes a new file of the project."""
        return [call("Write", file_path=self.lab.path(name), content="text\n") for name in names]


def call(tool: str, **fields: object) -> Turn:
    return {"tool": tool, "input": fields}


def bash(command: str) -> Turn:
    return call("Bash", command=command, description="a step of the script")


@functools.cache
def marketplace() -> str:
    """Return the working tree as a committed repository, made once per process."""
    folder = os.path.realpath(tempfile.mkdtemp(prefix="our marketplace "))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    copy_working_tree(folder)
    commit(folder)
    return folder


def plugins() -> list[str]:
    """Return the names of the plugins in the marketplace."""
    with open(os.path.join(REPO, ".claude-plugin", "marketplace.json"), encoding="utf-8") as file:
        return [plugin["name"] for plugin in json.load(file)["plugins"]]


def copy_working_tree(target: str) -> None:
    """Copy what `git add -A` would commit: tracked and new files, run bits, no ignored ones."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=REPO, stdout=subprocess.PIPE, check=True).stdout
    for name in set(os.fsdecode(names).split("\0")) - {""}:
        source, copy = os.path.join(REPO, name), os.path.join(target, name)
        if os.path.lexists(source):  # git also lists what was deleted since the last commit
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            shutil.copy2(source, copy, follow_symlinks=False)


def complaints(debug: str) -> list[str]:
    """Return the warnings and errors about our plugins and files in a client's debug log."""
    ours = [*plugins(), "@custom-skills", "/custom-skills/", "hooks.json"]
    return [
        record.strip()
        for record in _RECORD.split(debug)
        if _COMPLAINT.match(record) and any(name in record for name in ours)
    ]


def hook_lines(screen: str) -> list[str]:
    """Return the lines of a screen that show anything of a hook."""
    marks = re.compile(r"hook|(Pre|Post)ToolUse|SessionStart| says: |\[strategic-compact\]", re.I)
    return [line.strip() for line in screen.splitlines() if marks.search(line)]
