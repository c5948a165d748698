"""Run a user's hook: a command or script in a new process, or the text of a prompt."""

from __future__ import annotations

import os
import sys

from hooklib import jsonio, limits, process
from hooklib.engine import hook_result, variables
from hooklib.output import Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.engine.registry import Hook
    from hooklib.engine.runner import Options
    from hooklib.event import Event

_HERE = os.path.dirname(os.path.abspath(__file__))
_NODE_ENDINGS = (".js", ".mjs", ".cjs", ".ts", ".mts")


class Refused(Exception):
    """Raised for a script that may not or cannot run; the text is the reason."""


def run(hook: Hook, event: Event, options: Options) -> tuple[Output | None, str, str]:
    """Run one hook of a user's rule; return the output, outcome and detail for its Result."""
    values = variables.for_event(event)
    if hook.type == "prompt":
        return Output(message=variables.expand(hook.entry["prompt"], values)), "spoke", ""
    try:
        args = arguments(hook, values)
    except Refused as error:
        return None, "refused", str(error)
    env = {**os.environ, **values, "CLAUDE_PROJECT_DIR": event.project_root}
    stdin = jsonio.dumps(event.data).encode("ascii")
    cwd = event.cwd or event.start_dir
    if hook.background:
        started = process.start_detached(args, stdin, env, cwd)
        return (None, "started", "") if started else (None, "error", "not found")
    timeout = hook.timeout or options.timeout
    done = process.run(args, stdin, env, cwd, timeout)
    if done.code == process.TIMED_OUT:
        behavior = hook.on_failure or options.timeout_behavior
        reason = "hook %s gave no answer in %g s" % (hook.id, timeout)
        return hook_result.from_failure(event.name, behavior, reason), "timeout", reason
    output = hook_result.from_process(event.name, done.code, done.stdout, done.stderr)
    if output is None and done.code != 0:
        command = hook.type == "command"
        behavior = hook.on_failure or (
            options.command_failure if command else options.failure_behavior
        )
        reason = "hook %s failed with exit code %d" % (hook.id, done.code)
        detail = reason + ": " + done.stderr.decode("utf-8", "replace").strip()[-500:]
        return hook_result.from_failure(event.name, behavior, reason), "error", detail
    return output, "silent" if output is None else "spoke", ""


def arguments(hook: Hook, values: dict[str, str]) -> list[str]:
    """Return the arguments to start. A shell gets values only as environment variables."""
    entry = hook.entry
    if hook.type == "script":
        return _script(hook)
    if "args" in entry:
        first = [entry["command"]] if entry.get("command") else []
        return [variables.expand(arg, values) for arg in first + entry["args"]]
    return [*_shell(), entry["command"]]


def _shell() -> list[str]:
    if os.name != "nt":
        return ["/bin/sh", "-c"]
    import shutil

    shell = shutil.which("sh") or shutil.which("bash")  # Git Bash, which Claude Code needs anyway
    return [shell, "-c"] if shell else [os.environ.get("COMSPEC", "cmd.exe"), "/d", "/c"]


def _script(hook: Hook) -> list[str]:
    path = script_path(hook)
    if path.endswith(".py"):
        return [sys.executable or "python3", "-I", os.path.join(_HERE, "call_script.py"), path]
    if not path.endswith(_NODE_ENDINGS):
        raise Refused("scripts end in .py, .js, .mjs, .cjs or .ts")
    import shutil

    node = shutil.which("node")
    if not node:
        raise Refused("node is not installed")
    flags = _typescript_flags(node) if path.endswith(("ts", "mts")) else []
    return [node, *flags, os.path.join(_HERE, "call_script.mjs"), path]


def script_path(hook: Hook) -> str:
    """Return the script's real path; raise Refused if it is outside the allowed folders."""
    script = os.path.expanduser(hook.entry["script"])
    path = os.path.realpath(os.path.join(hook.source.base, script))
    for folder in hook.source.script_paths:
        top = os.path.realpath(os.path.join(hook.source.base, os.path.expanduser(folder)))
        if path.startswith(top.rstrip(os.sep) + os.sep):
            if not os.path.isfile(path):
                raise Refused("no such script")
            return path
    raise Refused("outside hookScriptPaths")


def _typescript_flags(node: str) -> list[str]:
    """Return the flags with which node runs TypeScript; raise Refused if it is too old."""
    done = process.run([node, "--version"], timeout=limits.scaled(5))
    version = done.stdout.decode("ascii", "replace").strip().lstrip("v").split(".")
    numbers = tuple(int(part) for part in version[:2] if part.isdigit())
    if numbers >= (23, 6) or (22, 18) <= numbers < (23, 0):
        return []
    if numbers >= (22, 6):
        return ["--experimental-strip-types", "--no-warnings"]
    raise Refused("this node does not run TypeScript; 22.6 or newer does")
