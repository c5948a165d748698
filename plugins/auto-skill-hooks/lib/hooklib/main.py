"""From the host's event on stdin to one answer on stdout; the host always sees exit 0."""

from __future__ import annotations

import os

from hooklib import hosts, log, paths
from hooklib.boundary import guarded
from hooklib.event import MAX_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

    from hooklib.event import Event
    from hooklib.output import Output

    Handler = Callable[[Event], "Output | None"]


def main(argv: list[str]) -> int:
    """`EVENT [--host NAME]`: run this plugin's hooks for one event."""
    name = argv[0] if argv else ""
    host = argv[2] if argv[1:2] == ["--host"] and len(argv) > 2 else "claude"
    _, error = guarded(_answer_event, name, host)
    if error is not None:
        log.failure(name, "", error)
    return 0


def run_alone(script: str, handler: Handler) -> int:
    """Run one script's handler by itself, as `python3 script.py < event.json` does."""
    hook = os.path.basename(script)[: -len(".py")]
    _, error = guarded(_answer_alone, handler, hook)
    if error is not None:
        log.failure("", hook, error)
    return 0


def _answer_event(name: str, host_name: str) -> None:
    host = hosts.adapter(host_name)
    event = host.decode(name, _stdin())
    settings = event.settings
    if not settings.enabled:
        return
    from hooklib.engine import planner, registry, runner

    pipeline = os.path.join(paths.PLUGIN_ROOT, "hooks", "pipeline.json")
    hooks, warnings = registry.load(pipeline, name)
    for warning in warnings:
        log.write(name, "", "left out: " + warning)
    plan = planner.plan(event.subject, hooks, settings.disabled, settings.profile)
    odd = {"odd": event.odd_fields} if event.odd_fields else {}
    if odd and not plan:
        log.write(name, "", "odd input", **odd)
    said = []
    for hook in plan:
        result = runner.run(hook, event, paths.PLUGIN_ROOT)
        if result.error is not None:
            log.failure(name, hook.id, result.error, result.ms)
            continue
        if result.output is not None:
            said.append(result.output)
        size = result.output.size if result.output is not None else 0
        log.write(name, hook.id, "spoke" if size else "silent", result.ms, size, **odd)
    if said:
        from hooklib.engine import aggregator

        _deliver(host, event, aggregator.merge(said))


def _answer_alone(handler: Handler, hook: str) -> None:
    host = hosts.adapter("claude")
    event = host.decode("", _stdin())
    event.name = event.text("hook_event_name")
    if event.settings.enabled and hook not in event.settings.disabled:
        _deliver(host, event, handler(event))


def _deliver(host, event: Event, output: Output | None) -> None:  # type: ignore[no-untyped-def]
    """Print the answer whole, in one go; what the event cannot deliver goes into the log."""
    if output is None:
        return
    answer, lost = host.encode(event, output)
    if lost:
        log.write(event.name, "", "cannot be delivered: " + ", ".join(lost))
    if answer:
        data = answer.encode("utf-8", "replace")
        with open(1, "wb", closefd=False) as stdout:
            stdout.write(data)


def _stdin() -> bytes:
    with open(0, "rb", closefd=False) as stdin:  # sys.stdin is None where the host closed it
        return stdin.read(MAX_BYTES + 1)
