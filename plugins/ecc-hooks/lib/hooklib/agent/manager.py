"""The engine as an object for agent programs: a configuration in, answers out. It reads no file."""

from __future__ import annotations

from hooklib import log
from hooklib.agent.run_once import Once
from hooklib.engine import event_names, loader, planner, registry
from hooklib.engine.dispatch import Outcome, dispatch
from hooklib.engine.runner import Options, run_one
from hooklib.event import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Union

    from hooklib.engine.loader import HookConfig
    from hooklib.engine.registry import Hook, RuleWarning
    from hooklib.engine.runner import Result

    Config = Union[HookConfig, dict[str, Any], None]
    Entry = Union[Hook, dict[str, Any]]

_SLACK = 0.5  # seconds that ending a hook which hangs takes beyond its own limit


class HookManager:
    """Runs the rules of one configuration; any number of threads may call it at once.

    With nonzero_blocks, as the bridge to the Agent SDK wants it, a command that fails with any exit
    code refuses the action where no failureBehavior is configured; without, only exit code 2 does.
    """

    def __init__(
        self, config: Config = None, project_dir: str = "", nonzero_blocks: bool = True
    ) -> None:
        self.project_dir = project_dir
        self.nonzero_blocks = nonzero_blocks
        self._once = Once()
        self.load_hooks(config)

    def load_hooks(self, config: Config) -> list[RuleWarning]:
        """Take these rules instead of the ones before; return what is wrong with them."""
        if config is None or isinstance(config, dict):
            config = loader.from_value(_shaped(config or {}), self.project_dir)
        warnings = list(config.warnings)
        hooks: dict[str, list[Hook]] = {}
        for source, _, _ in config.rules:
            source.options = self._options(source.options or config.options, config)
        for event in sorted(event_names.EVENTS):
            for source, rules, where in config.rules:
                found, wrong = registry.collect(rules, source, event, where)
                hooks.setdefault(event, []).extend(found)
                warnings += [w for w in wrong if str(w) not in map(str, warnings)]
        all_hooks = [hook for found in hooks.values() for hook in found]
        warnings += registry.check_matchers(all_hooks)
        if warnings:
            log.write("", "", "invalid rules, see hookctl validate", count=len(warnings))
        if config.untrusted:
            log.write("", "", "not trusted, see hookctl trust", count=config.untrusted)
        options = self._options(config.options, config)
        rules_now = _Rules(hooks, options, _own_source(self, config))
        self.warnings = warnings
        self.untrusted = config.untrusted
        self._rules = rules_now  # in one go: a call in another thread sees the old or the new ones
        return warnings

    def get_hook_counts(self) -> dict[str, int]:
        """Return how many hooks there are for each event that has any and is not switched off."""
        rules = self._rules
        counts = {}
        for event, hooks in rules.hooks.items():
            on = [hook for hook in hooks if hook.runnable and not planner.switched_off(hook)]
            if on:
                counts[event] = len(on)
        return counts

    def run(self, event_name: str, data: dict[str, Any], host: str = "sdk") -> Outcome:
        """Run the rules for an event, once per tool call: data is as a host sends it."""
        event = Event(event_names.ALIASES.get(event_name, event_name), dict(data), host)
        call = event.text("tool_use_id")
        if not call:
            return self._run(event)
        return self._once.run((event.session_id, call, event.name), lambda: self._run(event))

    def _run(self, event: Event) -> Outcome:
        rules = self._rules
        hooks = rules.hooks.get(event.name, [])
        outcome = dispatch(event, hooks, rules.options)
        for result in outcome.results:
            _log(event.name, result)
        return outcome

    def execute_command(self, hook_entry: Entry, event: Event | dict[str, Any]) -> dict[str, Any]:
        """Run one command: exit 0 continues, any other code blocks and stderr says why."""
        return self._execute("command", hook_entry, event)

    def execute_script(self, hook_entry: Entry, event: Event | dict[str, Any]) -> dict[str, Any]:
        """Call one script's function and return the output object that it returned."""
        return self._execute("script", hook_entry, event)

    def execute_prompt(self, hook_entry: Entry, event: Event | dict[str, Any]) -> dict[str, Any]:
        """Return one prompt, its variables replaced, as a message."""
        return self._execute("prompt", hook_entry, event)

    def execute(self, hook_entry: Entry, event: Event | dict[str, Any]) -> dict[str, Any]:
        """Run one hook of any type."""
        kind = hook_entry.get("type") if isinstance(hook_entry, dict) else hook_entry.type
        return self._execute(str(kind), hook_entry, event)

    def _execute(self, kind: str, entry: Entry, given: Event | dict[str, Any]) -> dict[str, Any]:
        from hooklib.agent import sdk

        event = given
        if isinstance(event, dict):
            event = Event(str(event.get("hook_event_name", "")), dict(event), "sdk")
        hook = self._hook({"id": kind, **entry, "type": kind}) if isinstance(entry, dict) else entry
        if hook is None or not hook.runnable:
            log.write(
                event.name, hook.id if hook else "", "not trusted" if hook else "invalid hook"
            )
            return {"continue": True}
        options = self._rules.options
        result = run_one(hook, event, options)
        _log(event.name, result)
        failed = kind == "command" and result.outcome == "error" and result.error is None
        if failed and (hook.on_failure or options.command_failure) == "deny":
            return {"decision": "block", "reason": result.detail}
        return sdk.plain_answer(event, result.output)

    def _hook(self, entry: dict[str, Any]) -> Hook | None:
        """Return a single entry as a hook; None where it is none."""
        hooks = {"PreToolUse": [{"hooks": [entry]}]}
        found, _ = registry.collect(hooks, self._rules.own, "PreToolUse")
        return found[0] if found else None

    def convert_to_sdk_format(self) -> dict[str, list[Any]]:
        """Return the rules as the Agent SDK's hooks: event -> matchers with async callbacks."""
        from hooklib.agent import sdk

        return sdk.matchers(self)

    def create_sdk_callback(self, hook: str | Entry) -> Callable[..., Any]:
        """Return an async callback for all rules of an event, or for a single hook."""
        from hooklib.agent import sdk

        if isinstance(hook, str):
            return sdk.event_callback(self, hook)
        return sdk.callback(lambda given, _: self.execute(hook, given))

    def time_limit(self, event: str) -> float:
        """Return the seconds within which `run` comes back for event, whatever its hooks do."""
        rules = self._rules
        waited = [hook for hook in rules.hooks.get(event, []) if not hook.background]
        return sum(
            (hook.timeout or (hook.source.options or rules.options).timeout) + _SLACK
            for hook in waited
        )

    def _options(self, options: Options, config: HookConfig) -> Options:
        blocks = self.nonzero_blocks and "failureBehavior" not in config.set_fields
        return Options(
            options.timeout,
            options.timeout_behavior,
            options.failure_behavior,
            options.max_concurrent,
            "deny" if blocks else "",
        )


class _Rules:
    """What a configuration comes to; never changed once made."""

    def __init__(
        self,
        hooks: dict[str, list[Hook]],
        options: Options,
        own: registry.Source,
    ) -> None:
        self.hooks = hooks
        self.options = options
        self.own = own  # of entries that the program itself hands to execute_*


def _shaped(config: dict[str, Any]) -> dict[str, Any]:
    """Return config with its events under `hooks`, where they may also lie beside the switches."""
    events = {
        key: config[key]
        for key in config
        if key in event_names.EVENTS or key in event_names.ALIASES
    }
    if not events:
        return config
    rest = {key: value for key, value in config.items() if key not in events}
    inner = rest.get("hooks")
    return {**rest, "hooks": {**(inner if isinstance(inner, dict) else {}), **events}}


def _own_source(manager: HookManager, config: HookConfig) -> registry.Source:
    of_project = [source for source, _, _ in config.rules if source.name != "user"]
    base, scripts = manager.project_dir, tuple(loader.PROJECT_SCRIPTS)
    if of_project:
        base, scripts = of_project[-1].base, of_project[-1].script_paths
    return registry.Source("program", "", base, scripts)


def _log(event: str, result: Result) -> None:
    if result.error is not None:
        log.failure(event, result.hook.id, result.error, result.ms)
    else:
        size = result.output.size if result.output is not None else 0
        log.write(event, result.hook.id, result.outcome, result.ms, size)
