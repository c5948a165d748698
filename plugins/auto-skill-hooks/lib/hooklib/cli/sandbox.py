"""Send events through the plugins' hooks as a host would, without changing their real state."""

from __future__ import annotations

import copy
import os
import tempfile

from hooklib import hosts, paths
from hooklib.cli import overview, plugins, terminal, wiring_check
from hooklib.cli.answer import OwnHooks
from hooklib.cli.other_plugin import OtherPlugin
from hooklib.event import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from types import TracebackType
    from typing import Any, Union

    from hooklib.cli.overview import Setup
    from hooklib.cli.plugins import Plugin

    Hooks = Union[OwnHooks, OtherPlugin]


def declare(parser: argparse.ArgumentParser) -> None:
    """Add the options of a command that tries hooks."""
    help = "only this plugin's hooks"
    parser.add_argument("--plugin", action="append", metavar="NAME", help=help)
    names = tuple(hosts.MODULES)
    parser.add_argument("--host", choices=names, default="claude", help="the host to stand in for")
    parser.add_argument("--dry-run", action="store_true", help="run nothing, only show what would")


class Sandbox:
    """Runs test events: `with Sandbox(setup, options) as sandbox: sandbox.send(name, data)`.

    Hooks get a temporary data folder, copies of session states and memories, and session ids of
    their own. Their other effects are real: a formatter formats. This plugin's hooks run in this
    process; each other plugin's run in its own hookctl, with its own copy of the library.
    """

    def __init__(self, setup: Setup, options: argparse.Namespace) -> None:
        self.setup = setup
        self.options = options
        available = _plugins_for(setup, options.host)
        names = [plugin.name for plugin in available]
        for name in options.plugin or ():
            if name not in names:
                raise terminal.Usage("no plugin %s; there are %s" % (name, ", ".join(names)))
        self.plugins = [p for p in available if not options.plugin or p.name in options.plugin]
        if any(map(_runs_here, self.plugins)):
            try:
                hosts.adapter(options.host)
            except ValueError:
                text = (
                    "this plugin has no adapter for %s; use the hookctl of ecc-hooks" % options.host
                )
                raise terminal.Usage(text) from None

    def __enter__(self) -> Sandbox:
        self.folder = tempfile.TemporaryDirectory(prefix="hookctl-")
        self.hooks: list[tuple[Plugin, Hooks]] = []
        for plugin in self.plugins:
            request = {
                "host": self.options.host,
                "dryRun": self.options.dry_run,
                "rulesOnly": not plugin.root,
                "data": os.path.join(self.folder.name, plugin.name),
                "sessions": os.path.join(self.folder.name, "sessions"),
            }
            hooks: Hooks
            if _runs_here(plugin):
                hooks = OwnHooks(self.setup, request)
            else:
                hooks = OtherPlugin(plugin.root, request)
            self.hooks.append((plugin, hooks))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for _, hooks in self.hooks:
            hooks.close()
        self.folder.cleanup()

    def send(self, name: str, data: dict[str, Any]) -> list[dict[str, Any]]:
        """Return each plugin's answer to an event."""
        return [self._answer(plugin, hooks, name, data) for plugin, hooks in self.hooks]

    def _answer(
        self, plugin: Plugin, hooks: Hooks, name: str, data: dict[str, Any]
    ) -> dict[str, Any]:
        fields = copy.deepcopy(data)
        fields["session_id"] = "hookctl-%s-%s" % (os.getpid(), data.get("session_id") or "test")
        reason = self._not_started(plugin, Event(name, fields, self.options.host))
        answer: dict[str, Any] = {"plugin": plugin.name, "runs": not reason, "why": reason}
        answer.update(hooks=[], leftOut=[], answer=None, lost=[], notice="", invalid=0, ms=0.0)
        return {**answer, **hooks.answer(name, fields, not reason)}

    def _not_started(self, plugin: Plugin, event: Event) -> str:
        """Return why the host would not start a plugin for event, or ''."""
        if not self.options.plugin and not self.setup.active(plugin):
            return "plugin disabled" + (plugin.by and " by " + plugin.by)
        if self._is_off(plugin):
            return "switched off by " + self.setup.off_by
        if plugin.root and self.options.host == "claude":  # other hosts' wiring is not read here
            return wiring_check.not_started(plugin.root, event)
        return ""

    def _is_off(self, plugin: Plugin) -> bool:
        """Return whether a switch stops the plugin; a project's switch does not stop user rules."""
        runs_rules = plugin.name == self.setup.rules_plugin.name
        settings = self.setup.settings
        return not (settings.enabled or (runs_rules and settings.users.enabled))


def _plugins_for(setup: Setup, host: str) -> list[Plugin]:
    """Return this bundle's plugins for a host."""
    if host == "sdk":  # an agent program runs the user's rules without a plugin
        return [plugins.Plugin(overview.RULES_PLUGIN, "", "", "on", "")]
    if host != "claude":
        plugin = plugins.variant(host)
        if not plugin.root:
            text = "%s is not installed: `make install-opencode` in a clone" % plugin.name
            raise terminal.Problem(text)
        return [plugin]
    owner = setup.rules_plugin
    return setup.plugins if owner in setup.plugins else [*setup.plugins, owner]


def _runs_here(plugin: Plugin) -> bool:
    return plugin.root in ("", paths.PLUGIN_ROOT)
