"""Check hooks as the host itself reads them: in plugins' hooks.json and in settings files."""

from __future__ import annotations

import os

from hooklib.cli import command_check, plugins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from hooklib.event import Event

# Claude Code 2.1.326
EVENTS = frozenset(
    "PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit"
    " UserPromptExpansion SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop"
    " PreCompact PostCompact PreModelSwitch PostModelSwitch PermissionRequest PermissionDenied"
    " Setup TeammateIdle TaskCreated TaskCompleted Elicitation ElicitationResult ConfigChange"
    " WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged DirectoryAdded"
    " MessageDisplay".split()
)
TOOLS = frozenset(
    "Agent Task Bash BashOutput Edit MultiEdit Write NotebookEdit Read Glob Grep LS WebFetch"
    " WebSearch Skill TodoWrite ToolSearch Workflow AskUserQuestion ExitPlanMode EnterPlanMode"
    " KillShell SlashCommand ListAgents ReportFindings ScheduleWakeup CronCreate CronDelete"
    " CronList EnterWorktree ExitWorktree Monitor SendMessage TaskCreate TaskGet TaskList TaskStop"
    " TaskUpdate Artifact ListMcpResourcesTool ReadMcpResourceTool".split()
)
_TOOL_EVENTS = ("PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest")
_UNMATCHED = ("Stop", "UserPromptSubmit", "PostToolBatch")
_TYPES = {
    "command": "command",
    "http": "url",
    "prompt": "prompt",
    "agent": "prompt",
    "mcp_tool": "tool",
}
_NAME_SIGNS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-,| ")


class Finding:
    """A problem of an entry: its level, JSON path, description and remedy."""

    __slots__ = ("level", "path", "what", "remedy")

    def __init__(self, level: str, path: str, what: str, remedy: str) -> None:
        self.level = level
        self.path = path
        self.what = what
        self.remedy = remedy


def check(hooks: Any, file: str, plugin: str = "", project: str = "") -> Iterator[Finding]:
    """Yield the problems of a native `hooks` value; plugin is its plugin's root, if it has one."""
    if hooks is None:
        return
    if not isinstance(hooks, dict):
        yield Finding("fail", "hooks", "not an object of events", 'make it {"Event": [...]}')
        return
    for event, groups in hooks.items():
        path = "hooks.%s" % event
        if event not in EVENTS:
            yield Finding("warn", path, "the host has no such event", _nearest(event, EVENTS))
            continue
        if not isinstance(groups, list):
            yield _bad(event, path, "not a list", plugin)
            continue
        for number, group in enumerate(groups):
            yield from _check_group(group, event, "%s[%d]" % (path, number), plugin, project)


def _check_group(group: Any, event: str, path: str, plugin: str, project: str) -> Iterator[Finding]:
    if not isinstance(group, dict) or not isinstance(group.get("hooks"), list):
        yield _bad(event, path, "it has no list `hooks`", plugin)
        return
    unknown = [key for key in group if key not in ("matcher", "hooks")]
    if unknown:
        what = "unknown key %s: the client logs an error at every start" % unknown[0]
        yield Finding("warn", path, what, "remove it")
    matcher = group.get("matcher", "")
    if not isinstance(matcher, str):
        yield _bad(event, path + ".matcher", "the matcher is not a text", plugin)
    elif matcher not in ("", "*"):
        yield from _check_matcher(matcher, event, path + ".matcher")
    for number, handler in enumerate(group["hooks"]):
        handler_path = "%s.hooks[%d]" % (path, number)
        problem = _problem(handler)
        if problem:
            yield _bad(event, handler_path, problem, plugin)
            continue
        if handler.get("timeout", 0) >= 1000:
            what = "timeout %g: the unit is seconds" % handler["timeout"]
            yield Finding("warn", handler_path, what, "write %g" % (handler["timeout"] / 1000))
        if handler["type"] == "command":
            for level, what, remedy in command_check.check(handler, event, plugin, project):
                yield Finding(level, handler_path, what, remedy)


def _problem(handler: Any) -> str:
    if not isinstance(handler, dict):
        return "not an object"
    kind = handler.get("type")
    if not isinstance(kind, str) or kind not in _TYPES:
        return "type is %s, not one of %s" % (kind, ", ".join(_TYPES))
    if not isinstance(handler.get(_TYPES[kind]), str):
        return "%s is missing" % _TYPES[kind]
    timeout = handler.get("timeout", 1)
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not timeout > 0:
        return "timeout is not a number above 0"
    return ""


def _bad(event: str, path: str, what: str, plugin: str) -> Finding:
    if plugin and event == "PreToolUse":
        return Finding("fail", path, what + ": the whole plugin does not load", "fix it")
    return Finding("fail", path, what + ": the host ignores it", "fix it")


def _check_matcher(matcher: str, event: str, path: str) -> Iterator[Finding]:
    if event in _UNMATCHED:
        yield Finding("warn", path, "a matcher is ignored on " + event, "remove it")
        return
    if event not in _TOOL_EVENTS:
        return
    if any(sign in matcher for sign in ("==", "!=", "&&", " matches ", " in (")):
        remedy = "use tool names, or a rule of custom-hooks, which takes expressions"
        yield Finding("warn", path, "%s is an expression and never matches" % matcher, remedy)
    elif _NAME_SIGNS.issuperset(matcher):
        for name in (part.strip() for part in matcher.replace(",", "|").split("|")):
            near = _misspelled(name)
            if near:
                yield Finding("warn", path, "%s matches no tool" % name, "write " + near)
    elif not _fits_some_tool(matcher):
        remedy = "use tool names; `if` takes patterns like Bash(git *)"
        yield Finding("warn", path, "%s matches no tool" % matcher, remedy)


def _misspelled(name: str) -> str:
    """Return the tool's name that a misspelled name seems to mean, or ''."""
    if name in TOOLS or name.startswith("mcp__"):
        return ""
    right = next((tool for tool in TOOLS if tool.lower() == name.lower()), "")
    if right:
        return right
    import difflib

    return next(iter(difflib.get_close_matches(name, sorted(TOOLS), 1, 0.8)), "")


def _fits_some_tool(matcher: str) -> bool:
    """Return whether a regular expression could match a tool's name."""
    import re

    try:
        compiled = re.compile(matcher)
    except (re.error, RecursionError, OverflowError):
        return False
    if "mcp" in matcher or len(matcher) > 200:
        return True
    return any(compiled.search(tool) for tool in TOOLS)


def events(root: str) -> frozenset[str]:
    """Return the events that a plugin's hooks.json listens to."""
    hooks = plugins.read_object(os.path.join(root, "hooks", "hooks.json")).get("hooks")
    return frozenset(hooks) if isinstance(hooks, dict) else frozenset()


def not_started(root: str, event: Event) -> str:
    """Return why the host would not start our plugin for event, or ''."""
    hooks = plugins.read_object(os.path.join(root, "hooks", "hooks.json")).get("hooks")
    groups = hooks.get(event.name) if isinstance(hooks, dict) else None
    if not isinstance(groups, list) or not groups:
        return "its hooks.json does not listen to " + event.name
    from hooklib.engine import matcher

    matchers = [group.get("matcher", "") for group in groups if isinstance(group, dict)]
    try:
        if any(not isinstance(text, str) or matcher.fits(text, event) for text in matchers):
            return ""
    except ValueError:
        return "its hooks.json has an invalid matcher"
    return "its hooks.json listens only to %s" % " or ".join(map(str, matchers))


def _nearest(name: str, names: frozenset[str]) -> str:
    import difflib

    near = difflib.get_close_matches(str(name), sorted(names), 1)
    return "did you mean %s?" % near[0] if near else "remove it"
