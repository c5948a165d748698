"""The engine as an object for agent programs: it gets a configuration and reads no files."""

from __future__ import annotations

from hooklib import log
from hooklib.agent.run_once import RunOnce
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

_SLACK = 0.5  # seconds to end a hanging hook, after its own limit


class HookManager:
    """Runs the rules of one configuration; any number of threads may call it at once.

    With nonzero_blocks, as in the bridge to the Agent SDK, a command that fails with any exit code
    refuses the action if no failureBehavior is configured; without, only exit code 2 does.
    """

    def __init__(
        self, config: Config = None, project_dir: str = "", nonzero_blocks: bool = True
    ) -> None:
        self.project_dir = project_dir
        self.nonzero_blocks = nonzero_blocks
        self._once = RunOnce()
        self.load_hooks(config)

    def load_hooks(self, config: Config) -> list[RuleWarning]:
        """Replace the rules by those of config; return their warnings."""
        if config is None or isinstance(config, dict):
            config = loader.from_value(_events_under_hooks(config or {}), self.project_dir)
        warnings = list(config.warnings)
        hooks: dict[str, list[Hook]] = {}
        for source, _, _ in config.rules:
            source.options = self._options(source.options or config.options, config)
        for event in sorted(event_names.EVENTS):
            for source, rules, key_path in config.rules:
                collected, new_warnings = registry.collect(rules, source, event, key_path)
                hooks.setdefault(event, []).extend(collected)
                warnings += [
                    warning for warning in new_warnings if str(warning) not in map(str, warnings)
                ]
        all_hooks = [hook for collected in hooks.values() for hook in collected]
        warnings += registry.check_matchers(all_hooks)
        if warnings:
            log.write("", "", "invalid rules, see hookctl validate", count=len(warnings))
        if config.untrusted:
            log.write("", "", "not trusted, see hookctl trust", count=config.untrusted)
        options = self._options(config.options, config)
        rules_now = _Rules(hooks, options, _own_source(self, config))
        self.warnings = warnings
        self.untrusted = config.untrusted
        self._rules = rules_now  # one assignment: other threads see the old rules or the new
        return warnings

    def get_hook_counts(self) -> dict[str, int]:
        """Return the number of hooks that can run, for each event that has any."""
        rules = self._rules
        counts = {}
        for event, hooks in rules.hooks.items():
            active_hooks = [
                hook for hook in hooks if hook.runnable and not planner.switched_off(hook)
            ]
            if active_hooks:
                counts[event] = len(active_hooks)
        return counts

    def run(self, event_name: str, data: dict[str, Any], host: str = "sdk") -> Outcome:
        """Run the rules for an event, once per tool call; data has the form that hosts send."""
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

    def _execute(
        self, kind: str, entry: Entry, event_data: Event | dict[str, Any]
    ) -> dict[str, Any]:
        from hooklib.agent import sdk

        event = event_data
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
        """Return the hook of a single entry, None if the entry is invalid."""
        hooks = {"PreToolUse": [{"hooks": [entry]}]}
        collected, _ = registry.collect(hooks, self._rules.program_source, "PreToolUse")
        return collected[0] if collected else None

    def convert_to_sdk_format(self) -> dict[str, list[Any]]:
        """Return the rules as the Agent SDK's hooks: event -> matchers with async callbacks."""
        from hooklib.agent import sdk

        return sdk.matchers(self)

    def create_sdk_callback(self, hook: str | Entry) -> Callable[..., Any]:
        """Return an async callback for all rules of an event, or for a single hook."""
        from hooklib.agent import sdk

        if isinstance(hook, str):
            return sdk.event_callback(self, hook)
        return sdk.callback(lambda event_data, _: self.execute(hook, event_data))

    def time_limit(self, event: str) -> float:
        """Return the seconds after which `run` has surely returned for event."""
        rules = self._rules
        awaited_hooks = [hook for hook in rules.hooks.get(event, []) if not hook.background]
        return sum(
            (hook.timeout or (hook.source.options or rules.options).timeout) + _SLACK
            for hook in awaited_hooks
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
    """The hooks of a configuration; never changed after creation."""

    def __init__(
        self,
        hooks: dict[str, list[Hook]],
        options: Options,
        program_source: registry.Source,
    ) -> None:
        self.hooks = hooks
        self.options = options
        self.program_source = program_source  # of entries passed to execute_*


def _events_under_hooks(config: dict[str, Any]) -> dict[str, Any]:
    """Move events that lie beside the switches of config under `hooks`."""
    events = {
        key: config[key]
        for key in config
        if key in event_names.EVENTS or key in event_names.ALIASES
    }
    if not events:
        return config
    rest = {key: value for key, value in config.items() if key not in events}
    hooks = rest.get("hooks")
    return {**rest, "hooks": {**(hooks if isinstance(hooks, dict) else {}), **events}}


def _own_source(manager: HookManager, config: HookConfig) -> registry.Source:
    project_sources = [source for source, _, _ in config.rules if source.name != "user"]
    base, scripts = manager.project_dir, tuple(loader.PROJECT_SCRIPTS)
    if project_sources:
        base, scripts = project_sources[-1].base, project_sources[-1].script_paths
    return registry.Source("program", "", base, scripts)


def _log(event: str, result: Result) -> None:
    if result.error is not None:
        log.failure(event, result.hook.id, result.error, result.ms)
    else:
        size = result.output.size if result.output is not None else 0
        log.write(event, result.hook.id, result.outcome, result.ms, size)
