"""The demo under OpenCode: node calls the JavaScript adapter as OpenCode does."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

from install_opencode import NAME, install
from wiring import REPO, Plugin

import demo

SESSION = os.path.join(REPO, "demo", "session-opencode.jsonl")


def replay(stage: demo.Stage) -> list[demo.Run]:
    """Replay the recorded session and show each call; raise OSError without node."""
    node = shutil.which("node")
    if not node:
        raise OSError("node is missing; the demo needs it in place of OpenCode")
    folder = os.path.join(stage.home, ".config", "opencode")
    install(folder, is_project=False)
    plugin = Plugin(NAME, os.path.join(folder, NAME), {})
    log = os.path.join(stage.data(plugin), "hooks.log")
    script = os.path.join(REPO, "tools", "demo_opencode.mjs")
    adapter = os.path.join(plugin.root, NAME + ".js")
    runs: list[demo.Run] = []
    seen = number = 0
    with (
        open(SESSION, encoding="utf-8") as session,
        subprocess.Popen(
            [node, script, adapter, stage.project],
            stdin=session,
            stdout=subprocess.PIPE,
            env={**stage.env, "COMPACT_THRESHOLD": demo.THRESHOLD},
            cwd=stage.project,
        ) as process,
    ):
        for output in process.stdout or ():
            call = json.loads(output)
            new = demo.read_log(log)[seen:]
            seen += len(new)
            problems = [json.dumps(line) for line in new if line["outcome"].startswith(demo.BAD)]
            messages = [(recipient, text) for recipient, text in call["messages"]]
            hooks = [line["hook"] for line in new if line["hook"]]
            run = demo.Run(plugin.name, hooks, call["ms"], messages, problems)
            if not hooks and not messages:
                continue  # no hook ran
            number += 1
            demo.show(
                number, {"hook_event_name": call["name"], "prompt": call["what"]}, [run], stage
            )
            runs.append(run)
    if process.returncode:
        raise ValueError("the adapter's run ended with %d" % process.returncode)
    demo.sum_up(number, runs, sum(run.ms for run in runs))
    return runs
