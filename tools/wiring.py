"""Compute what Claude Code starts for an event from the plugins' hooks.json."""

from __future__ import annotations

import json
import os
import re
import shutil
from typing import Any, NamedTuple

REPO = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHELL = (
    "/bin/sh" if os.path.exists("/bin/sh") else shutil.which("bash") or "sh"
)  # as the client does
SESSION = "session.jsonl"  # of the demo
# the field that a matcher is compared with; other events without a tool ignore their matcher
SUBJECTS = {
    "SessionStart": "source", "SessionEnd": "reason", "Setup": "trigger", "PreCompact": "trigger",
    "PostCompact": "trigger", "SubagentStart": "agent_type", "SubagentStop": "agent_type",
    "Notification": "notification_type",
}  # fmt: skip
Event = dict[str, Any]
Handler = dict[str, Any]  # one entry of hooks.json that starts a command


class Plugin(NamedTuple):
    name: str
    root: str
    hooks: dict[str, list[dict[str, Any]]]  # of its hooks.json: event -> groups of handlers


def load_plugins(folder: str = "") -> list[Plugin]:
    """Return the plugins of the marketplace, or all plugins in folder."""
    if folder:
        roots = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    else:
        with open(os.path.join(REPO, ".claude-plugin/marketplace.json"), encoding="utf-8") as file:
            roots = [os.path.join(REPO, plugin["source"]) for plugin in json.load(file)["plugins"]]
    plugins = [load_plugin(root) for root in map(os.path.abspath, roots)]
    if not plugins:
        raise ValueError("no plugins in " + folder)
    return plugins


def load_plugin(root: str) -> Plugin:
    path = os.path.join(root, "hooks", "hooks.json")
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    if not isinstance(data, dict) or not isinstance(data.get("hooks"), dict):
        raise ValueError('%s: no object "hooks"' % path)
    return Plugin(os.path.basename(root), root, data["hooks"])


def matches(matcher: str, subject: str | None) -> bool:
    """Match as Claude Code does: names if there are only names, else a regular expression."""
    if subject is None or matcher in ("", "*"):
        return True
    if re.fullmatch(r"[A-Za-z0-9_\-,| ]+", matcher):
        names = [name.strip() for name in re.split("[|,]", matcher)]
        return subject in names or (subject == "Agent" and "Task" in names)
    try:
        return re.search(matcher, subject) is not None
    except re.error:
        return False


def wired(plugin: Plugin, event: Event) -> list[Handler]:
    """Return the handlers of a plugin that the host starts for event, without duplicates."""
    handlers: list[Handler] = []
    name = event["hook_event_name"]
    for group in plugin.hooks.get(name, []):
        if matches(group.get("matcher", ""), event.get(SUBJECTS.get(name, "tool_name"))):
            commands = [handler for handler in group["hooks"] if handler["type"] == "command"]
            handlers += [handler for handler in commands if handler not in handlers]
    return handlers


def command(handler: Handler, env: dict[str, str]) -> list[str]:
    """Return the command that the host starts: with `args` the program itself, else a shell."""
    words = [handler["command"], *handler.get("args", [])]
    for name in ("CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA", "CLAUDE_PROJECT_DIR"):
        words = [word.replace("${%s}" % name, env[name]) for word in words]
    return words if "args" in handler else [SHELL, "-c", *words]


def seconds(handler: Handler) -> float:
    return float(handler.get("timeout", 600))


def environment(plugin: Plugin, handler: Handler, event: Event) -> dict[str, str]:
    """Return what the client adds to a hook's environment, except the plugin's data folder."""
    return {"CLAUDE_PLUGIN_ROOT": plugin.root, "CLAUDE_PROJECT_DIR": event["cwd"]}
