"""hooks/run: finds a Python, remembers it, and never lets the host see anything but exit 0."""

import os
import shutil
import stat
import subprocess
import sys
import unittest

from support import PYTHON, Done, HookTestCase, edit

HOST_TOOLS = ("sh", "mkdir", "mv", "rm", "date", "dirname")


@unittest.skipIf(os.name == "nt", "builds programs out of sh scripts")
class LauncherTest(HookTestCase):
    first_start = True

    def setUp(self) -> None:
        super().setUp()
        # a plugin and a PATH of our own, to take things away from
        self.root = self.copy_plugin("plugin with space")
        self.bin = self.folder("bin")
        for tool in HOST_TOOLS:
            os.symlink(str(shutil.which(tool)), os.path.join(self.bin, tool))

    def copy_plugin(self, name: str) -> str:
        target = os.path.join(self.base, name)
        shutil.copytree(self.root, target, ignore=shutil.ignore_patterns("__pycache__"))
        return target

    def program(self, name: str, text: str) -> str:
        path = self.write(os.path.join("bin", name), text)
        os.chmod(path, 0o755)
        return path

    def run_edit(self, **env: str) -> Done:
        env = {"PATH": self.bin, "COMPACT_THRESHOLD": "1", **env}
        return self.run_event(edit(), **env)

    def assert_speaks(self, done: Done) -> None:
        self.assertIn("/compact", done.context)
        self.assertEqual((done.code, done.stderr), (0, ""))

    def remembered(self) -> str:
        with open(os.path.join(self.data, "python")) as file:
            return file.read().strip()

    def test_each_name_of_python_is_found(self) -> None:
        for name, text in (
            ("python3", '#!/bin/sh\nexec "%s" "$@"\n' % PYTHON),
            ("python", '#!/bin/sh\nexec "%s" "$@"\n' % PYTHON),
            ("py", '#!/bin/sh\n[ "$1" = -3 ] || exit 103\nshift\nexec "%s" "$@"\n' % PYTHON),
        ):
            with self.subTest(name):
                self.program(name, text)
                self.data = self.folder("data for " + name)
                self.assert_speaks(self.run_edit())
                os.unlink(os.path.join(self.bin, name))

    def test_a_shim_is_seen_through_and_asked_once(self) -> None:
        calls = os.path.join(self.base, "calls")
        self.program("python3", '#!/bin/sh\necho >>"%s"\nexec "%s" "$@"\n' % (calls, PYTHON))
        self.run_edit()
        self.run_edit()
        self.assertEqual(os.path.realpath(self.remembered()), PYTHON)
        with open(calls) as file:
            self.assertEqual(file.read(), "\n")

    def test_a_stub_that_is_no_python_is_passed_over(self) -> None:
        for text in (
            "#!/bin/sh\necho 'Python was not found; run without arguments to install'\nexit 9\n",
            "#!/bin/sh\nexit 0\n",
            "#!/bin/sh\necho /no/such/python\n",
            "#!/bin/sh\nexec 2>&1\necho 'Python 2.7.18'\n",
        ):
            with self.subTest(text):
                shutil.rmtree(self.data)
                self.program("python3", text)
                self.program("python", '#!/bin/sh\nexec "%s" "$@"\n' % PYTHON)
                self.assert_speaks(self.run_edit())

    def test_no_python_at_all(self) -> None:
        self.assert_silent(self.run_edit())
        self.program("python3", "#!/bin/sh\nexit 2\n")
        self.assert_silent(self.run_edit())

    def test_a_remembered_python_that_is_gone_is_found_again(self) -> None:
        self.program("python3", '#!/bin/sh\nexec "%s" "$@"\n' % PYTHON)
        for gone in ("/no/such/python3", self.base, "", "relative"):
            with self.subTest(gone):
                self.write(os.path.join(self.data, "python"), gone + "\n")
                self.data_counter_reset()
                self.assert_speaks(self.run_edit())
                self.assertEqual(os.path.realpath(self.remembered()), PYTHON)

    def data_counter_reset(self) -> None:
        shutil.rmtree(os.path.join(self.data, "counters"), ignore_errors=True)

    def test_a_remembered_python_that_no_longer_starts_is_forgotten(self) -> None:
        self.program("python3", '#!/bin/sh\nexec "%s" "$@"\n' % PYTHON)
        for code in (126, 127, 139):  # cannot be executed, is not found, crashes
            with self.subTest(code):
                self.start_counting()
                broken = self.program("broken", "#!/bin/sh\nexit %d\n" % code)
                self.write(os.path.join(self.data, "python"), broken + "\n")
                self.assert_silent(self.run_edit())
                self.assertEqual(self.log()[-1]["outcome"], "interpreter ended with %d" % code)
                self.assert_speaks(self.run_edit())
                self.assertEqual(os.path.realpath(self.remembered()), PYTHON)

    def test_an_interpreter_that_ends_with_2_does_not_block_the_tool(self) -> None:
        for code in (1, 2, 139):
            self.program("broken", "#!/bin/sh\nexit %d\n" % code)
            self.write(os.path.join(self.data, "python"), os.path.join(self.bin, "broken") + "\n")
            self.assertEqual(self.run_edit().code, 0)
        self.assertEqual(len(self.log()), 3)

    def test_missing_files_of_ours(self) -> None:
        self.program("python3", '#!/bin/sh\nexec "%s" "$@"\n' % PYTHON)
        for gone in ("hooks/pipeline.json", "scripts", "lib/hooklib", "lib/start.py", "lib"):
            with self.subTest(gone):
                path = os.path.join(self.root, gone)
                shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)
                done = self.run_edit()
                self.assertEqual((done.code, done.stdout), (0, ""))

    def test_the_wired_command_is_silent_when_the_plugin_folder_is_gone(self) -> None:
        import json

        with open(os.path.join(self.root, "hooks", "hooks.json")) as file:
            wired = json.load(file)["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
        shutil.rmtree(self.root)
        for shell in filter(None, map(shutil.which, ("sh", "bash"))):
            self.assert_silent(self.start([shell, "-c", wired], edit()))

    def test_a_read_only_data_folder(self) -> None:
        self.program("python3", '#!/bin/sh\nexec "%s" "$@"\n' % PYTHON)
        # root may write anywhere, so the folder is made impossible instead: it lies below a file
        below = os.path.join(self.write("a file", ""), "data")
        done = self.run_edit(CLAUDE_PLUGIN_DATA=below)
        self.assertEqual((done.code, done.stdout, done.stderr), (0, "", ""))
        done = self.run_edit(CLAUDE_PLUGIN_DATA="", HOME=self.write("home file", ""))
        self.assertEqual((done.code, done.stdout, done.stderr), (0, "", ""))

    def test_a_deleted_working_directory(self) -> None:
        self.program("python3", '#!/bin/sh\nexec "%s" "$@"\n' % PYTHON)
        gone = self.folder("gone")
        run = os.path.join(self.root, "hooks", "run")
        command = 'rmdir "$PWD" && exec sh "%s" PreToolUse' % run
        path = self.bin + ":/bin:/usr/bin"
        done = self.start(
            ["sh", "-c", command],
            edit(),
            cwd=gone,
            PATH=path,
            COMPACT_THRESHOLD="1",
            CLAUDE_PROJECT_DIR="",
        )
        self.assertEqual(done.code, 0)
        self.assertIn("/compact", done.context)

    def test_no_environment_at_all(self) -> None:
        done = subprocess.run(
            ["sh", os.path.join(self.root, "hooks", "run"), "PreToolUse"],
            input=b"{}",
            env={"HOME": self.home},
            cwd=self.project,
            capture_output=True,
        )
        self.assertEqual((done.returncode, done.stdout), (0, b""))

    def test_without_a_data_folder_from_the_host_the_usual_one_is_taken(self) -> None:
        self.program("python3", '#!/bin/sh\nexec "%s" "$@"\n' % PYTHON)
        self.root = self.copy_plugin(os.path.join("cache", "some-plugin", "1.2.3"))
        self.assert_speaks(self.run_edit(CLAUDE_PLUGIN_DATA=""))
        usual = os.path.join(self.home, ".claude", "plugins", "data", "some-plugin-custom-skills")
        self.assertIn("hooks.log", os.listdir(usual))
        self.assertIn("python", os.listdir(usual))

    def test_the_kill_switch_starts_no_python(self) -> None:
        calls = os.path.join(self.base, "calls")
        self.program("python3", '#!/bin/sh\necho >>"%s"\nexec "%s" "$@"\n' % (calls, PYTHON))
        for off in ("0", "false", "off", "no"):
            self.assert_silent(self.run_edit(CUSTOM_SKILLS=off))
        self.assertFalse(os.path.exists(calls))

    def test_the_plugin_folder_stays_clean(self) -> None:
        self.program("python3", '#!/bin/sh\nexec "%s" "$@"\n' % PYTHON)
        before = sorted(os.walk(self.root))
        self.run_edit()
        self.assertEqual(sorted(os.walk(self.root)), before)

    def test_compiled_code_that_a_full_disk_cut_off_is_made_again(self) -> None:
        self.program("python3", '#!/bin/sh\nexec "%s" "$@"\n' % PYTHON)
        for cut in ("main.", "state.", "suggest-compact.", "dispatch."):
            with self.subTest(cut):
                self.start_counting()
                self.assert_speaks(self.run_edit())
                self.assertTrue(self.cut_off(cut))
                self.assertEqual(self.run_edit().code, 0)
                self.start_counting()
                self.assert_speaks(self.run_edit())

    def cut_off(self, start: str) -> bool:
        """Leave the first half of what was compiled of a module."""
        found = False
        for folder, _, names in os.walk(os.path.join(self.data, "pycache")):
            for name in names:
                if name.startswith(start):
                    path = os.path.join(folder, name)
                    os.truncate(path, os.path.getsize(path) // 2)
                    found = True
        return found

    def start_counting(self) -> None:
        """Let the next edit be the first one, which speaks."""
        shutil.rmtree(os.path.join(self.data, "counters"), ignore_errors=True)

    def test_what_it_writes_is_private(self) -> None:
        self.program("python3", '#!/bin/sh\nexec "%s" "$@"\n' % PYTHON)
        self.data = os.path.join(self.base, "new data")
        self.run_edit()
        for folder, _, names in os.walk(self.data):
            if "pycache" in folder:
                continue
            self.assertEqual(stat.S_IMODE(os.stat(folder).st_mode), 0o700, folder)
            for name in names:
                mode = stat.S_IMODE(os.stat(os.path.join(folder, name)).st_mode)
                self.assertEqual(mode, 0o600, name)

    def test_python_is_started_isolated(self) -> None:
        self.program("python3", '#!/bin/sh\nexec "%s" "$@"\n' % PYTHON)
        trap = self.write("trap/hooklib/__init__.py", "raise SystemExit(2)")
        self.assert_speaks(self.run_edit(PYTHONPATH=os.path.dirname(os.path.dirname(trap))))
        self.assertEqual(sys.version_info[0], 3)
