"""hookctl trust: show what the project's rules would start, and allow it."""

from __future__ import annotations

import sys

from hooklib.cli import overview, terminal
from hooklib.engine import event_names, loader, registry, trust

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from hooklib.engine.registry import Hook

_KEYS = (loader.KEY,)


def declare(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--forget", action="store_true", help="withdraw the trust")


def run(options: argparse.Namespace) -> terminal.Reply:
    setup = overview.Setup()
    project = setup.root
    if options.forget:
        forgotten = trust.forget(project)
        text = "no longer trusted: %s" if forgotten else "was not trusted: %s"
        return terminal.Reply(
            {"project": project, "forgotten": forgotten}, [terminal.visible(text % project)]
        )
    rules = [_as_json(hook) for hook in starters(setup)]
    trusted = trust.is_trusted(setup.layers, project, _KEYS)
    data = {"project": project, "rules": rules, "trusted": trusted}
    lines = [line for rule in rules for line in _lines(rule)]
    if not rules and not trust.command_count(setup.layers, _KEYS):
        return terminal.Reply(data, ["this project has no rules that start a program"])
    if trusted:
        return terminal.Reply(data, [*lines, terminal.visible("already trusted: " + project)])
    if not options.yes and not (sys.stdin.isatty() and sys.stdout.isatty() and not options.json):
        lines.append("not trusted; `hookctl trust --yes` allows these to run until they change")
        return terminal.Reply(data, lines, 1)
    if not options.yes:
        print("\n".join(lines), flush=True)
        lines = []
        if not _agreed(project):
            return terminal.Reply(data, ["not trusted"], 1)
    trust.remember(setup.layers, project, _KEYS)
    data["trusted"] = True
    return terminal.Reply(data, [*lines, terminal.visible("trusted: " + project)])


def _agreed(project: str) -> bool:
    try:
        answer = input("Allow these to run in %s? [y/N] " % terminal.visible(project))
    except EOFError:
        return False
    return answer.strip().lower() in ("y", "yes")


def starters(setup: overview.Setup) -> list[Hook]:
    """Return the hooks of the project's rules that start a program."""
    hooks_of_rules = []
    for source, hooks, where in loader.load(setup.layers, setup.root).rules:
        if source.name == "user":
            continue
        for event in sorted(event_names.EVENTS):
            hooks_of_rules += registry.collect(hooks, source, event, where)[0]
    return [hook for hook in hooks_of_rules if hook.type != "prompt"]


def _as_json(hook: Hook) -> dict[str, Any]:
    entry = hook.entry
    return {
        "id": hook.id,
        "event": hook.event,
        "matcher": hook.matcher,
        "type": hook.type,
        "starts": entry.get("script") if hook.type == "script" else entry.get("command"),
        "args": entry.get("args") if hook.type == "command" else None,
        "file": hook.source.file,
        "scriptPaths": list(hook.source.script_paths) if hook.type == "script" else None,
    }


def _lines(rule: dict[str, Any]) -> list[str]:
    """Return a rule as text, invisible characters escaped: the user agrees to what is shown."""
    if rule["args"] is None:
        starts = terminal.visible(rule["starts"])
    else:
        words = [*([rule["starts"]] if rule["starts"] else []), *rule["args"]]
        starts = "args " + " ".join("[%s]" % terminal.visible(word) for word in words)
    if rule["scriptPaths"]:
        starts += " (found in %s)" % ", ".join(map(terminal.visible, rule["scriptPaths"]))
    return [
        "%s  matcher %s"
        % (rule["event"], terminal.visible(terminal.matcher_text(rule["matcher"]))),
        "    %s: %s" % (rule["type"], starts),
        "    in %s" % terminal.visible(rule["file"]),
    ]
