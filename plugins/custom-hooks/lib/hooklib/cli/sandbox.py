"""Run events through the plugins' hooks as a host would, without touching their real state."""

from __future__ import annotations

import copy
import os
import tempfile

from hooklib import files, hosts, jsonio, paths
from hooklib.cli import plugins, terminal, wiring_check
from hooklib.engine import bundle, loader, planner, registry
from hooklib.engine.dispatch import Outcome, dispatch
from hooklib.event import Event
from hooklib.memory.store import memory_folder
from hooklib.sessions import state_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from types import TracebackType
    from typing import Any

    from hooklib.cli.overview import Setup
    from hooklib.cli.plugins import Plugin
    from hooklib.engine.bundle import Rules
    from hooklib.engine.registry import Hook
    from hooklib.engine.runner import Result
    from hooklib.output import Output


REHEARSAL = "CUSTOM_SKILLS_REHEARSAL"


def declare(parser: argparse.ArgumentParser) -> None:
    """Add the options of a command that tries hooks."""
    parser.add_argument(
        "--plugin", action="append", metavar="NAME", help="this plugin's hooks alone"
    )
    parser.add_argument(
        "--host", choices=tuple(hosts.MODULES), default="claude", help="whose answer to show"
    )
    parser.add_argument("--dry-run", action="store_true", help="run nothing, only say what would")


class Rehearsal:
    """A stage for events: `with Rehearsal(...) as stage: stage.play(name, data)`.

    Hooks get a throw-away data folder, a copy of the sessions' states and memories and session
    ids of their own. Whatever else they do is done: a formatter formats.
    """

    def __init__(self, setup: Setup, only: list[str] | None, host: str, dry: bool) -> None:
        self.setup = setup
        self.dry = dry
        self.host_name = host
        try:
            self.host = hosts.adapter(host)
        except ValueError:
            raise terminal.Usage("this copy has no adapter for " + host) from None
        owner = setup.rules_plugin
        every = setup.plugins if owner in setup.plugins else [*setup.plugins, owner]
        self.variant = bool(getattr(self.host, "USER_RULES", False))
        if self.variant:
            every = [plugins.variant(host)]
        known = [plugin.name for plugin in every]
        for name in only or ():
            if name not in known:
                raise terminal.Usage("no plugin %s here; known are %s" % (name, ", ".join(known)))
        self.plugins = [p for p in every if not only or p.name in only]
        self.forced = bool(only)

    def __enter__(self) -> Rehearsal:
        self.folder = tempfile.TemporaryDirectory(prefix="hookctl-")
        sessions = os.path.join(self.folder.name, "sessions")
        _copy_files(state_folder.Place(self.setup.root).folder, sessions)
        for memory in (memory_folder.project(self.setup.root), memory_folder.user()):
            _copy_files(memory.folder, os.path.join(sessions, "memory", memory.scope))
        os.environ[REHEARSAL] = sessions
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        del os.environ[REHEARSAL]
        self.folder.cleanup()

    def play(self, name: str, data: dict[str, Any]) -> list[dict[str, Any]]:
        """Return what each plugin's hooks said to an event."""
        return [self._play(plugin, name, data) for plugin in self.plugins]

    def _play(self, plugin: Plugin, name: str, data: dict[str, Any]) -> dict[str, Any]:
        mine = copy.deepcopy(data)
        mine["session_id"] = "hookctl-%s-%s" % (os.getpid(), data.get("session_id") or "test")
        event = Event(name, mine, self.host_name)
        told: dict[str, Any] = {"plugin": plugin.name, "runs": True, "why": ""}
        told.update(hooks=[], leftOut=[], answer=None, lost=[], notice="", invalid=0, ms=0.0)
        if not self.forced and not self.setup.active(plugin):
            told.update(runs=False, why="plugin disabled" + (plugin.by and " by " + plugin.by))
        elif self._is_off(plugin):
            told.update(runs=False, why="switched off by " + self.setup.off_by)
        else:
            read = plugin.root and not self.variant  # another host's wiring is in its own words
            unheard = wiring_check.not_started(plugin.root, event) if read else ""
            if unheard:
                told.update(runs=False, why=unheard)
            self._run(plugin, event, told)
        return told

    def _is_off(self, plugin: Plugin) -> bool:
        """Return whether a switch keeps the plugin from starting; a project's spares user rules."""
        runs_rules = plugin.name == self.setup.rules_plugin.name
        settings = self.setup.settings
        return not (settings.enabled or (runs_rules and settings.users.enabled))

    def _run(self, plugin: Plugin, event: Event, told: dict[str, Any]) -> None:
        """Load and run one plugin's hooks as its own copy of the library would."""
        own_root, own_data = paths.PLUGIN_ROOT, os.environ.get("CLAUDE_PLUGIN_DATA")
        paths.PLUGIN_ROOT = plugin.root or own_root
        os.environ["CLAUDE_PLUGIN_DATA"] = os.path.join(self.folder.name, plugin.name)
        try:
            rules = bundle.load(event) if plugin.root else _user_rules(event)
            outcome = self._outcome(event, rules, told["runs"])
            self._tell(event, rules, outcome, told)
        except (OSError, ValueError, RecursionError) as error:  # no pipeline to read
            told.update(runs=False, why="hooks/pipeline.json: %s" % error, invalid=1)
        finally:
            paths.PLUGIN_ROOT = own_root
            if own_data is None:
                del os.environ["CLAUDE_PLUGIN_DATA"]
            else:
                os.environ["CLAUDE_PLUGIN_DATA"] = own_data

    def _outcome(self, event: Event, rules: Rules, starts: bool) -> Outcome:
        if self.dry or not starts:
            plan = planner.plan(event, rules.hooks)
            return Outcome(None, plan, [])
        import contextlib
        import sys

        with contextlib.redirect_stdout(sys.stderr):  # a script's print must not mix with ours
            return dispatch(event, rules.hooks, rules.options)

    def _tell(self, event: Event, rules: Rules, outcome: Outcome, told: dict[str, Any]) -> None:
        done = [result.hook for result in outcome.results]
        told["hooks"] = [_result(result) for result in outcome.results]
        for hook in outcome.plan.hooks:
            if hook not in done:
                would = not told["runs"] or self.dry
                told["hooks"].append(_not_run(hook, "matches" if would else "not asked"))
        for hook, reason in outcome.plan.left_out:
            told["leftOut"].append({"id": hook.id, "reason": self._reason(hook, reason, event)})
        told["notice"] = rules.notice
        told["invalid"] = rules.invalid
        told["ms"] = round(sum(result.ms for result in outcome.results), 2)
        if outcome.output is not None:
            answer, told["lost"] = self.host.encode(event, outcome.output)
            told["answer"] = jsonio.loads(answer) if str(answer).startswith("{") else answer or None

    def _reason(self, hook: Hook, reason: str, event: Event) -> str:
        if reason == "switched off":
            return reason + " by " + self.setup.switched_off_by(hook)
        if reason == "does not match":
            about = event.subject
            subject = "" if about is None else "; this is %s" % (about or "about nothing")
            return "does not match %s%s" % (terminal.matcher_text(hook.matcher), subject)
        return reason


def _copy_files(source: str, target: str) -> None:
    """Copy the plain files of a folder, so that hooks find what is there but change nothing."""
    os.makedirs(target)
    try:
        found = [entry for entry in os.scandir(source) if entry.is_file(follow_symlinks=False)]
    except OSError:
        return
    for entry in found[:1000]:
        try:
            data = files.read_bounded(entry.path, 10_000_000)
            files.write_atomic(os.path.join(target, entry.name), data)
        except OSError:
            continue


def _user_rules(event: Event) -> Rules:
    """Return the user's rules where no plugin is there to run them, as programs use them."""
    rules = bundle.Rules()
    config = loader.load(event.layers, event.project_root, switches=event.settings)
    rules.options, rules.warnings = config.options, config.warnings
    for source, hooks, where in config.rules:
        found, warnings = registry.collect(hooks, source, event.name, where)
        rules.hooks += found
        rules.warnings += warnings
    return rules


def _result(result: Result) -> dict[str, Any]:
    detail = result.detail
    if result.error is not None:
        detail = "%s: %s" % (type(result.error).__name__, result.error)
    return {
        "id": result.hook.id,
        "outcome": result.outcome,
        "ms": round(result.ms, 2),
        "output": _said(result.output),
        "detail": detail,
    }


def _not_run(hook: Hook, outcome: str) -> dict[str, Any]:
    return {"id": hook.id, "outcome": outcome, "ms": 0.0, "output": {}, "detail": ""}


def _said(output: Output | None) -> dict[str, Any]:
    if output is None:
        return {}
    return {name: getattr(output, name) for name in output.__slots__ if getattr(output, name)}
