"""One event through the engine: plan, run, merge. Values in, values out; files are the caller's."""

from __future__ import annotations

from hooklib.engine import planner, runner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hooklib.engine.planner import Plan
    from hooklib.engine.registry import Hook
    from hooklib.engine.runner import Options, Result
    from hooklib.event import Event
    from hooklib.output import Output


class Outcome:
    """What came of an event: the one output, and how it came about."""

    __slots__ = ("output", "plan", "results")

    def __init__(self, output: Output | None, plan: Plan, results: list[Result]) -> None:
        self.output = output
        self.plan = plan
        self.results = results


def dispatch(event: Event, hooks: Iterable[Hook], options: Options) -> Outcome:
    """Run the hooks that event calls for and return their one answer."""
    known = list(hooks)

    def make() -> Plan:
        return planner.plan(event, known)

    plan = make()
    results = runner.run(plan, event, options, make) if plan.hooks else []
    said = [result.output for result in results if result.output is not None]
    if not said:
        return Outcome(None, plan, results)
    from hooklib.engine import aggregator

    merged = aggregator.merge(said)
    if merged is not None and merged.updated_input is not None:
        merged.updated_input = event.tool_input  # hosts replace the input, they do not merge it
    return Outcome(merged, plan, results)
