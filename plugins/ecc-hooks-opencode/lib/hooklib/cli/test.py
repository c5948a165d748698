"""hookctl test: send one event through the hooks and show what each of them says."""

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


def run(given: argparse.Namespace) -> terminal.Reply:
    here = overview.Scene()
    data = _from_file(given.event) if given.event else {}
    name = event_name(given.event_name or data.get("hook_event_name"))
    data = _event(name, given, data)
    with sandbox.Rehearsal(here, given.plugin, given.host, given.dry_run) as stage:
        tried = stage.play(name, data)
    reply = {"event": data, "dryRun": given.dry_run, "plugins": tried, "off": here.off_by}
    code = 1 if any(map(sandbox_report.went_wrong, tried)) else 0
    return terminal.Reply(reply, _lines(name, here, tried), code)


def event_name(given: object) -> str:
    """Return the event's own name for a name or an alias; Usage where it is neither."""
    if not given:
        raise terminal.Usage("which event? `hookctl test PreToolUse --tool Edit --file x.py`")
    name = event_names.ALIASES.get(str(given), str(given))
    if name not in event_names.EVENTS:
        import difflib

        near = difflib.get_close_matches(name, [*event_names.EVENTS, *event_names.ALIASES], 1, 0.5)
        hint = (
            "did you mean %s?" % near[0]
            if near
            else "known are " + ", ".join(sorted(event_names.EVENTS))
        )
        raise terminal.Usage("unknown event %s; %s" % (given, hint))
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


def _event(name: str, given: argparse.Namespace, base: dict[str, Any]) -> dict[str, Any]:
    """Return the event as the host would send it, the options laid over the file's fields."""
    cwd = paths.start_dir()
    data = {"session_id": "", "transcript_path": "", "cwd": cwd, **base, "hook_event_name": name}
    if name in _SUBJECTS:
        key, default = _SUBJECTS[name]
        data[key] = given.source or data.get(key) or default
    if name in _TOOL_EVENTS:
        _describe_tool(name, given, data)
    if given.prompt is not None or name == "UserPromptSubmit":
        data["prompt"] = given.prompt if given.prompt is not None else data.get("prompt", "")
    if name in ("Stop", "SubagentStop"):
        data.setdefault("stop_hook_active", False)
    return data


def _describe_tool(name: str, given: argparse.Namespace, data: dict[str, Any]) -> None:
    tool_input = data.get("tool_input")
    tool_input = dict(tool_input) if isinstance(tool_input, dict) else {}
    if given.file is not None:
        tool_input["file_path"] = os.path.join(str(data["cwd"]), given.file)
    if given.shell_command is not None:
        tool_input["command"] = given.shell_command
    guess = "Bash" if given.shell_command is not None else "Edit" if given.file is not None else ""
    data["tool_name"] = given.tool or data.get("tool_name") or guess
    data["tool_input"] = tool_input
    data.setdefault("tool_use_id", "toolu_hookctl")
    if name == "PostToolUse":
        data.setdefault("tool_response", {})
    if name == "PostToolUseFailure":
        data.setdefault("error", "")


def _lines(name: str, here: overview.Scene, tried: list[dict[str, Any]]) -> list[str]:
    lines = ["%s in %s" % (name, terminal.clean(terminal.short_path(here.start)))]
    if here.off_by:
        lines.append(terminal.clean("everything is switched off by %s: nothing ran" % here.off_by))
    for plugin in tried:
        lines += sandbox_report.lines(plugin)
    return lines
