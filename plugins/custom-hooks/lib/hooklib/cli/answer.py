"""hookctl answer: run this plugin's hooks on the test events of another plugin's hookctl.

Internal. Stdin is JSON lines: first the request, then one event per line. Each line gets one line
of JSON in reply.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys

from hooklib import files, hosts, jsonio
from hooklib.cli import overview, terminal
from hooklib.engine import bundle, loader, planner, registry
from hooklib.engine.dispatch import Outcome, dispatch
from hooklib.event import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from typing import Any

    from hooklib.cli.overview import Setup
    from hooklib.engine.bundle import Rules
    from hooklib.engine.registry import Hook
    from hooklib.engine.runner import Result

COMMAND = "answer"
REHEARSAL = "CUSTOM_SKILLS_REHEARSAL"  # a folder that replaces the topics' own state folders
# The modules of topics with state outside the plugin's data folder, listed by folders_to_copy().
_STATE = ("hooklib.sessions.state_folder", "hooklib.memory.store.memory_folder")


def declare(parser: argparse.ArgumentParser) -> None:
    """Add nothing: this command has no options."""


def run(options: argparse.Namespace) -> terminal.Reply:
    lines = sys.stdin.buffer
    try:
        hooks = OwnHooks(overview.Setup(), jsonio.loads(lines.readline()))
    except ValueError as error:
        _print({"error": str(error)})
        return terminal.Reply(None, [], 1)
    _print({})
    for line in lines:
        request = jsonio.loads(line)
        _print(hooks.answer(request["name"], request["data"], request["starts"]))
    return terminal.Reply(None, [])


def _print(reply: dict[str, Any]) -> None:
    print(jsonio.dumps(reply), flush=True)


class OwnHooks:
    """This plugin's hooks, run with a temporary data folder and copies of the topics' state."""

    def __init__(self, setup: Setup, request: dict[str, Any]) -> None:
        self.setup = setup
        self.host_name = request["host"]
        self.host = hosts.adapter(self.host_name)
        self.dry_run = request["dryRun"]
        self.rules_only = request["rulesOnly"]  # without a plugin, as in an agent program
        self.folders = {"CLAUDE_PLUGIN_DATA": request["data"], REHEARSAL: request["sessions"]}
        _copy_state(setup.root, request["sessions"])

    def close(self) -> None:
        """Do nothing; OtherPlugin has a process to end."""

    def answer(self, name: str, data: dict[str, Any], starts: bool) -> dict[str, Any]:
        """Return the hooks' answers to an event; if starts is false, only which hooks match."""
        event = Event(name, data, self.host_name)
        with _environment(self.folders):
            try:
                rules = self._rules(event)
                outcome = self._outcome(event, rules, starts and not self.dry_run)
                return self._reply(event, rules, outcome, starts)
            except (OSError, ValueError, RecursionError) as error:  # the pipeline is unreadable
                return {"runs": False, "why": "hooks/pipeline.json: %s" % error, "invalid": 1}

    def _rules(self, event: Event) -> Rules:
        if self.rules_only:
            return _user_rules(event)
        return bundle.load(event, self.host.user_rules)

    def _outcome(self, event: Event, rules: Rules, starts: bool) -> Outcome:
        if not starts:
            return Outcome(None, planner.plan(event, rules.hooks), [])
        with contextlib.redirect_stdout(sys.stderr):  # our stdout is for the replies only
            return dispatch(event, rules.hooks, rules.options)

    def _reply(self, event: Event, rules: Rules, outcome: Outcome, starts: bool) -> dict[str, Any]:
        started = [result.hook for result in outcome.results]
        state = "not run" if starts and not self.dry_run else "matches"
        rest = [hook for hook in outcome.plan.hooks if hook not in started]
        text, lost = self.host.answer(event, outcome.output)
        return {
            "hooks": [*map(_result, outcome.results), *(_not_run(hook, state) for hook in rest)],
            "leftOut": [
                {"id": hook.id, "reason": self._reason(hook, reason, event)}
                for hook, reason in outcome.plan.left_out
            ],
            "notice": rules.notice,
            "invalid": rules.invalid,
            "ms": round(sum(result.ms for result in outcome.results), 2),
            "answer": jsonio.loads(text) if text.startswith("{") else text or None,
            "lost": lost,
        }

    def _reason(self, hook: Hook, reason: str, event: Event) -> str:
        if reason == "switched off":
            return reason + " by " + self.setup.switched_off_by(hook)
        if reason == "does not match":
            subject = event.subject
            text = "" if subject is None else "; this event is about %s" % (subject or "nothing")
            return "does not match %s%s" % (terminal.matcher_text(hook.matcher), text)
        return reason


@contextlib.contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    """Set environment variables, and restore them at the end."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _copy_state(project: str, target: str) -> None:
    """Copy the topics' state, so that hooks can read it but cannot change the original."""
    for name in _STATE:
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError as error:
            if not (name + ".").startswith("%s." % error.name):
                raise
            continue  # this plugin does not carry the topic
        for folder, source in module.folders_to_copy(project).items():
            _copy_files(source, os.path.join(target, folder))


def _copy_files(source: str, target: str) -> None:
    """Copy the regular files of a folder, at most 1000."""
    os.makedirs(target, exist_ok=True)
    try:
        entries = [entry for entry in os.scandir(source) if entry.is_file(follow_symlinks=False)]
    except OSError:
        return
    for entry in entries[:1000]:
        try:
            data = files.read_bounded(entry.path, 10_000_000)
            files.write_atomic(os.path.join(target, entry.name), data)
        except OSError:
            continue


def _user_rules(event: Event) -> Rules:
    """Return the user's rules as an agent program loads them, without a plugin."""
    rules = bundle.Rules()
    config = loader.load(event.layers, event.project_root, switches=event.settings)
    rules.options, rules.warnings = config.options, config.warnings
    for source, hooks, where in config.rules:
        valid, warnings = registry.collect(hooks, source, event.name, where)
        rules.hooks += valid
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
        "output": result.output.set_fields if result.output is not None else {},
        "detail": detail,
    }


def _not_run(hook: Hook, outcome: str) -> dict[str, Any]:
    return {"id": hook.id, "outcome": outcome, "ms": 0.0, "output": {}, "detail": ""}
