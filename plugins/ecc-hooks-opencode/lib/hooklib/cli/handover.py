"""Hand a command over to the plugin that has it, where this one does not carry it."""

from __future__ import annotations

import os
import subprocess

from hooklib import config, paths
from hooklib.cli import plugins, terminal

# the commands of a topic, each with the plugin whose topic it is
OWNERS = {"knowledge": "auto-skill-hooks", "memory": "ecc-hooks", "sessions": "ecc-hooks"}
_MARK = "HOOKCTL_HANDED_OVER"  # in the environment of the other plugin's hookctl
_OWN = ("CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA")  # each launcher finds its own


class NotAboard(Exception):
    """This plugin does not carry the module of a command."""

    def __init__(self, command: str) -> None:
        super().__init__(command)
        self.command = command


def run(command: str, argv: list[str]) -> int:
    """Run the owner's hookctl with the same arguments and streams; return its exit code."""
    owner = OWNERS[command]
    launcher = _launcher(owner)
    if not launcher or os.environ.get(_MARK):
        remedy = "claude plugin install %s@%s" % (owner, paths.MARKETPLACE)
        text = "`hookctl %s` comes with the plugin %s: %s" % (command, owner, remedy)
        raise terminal.Problem(text)
    env = {name: value for name, value in os.environ.items() if name not in _OWN}
    env[_MARK] = command
    try:
        code = subprocess.call(["sh", launcher, "--hookctl", *argv], env=env)
    except OSError as error:
        raise terminal.Problem("%s: %s" % (launcher, error.strerror or error)) from None
    return code if code >= 0 else 128 - code


def _launcher(plugin: str) -> str:
    """Return the plugin's hooks/run, '' where the plugin is not on this machine."""
    start = paths.start_dir()
    found = plugins.bundle(config.layers(start, paths.project_root(start)))
    root = next((each.root for each in found if each.name == plugin), "")
    return os.path.join(root, "hooks", "run") if root else ""
