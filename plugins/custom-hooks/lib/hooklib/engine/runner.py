"""Run hooks in parallel or one after the other; return a result for each, whatever happens."""

from __future__ import annotations

import os
import time

from hooklib.boundary import guarded
from hooklib.engine import aggregator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    from hooklib.engine.planner import Plan
    from hooklib.engine.registry import Hook
    from hooklib.event import Event
    from hooklib.output import Output


class Options:
    """How to run hooks whose rule does not say: time limit, behaviours, number at once."""

    __slots__ = (
        "timeout",
        "timeout_behavior",
        "failure_behavior",
        "max_concurrent",
        "command_failure",
    )

    def __init__(
        self,
        timeout: float = 30.0,
        timeout_behavior: str = "ignore",
        failure_behavior: str = "ignore",
        max_concurrent: int = 5,
        command_failure: str = "",
    ) -> None:
        self.timeout = timeout
        self.timeout_behavior = timeout_behavior
        self.failure_behavior = failure_behavior
        self.max_concurrent = max_concurrent
        # for a failed command, if a failed script has another behaviour
        self.command_failure = command_failure or failure_behavior


class Result:
    """The result of one hook: its output, how it ended, how long it took.

    outcome   spoke, silent, error, timeout, refused (a script outside its folders), started (async)
    """

    __slots__ = ("hook", "output", "outcome", "detail", "error", "ms")

    def __init__(self, hook: Hook, output: Output | None, outcome: str, detail: str = "") -> None:
        self.hook = hook
        self.output = output
        self.outcome = outcome
        self.detail = detail  # for `hookctl test`; never logged, as it may quote the hook
        self.error: BaseException | None = None
        self.ms = 0.0


def run(plan: Plan, event: Event, options: Options, plan_again: Callable[[], Plan]) -> list[Result]:
    """Run the planned hooks; each serial one sees the input as changed by those before it."""
    if plan.serial or len(plan.hooks) < 2:
        return _serial(plan.hooks, event, options, plan_again)
    return _parallel(plan.hooks, event, options)


def _serial(
    hooks: list[Hook], event: Event, options: Options, plan_again: Callable[[], Plan]
) -> list[Result]:
    results: list[Result] = []
    waiting = list(hooks)
    while waiting:
        result = run_one(waiting.pop(0), event, options)
        results.append(result)
        if result.output is None:
            continue
        if result.output.updated_input is not None:
            event.update_input(result.output.updated_input)
            # other rules may match the new input: a rewrite must not get past a guard
            finished_keys = {earlier.hook.key for earlier in results}
            waiting = [hook for hook in plan_again().hooks if hook.key not in finished_keys]
        if aggregator.is_final(event.name, result.output):
            break
    return results


def _parallel(hooks: list[Hook], event: Event, options: Options) -> list[Result]:
    """Run users' hooks in threads; meanwhile run our own scripts here, one after the other."""
    outside = [n for n, hook in enumerate(hooks) if not hook.source.bundled]
    if not outside:  # avoid an import that costs half of Python's start
        return [run_one(hook, event, options) for hook in hooks]
    import threading

    results: dict[int, Result] = {}
    waiting = iter(outside)
    lock = threading.Lock()

    def work() -> None:
        while True:
            with lock:
                number = next(waiting, None)
            if number is None:
                return
            results[number] = run_one(hooks[number], event, options)

    workers = min(len(outside), max(1, options.max_concurrent))
    threads = [threading.Thread(target=work, daemon=True) for _ in range(workers)]
    for thread in threads:
        thread.start()
    for number, hook in enumerate(hooks):
        if hook.source.bundled:
            results[number] = run_one(hook, event, options)
    for thread in threads:
        thread.join()
    return [results[number] for number in range(len(hooks))]


def run_one(hook: Hook, event: Event, options: Options) -> Result:
    """Run one hook; put any error into its result."""
    started = time.perf_counter()
    call: Callable[..., Any] = _bundled if hook.source.bundled else _outside
    result, error = guarded(call, hook, event, hook.source.options or options)
    if error is not None:
        result = Result(hook, None, "error", type(error).__name__)
        result.error = error
    result.ms = (time.perf_counter() - started) * 1000
    hook_result: Result = result
    return hook_result


def _bundled(hook: Hook, event: Event, options: Options) -> Result:
    """Call a script of this plugin in this process."""
    path = os.path.join(hook.source.base, *hook.entry["script"].split("/"))
    name = os.path.basename(path)
    # This module's own loader is the one of importlib.machinery, without its import. It caches the
    # compiled script, as it does for modules.
    code = type(__loader__)(name, path).get_code(name)  # type: ignore[name-defined]
    namespace: dict[str, Any] = {"__name__": name, "__file__": path}
    exec(code, namespace)
    output: Output | None = namespace["run"](event)
    return Result(hook, output, "silent" if output is None else "spoke")


def _outside(hook: Hook, event: Event, options: Options) -> Result:
    from hooklib.engine import user_command

    return Result(hook, *user_command.run(hook, event, options))
