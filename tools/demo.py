#!/usr/bin/env python3
"""Replay a recorded session through the plugins and show the time and the output of each hook.

demo/session.jsonl is the session: a line with `hook_event_name` is an event as Claude Code sends
it, any other line goes into the transcript. demo/session-gemini.jsonl is the same work under Gemini
CLI, in two sessions. demo/project/ is copied to the temporary project.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any, NamedTuple

import gemini_wiring
import wiring
from wiring import Event, Handler, Plugin

REPO = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
THRESHOLD = "3"
BAD = ("error", "interpreter")  # an outcome in the log that begins so is a problem
HOSTS = {
    "claude": ("Claude Code", wiring),
    "gemini": ("Gemini CLI", gemini_wiring),
    "opencode": ("OpenCode", wiring),
}
WRITERS = ("Write", "write_file")
EDITORS = ("Edit", "replace")


class Run(NamedTuple):
    """What one plugin did on one event."""

    plugin: str
    hooks: list[str]
    ms: float
    messages: list[tuple[str, str]]  # (recipient, text)
    problems: list[str]


class Stage:
    """The temporary home and project, with a space in their names as users have them."""

    def __init__(self, base: str, host: ModuleType) -> None:
        self.host = host  # the module that says how the host starts hooks
        self.home = os.path.join(base, "home")
        self.project = os.path.join(base, "my project")
        self.transcript = os.path.join(self.home, ".claude", "projects", "demo", "session.jsonl")
        # our Python first: in another home a version manager's shim may not find one
        python = os.path.dirname(os.path.realpath(sys.executable))
        self.env = {"PATH": python + os.pathsep + os.environ.get("PATH", ""), "HOME": self.home}
        os.makedirs(os.path.dirname(self.transcript))
        shutil.copytree(os.path.join(REPO, "demo", "project"), self.project)
        who = ["-c", "user.name=demo", "-c", "user.email=demo@localhost"]
        for words in (["init", "-q"], ["add", "."], [*who, "commit", "-q", "-m", "start"]):
            subprocess.run(["git", *words], cwd=self.project, env=self.env, check=True)

    def data(self, plugin: Plugin) -> str:
        """Return a plugin's data folder."""
        data = os.path.join(self.home, ".claude", "plugins", "data", plugin.name + "-custom-skills")
        os.makedirs(data, exist_ok=True)
        return data

    def hook_env(self, plugin: Plugin, handler: Handler, event: Event) -> dict[str, str]:
        """Return a hook's environment: what the host sets, and the demo's low threshold."""
        own = {"CLAUDE_PLUGIN_DATA": self.data(plugin), "COMPACT_THRESHOLD": THRESHOLD}
        from_host: dict[str, str] = self.host.environment(plugin, handler, event)
        return {**self.env, **own, **from_host}

    def fill(self, line: str) -> Event:
        """Return a recorded line with the paths of this stage in it."""
        for name in ("project", "home", "transcript"):
            line = line.replace("{%s}" % name, json.dumps(getattr(self, name))[1:-1])
        filled: Event = json.loads(line)
        return filled

    def perform(self, event: Event) -> None:
        """Write the file as the tool did before PostToolUse: a hook may read it."""
        tool, tool_input = event.get("tool_name"), event.get("tool_input", {})
        after = event["hook_event_name"] in ("PostToolUse", "AfterTool")
        if not after or tool not in WRITERS + EDITORS:
            return
        path = os.path.join(self.project, tool_input["file_path"])
        text = tool_input.get("content", "")
        if not path.startswith(self.project + "/") or ".." in path:
            raise ValueError("the session writes outside {project}: " + path)
        if tool in EDITORS:
            with open(path, encoding="utf-8") as file:
                text = file.read().replace(tool_input["old_string"], tool_input["new_string"], 1)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def shorten(self, text: str) -> str:
        text = text.replace(self.project + "/", "").replace(self.project, "<project>")
        return text.replace(self.home, "<home>")


def run(plugin: Plugin, handlers: list[Handler], event: Event, stage: Stage) -> Run:
    """Run a plugin's handlers for one event; collect their messages and log lines."""
    log = os.path.join(stage.data(plugin), "hooks.log")
    seen = len(read_log(log))
    messages: list[tuple[str, str]] = []
    problems = []
    started = time.perf_counter()
    for handler in handlers:
        try:
            env = stage.hook_env(plugin, handler, event)
            answer = start(stage.host, handler, event, env)
            messages += decode(event["hook_event_name"], answer)
        except ValueError as error:  # also if the answer is not JSON
            problems.append(str(error))
    ms = (time.perf_counter() - started) * 1000
    lines = read_log(log)[seen:]
    for line in lines:
        if line["outcome"].startswith(BAD):  # the host never sees these
            problems.append(json.dumps(line))
    hooks = [line["hook"] for line in lines if line["hook"]]
    return Run(plugin.name, hooks, ms, messages, problems)


def read_log(path: str) -> list[dict[str, Any]]:
    if not os.path.exists(path):
        return []
    with open(path, encoding="ascii") as file:
        return [json.loads(line) for line in file]


def start(host: ModuleType, handler: Handler, event: Event, env: dict[str, str]) -> str:
    """Run one handler as the host does and return its stdout; raise ValueError if it fails."""
    argv, cwd, pipe = host.command(handler, env), event["cwd"], subprocess.PIPE
    process = subprocess.Popen(
        argv, stdin=pipe, stdout=pipe, stderr=pipe, cwd=cwd, env=env, start_new_session=True
    )
    try:
        out, err = process.communicate(json.dumps(event).encode(), host.seconds(handler))
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # with its children, else the pipes stay open
        process.communicate()
        raise ValueError("no answer in time") from None
    if process.returncode:
        raise ValueError("exit %d: %s" % (process.returncode, err.decode("utf-8", "replace")))
    return out.decode("utf-8")


def decode(name: str, text: str) -> list[tuple[str, str]]:
    """Return the messages in a hook's stdout by recipient; raise ValueError if it is no answer."""
    if not text or name == "PreCompact":  # there all text becomes the compaction's instructions
        return [("model", text)] if text else []
    answer = json.loads(text)
    specific = answer.get("hookSpecificOutput", {}) if isinstance(answer, dict) else None
    if not isinstance(specific, dict):
        raise ValueError("not a JSON object: " + text)
    if specific and specific.get("hookEventName") != name:
        raise ValueError("hookEventName is not %s: %s" % (name, text))
    decision = specific.get("permissionDecision") or answer.get("decision")
    reason = specific.get("permissionDecisionReason") or answer.get("reason")
    refuses_prompt = name in ("UserPromptSubmit", "BeforeAgent")
    to_model = decision in ("deny", "block") and not refuses_prompt
    rewritten = specific.get("updatedInput", specific.get("tool_input"))
    stop = answer.get("stopReason", "") if answer.get("continue") is False else None
    messages = [
        ("model" if to_model else "user", decision and "(%s) %s" % (decision, reason or "")),
        ("tool", rewritten is not None and json.dumps(rewritten)),
        ("model", specific.get("additionalContext")),
        ("user", answer.get("systemMessage")),
        ("user", stop is not None and "(stop) " + stop),
    ]
    return [(recipient, message) for recipient, message in messages if message]


def show(number: int, event: Event, runs: list[Run], stage: Stage) -> None:
    """Print one event: its subject, the hooks and their time, the messages."""
    tool_input = event.get("tool_input", {})
    subject = event.get(stage.host.SUBJECTS.get(event["hook_event_name"], "tool_name"), "")
    answer = event.get("last_assistant_message") or event.get("prompt_response")
    detail = tool_input.get("file_path") or tool_input.get("command")
    detail = detail or answer or event.get("prompt") or ""
    title = textwrap.shorten(stage.shorten(subject + " " + detail), 42, placeholder="...")
    head = "%3d  %-18s  %-42s" % (number, event["hook_event_name"], title)
    if not runs:
        print(head + "        -")
    for run in runs:
        print("%s  %4.0f ms  %s: %s" % (head, run.ms, run.plugin, ", ".join(run.hooks) or "-"))
        head = " " * len(head)
    for run in runs:
        for recipient, text in run.messages + [("problem", text) for text in run.problems]:
            print_message(recipient, stage.shorten(text))


def print_message(recipient: str, text: str, most: int = 16) -> None:
    plain = not sys.stdout.isatty() or "NO_COLOR" in os.environ
    colour = "\033[31m%s\033[0m" if recipient == "problem" else "\033[36m%s\033[0m"
    label = "%s" if plain else colour
    lines = [part for line in text.splitlines() for part in textwrap.wrap(line, 90)]
    if len(lines) > most:
        lines[most:] = ["... and %d more lines" % (len(lines) - most)]
    for line in lines:
        print(label % ("     %-7s | " % recipient) + line)
        recipient = ""


def replay(plugins: list[Plugin], stage: Stage) -> list[Run]:
    """Send the session's events to the plugins, show each, then the totals."""
    runs: list[Run] = []
    number, waited = 0, 0.0
    with open(os.path.join(REPO, "demo", stage.host.SESSION), encoding="utf-8") as session:
        recorded = [stage.fill(line) for line in session]
    for event in recorded:
        if "hook_event_name" not in event:
            with open(stage.transcript, "a", encoding="utf-8") as file:
                file.write(json.dumps(event, separators=(",", ":")) + "\n")
            continue
        if event.get("source") == "startup":  # each session has a transcript of its own
            open(stage.transcript, "w", encoding="utf-8").close()
        number += 1
        stage.perform(event)
        chosen = [(plugin, stage.host.wired(plugin, event)) for plugin in plugins]
        started = time.perf_counter()
        with ThreadPoolExecutor() as pool:  # the host starts all at once too
            jobs = [pool.submit(run, one, found, event, stage) for one, found in chosen if found]
        waited += (time.perf_counter() - started) * 1000
        show(number, event, [job.result() for job in jobs], stage)
        runs += [job.result() for job in jobs]
    sum_up(number, runs, waited)
    return runs


def sum_up(number: int, runs: list[Run], waited: float) -> None:
    recipients = [recipient for run in runs for recipient, _ in run.messages]
    models, users = recipients.count("model"), recipients.count("user")
    sums = (number, len(runs), models, users, waited)
    print("\n%d events, %d hook runs, %d texts to the model, %d to the user, %.0f ms in all" % sums)
    print("(a plugin's first run finds Python and compiles the library; later runs do not)")


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="demo.py", description=__doc__.partition("\n")[0])
    parser.add_argument("--host", choices=list(HOSTS), default="claude", help="whose session")
    parser.add_argument("--plugins", default="", help="a folder with other plugins to use")
    options = parser.parse_args(argv)
    name, host = HOSTS[options.host]
    how = "the adapter" if options.host == "opencode" else "hooks.json"
    print("A recorded %s session, replayed through the plugins as wired in %s," % (name, how))
    print(
        "in a temporary project; COMPACT_THRESHOLD=%s, because the session is short.\n" % THRESHOLD
    )
    try:
        plugins = host.load_plugins(options.plugins)
        with tempfile.TemporaryDirectory(prefix="custom-skills demo ") as base:
            stage = Stage(os.path.realpath(base), host)
            if options.host == "opencode":  # it calls a plugin instead of starting commands
                import demo_opencode

                runs = demo_opencode.replay(stage)
            else:
                runs = replay(plugins, stage)
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        print("demo: %s" % error, file=sys.stderr)
        return 1
    return 1 if any(run.problems for run in runs) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
