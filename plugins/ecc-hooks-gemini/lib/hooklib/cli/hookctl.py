"""hookctl: show, test and switch the hooks of this bundle and the user's own rules."""

from __future__ import annotations

import sys

from hooklib.cli import handover, options, terminal
from hooklib.cli.terminal import Problem, Reply, Usage


def main(argv: list[str]) -> int:
    """Run one command; return 0 for success, 1 for problems found, 2 for wrong usage."""
    terminal.prepare_streams()
    try:
        return _run(argv)
    except SystemExit as end:  # argparse has printed its help or the error
        return end.code if isinstance(end.code, int) else options.WRONG_USAGE
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # `hookctl log | head`
        return 0
    finally:
        terminal.flush()


def _run(argv: list[str]) -> int:
    as_json = "--json" in argv
    try:
        parsed = options.parse(argv)
        as_json = parsed.json
        reply: Reply = parsed.run(parsed)
        terminal.print_reply(reply, as_json)
    except handover.NotCarried as missing:
        return _hand_over(missing.command, argv, as_json)
    except Usage as error:
        print("hookctl: %s" % terminal.clean(str(error)), file=sys.stderr)
        return options.WRONG_USAGE
    except Problem as error:
        return _failed(error, as_json)
    return reply.code


def _hand_over(command: str, argv: list[str], as_json: bool) -> int:
    try:
        return handover.run(command, argv)
    except Problem as error:
        return _failed(error, as_json)


def _failed(error: Problem, as_json: bool) -> int:
    if as_json:
        terminal.print_reply(Reply({"error": str(error)}, []), True)
    else:
        print("hookctl: %s" % terminal.clean(str(error)), file=sys.stderr)
    return 1
