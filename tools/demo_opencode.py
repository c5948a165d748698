"""The demo under OpenCode: its hooks are JavaScript, so node calls the adapter as the host does."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

from wiring import REPO, Plugin

import demo

ROOT = os.path.join(REPO, "plugins", "ecc-hooks-opencode")
SESSION = os.path.join(REPO, "demo", "session-opencode.jsonl")


def replay(stage: demo.Stage) -> list[demo.Run]:
    """Play the recorded session, show each call and sum up; OSError where there is no node."""
    node = shutil.which("node")
    if not node:
        raise OSError("node is missing, which plays OpenCode's part here")
    plugin = Plugin(os.path.basename(ROOT), ROOT, {})
    log = os.path.join(stage.data(plugin), "hooks.log")
    script = os.path.join(REPO, "tools", "demo_opencode.mjs")
    adapter = os.path.join(ROOT, plugin.name + ".js")
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
        for line in process.stdout or ():
            call = json.loads(line)
            new = demo.read_log(log)[seen:]
            seen += len(new)
            problems = [json.dumps(one) for one in new if one["outcome"].startswith(demo.BAD)]
            told = [(who, text) for who, text in call["told"]]
            ran = [one["hook"] for one in new if one["hook"]]
            run = demo.Run(plugin.name, ran, call["ms"], told, problems)
            if not ran and not told:
                continue  # nothing was started: not worth a line
            number += 1
            demo.show(
                number, {"hook_event_name": call["name"], "prompt": call["what"]}, [run], stage
            )
            runs.append(run)
    if process.returncode:
        raise ValueError("the adapter's run ended with %d" % process.returncode)
    demo.sum_up(number, runs, sum(run.ms for run in runs))
    return runs
