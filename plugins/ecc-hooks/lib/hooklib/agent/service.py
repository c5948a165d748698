"""The hooks of a project, for an agent program: one function per step of its loop.

No hook makes these functions raise: failures are logged and the action goes on. Each function has
an async form, `on_stop_async` and so on, which does not block the event loop.
"""

from __future__ import annotations

import json
import os
import threading
from typing import NamedTuple

from hooklib import config as switches
from hooklib import log, paths
from hooklib.agent.aio import awaitable
from hooklib.agent.project_rules import Project
from hooklib.boundary import guarded
from hooklib.output import Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    from hooklib.agent.manager import Config

__all__ = [
    "PostToolHookResult",
    "PreToolHookResult",
    "configure",
    "is_hooks_available",
    "on_compaction",
    "on_permission_request",
    "on_post_tool_use",
    "on_post_tool_use_failure",
    "on_pre_tool_use",
    "on_session_end",
    "on_session_start",
    "on_stop",
    "on_user_prompt_submit",
    "run_event",
]
PROJECTS = 100  # kept loaded at once


class PreToolHookResult(NamedTuple):
    decision: str = "allow"  # allow, deny, ask, defer
    reason: str = ""
    modified_input: dict[str, Any] | None = None  # the whole input, if a hook changed it
    additional_context: str = ""


class PostToolHookResult(NamedTuple):
    additional_context: str = ""
    modified_output: Any = None


class _Service:
    """The values from `configure`, and the projects in use."""

    def __init__(
        self,
        project_dir: str = "",
        config: Config = None,
        native: bool = False,
        on_message: Callable[[str], object] | None = None,
    ) -> None:
        self.folder = project_dir
        self.config = config
        self.native = native
        self.on_message = on_message
        self._lock = threading.Lock()
        self._projects: dict[str, Project] = {}

    def project(self, folder: str | None) -> Project:
        """Return a project with its rules up to date."""
        name = os.path.abspath(folder or self.folder or paths.start_dir())
        with self._lock:
            project = self._projects.get(name)
            if project is None:
                project = self._projects[name] = Project(name, self.config, self.native)
                if len(self._projects) > PROJECTS:
                    del self._projects[next(iter(self._projects))]
        project.refresh()
        return project

    def run(self, event: str, data: dict[str, Any], folder: str | None) -> Output | None:
        if not switches.merge([]).enabled:  # CUSTOM_SKILLS=0
            return None
        project = self.project(folder)
        full_data = {"hook_event_name": event, "cwd": project.folder, "transcript_path": "", **data}
        json_data = json.loads(json.dumps(full_data, default=str, skipkeys=True))
        output = project.manager.run(event, json_data, host="service").output
        if output is not None and output.message and self.on_message is not None:
            self.on_message(output.message)
        return output


_service = _Service()


def configure(
    project_dir: str = "",
    config: Config = None,
    native: bool = False,
    on_message: Callable[[str], object] | None = None,
) -> None:
    """Replace all settings of the service; omitted ones get their defaults.

    project_dir   the project of calls that name none, by default the current folder
    config        the rules, in place of those in the projects' settings files
    native        also read the `hooks` field of settings files, for programs other than Claude Code
    on_message    called with the messages of hooks to the user
    """
    global _service
    _service = _Service(project_dir, config, native, on_message)


def run_event(event: str, data: dict[str, Any], project_dir: str | None = None) -> Output:
    """Run any event and return the merged output; the functions below return parts of it."""
    output, error = guarded(_service.run, event, data, project_dir)
    if error is not None:
        log.failure(event, "service", error)
    return output or Output()


def is_hooks_available(project_dir: str | None = None) -> bool:
    """Return whether any hook could run."""
    project, error = guarded(_service.project, project_dir)
    return error is None and switches.merge([]).enabled and bool(project.manager.get_hook_counts())


def on_session_start(
    session_id: str, project_dir: str | None = None, source: str = "startup"
) -> str | None:
    """Call when a session begins; return context for the model."""
    data = {"session_id": session_id, "source": source}
    return run_event("SessionStart", data, project_dir).context or None


def on_session_end(session_id: str, project_dir: str | None = None, reason: str = "other") -> None:
    """Call when a session has ended."""
    run_event("SessionEnd", {"session_id": session_id, "reason": reason}, project_dir)


def on_user_prompt_submit(
    prompt: str, session_id: str, project_dir: str | None = None
) -> str | None:
    """Call when the user has sent a prompt; return the text to add to it.

    The text includes a refusal; `run_event` returns that as a decision.
    """
    output = run_event(
        "UserPromptSubmit", {"session_id": session_id, "prompt": prompt}, project_dir
    )
    refusal = output.stop or output.reason if output.decision or output.stop else ""
    texts = [output.context, refusal and "A hook refuses this prompt: " + refusal]
    return "\n\n".join(filter(None, texts)) or None


def on_pre_tool_use(
    tool_name: str,
    tool_use_id: str,
    tool_input: dict[str, Any],
    session_id: str,
    project_dir: str | None = None,
    permission_mode: str = "default",
) -> PreToolHookResult:
    """Call before a tool runs; return whether it may, and its input."""
    data = _call(tool_name, tool_use_id, tool_input, session_id, permission_mode)
    output = run_event("PreToolUse", data, project_dir)
    if output.decision in ("deny", "block") or output.stop:
        return PreToolHookResult("deny", output.reason or output.stop, None, output.context)
    decision = output.decision or "allow"
    return PreToolHookResult(decision, output.reason, output.updated_input, output.context)


def on_post_tool_use(
    tool_name: str,
    tool_use_id: str,
    tool_input: dict[str, Any],
    tool_result: Any,
    session_id: str,
    project_dir: str | None = None,
    permission_mode: str = "default",
) -> PostToolHookResult:
    """Call after a tool has run; return text to add to its result, and a replacement for it."""
    data = _call(tool_name, tool_use_id, tool_input, session_id, permission_mode)
    output = run_event("PostToolUse", {**data, "tool_response": tool_result}, project_dir)
    return PostToolHookResult(_text_for_model(output), output.updated_output)


def on_post_tool_use_failure(
    tool_name: str,
    tool_use_id: str,
    tool_input: dict[str, Any],
    error: str,
    session_id: str,
    project_dir: str | None = None,
    permission_mode: str = "default",
) -> str | None:
    """Call after a tool has failed; return text to add to its error."""
    data = _call(tool_name, tool_use_id, tool_input, session_id, permission_mode)
    return (
        _text_for_model(run_event("PostToolUseFailure", {**data, "error": error}, project_dir))
        or None
    )


def on_permission_request(
    tool_name: str,
    tool_input: dict[str, Any],
    session_id: str,
    project_dir: str | None = None,
    tool_use_id: str = "",
) -> str:
    """Call before asking the user; return 'approve', 'deny', or 'ask' if no hook decides."""
    data = _call(tool_name, tool_use_id, tool_input, session_id, "default")
    output = run_event("PermissionRequest", data, project_dir)
    if output.decision in ("deny", "block") or output.stop:
        return "deny"
    return "approve" if output.decision == "allow" else "ask"


def on_stop(
    stop_reason: str | None,
    session_id: str,
    project_dir: str | None = None,
    stop_hook_active: bool = False,
) -> bool:
    """Call before the agent stops; return whether it has to go on.

    stop_hook_active: a hook has already kept this turn going.
    """
    data = {"session_id": session_id, "stop_hook_active": stop_hook_active}
    output = run_event("Stop", {**data, "stop_reason": stop_reason}, project_dir)
    return output.decision == "block" and not output.stop


def on_compaction(
    pre_tokens: int,
    message_count: int,
    session_id: str,
    project_dir: str | None = None,
    trigger: str = "auto",
) -> bool:
    """Call before the conversation is compacted; return whether to prevent that."""
    data = {"session_id": session_id, "trigger": trigger, "pre_tokens": pre_tokens}
    output = run_event("PreCompact", {**data, "message_count": message_count}, project_dir)
    return bool(output.decision == "block" or output.stop)


def _call(
    tool_name: str,
    tool_use_id: str,
    tool_input: dict[str, Any],
    session_id: str,
    permission_mode: str,
) -> dict[str, Any]:
    return {
        "session_id": session_id,
        "tool_name": tool_name,
        "tool_use_id": tool_use_id,
        "tool_input": tool_input,
        "permission_mode": permission_mode,
    }


def _text_for_model(output: Output) -> str:
    """Return the text for the model after a tool: the context, and the reason of an objection."""
    return "\n\n".join(filter(None, (output.context, output.reason)))


on_session_start_async = awaitable(on_session_start)
on_session_end_async = awaitable(on_session_end)
on_user_prompt_submit_async = awaitable(on_user_prompt_submit)
on_pre_tool_use_async = awaitable(on_pre_tool_use)
on_post_tool_use_async = awaitable(on_post_tool_use)
on_post_tool_use_failure_async = awaitable(on_post_tool_use_failure)
on_permission_request_async = awaitable(on_permission_request)
on_stop_async = awaitable(on_stop)
on_compaction_async = awaitable(on_compaction)
