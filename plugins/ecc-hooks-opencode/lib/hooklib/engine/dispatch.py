"""Take one event through the engine: plan, run, merge. The caller reads the files."""

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
    """The result of an event: its one output, the plan, and the result of each hook."""

    __slots__ = ("output", "plan", "results")

    def __init__(self, output: Output | None, plan: Plan, results: list[Result]) -> None:
        self.output = output
        self.plan = plan
        self.results = results


def dispatch(event: Event, hooks: Iterable[Hook], options: Options) -> Outcome:
    """Run the hooks that match event and merge their outputs."""
    hook_list = list(hooks)

    def make_plan() -> Plan:
        return planner.plan(event, hook_list)

    plan = make_plan()
    results = runner.run(plan, event, options, make_plan) if plan.hooks else []
    outputs = [result.output for result in results if result.output is not None]
    if not outputs:
        return Outcome(None, plan, results)
    from hooklib.engine import aggregator

    merged = aggregator.merge(outputs)
    if merged is not None and merged.updated_input is not None:
        merged.updated_input = event.tool_input  # hosts replace the input, they do not merge it
    return Outcome(merged, plan, results)
