"""Formatting after an edit: what is changed, and what the model is told."""

from __future__ import annotations

import os
import subprocess

from quality_case import FORMATS, RUFF, QualityTestCase

from support import SESSION

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
            "[format] ruff reformatted src/a.py: lines 1 and 3-4 changed."
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
        self.assertIn("a.py does not parse: error: Failed to parse a.py:1:3", done.context)
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


class PhpTest(QualityTestCase):
    """Pint and PHP-CS-Fixer are stand-ins here, which note their arguments."""

    def test_pint_formats_the_file_in_place(self) -> None:
        self.put("pint.json", "{}")
        does = 'open(args[-1], "w").write("<?php\\n$a = 1;\\n")'
        self.tool("pint", does, "vendor/bin")
        path = self.put("src/it's $(x).php", "<?php\n$a = 1;\n")
        done = self.edit(path, "$a = 1", "$a=1")
        self.assertIn("pint reformatted src/it's $(x).php: line 2", done.context)
        wanted = ["--quiet", "--no-interaction", "--", path]
        self.assertEqual(self.calls(), [["pint", wanted, self.project]])

    def test_php_cs_fixer(self) -> None:
        self.put(".php-cs-fixer.dist.php", "<?php")
        self.tool("php-cs-fixer", "", "vendor/bin")
        path = self.put("a.php", "<?php\n$a = 1;\n")
        self.assert_silent(self.edit(path, "$a = 1", "$a=1"))
        wanted = ["fix", "--using-cache=no", "--quiet", "--no-interaction", "--", path]
        self.assertEqual(self.calls(), [["php-cs-fixer", wanted, self.project]])


class HangingTest(QualityTestCase):
    def test_a_formatter_that_hangs_is_ended_with_its_children_and_the_rest_goes_on(self) -> None:
        self.put("pyproject.toml", RUFF)
        mark = "7.%d" % os.getpid()
        does = 'import subprocess; subprocess.Popen(["sleep", "77%s"]); time.sleep(100000)' % mark
        self.tool("ruff", does)
        path = self.put("a.py", "a = 1\n")
        done = self.edit(path, "a = 1", "print(1)", CUSTOM_SKILLS_TIME_SCALE="1")
        self.assertIn("print", done.context)
        self.assertNotIn(HERE, done.context)
        ps = ["ps", "-eo", "args"]
        self.wait_until(lambda: b"77" + mark.encode() not in subprocess.check_output(ps))
        lines = [line for line in self.log() if line["hook"] == "ruff"]
        self.assertEqual([line["outcome"] for line in lines], ["ended with 124"])
        self.assertTrue(
            os.path.exists(os.path.join(self.data, "quality/sessions", SESSION + ".json"))
        )
