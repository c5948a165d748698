"""Compute what Gemini CLI starts for an event from the extension's hooks.json."""

from __future__ import annotations

import os
import re

import wiring
from wiring import REPO, SHELL, Event, Handler, Plugin

EXTENSION = os.path.join(REPO, "plugins", "ecc-hooks-gemini")
SESSION = "session-gemini.jsonl"
SUBJECTS = {
    "SessionStart": "source", "SessionEnd": "reason", "PreCompress": "trigger",
    "Notification": "notification_type",
}  # fmt: skip


def load_plugins(folder: str = "") -> list[Plugin]:
    """Return the extension, or all extensions in folder."""
    return wiring.load_plugins(folder) if folder else [wiring.load_plugin(EXTENSION)]


def wired(plugin: Plugin, event: Event) -> list[Handler]:
    """Return the handlers that the client starts for event.

    A tool's matcher is a regular expression that may match anywhere; any other must be equal.
    """
    handlers: list[Handler] = []
    name = event["hook_event_name"]
    for group in plugin.hooks.get(name, []):
        matcher = group.get("matcher", "")
        if name in SUBJECTS:
            fits = not matcher or matcher == event.get(SUBJECTS[name])
        else:
            fits = "tool_name" not in event or bool(re.search(matcher, event["tool_name"]))
        handlers += group["hooks"] if fits else []
    return handlers


def command(handler: Handler, env: dict[str, str]) -> list[str]:
    return [SHELL, "-c", handler["command"]]


def seconds(handler: Handler) -> float:
    return float(handler.get("timeout", 60_000)) / 1000


def environment(plugin: Plugin, handler: Handler, event: Event) -> dict[str, str]:
    """Return what the client adds to a hook's environment."""
    env = dict.fromkeys(("GEMINI_PROJECT_DIR", "GEMINI_CWD", "CLAUDE_PROJECT_DIR"), event["cwd"])
    own = handler.get("env", {}).items()
    hydrated = {key: value.replace("${extensionPath}", plugin.root) for key, value in own}
    return {**env, "GEMINI_SESSION_ID": event["session_id"], **hydrated}
