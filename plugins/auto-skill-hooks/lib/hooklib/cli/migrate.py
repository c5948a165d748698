"""hookctl migrate: print rules of an older form in the form for settings.json."""

from __future__ import annotations

import json
import os

from hooklib import config
from hooklib.cli import overview, terminal
from hooklib.engine import event_names, loader, matcher, registry

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

_RULE_KEYS = ("id", "name", "description", "matcher", "sequential")
_HOOK_KEYS = (
    "id name description type command args script prompt timeout timeoutMs statusMessage async"
    " onFailure".split()
)
_TYPES = ("command", "script", "prompt")


def declare(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("file", nargs="?", help="default: .claude/hooks.json of the project")


def run(options: argparse.Namespace) -> terminal.Reply:
    setup = overview.Setup()
    path = (
        os.path.abspath(options.file) if options.file else os.path.join(setup.root, loader.LEGACY)
    )
    if not os.path.exists(path):
        raise terminal.Problem("%s: no such file" % path)
    layer = config.read_layer("project", path)
    if layer.broken:
        raise terminal.Problem("%s: %s" % (path, layer.broken))
    notes: list[str] = []
    data = {loader.KEY: _rewritten(layer.data, notes)}
    text = json.dumps(data, indent=2)  # ASCII, so no control character reaches the terminal
    lines = [text]
    if notes:
        import sys

        if not options.json:
            print(
                "".join("hookctl: %s\n" % terminal.clean(note) for note in notes),
                file=sys.stderr,
                end="",
            )
    return terminal.Reply(
        {"file": path, "settings": data, "notes": notes}, lines, 1 if notes else 0
    )


def _rewritten(legacy: dict[str, Any], notes: list[str]) -> dict[str, Any]:
    """Return the value for our key: the file's own with converted rules, else just the rules."""
    own = legacy.get(loader.KEY)
    if not isinstance(own, dict):
        return {"rules": _as_list(convert(legacy, notes))}
    options = {key: value for key, value in own.items() if key not in ("hooks", "rules")}
    listed = own.get("rules") if isinstance(own.get("rules"), list) else []
    hooks = own.get("hooks") if isinstance(own.get("hooks"), dict) else {}
    return {**options, "rules": [*(listed or []), *_as_list(convert({"hooks": hooks}, notes))]}


def _as_list(hooks: dict[str, Any]) -> list[dict[str, Any]]:
    """Return {event: rules} as a list, the only form that Claude Code accepts in settings.json."""
    listed = []
    for event, rules in hooks.items():
        for rule in rules:
            run = rule.pop("hooks")
            listed.append({"event": event, **rule, "run": run})
    return listed


def convert(legacy: dict[str, Any], notes: list[str]) -> dict[str, Any]:
    """Return the rules of {Event: [...]} or {"hooks": {...}}; add to notes what is left out."""
    top = legacy.get("hooks") if isinstance(legacy.get("hooks"), dict) else legacy
    converted: dict[str, Any] = {}
    for event, entries in (top or {}).items():
        if event in ("$schema", "description", "version"):
            continue
        if event_names.ALIASES.get(event, event) not in event_names.EVENTS:
            notes.append("%s: unknown event, left out" % event)
            continue
        if not isinstance(entries, list):
            notes.append("%s: not a list, left out" % event)
            continue
        for number, entry in enumerate(entries):
            rule = _rule(entry, "%s[%d]" % (event, number), notes)
            if rule is not None:
                converted.setdefault(event, []).append(rule)
    return converted


def _rule(entry: Any, path: str, notes: list[str]) -> dict[str, Any] | None:
    if isinstance(entry, str):
        entry = {"hooks": [{"type": "command", "command": entry}]}
    if not isinstance(entry, dict):
        notes.append("%s: not an object, left out" % path)
        return None
    handlers = entry.get("hooks")
    if not isinstance(handlers, list):  # a hook without a group around it
        handlers = [{key: entry[key] for key in entry if key not in ("matcher", "sequential")}]
        entry = {key: entry[key] for key in ("matcher", "sequential") if key in entry}
    rule: dict[str, Any] = {key: entry[key] for key in _RULE_KEYS if key in entry}
    reason, usable = matcher.problem(rule.get("matcher"))
    if reason:
        notes.append("%s.matcher: %s%s" % (path, reason, "" if usable else "; fix it by hand"))
    rule["hooks"] = []
    for number, handler in enumerate(handlers):
        hook = _hook(handler, "%s.hooks[%d]" % (path, number), notes)
        if hook is not None:
            rule["hooks"].append(hook)
    return rule if rule["hooks"] else None


def _hook(handler: Any, path: str, notes: list[str]) -> dict[str, Any] | None:
    if isinstance(handler, str):
        handler = {"command": handler}
    if not isinstance(handler, dict):
        notes.append("%s: not an object, left out" % path)
        return None
    hook: dict[str, Any] = {}
    kind = handler.get("type") or next((kind for kind in _TYPES if kind in handler), None)
    if kind is not None:
        hook["type"] = kind
    hook.update((key, handler[key]) for key in _HOOK_KEYS if key in handler and key != "type")
    timeout = hook.get("timeout")
    if isinstance(timeout, (int, float)) and timeout >= 1000:  # a quarter of an hour is too long
        hook["timeoutMs"] = hook.pop("timeout")
        notes.append("%s: timeout %g is read as milliseconds" % (path, timeout))
    valid, warnings = registry.collect(
        {"Stop": [{"hooks": [hook]}]}, registry.Source("project", path), "Stop"
    )
    if not valid:
        notes.append("%s: %s, left out" % (path, warnings[0].reason))
        return None
    return hook
