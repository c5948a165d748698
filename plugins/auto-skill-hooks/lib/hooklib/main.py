"""Read the host's event from stdin and print one answer; the exit code is always 0."""

from __future__ import annotations

import os

from hooklib import hosts, log
from hooklib.boundary import guarded
from hooklib.event import MAX_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

    from hooklib.event import Event
    from hooklib.hosts.base import Host
    from hooklib.output import Output

    Handler = Callable[[Event], "Output | None"]


def main(argv: list[str]) -> int:
    """`EVENT [--host NAME]`: run this plugin's hooks for one event; `--hookctl ...`: the tool."""
    if argv[:1] == ["--hookctl"]:
        from hooklib.cli import hookctl

        return hookctl.main(argv[1:])
    name = argv[0] if argv else ""
    host = argv[2] if argv[1:2] == ["--host"] and len(argv) > 2 else "claude"
    _, error = guarded(_answer_event, name, host)
    if error is not None:
        log.failure(name, "", error)
    return 0


def run_alone(script: str, handler: Handler) -> int:
    """Run the handler of a script that is started by hand: `python3 script.py < event.json`.

    With --passthrough stdin is copied to stdout unchanged and the hook's texts go to stderr.
    """
    import sys

    hook = os.path.basename(script)[: -len(".py")]
    passthrough = "--passthrough" in sys.argv[1:]
    raw, error = guarded(_stdin, not passthrough)
    if passthrough and error is None:  # before the hook runs, which may fail
        _, error = guarded(_write, 1, raw)
    if raw is not None:
        _, error = guarded(_answer_alone, handler, hook, raw, passthrough)
    if error is not None:
        log.failure("", hook, error)
    return 0


def _answer_event(name: str, host_name: str) -> None:
    host = hosts.adapter(host_name)
    event = host.decode(name, _stdin())
    odd_fields = event.odd_fields
    if odd_fields:  # no host sends such an event, and hooks do not expect it
        log.write(name, "", "odd input", fields=odd_fields)
        return
    settings = event.settings
    if not (settings.enabled or settings.users.enabled):
        return
    for single_event in host.expand(event):  # none for a repetition; some messages are two events
        _answer(single_event, host)


def _answer(event: Event, host: Host) -> None:
    from hooklib.engine import bundle
    from hooklib.engine.dispatch import dispatch

    name = event.name
    rules = bundle.load(event, host.user_rules)
    outcome = dispatch(event, rules.hooks, rules.options)
    if rules.invalid:
        log.write(name, "", "invalid rules, see hookctl validate", count=rules.invalid)
    for result in outcome.results:
        if result.error is not None:
            log.failure(name, result.hook.id, result.error, result.ms)
        else:
            size = result.output.size if result.output is not None else 0
            log.write(name, result.hook.id, result.outcome, result.ms, size)
    output = outcome.output
    if rules.notice and name in host.messages:
        output = _with_notice(event, output, rules.notice)
    _deliver(host, event, output)


def _with_notice(event: Event, output: Output | None, notice: str) -> Output | None:
    """Add a notice about the rules themselves, once per session."""
    from hooklib import state
    from hooklib.engine.aggregator import merge
    from hooklib.output import Output

    if state.increment(event.session_key, "notices") > 1:
        return output
    return merge([*([output] if output else []), Output(message=notice)])


def _answer_alone(handler: Handler, hook: str, raw: bytes, passthrough: bool) -> None:
    host = hosts.adapter("claude")
    event = host.decode("", raw)
    event.name = event.text("hook_event_name")
    if not event.settings.enabled or hook in event.settings.disabled:
        return
    output = handler(event)
    if not passthrough:
        _deliver(host, event, output)
    elif output is not None:
        texts = filter(None, (output.context, output.message, output.reason, output.stop))
        _write(2, "".join(text + "\n" for text in texts).encode("utf-8", "replace"))


def _deliver(host: Host, event: Event, output: Output | None) -> None:
    """Print the answer in one write; log the parts of output that this event cannot deliver."""
    answer, undelivered = host.answer(event, output)
    if undelivered:
        log.write(event.name, "", "cannot be delivered: " + ", ".join(undelivered))
    if answer:
        _write(1, answer.encode("utf-8", "replace"))


def _write(fd: int, data: bytes) -> None:
    with open(fd, "wb", closefd=False) as file:
        file.write(data)


def _stdin(bounded: bool = True) -> bytes:
    with open(0, "rb", closefd=False) as stdin:  # sys.stdin is None where the host closed it
        return stdin.read(MAX_BYTES + 1 if bounded else -1)
