"""Formatting after an edit: which tool, and for which files."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import Any

from quality_case import FORMATS, RUFF, QualityTestCase

from support import event

BLACK = "[tool.black]\nline-length = 100\n"


class ChoiceTest(QualityTestCase):
    """Which formatter a project gets: never another one than it configures."""

    def used(self, path: str = "src/a.py") -> list[Any]:
        """The names of the tools that an edit starts."""
        path = self.put(path, "a = 1\n")
        self.edit(path, "a = 1", "a=1")
        return sorted({name for name, _, _ in self.calls()})

    def test_python(self) -> None:
        for name in ("ruff", "black"):
            self.tool(name, FORMATS)
        yapf = {".style.yapf": "", "pyproject.toml": ""}
        for files, wanted in (
            ({}, ["ruff"]),
            ({"pyproject.toml": RUFF}, ["ruff"]),
            ({"ruff.toml": ""}, ["ruff"]),
            ({".ruff.toml": "line-length = 88"}, ["ruff"]),
            ({"pyproject.toml": BLACK}, ["black"]),
            ({"pyproject.toml": BLACK + RUFF}, ["black"]),
            ({"pyproject.toml": BLACK + "[tool.ruff.lint]\n"}, ["black"]),
            ({"pyproject.toml": BLACK + "[tool.ruff.format]\n"}, ["ruff"]),
            ({"pyproject.toml": BLACK, "src/pyproject.toml": RUFF}, ["ruff"]),
            ({"pyproject.toml": RUFF, "src/pyproject.toml": BLACK}, ["black"]),
            ({"pyproject.toml": "[tool.yapf]\n"}, []),
            (yapf, []),
            ({"pyproject.toml": RUFF, "src/.style.yapf": ""}, []),
        ):
            with self.subTest(str(files)):
                for name, text in files.items():
                    self.put(name, text)
                self.assertEqual(self.used(), wanted)
                for name in files:
                    os.unlink(os.path.join(self.project, name))

    def test_a_configured_tool_that_is_not_there_has_no_stand_in(self) -> None:
        self.tool("ruff", FORMATS)
        self.put("pyproject.toml", BLACK)
        self.assertEqual(self.used(), [])

    def test_javascript(self) -> None:
        self.tool("prettier", FORMATS, "node_modules/.bin")
        self.tool("npx", FORMATS, "node_modules/.bin")
        listed = '{"devDependencies": {"prettier": "3"}}'
        for files, wanted in (
            ({}, ["prettier"]),
            ({".prettierrc": ""}, ["prettier"]),
            ({"prettier.config.mjs": ""}, ["prettier"]),
            ({"package.json": '{"prettier": {}}'}, ["prettier"]),
            ({"package.json": listed, "eslint.config.js": ""}, ["prettier"]),
            ({"eslint.config.js": ""}, []),
            ({".eslintrc.json": ""}, []),
            ({"package.json": '{"standard": {}}'}, []),
            ({"package.json": '{"broken'}, ["prettier"]),
            ({"biome.json": "", "package.json": listed}, []),
            ({"dprint.json": ""}, []),
            ({"biome.json": "", ".prettierrc": ""}, ["prettier"]),
            ({".prettierrc": "", "src/biome.json": ""}, []),
            ({"biome.json": "", "src/.prettierrc.json": ""}, ["prettier"]),
        ):
            with self.subTest(str(files)):
                for name, text in files.items():
                    self.put(name, text)
                self.assertEqual(self.used("src/a.ts"), wanted)
                for name in files:
                    os.unlink(os.path.join(self.project, name))

    def test_javascript_endings(self) -> None:
        self.tool("prettier", FORMATS, "node_modules/.bin")
        for ending in "ts tsx js jsx mjs cjs mts cts vue svelte".split():
            self.assertEqual(self.used("a." + ending), ["prettier"], ending)
        for ending in "json css html md tsv jsonc py.bak".split():
            self.assertEqual(self.used("a." + ending), [], ending)

    def test_php(self) -> None:
        writes = 'p = args[-1]; open(p, "a").write("\\n") if "--test" not in args else None'
        for name in ("pint", "php-cs-fixer"):
            self.tool(name, writes, "vendor/bin")
        for files, wanted in (
            ({"pint.json": "{}"}, ["pint"]),
            ({".php-cs-fixer.dist.php": ""}, ["php-cs-fixer"]),
            ({".php-cs-fixer.php": "", "pint.json": ""}, ["pint"]),
            ({"phpcs.xml": ""}, []),
            ({}, ["pint"]),
        ):
            with self.subTest(str(files)):
                for name, text in files.items():
                    self.put(name, text)
                self.assertEqual(self.used("src/a.php"), wanted)
                for name in files:
                    os.unlink(os.path.join(self.project, name))


class PlaceTest(QualityTestCase):
    """Where the program comes from: the project, nearest first, then PATH, never elsewhere."""

    def setUp(self) -> None:
        super().setUp()
        self.put("pyproject.toml", RUFF)
        self.path = self.put("packages/one/a.py", "a = 1\n")
        self.bin = self.folder("bin of the user")

    def mark_left(self, **env: str) -> str:
        """The mark that the tool has left at the end of the file, as `mark` says."""
        self.put(self.path, "a = 1\n")
        more = {"PATH": self.env()["PATH"] + ":" + self.bin, **env}
        self.edit(self.path, "a = 1", "a = 2", **more)
        return self.read(self.path).partition("# ")[2].strip()

    def mark(self, folder: str, mark: str) -> None:
        self.tool("ruff", 'say(text + "# %s\\n")' % mark, folder)

    def test_the_nearest_wins(self) -> None:
        self.assertEqual(self.mark_left(), "")
        self.mark(self.bin, "path")
        self.assertEqual(self.mark_left(), "path")
        self.mark("venv/bin", "venv")
        self.assertEqual(self.mark_left(), "venv")
        self.mark(".venv/bin", "top")
        self.assertEqual(self.mark_left(), "top")
        self.mark("packages/one/.venv/bin", "near")
        self.assertEqual(self.mark_left(), "near")

    def test_never_from_above_the_project_nor_from_a_relative_path(self) -> None:
        self.mark(os.path.join(self.base, ".venv/bin"), "above")
        self.mark("tools", "relative")
        self.assertEqual(self.mark_left(PATH=self.env()["PATH"] + ":tools:.:"), "")

    def test_one_without_the_run_bit_is_none(self) -> None:
        self.mark(".venv/bin", "top")
        os.chmod(os.path.join(self.project, ".venv/bin/ruff"), 0o644)
        self.assertEqual(self.mark_left(), "")

    def test_what_came_with_the_repository_is_not_run(self) -> None:
        self.mark(".venv/bin", "committed")
        self.git("add", "-f", ".venv")
        self.assertEqual(self.mark_left(), "")
        inside = os.path.join(self.project, ".venv/bin")
        self.assertEqual(self.mark_left(PATH=self.env()["PATH"] + ":" + inside), "")
        self.mark(self.bin, "path")
        self.assertEqual(self.mark_left(), "path")
        self.settings(committedTools=True)  # the project's own word does not count
        self.assertEqual(self.mark_left(), "path")
        self.write("home/.claude/settings.json", {"customSkills": {"committedTools": True}})
        self.assertEqual(self.mark_left(), "committed")

    def test_what_a_submodule_brings_or_git_cannot_tell_is_not_started(self) -> None:
        inner = os.path.join(self.project, "sub")
        self.put("sub/pyproject.toml", "[tool.ruff]\n")
        self.tool("ruff", folder="sub/.venv/bin")
        who = ["-c", "user.name=t", "-c", "user.email=t@localhost"]
        for args in (["init", "-q"], ["add", "-A", "-f"], ["commit", "-qm", "x"]):
            subprocess.run(["git", *who, *args], cwd=inner, env=self.env(), check=True)
        self.create("sub/a.py", "x=1\n")
        self.assertEqual(self.calls(), [])
        shutil.rmtree(os.path.join(inner, ".git"))
        self.put("sub/.git", "gitdir: nowhere\n")  # git fails
        self.create("sub/b.py", "x=1\n", CLAUDE_PLUGIN_DATA=self.folder("new data"))
        self.assertEqual(self.calls(), [])

    def test_the_work_goes_on_where_nothing_can_be_kept(self) -> None:
        self.put("pyproject.toml", "[tool.ruff]\n")
        self.tool("ruff", "say(text.replace('x=', 'x = '))")
        blocked = self.write("a file", "no folder")
        done = self.create("a.py", "x=1\nprint(x)\n", CLAUDE_PLUGIN_DATA=blocked)
        self.assertIn("[format]", done.context)
        self.assertIn("[debug code]", done.context)
        stop = event("Stop", stop_hook_active=False)
        self.assert_silent(self.run_event(stop, CLAUDE_PLUGIN_DATA=blocked))

    def test_one_committed_file_in_the_folder_is_enough(self) -> None:
        self.mark(".venv/bin", "installed")
        self.assertEqual(self.mark_left(), "installed")
        self.put(".venv/lib/site-packages/x.pth", "import evil\n")
        self.git("add", "-f", ".venv/lib")
        self.data = self.folder("another session's data")
        self.assertEqual(self.mark_left(), "")

    def test_a_committed_link_is_not_followed(self) -> None:
        other = self.folder("other")
        self.mark(other + "/bin", "linked")
        os.symlink(other, os.path.join(self.project, ".venv"))
        self.assertEqual(self.mark_left(), "linked")
        self.git("add", "-f", ".venv")
        self.data = self.folder("another session's data")
        self.assertEqual(self.mark_left(), "")

    def test_git_is_asked_once_per_session(self) -> None:
        self.mark(".venv/bin", "top")
        self.tool(
            "git", 'os.execv("/usr/bin/env", ["env", "PATH=/usr/bin:/bin", "git", *args])', self.bin
        )
        counted = {"PATH": self.bin + ":" + self.env()["PATH"]}
        for _ in range(3):
            self.assertEqual(self.mark_left(**counted), "top")
        self.assertEqual([name for name, _, _ in self.calls()].count("git"), 1)
