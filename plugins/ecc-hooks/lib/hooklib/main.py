"""From the host's event on stdin to one answer on stdout; the host always sees exit 0."""

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
    """Run one script's handler by itself, as `python3 script.py < event.json` does.

    With --passthrough stdin is echoed on stdout as it is, and what the hook says is on stderr.
    """
    import sys

    hook = os.path.basename(script)[: -len(".py")]
    aside = "--passthrough" in sys.argv[1:]
    raw, error = guarded(_stdin, not aside)
    if aside and error is None:  # first of all: whatever happens now, this is done
        _, error = guarded(_write, 1, raw)
    if raw is not None:
        _, error = guarded(_answer_alone, handler, hook, raw, aside)
    if error is not None:
        log.failure("", hook, error)
    return 0


def _answer_event(name: str, host_name: str) -> None:
    host = hosts.adapter(host_name)
    event = host.decode(name, _stdin())
    odd = event.odd_fields
    if odd:  # no host sends such an event: what could a hook make of it
        log.write(name, "", "odd input", fields=odd)
        return
    settings = event.settings
    if not (settings.enabled or settings.users.enabled):
        return
    for each in host.expand(event):  # a host may say one thing twice, or two in one
        _answer(each, host)


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
    """Add what the user must know about the rules themselves, once per session."""
    from hooklib import state
    from hooklib.engine.aggregator import merge
    from hooklib.output import Output

    if state.increment(event.session_key, "notices") > 1:
        return output
    return merge([*([output] if output else []), Output(message=notice)])


def _answer_alone(handler: Handler, hook: str, raw: bytes, aside: bool) -> None:
    host = hosts.adapter("claude")
    event = host.decode("", raw)
    event.name = event.text("hook_event_name")
    if not event.settings.enabled or hook in event.settings.disabled:
        return
    output = handler(event)
    if not aside:
        _deliver(host, event, output)
    elif output is not None:
        said = filter(None, (output.context, output.message, output.reason, output.stop))
        _write(2, "".join(text + "\n" for text in said).encode("utf-8", "replace"))


def _deliver(host: Host, event: Event, output: Output | None) -> None:
    """Print the answer whole, in one go; what the event cannot deliver goes into the log."""
    answer, lost = host.answer(event, output)
    if lost:
        log.write(event.name, "", "cannot be delivered: " + ", ".join(lost))
    if answer:
        _write(1, answer.encode("utf-8", "replace"))


def _write(fd: int, data: bytes) -> None:
    with open(fd, "wb", closefd=False) as file:
        file.write(data)


def _stdin(bounded: bool = True) -> bytes:
    with open(0, "rb", closefd=False) as stdin:  # sys.stdin is None where the host closed it
        return stdin.read(MAX_BYTES + 1 if bounded else -1)
