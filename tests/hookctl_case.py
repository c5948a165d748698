"""What the tests of hookctl share: settings with rules, and hookctl started as a person does."""

from __future__ import annotations

import json
import os
from typing import Any

from support import Done, HookTestCase

USER = "home/.claude/settings.json"
PROJECT = "my project/.claude/settings.json"
LOCAL = "my project/.claude/settings.local.json"


def command(text: str, **more: object) -> dict[str, Any]:
    return {"type": "command", "command": text, **more}


def rule(matcher: object, *hooks: dict[str, Any], **more: object) -> dict[str, Any]:
    return {"matcher": matcher, "hooks": list(hooks), **more}


def rules(**events: object) -> dict[str, Any]:
    """Settings with rules in the hosts' form."""
    return {"customHooks": {"hooks": events}}


def listed(**events: list[Any]) -> dict[str, Any]:
    """Settings with the same rules as a list, the form that Claude Code lets be."""
    found = [
        {"event": event, "run": each["hooks"], **{k: v for k, v in each.items() if k != "hooks"}}
        for event, given in events.items()
        for each in given
    ]
    return {"customHooks": {"rules": found}}


NO_PUSH = rule(
    'tool_input.command matches "git push*"',
    command("echo no pushing >&2; exit 2"),
    id="no-push",
)


class HookctlTestCase(HookTestCase):
    """A project that is a repository, and hookctl of ecc-hooks."""

    def setUp(self) -> None:
        super().setUp()
        self.folder("my project", ".git")

    def hookctl(self, *args: str, given: object = "", cwd: str = "", **env: str) -> Done:
        return self.start(
            ["sh", os.path.join(self.root, "bin", "hookctl"), *args], given, cwd, **env
        )

    def json(self, *args: str, code: int = 0, **env: str) -> Any:
        done = self.hookctl(*args, "--json", **env)
        self.assertEqual((done.code, done.stderr), (code, ""), done.stdout)
        self.assertTrue(done.stdout.isascii())
        return json.loads(done.stdout)

    def fails(self, *args: str, code: int = 1, **env: str) -> str:
        """Run a call that cannot be done; what it says on stderr, and nothing else."""
        done = self.hookctl(*args, **env)
        self.assertEqual((done.code, done.stdout), (code, ""), done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        return done.stderr

    def rows(self, **env: Any) -> dict[str, Any]:
        """The hooks by id."""
        return {row["id"]: row for row in self.json("list", **env)}

    def enabled(self, **states: bool) -> dict[str, Any]:
        """Settings that name plugins of this clone as a folder's marketplace."""
        source = {
            "source": {"source": "directory", "path": os.path.dirname(os.path.dirname(self.root))}
        }
        names = {name.replace("_", "-") + "@custom-skills": on for name, on in states.items()}
        return {"extraKnownMarketplaces": {"custom-skills": source}, "enabledPlugins": names}
