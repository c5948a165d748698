"""Hand a command over to the plugin that carries it, if this plugin does not."""

from __future__ import annotations

import os
import subprocess

from hooklib import config, paths
from hooklib.cli import plugins, terminal

# which plugin carries a topic's command
OWNERS = {"knowledge": "auto-skill-hooks", "memory": "ecc-hooks", "sessions": "ecc-hooks"}
_MARK = "HOOKCTL_HANDED_OVER"  # set for the other plugin's hookctl: it must not hand over again
_OWN = ("CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA")  # each launcher sets its own


class NotCarried(Exception):
    """This plugin's copy of the library does not contain the command's module."""

    def __init__(self, command: str) -> None:
        super().__init__(command)
        self.command = command


def run(command: str, argv: list[str]) -> int:
    """Run the owner's hookctl with the same arguments and streams; return its exit code."""
    owner = OWNERS[command]
    launcher = _launcher(owner)
    if not launcher or os.environ.get(_MARK):
        remedy = "claude plugin install %s@%s" % (owner, paths.MARKETPLACE)
        text = "`hookctl %s` is part of the plugin %s: %s" % (command, owner, remedy)
        raise terminal.Problem(text)
    env = {name: value for name, value in os.environ.items() if name not in _OWN}
    env[_MARK] = command
    try:
        code = subprocess.call(["sh", launcher, "--hookctl", *argv], env=env)
    except OSError as error:
        raise terminal.Problem("%s: %s" % (launcher, error.strerror or error)) from None
    return code if code >= 0 else 128 - code


def _launcher(plugin: str) -> str:
    """Return the path of the plugin's hooks/run, or '' if the plugin is not installed."""
    start = paths.start_dir()
    bundle = plugins.bundle(config.layers(start, paths.project_root(start)))
    root = next((candidate.root for candidate in bundle if candidate.name == plugin), "")
    return os.path.join(root, "hooks", "run") if root else ""
