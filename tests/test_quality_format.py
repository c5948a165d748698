"""Formatting after an edit: which tool, which files, which lines, and what the model is told."""

import os
import shutil
import subprocess

from quality_lab import FORMATS, QualityTestCase

from support import SESSION, event

RUFF = "[tool.ruff]\nline-length = 100\n"
BLACK = "[tool.black]\nline-length = 100\n"
HERE = "[format] "


class WholeFileTest(QualityTestCase):
    """A project that configures its formatter."""

    def setUp(self) -> None:
        super().setUp()
        self.put("pyproject.toml", RUFF)
        self.tool("ruff", FORMATS)

    def test_the_model_is_told_where_the_file_changed(self) -> None:
        path = self.put("src/a.py", "a=1\nb = 2\nc = 3\nd=4\n")
        done = self.edit(path, "c = 3", "c=3")
        self.assertEqual(self.read(path), "a = 1\nb = 2\nc = 3\nd = 4\n")
        self.assertEqual(
            done.context,
            "[format] ruff formatted src/a.py after your edit: lines 1 and 3-4 changed."
            " Read again before editing there.",
        )

    def test_nothing_changed_nothing_said_nothing_written(self) -> None:
        path = self.put("a.py", "a = 1\nb = 2\n")
        given = self.edited(path, "b = 2", "b = 3")
        before = os.stat(path)
        self.assert_silent(self.run_event(given))
        after = os.stat(path)
        self.assertEqual((before.st_ino, before.st_mtime_ns), (after.st_ino, after.st_mtime_ns))
        self.assertEqual(len(self.calls()), 1)

    def test_the_call_is_one_list_of_arguments_whatever_the_path(self) -> None:
        for name in ("a b.py", "it's.py", 'q".py', "$(touch x).py", "-rf.py", "a\nb.py", "ü`.py"):
            with self.subTest(name):
                path = self.put(name, "a = 1\n")
                done = self.edit(path, "a = 1", "a=1")
                self.assertIn(HERE, done.context)
                self.assertNotIn("\n", done.context)
                self.assertEqual(self.read(path), "a = 1\n")
                wanted = ["format", "--force-exclude", "--stdin-filename", path, "-"]
                self.assertEqual(self.calls(), [["ruff", wanted, self.project]])
        self.assertFalse(os.path.exists(os.path.join(self.project, "x")))

    def test_the_files_mode_is_kept(self) -> None:
        path = self.put("a.py", "a = 1\n")
        os.chmod(path, 0o775)
        self.edit(path, "a = 1", "a=1")
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o775)
        self.assertEqual(self.read(path), "a = 1\n")

    def test_a_tool_that_fails_changes_nothing_and_says_nothing(self) -> None:
        for does in (
            "sys.exit(2)",
            'say("x = 1\\n"); sys.exit(1)',
            'sys.stderr.write("panic\\n"); sys.exit(101)',
            "pass",  # success, and nothing on stdout
            "os.kill(os.getpid(), 9)",
            'say("a")',  # less than half of it
            "import subprocess; say(text); subprocess.Popen(['sleep', '3']); sys.exit(0)",
            "say(text + '# ' + 'x' * 1_000_000)",  # more than is read
        ):
            with self.subTest(does):
                self.tool("ruff", does)
                path = self.put("a.py", "a = 1\n")
                self.assert_silent(self.edit(path, "a = 1", "a=1"))
                self.assertEqual(self.read(path), "a=1\n")

    def test_a_tool_that_cannot_be_started(self) -> None:
        path = os.path.join(self.project, ".venv/bin/ruff")
        for content in (b"#!/no/such/interpreter\n", b"\x7fELFgarbage", b""):
            with open(path, "wb") as file:
                file.write(content)
            source = self.put("a.py", "a = 1\n")
            self.assert_silent(self.edit(source, "a = 1", "a=1"))

    def test_what_does_not_parse_is_told_where_no_checker_does(self) -> None:
        self.tool(
            "ruff", 'sys.stderr.write("error: Failed to parse a.py:1:3: No.\\n"); sys.exit(2)'
        )
        path = self.put("a.py", "a = 1\n")
        done = self.edit(path, "a = 1", "a =")
        self.assertIn("a.py could not be read: error: Failed to parse a.py:1:3", done.context)
        self.put("mypy.ini", "[mypy]\n")
        self.tool("mypy")
        self.assert_silent(self.edit(path, "a =", "a = ="))

    def test_somebody_elses_change_meanwhile_is_kept(self) -> None:
        path = os.path.join(self.project, "a.py")
        self.tool("ruff", FORMATS + '; open(%r, "w").write("theirs=1\\n")' % path)
        self.put("a.py", "a = 1\n")
        self.assert_silent(self.edit(path, "a = 1", "a=1"))
        self.assertEqual(self.read(path), "theirs=1\n")

    def test_files_that_are_left_alone(self) -> None:
        outside = self.write("elsewhere/a.py", "a = 1\n")
        self.folder("my project", "env2")
        self.put("env2/pyvenv.cfg")
        other = self.write("elsewhere/b.py", "a = 1\n")
        paths = [outside, os.path.join(self.project, "../elsewhere", os.path.basename(other))]
        for name in (
            ".git/a.py node_modules/x/a.py vendor/a.py .venv/lib/a.py venv/a.py env2/lib/a.py"
            " src/.tox/a.py a_pb2.py a.generated.py site-packages/a.py a.txt a.pyc py"
        ).split():
            paths.append(self.put(name, "a = 1\n"))
        marked = self.put(
            "marked.py", "#!/usr/bin/python\n# Code generated by x. DO NOT EDIT.\na = 1\n"
        )
        large = self.put("large.py", "a = 1\n" + "# " + "x" * 1_000_000 + "\n")
        latin = self.put("latin.py", "a = 1\n")
        for path in (*paths, marked, large, latin):
            given = self.edited(path, "a = 1", "a=1")
            if path == latin:
                with open(path, "wb") as file:
                    file.write(b"a=1 # \xe4\n")
            with self.subTest(path):
                self.assert_silent(self.run_event(given))
        self.assertEqual(self.calls(), [])

    def test_a_mention_of_generated_code_is_not_generated_code(self) -> None:
        path = self.put("a.py", 'a = 1\nb = "do not edit"\n')
        self.assertIn(HERE, self.edit(path, "a = 1", "a=1").context)

    def test_odd_paths(self) -> None:
        os.mkfifo(os.path.join(self.project, "pipe.py"))
        os.symlink("/etc/hostname", os.path.join(self.project, "link.py"))
        os.mkdir(os.path.join(self.project, "dir.py"))
        for path in ("pipe.py", "link.py", "dir.py", "gone.py", "a\0.py", "", "x" * 5000 + ".py"):
            with self.subTest(path):
                path = os.path.join(self.project, path) if path else path
                self.assert_silent(self.run_event(self.post("Edit", {"file_path": path})))
        self.assertEqual(self.calls(), [])

    def test_switched_off(self) -> None:
        path = self.put("a.py", "a = 1\n")
        given = self.edited(path, "a = 1", "a=1")
        for env in (
            {"CUSTOM_SKILLS_FORMAT": "off"},
            {"CUSTOM_SKILLS_DISABLED": "format-python"},
            {"CUSTOM_SKILLS_DISABLED": "python-quality"},
            {"CUSTOM_SKILLS_PROFILE": "minimal"},
        ):
            self.assert_silent(self.run_event(given, **env))
        self.settings(format="off")
        self.assert_silent(self.run_event(given))
        self.assertEqual(self.calls(), [])
        self.settings(format="sometimes")  # unknown: the default
        self.assertIn(HERE, self.run_event(given).context)

    def test_other_tools_and_failed_edits_are_nothing(self) -> None:
        path = self.put("a.py", "a=1\n")
        for tool in ("Read", "Bash", "Grep", "NotebookEdit"):
            given = {"notebook_path": path + ".ipynb"} if "Note" in tool else {"file_path": path}
            self.assert_silent(self.run_event(self.post(tool, given)))
        self.assertEqual(self.calls(), [])


class ChoiceTest(QualityTestCase):
    """Which formatter a project gets: never another one than it configures."""

    def used(self, path: str = "src/a.py") -> list:
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

    def said_by(self, **env: str) -> str:
        """The mark that the tool which ran puts at the end of the file."""
        self.put(self.path, "a = 1\n")
        more = {"PATH": self.env()["PATH"] + ":" + self.bin, **env}
        self.edit(self.path, "a = 1", "a = 2", **more)
        return self.read(self.path).partition("# ")[2].strip()

    def mark(self, folder: str, mark: str) -> None:
        self.tool("ruff", 'say(text + "# %s\\n")' % mark, folder)

    def test_the_nearest_wins(self) -> None:
        self.assertEqual(self.said_by(), "")
        self.mark(self.bin, "path")
        self.assertEqual(self.said_by(), "path")
        self.mark("venv/bin", "venv")
        self.assertEqual(self.said_by(), "venv")
        self.mark(".venv/bin", "top")
        self.assertEqual(self.said_by(), "top")
        self.mark("packages/one/.venv/bin", "near")
        self.assertEqual(self.said_by(), "near")

    def test_never_from_above_the_project_nor_from_a_relative_path(self) -> None:
        self.mark(os.path.join(self.base, ".venv/bin"), "above")
        self.mark("tools", "relative")
        self.assertEqual(self.said_by(PATH=self.env()["PATH"] + ":tools:.:"), "")

    def test_one_without_the_run_bit_is_none(self) -> None:
        self.mark(".venv/bin", "top")
        os.chmod(os.path.join(self.project, ".venv/bin/ruff"), 0o644)
        self.assertEqual(self.said_by(), "")

    def test_what_came_with_the_repository_is_not_run(self) -> None:
        self.mark(".venv/bin", "committed")
        self.git("add", "-f", ".venv")
        self.assertEqual(self.said_by(), "")
        inside = os.path.join(self.project, ".venv/bin")
        self.assertEqual(self.said_by(PATH=self.env()["PATH"] + ":" + inside), "")
        self.mark(self.bin, "path")
        self.assertEqual(self.said_by(), "path")
        self.settings(committedTools=True)  # the project's own word does not count
        self.assertEqual(self.said_by(), "path")
        self.write("home/.claude/settings.json", {"customSkills": {"committedTools": True}})
        self.assertEqual(self.said_by(), "committed")

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
        self.assertEqual(self.said_by(), "installed")
        self.put(".venv/lib/site-packages/x.pth", "import evil\n")
        self.git("add", "-f", ".venv/lib")
        self.data = self.folder("another session's data")
        self.assertEqual(self.said_by(), "")

    def test_a_committed_link_is_not_followed(self) -> None:
        other = self.folder("other")
        self.mark(other + "/bin", "linked")
        os.symlink(other, os.path.join(self.project, ".venv"))
        self.assertEqual(self.said_by(), "linked")
        self.git("add", "-f", ".venv")
        self.data = self.folder("another session's data")
        self.assertEqual(self.said_by(), "")

    def test_git_is_asked_once_per_session(self) -> None:
        self.mark(".venv/bin", "top")
        self.tool(
            "git", 'os.execv("/usr/bin/env", ["env", "PATH=/usr/bin:/bin", "git", *args])', self.bin
        )
        counted = {"PATH": self.bin + ":" + self.env()["PATH"]}
        for _ in range(3):
            self.assertEqual(self.said_by(**counted), "top")
        self.assertEqual([name for name, _, _ in self.calls()].count("git"), 1)


class LinesTest(QualityTestCase):
    """Without a configured formatter only what was edited is formatted."""

    def setUp(self) -> None:
        super().setUp()
        self.tool("ruff", 'say(text) if "--range" in str(args) else ' + FORMATS)

    def ranges(self) -> list:
        """The arguments that name a range, by call."""
        return [[arg for arg in args if "range" in arg] for _, args, _ in self.calls()]

    def test_a_file_that_was_clean_is_formatted_whole(self) -> None:
        path = self.put("a.py", "a = 1\nb = 2\n")
        self.assertIn("line 2 changed", self.edit(path, "b = 2", "b=2").context)
        self.assertEqual(self.ranges(), [[], []])  # what was before, what is now

    def test_a_new_file_is_formatted_whole(self) -> None:
        self.assertIn("lines 1-2 changed", self.create("a.py", "a=1\nb=2\n").context)
        self.assertEqual(self.ranges(), [[]])

    def test_a_file_that_was_not_clean_only_where_it_was_edited(self) -> None:
        path = self.put("a.py", "a=1\nb=2\nc=3\n")
        self.assert_silent(self.edit(path, "b=2", "b=3\nbb=4"))
        self.assertEqual(self.ranges(), [[], ["--range=2:1-4:1"]])

    def test_several_places_from_the_end(self) -> None:
        text = "".join("v%d=0\n" % n for n in range(40))
        path = self.put("a.py", text)
        given = self.edited(path, "v5=0", "v5=1")
        after = text.replace("v5=0", "v5=1").replace("v30=0", "v30=1\nw=2")
        self.put(path, after)
        from quality_lab import patch

        given["tool_response"]["structuredPatch"] = patch(text, after)
        given["tool_input"] = {"file_path": path, "content": after}
        self.run_event(given)
        self.assertEqual(self.ranges()[1:], [["--range=31:1-33:1"], ["--range=6:1-7:1"]])

    def test_only_deleted_lines_leave_nothing_to_format(self) -> None:
        path = self.put("a.py", "a=1\nb=2\nc=3\n")
        self.assert_silent(self.edit(path, "b=2\n", ""))
        self.assertEqual(self.ranges(), [[]])

    def test_policies(self) -> None:
        for policy, wanted in (
            ("auto", [[], ["--range=1:1-2:1"]]),
            ("always", [[]]),
            ("configured", []),
            ("off", []),
        ):
            path = self.put("a.py", "a=1\nb=2\n")
            self.edit(path, "a=1", "a=3", CUSTOM_SKILLS_FORMAT=policy)
            self.assertEqual(self.ranges(), wanted, policy)

    def test_ruff_as_linter_only_is_no_formatter(self) -> None:
        self.put("pyproject.toml", '[tool.ruff.lint]\nselect = ["E"]\n')
        path = self.put("a.py", "a=1\nb=2\n")
        self.edit(path, "a=1", "a=3")
        self.assertEqual(len(self.ranges()), 2)
        self.edit(path, "a=3", "a=4", CUSTOM_SKILLS_FORMAT="configured")
        self.assertEqual(self.ranges(), [])

    def test_prettier_counts_as_javascript_does(self) -> None:
        self.tool("prettier", 'say(text if len(args) > 2 else "other")', "node_modules/.bin")
        path = self.put("a.ts", 'let a="ä𝄞"\r\nlet b=2\r\nlet c=3\r\n')
        self.assert_silent(self.edit(path, "b=2", "b=4"))
        arguments = self.calls()[-1][1]
        ends = ["--end-of-line=auto", "--range-start=13", "--range-end=22"]
        self.assertEqual(arguments, [*ends, "--stdin-filepath", path])

    def test_prettier_formats_parts_of_no_component(self) -> None:
        self.tool("prettier", 'say("other")', "node_modules/.bin")
        for name in ("a.vue", "a.svelte"):
            path = self.put(name, "<script>\nlet a=1\n</script>\n")
            self.assert_silent(self.edit(path, "a=1", "a=2"))
            self.assertEqual([len(args) for _, args, _ in self.calls()], [2])  # was it clean: no

    def test_prettier_runs_where_its_ignore_file_is(self) -> None:
        self.tool("prettier", FORMATS, "node_modules/.bin")
        self.put(".prettierignore", "dist\n")
        self.put("packages/one/.prettierrc", "{}")
        path = self.put("packages/one/src/a.ts", "a = 1\n")
        self.edit(path, "a = 1", "a=1")
        self.assertEqual([call[2] for call in self.calls()], [self.project])

    def test_black_takes_all_ranges_at_once(self) -> None:
        os.unlink(os.path.join(self.project, ".venv/bin/ruff"))
        self.tool("black", 'say(text if "--line-ranges" in str(args) else "other")')
        path = self.put("a.py", "a=1\nb=2\nc=3\n")
        self.edit(path, "b=2", "b=3\nbb=4")
        self.assertEqual(self.ranges(), [[], ["--line-ranges=2-3"]])

    def test_php_tools_know_no_ranges(self) -> None:
        dirty = 'sys.exit(1 if "--test" in args else 0)'
        self.tool("pint", dirty, "vendor/bin")
        path = self.put("a.php", "<?php\n$a=1;\n")
        self.assert_silent(self.edit(path, "$a=1", "$a=2"))
        (call,) = self.calls()
        self.assertEqual(call[1][:2], ["--test", "--quiet"])
        self.assertNotIn(self.project, call[1][-1])  # a copy of the text before


class PhpTest(QualityTestCase):
    """Pint and PHP-CS-Fixer are stand-ins here, which note their arguments."""

    def test_pint_formats_the_file_in_place(self) -> None:
        self.put("pint.json", "{}")
        does = 'open(args[-1], "w").write("<?php\\n$a = 1;\\n")'
        self.tool("pint", does, "vendor/bin")
        path = self.put("src/it's $(x).php", "<?php\n$a = 1;\n")
        done = self.edit(path, "$a = 1", "$a=1")
        self.assertIn("pint formatted src/it's $(x).php after your edit: line 2", done.context)
        wanted = ["--quiet", "--no-interaction", "--", path]
        self.assertEqual(self.calls(), [["pint", wanted, self.project]])

    def test_php_cs_fixer(self) -> None:
        self.put(".php-cs-fixer.dist.php", "<?php")
        self.tool("php-cs-fixer", "", "vendor/bin")
        path = self.put("a.php", "<?php\n$a = 1;\n")
        self.assert_silent(self.edit(path, "$a = 1", "$a=1"))
        wanted = ["fix", "--using-cache=no", "--quiet", "--no-interaction", "--", path]
        self.assertEqual(self.calls(), [["php-cs-fixer", wanted, self.project]])


class RealToolsTest(QualityTestCase):
    """With Ruff and Black themselves."""

    UGLY = "import os\nx  =  1\ndef f( a ):\n    return  a\ny  =  2\n"

    def test_lines_that_were_not_edited_stay_as_they_are(self) -> None:
        two = "class A:\n" + "".join(
            "  def m%d(self):\n    return %d\n\n" % (n, n) for n in range(9)
        )
        for tool in ("ruff", "black"):
            self.link(tool)
            for text, old, new in (
                (two, "return 5", "return 55"),
                ("def f():\n\ta=1\n\tb=2\n", "\tb=2", "\tb=3"),
                ("x = 1\r\ny=2\nz=  3\nw=4\n", "w=4", "w=5"),
                ("a=1\nb=2\r\nc=3\r\n", "c=3", "c=4"),
                ("a=1\nb = 'q'\rc=3\nd=4\n", "d=4", "d=5"),
            ):
                with self.subTest(tool=tool, text=text[:20]):
                    path = self.put("a.py", text)
                    self.assert_silent(self.edit(path, old, new))
                    self.assertEqual(self.read(path), text.replace(old, new))
            os.unlink(os.path.join(self.project, ".venv/bin", tool))

    def test_a_byte_order_mark_is_no_trouble(self) -> None:
        self.link("ruff")
        path = self.put("a.py", "\ufeffx=1\ny=2\n")
        self.assertIn("line 2 changed", self.edit(path, "y=2", "y=3").context)
        self.assertEqual(self.read(path), "\ufeffx=1\ny = 3\n")

    def test_no_line_is_named_that_is_not_there(self) -> None:
        self.link("ruff")
        for name, text, where in (
            ("n1.py", "x = 1", "the end of the file"),
            ("n2.py", "x = 1\n\n\n", "the end of the file"),
            ("n3.py", "x=1", "line 1"),
        ):
            self.assertIn(": %s changed." % where, self.create(name, text).context)

    def test_ruff_whole(self) -> None:
        self.link("ruff")
        self.put("pyproject.toml", RUFF)
        path = self.put("a.py", self.UGLY)
        self.edit(path, "y  =  2", "y  =  3")
        self.assertEqual(
            self.read(path), "import os\n\nx = 1\n\n\ndef f(a):\n    return a\n\n\ny = 3\n"
        )
        self.assertFalse(os.path.exists(os.path.join(self.project, ".ruff_cache")))

    def test_ruff_lines(self) -> None:
        self.link("ruff")
        for ends in ("\n", "\r\n"):
            text = self.UGLY.replace("\n", ends)
            path = self.put("a.py", text)
            done = self.edit(path, "y  =  2", "y  =  3")
            self.assertIn("line 5 changed", done.context)
            self.assertEqual(self.read(path), text.replace("y  =  2", "y = 3"))

    def test_ruff_leaves_excluded_files_alone(self) -> None:
        self.link("ruff")
        self.put("pyproject.toml", '[tool.ruff]\nextend-exclude = ["gen"]\n')
        path = self.put("gen/a.py", self.UGLY)
        self.assert_silent(self.edit(path, "y  =  2", "y  =  3"))

    def test_black_whole_lines_and_excluded(self) -> None:
        self.link("black")
        path = self.put("a.py", self.UGLY)
        self.edit(path, "y  =  2", "y  =  3")
        self.assertEqual(self.read(path), self.UGLY.replace("y  =  2", "y = 3"))
        self.put(
            "pyproject.toml", "[tool.black]\nextend-exclude = '''\n/(gen|old)/ # not ours\n'''\n"
        )
        self.assertIn("black formatted", self.edit(path, "y = 3", "y = 4").context)
        path = self.put("src/gen/a.py", self.UGLY)
        self.assert_silent(self.edit(path, "y  =  2", "y  =  3"))

    def test_syntax_errors_change_nothing(self) -> None:
        for tool in ("ruff", "black"):
            self.link(tool)
            path = self.put("a.py", self.UGLY)
            done = self.edit(path, "y  =  2", "y  =  (")
            self.assertIn("could not be read", done.context)
            self.assertIn("y  =  (", self.read(path))
            os.unlink(os.path.join(self.project, ".venv/bin", tool))


class HangingTest(QualityTestCase):
    def test_a_formatter_that_hangs_is_ended_with_its_children_and_the_rest_goes_on(self) -> None:
        self.put("pyproject.toml", RUFF)
        mark = "7.%d" % os.getpid()
        does = 'import subprocess; subprocess.Popen(["sleep", "77%s"]); time.sleep(60)' % mark
        self.tool("ruff", does)
        path = self.put("a.py", "a = 1\n")
        done = self.edit(path, "a = 1", "print(1)")
        self.assertIn("print", done.context)
        self.assertNotIn(HERE, done.context)
        left = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
        self.assertNotIn("77" + mark, left)
        lines = [line for line in self.log() if line["hook"] == "ruff"]
        self.assertEqual([line["outcome"] for line in lines], ["ended with 124"])
        self.assertTrue(
            os.path.exists(os.path.join(self.data, "quality/sessions", SESSION + ".json"))
        )
