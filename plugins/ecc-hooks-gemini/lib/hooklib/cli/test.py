"""hookctl test: send one event through the hooks and show what each returns."""

from __future__ import annotations

import os
import sys

from hooklib import files, jsonio, paths
from hooklib.cli import overview, sandbox, sandbox_report, terminal
from hooklib.engine import event_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

_LIMIT = 64_000_000
_SUBJECTS = {
    "SessionStart": ("source", "startup"),
    "SessionEnd": ("reason", "other"),
    "PreCompact": ("trigger", "manual"),
    "PostCompact": ("trigger", "manual"),
    "Notification": ("notification_type", "permission_prompt"),
    "SubagentStart": ("agent_type", "general-purpose"),
    "SubagentStop": ("agent_type", "general-purpose"),
}
_TOOL_EVENTS = (
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PermissionRequest",
    "PermissionDenied",
)


def declare(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("event_name", nargs="?", metavar="EVENT", help="PreToolUse, Stop, ...")
    parser.add_argument("--event", metavar="FILE", help="the event as JSON; - for stdin")
    parser.add_argument("--tool", help="the tool's name")
    parser.add_argument("--file", help="the file that the tool works on")
    parser.add_argument(
        "--command", dest="shell_command", metavar="TEXT", help="the command for Bash"
    )
    parser.add_argument("--prompt", help="what the user typed")
    parser.add_argument("--source", metavar="TEXT", help="startup, compact, manual, ...")
    sandbox.declare(parser)


def run(options: argparse.Namespace) -> terminal.Reply:
    setup = overview.Setup()
    data = _from_file(options.event) if options.event else {}
    name = event_name(options.event_name or data.get("hook_event_name"))
    data = _event(name, options, data)
    with sandbox.Sandbox(setup, options) as hooks:
        answers = hooks.send(name, data)
    reply = {"event": data, "dryRun": options.dry_run, "plugins": answers, "off": setup.off_by}
    code = 1 if any(map(sandbox_report.went_wrong, answers)) else 0
    return terminal.Reply(reply, _lines(name, setup, answers), code)


def event_name(text: object) -> str:
    """Return the event's name for a name or an alias; raise Usage if it is neither."""
    if not text:
        raise terminal.Usage("name an event: `hookctl test PreToolUse --tool Edit --file x.py`")
    name = event_names.ALIASES.get(str(text), str(text))
    if name not in event_names.EVENTS:
        import difflib

        near = difflib.get_close_matches(name, [*event_names.EVENTS, *event_names.ALIASES], 1, 0.5)
        hint = (
            "did you mean %s?" % near[0]
            if near
            else "the events are " + ", ".join(sorted(event_names.EVENTS))
        )
        raise terminal.Usage("unknown event %s; %s" % (text, hint))
    return name


def _from_file(path: str) -> dict[str, Any]:
    try:
        from_stdin = path == "-"
        data = jsonio.loads(
            sys.stdin.buffer.read(_LIMIT) if from_stdin else files.read_bounded(path, _LIMIT)
        )
    except OSError as error:
        raise terminal.Problem("%s: %s" % (path, error.strerror or error)) from None
    except (ValueError, RecursionError) as error:
        raise terminal.Problem("%s: not JSON: %s" % (path, error)) from None
    if not isinstance(data, dict):
        raise terminal.Problem("%s: not a JSON object" % path)
    return data


def _event(name: str, options: argparse.Namespace, base: dict[str, Any]) -> dict[str, Any]:
    """Return the event as the host would send it; options replace the file's fields."""
    cwd = paths.start_dir()
    data = {"session_id": "", "transcript_path": "", "cwd": cwd, **base, "hook_event_name": name}
    if name in _SUBJECTS:
        key, default = _SUBJECTS[name]
        data[key] = options.source or data.get(key) or default
    if name in _TOOL_EVENTS:
        _describe_tool(name, options, data)
    if options.prompt is not None or name == "UserPromptSubmit":
        data["prompt"] = options.prompt if options.prompt is not None else data.get("prompt", "")
    if name in ("Stop", "SubagentStop"):
        data.setdefault("stop_hook_active", False)
    return data


def _describe_tool(name: str, options: argparse.Namespace, data: dict[str, Any]) -> None:
    tool_input = data.get("tool_input")
    tool_input = dict(tool_input) if isinstance(tool_input, dict) else {}
    if options.file is not None:
        tool_input["file_path"] = os.path.join(str(data["cwd"]), options.file)
    if options.shell_command is not None:
        tool_input["command"] = options.shell_command
    guess = (
        "Bash" if options.shell_command is not None else "Edit" if options.file is not None else ""
    )
    data["tool_name"] = options.tool or data.get("tool_name") or guess
    data["tool_input"] = tool_input
    data.setdefault("tool_use_id", "toolu_hookctl")
    if name == "PostToolUse":
        data.setdefault("tool_response", {})
    if name == "PostToolUseFailure":
        data.setdefault("error", "")


def _lines(name: str, setup: overview.Setup, answers: list[dict[str, Any]]) -> list[str]:
    lines = ["%s in %s" % (name, terminal.clean(terminal.short_path(setup.start)))]
    if setup.off_by:
        lines.append(terminal.clean("everything is switched off by %s: no hook ran" % setup.off_by))
    for answer in answers:
        lines += sandbox_report.lines(answer)
    return lines
