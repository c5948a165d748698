"""Bench rows of code quality: an edit without tools, and with tools compared to them alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from benchlab import Lab, Row
from wiring import Event, Plugin

CACHE = os.path.expanduser(os.environ.get("CUSTOM_SKILLS_E2E") or "~/.cache/custom-skills-e2e")
RATIO, OVER = 3.0, 2.5
SOURCE = "import os\n\n\ndef name(number: int) -> str:\n    return os.sep + str(number)\n"


def rows(lab: Lab, plugins: list[Plugin]) -> list[Row]:
    """Return the rows of edits; rows of missing tools are left out with a note."""
    found: list[Row] = []
    for plugin in [plugin for plugin in plugins if plugin.name == "ecc-hooks"]:
        project = _project(lab, "bare", {"src/a.py": SOURCE * 20})
        row = _row(lab, "PostToolUse Edit a.py, no tool", plugin, project, "src/a.py")
        found.append(row._replace(ratio=RATIO, processes=2))
        stop = lab.event("Stop", stop_hook_active=False, background_tasks=[])
        stop.update(cwd=project, session_id="quality")  # a session without unsaved work
        row = lab.row("Stop, nothing changed", plugin, stop)
        found.append(row._replace(env=_env(lab, row, project), ratio=None, processes=None))
        found += _python_rows(lab, plugin) + _prettier_rows(lab, plugin)
    return found


def _python_rows(lab: Lab, plugin: Plugin) -> list[Row]:
    """Return two rows: Ruff and mypy alone, and an edit that starts both."""
    programs = os.path.join(CACHE, "python-tools", "bin")
    if not os.path.exists(os.path.join(programs, "mypy")):
        return _left_out("ruff and mypy")
    config = "[tool.ruff]\nline-length = 100\n[tool.mypy]\nstrict = true\n"
    project = _project(lab, "python", {"pyproject.toml": config, "src/a.py": SOURCE})
    os.symlink(os.path.dirname(programs), os.path.join(project, ".venv"))
    path = os.path.join(project, "src", "a.py")
    both = 'cd "$1" && "$2/ruff" format --force-exclude --stdin-filename "$3" - <"$3" >/dev/null'
    both += ' && exec "$2/mypy" --no-error-summary --cache-dir "$4" -- "$3"'
    words = ["/bin/sh", "-c", both, "sh", project, programs, path, lab.path("mypy cache")]
    own = Row("ruff format, then mypy, alone", words, lab.env())
    row = _row(lab, "PostToolUse Edit a.py, ruff and mypy", plugin, project, "src/a.py")
    return [own, row._replace(ratio=None, processes=None, against=own.name, over=OVER)]


def _prettier_rows(lab: Lab, plugin: Plugin) -> list[Row]:
    """Return three rows: Prettier by npx, Prettier alone, and an edit that starts it."""
    modules = os.path.join(CACHE, "node-tools", "node_modules")
    node, npx = shutil.which("node"), shutil.which("npx")
    if not os.path.exists(os.path.join(modules, ".bin", "prettier")) or not node or not npx:
        return _left_out("prettier")
    text = "export const a = 1;\n"
    project = _project(lab, "js", {".prettierrc": "{}", "package.json": "{}", "src/a.js": text})
    os.symlink(modules, os.path.join(project, "node_modules"))
    path = os.path.join(project, "src", "a.js")
    env = {**lab.env(), "PATH": lab.env()["PATH"] + os.pathsep + os.path.dirname(node)}
    found = []
    for name, program in (
        ("npx prettier --write a.js", [npx, "prettier"]),
        ("prettier --write a.js", [os.path.join(modules, ".bin", "prettier")]),
    ):
        script = 'cd "$1" && shift && exec "$@" >/dev/null'
        words = [project, *program, "--write", path]
        found.append(Row(name, ["/bin/sh", "-c", script, "sh", *words], env))
    row = _row(lab, "PostToolUse Edit a.js, prettier", plugin, project, "src/a.js")
    own = found[-1].name
    found.append(row._replace(ratio=None, processes=None, against=own, over=OVER))
    return found


def _left_out(tools: str) -> list[Row]:
    print("bench: no %s in %s (make e2e installs them): left out" % (tools, CACHE), file=sys.stderr)
    return []


def _project(lab: Lab, name: str, files: dict[str, str]) -> str:
    """Create a repository with these files; return its folder."""
    folder = lab.path("quality " + name)
    for path, text in files.items():
        path = os.path.join(folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    subprocess.run(["git", "init", "-q", folder], env=lab.env(), check=True)
    return folder


def _row(lab: Lab, name: str, plugin: Plugin, project: str, source: str) -> Row:
    row = lab.row(name, plugin, _edit(lab, project, os.path.join(project, source)))
    return row._replace(env=_env(lab, row, project))


def _env(lab: Lab, row: Row, project: str) -> dict[str, str]:
    """Return the row's environment for a project, with only the usual programs on PATH."""
    folders = [
        lab.path("plain"),
        os.path.dirname(shutil.which("node") or "/bin"),
        "/usr/bin",
        "/bin",
    ]
    return {**row.env, "CLAUDE_PROJECT_DIR": project, "PATH": os.pathsep.join(folders)}


def _edit(lab: Lab, project: str, path: str) -> Event:
    """Return the event of an edit that changed the first line of a file."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    first = text.partition("\n")[0]
    patch = {
        "oldStart": 1,
        "oldLines": 1,
        "newStart": 1,
        "newLines": 1,
        "lines": ["-x", "+" + first],
    }
    edit = {"file_path": path, "old_string": "x", "new_string": first}
    response = {"filePath": path, "structuredPatch": [patch], "originalFile": text}
    fields = {"tool_name": "Edit", "tool_input": edit, "tool_response": response}
    return {**lab.event("PostToolUse", **fields), "cwd": project}
