"""The base of the library: JSON, text, files, state, paths, settings, log."""

import json
import os
import random
import shutil
import stat
import subprocess
import sys
import time
import unittest
from typing import Any
from unittest import mock

from hooklib import config, event, files, jsonio, limits, log, paths, state, text
from support import LIB, PYTHON, HookTestCase


class JsonTest(unittest.TestCase):
    GOOD = [
        "{}",
        "[]",
        " \n[1, 2.5, -0, 1e3, true, false, null]\t",
        '{"a": {"b": ["c", {"d": "\\u00e9\\ud83d\\ude00 \\n"}]}}',
        '"tab\tand newline\nraw"',
        "NaN",
        "-Infinity",
        '{"a": 1, "a": 2}',
        '"\\ud800"',
    ]
    BAD = ["", " ", "{", "[1,", "nul", "{}{}", "'a'", '{"a"}', "{1: 2}", '"\\x"', "\x00", "[1 2]"]

    def test_reads_what_json_reads(self) -> None:
        for given in self.GOOD:
            with self.subTest(given):
                expected = json.loads(given, strict=False)
                self.assertEqual(repr(jsonio.loads(given)), repr(expected))
                self.assertEqual(repr(jsonio.loads(given.encode())), repr(expected))

    def test_refuses_what_json_refuses(self) -> None:
        for given in self.BAD:
            with self.subTest(given), self.assertRaises(ValueError):
                jsonio.loads(given)

    def test_refuses_it_also_where_json_was_never_imported(self) -> None:
        code = (
            "import sys; sys.path.insert(0, sys.argv[1])\n"
            "from hooklib import jsonio\n"
            "assert 'json' not in sys.modules\n"
            "try: jsonio.loads(sys.argv[2])\n"
            "except ValueError: print('refused')\n"
        )
        for given in self.BAD:
            if "\x00" not in given:
                args = [PYTHON, "-I", "-S", "-c", code, LIB, given]
                done = subprocess.run(args, capture_output=True, text=True)
                self.assertEqual((done.stdout, done.stderr), ("refused\n", ""), given)

    def test_a_byte_order_mark_is_no_content(self) -> None:
        self.assertEqual(jsonio.loads(b"\xef\xbb\xbf{}"), {})

    def test_writes_what_json_reads_back(self) -> None:
        value: Any
        for value in ('é\n"\\\x00😀\ud800', 0, -1, 1.5, True, False, None, [], {}, [1, ["a"]]):
            value = {"k": value, "键": [value]}
            self.assertEqual(json.loads(jsonio.dumps(value)), value)
            self.assertTrue(jsonio.dumps(value).isascii())
        self.assertEqual(jsonio.dumps([float("nan"), float("inf")]), "[null,null]")
        with self.assertRaises(TypeError):
            jsonio.dumps({1, 2})


class TextTest(unittest.TestCase):
    def test_bytes_are_cut_between_characters(self) -> None:
        for sample in ("plain ascii text", "grüße äöü", "中文字符测试", "😀😀😀", "a\ud800b"):
            for budget in range(40):
                cut = text.cut_bytes(sample, budget)
                self.assertLessEqual(len(cut.encode("utf-8", "replace")), budget)
                self.assertTrue(cut == sample or cut.rstrip("…") == sample[: len(cut.rstrip("…"))])

    def test_text_that_fits_is_left_alone(self) -> None:
        self.assertEqual(text.cut_bytes("中文", 6), "中文")
        self.assertEqual(text.cut_lines("a\nb", 3), "a\nb")

    def test_lines_are_cut_whole_and_counted(self) -> None:
        sample = "\n".join("line %d" % n for n in range(1000))
        cut = text.cut_lines(sample, 200)
        self.assertLessEqual(len(cut), 200)
        *kept, note = cut.split("\n")
        self.assertEqual(kept, sample.split("\n")[: len(kept)])
        self.assertEqual(note, "[cut: %d more characters]" % (len(sample) - len("\n".join(kept))))

    def test_one_long_line_is_cut_inside(self) -> None:
        for sample in ("x" * 500, "😀" * 500, "\n" + "y" * 500):
            cut = text.cut_lines(sample, 100)
            self.assertLessEqual(text.host_length(cut), 100)
            self.assertIn("[cut: ", cut)
            cut.encode("utf-8")

    def test_terminal_sequences_are_removed(self) -> None:
        for given, expected in (
            ("\x1b[1;31mred\x1b[0m", "red"),
            ("\x1b]0;title\x07text", "text"),
            ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
            ("a\x08b\x00c\rd", "abcd"),
            ("\x1b(Bplain\x1b=", "plain"),
            ("tab\tnewline\nkept [31m", "tab\tnewline\nkept [31m"),
            ("\x1b", ""),
            ("中文 é", "中文 é"),
        ):
            self.assertEqual(text.strip_ansi(given), expected)


class FilesTest(HookTestCase):
    def test_a_read_has_a_limit_and_wants_a_plain_file(self) -> None:
        path = self.write("f", "12345")
        self.assertEqual(files.read_bounded(path, 5), b"12345")
        os.mkfifo(self.base + "/pipe")
        for bad, limit in (
            (path, 4),
            (self.base, 9),
            ("/dev/zero", 9),
            (self.base + "/pipe", 9),
            (self.base + "/none", 9),
            ("a\x00b", 9),
        ):
            with self.subTest(bad), self.assertRaises(OSError):
                files.read_bounded(bad, limit)
        self.assertEqual(files.read_tail(path, 2), b"45")
        self.assertEqual(files.read_tail(path, 99), b"12345")

    def test_a_write_is_whole_private_and_leaves_nothing_behind(self) -> None:
        path = os.path.join(self.base, "home", "f")
        files.write_atomic(path, b"one")
        files.write_atomic(path, b"two")
        self.assertEqual(files.read_bounded(path, 9), b"two")
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        with self.assertRaises(OSError):
            files.write_atomic(self.home, b"a folder is in the way")
        self.assertEqual(os.listdir(self.home), ["f"])

    def test_a_held_lock_times_out_and_a_dead_holder_frees_it(self) -> None:
        path = os.path.join(self.base, "lock")
        code = (
            "import sys, time; sys.path.insert(0, sys.argv[1])\n"
            "from hooklib import files\n"
            "with files.Lock(sys.argv[2]): print('held', flush=True); time.sleep(100000)\n"
        )
        args = [PYTHON, "-c", code, LIB, path]
        with subprocess.Popen(args, stdout=subprocess.PIPE) as holder:
            assert holder.stdout
            self.assertEqual(holder.stdout.readline(), b"held\n")
            with self.assertRaises(TimeoutError):
                files.Lock(path, 0.01).__enter__()
            holder.kill()
        with files.Lock(path):
            pass


class LimitsTest(unittest.TestCase):
    def test_the_environment_multiplies_within_bounds(self) -> None:
        for scale, seconds in (
            ("", 2),
            ("1", 2),
            ("3", 6),
            ("100", 200),
            ("101", 200),
            ("999999999", 200),
            ("9" * 5000, 2),
            ("0", 2),
            ("-3", 2),
            ("0.5", 2),
            ("many", 2),
            ("\u0663", 2),
        ):
            with mock.patch.dict(os.environ, {"CUSTOM_SKILLS_TIME_SCALE": scale}):
                self.assertEqual(limits.scaled(2.0), seconds, scale[:9])


class StateTest(HookTestCase):
    def setUp(self) -> None:
        super().setUp()
        patch = mock.patch.dict(os.environ, {"CLAUDE_PLUGIN_DATA": self.data})
        patch.start()
        self.addCleanup(patch.stop)

    def test_a_damaged_counter_starts_anew(self) -> None:
        for damage in ("", "x", "-5", "12x", "\x00" * 20, "1 2"):
            self.write(os.path.join(self.data, "counters", "k.n"), damage)
            self.assertEqual(state.increment("k", "n"), 1)
            self.assertEqual(state.increment("k", "n"), 2)

    def test_counters_of_sessions_long_gone_are_removed(self) -> None:
        old = self.write(os.path.join(self.data, "counters", "old.n"), "5")
        os.utime(old, (time.time() - 40 * 86400,) * 2)
        recent = self.write(os.path.join(self.data, "counters", "recent.n"), "5")
        state.increment("new", "n")
        self.assertFalse(os.path.exists(old))
        self.assertTrue(os.path.exists(recent))

    def test_what_cannot_be_removed_keeps_nothing_else(self) -> None:
        from hooklib.knowledge import index_cache

        folder = os.path.join(self.data, "knowledge")
        for number in range(20):
            os.makedirs(os.path.join(folder, "folder %d" % number))
            self.write(os.path.join(folder, "file %d" % number), "")
        for name in os.listdir(folder):
            os.utime(os.path.join(folder, name), (time.time() - 40 * 86400,) * 2)
        index_cache._write_cache(os.path.join(folder, "new"), ["x"])
        left = [name for name in os.listdir(folder) if not name.startswith("folder")]
        self.assertEqual(left, ["new"])

    def test_json_files_are_read_kindly(self) -> None:
        path = os.path.join(self.data, "x.json")
        self.assertEqual(state.read_json(path, 7), 7)
        for broken in ("", "{", "\x00"):
            self.write(path, broken)
            self.assertEqual(state.read_json(path, 7), 7)
        state.write_json(path, {"a": ["é"]})
        self.assertEqual(state.read_json(path), {"a": ["é"]})

    def test_updates_of_many_processes_are_all_kept(self) -> None:
        path = os.path.join(self.data, "new", "x.json")
        code = (
            "import sys; sys.path.insert(0, sys.argv[1])\n"
            "from hooklib import state\n"
            "state.update_json(sys.argv[2], lambda old: sorted([*old, sys.argv[3]]), [])\n"
        )
        started = [
            subprocess.Popen([PYTHON, "-S", "-c", code, LIB, path, "%02d" % n]) for n in range(30)
        ]
        self.assertEqual([process.wait() for process in started], [0] * 30)
        self.assertEqual(state.read_json(path), ["%02d" % n for n in range(30)])

    def test_a_killed_writer_never_leaves_half_a_file(self) -> None:
        path = os.path.join(self.data, "x.json")
        code = (
            "import sys; sys.path.insert(0, sys.argv[1])\n"
            "from hooklib import state\n"
            "n = 0\n"
            "while True: n += 1; state.write_json(sys.argv[2], ['x' * 50_000, n])\n"
        )
        for _ in range(15):
            with subprocess.Popen([PYTHON, "-S", "-c", code, LIB, path]) as writer:
                while not os.path.exists(path):
                    time.sleep(0.001)
                time.sleep(random.random() * 0.02)
                writer.kill()
            self.assertEqual(len(state.read_json(path)[0]), 50_000)


class PathsTest(HookTestCase):
    def git(self, *args: str, cwd: str = "") -> None:
        identity = ["-c", "user.name=t", "-c", "user.email=t@localhost"]
        subprocess.run(
            ["git", *identity, *args],
            cwd=cwd or self.project,
            env={**self.env(), "GIT_CONFIG_NOSYSTEM": "1"},
            check=True,
            capture_output=True,
        )

    def names(self, folder: str) -> tuple[Any, ...]:
        with mock.patch.dict(os.environ, {"HOME": self.home}):
            root = paths.project_root(folder)
            return root, paths.project_name(root)

    def test_a_repository_and_its_subfolders(self) -> None:
        self.git("init", "-q")
        for folder in (self.project, self.folder("my project", "src", "deep")):
            self.assertEqual(self.names(folder), (self.project, "my project"))

    def test_no_repository(self) -> None:
        self.assertEqual(self.names(self.project), (self.project, "my project"))
        self.assertEqual(self.names("/"), ("/", "default"))
        self.assertEqual(self.names(""), ("", "default"))

    def test_a_worktree_has_a_root_of_its_own_and_its_repositorys_name(self) -> None:
        self.git("init", "-q")
        self.git("commit", "-q", "--allow-empty", "-m", "x")
        tree = os.path.join(self.base, "another tree")
        self.git("worktree", "add", "-q", "-b", "other", tree)
        deep = self.folder("another tree", "src")
        self.assertEqual(self.names(deep), (tree, "my project"))

    def test_a_worktree_of_a_bare_repository(self) -> None:
        bare = os.path.join(self.base, "store.git")
        self.git("init", "-q")
        self.git("commit", "-q", "--allow-empty", "-m", "x")
        self.git("clone", "-q", "--bare", self.project, bare)
        tree = os.path.join(self.base, "tree")
        self.git("worktree", "add", "-q", tree, cwd=bare)
        self.assertEqual(self.names(tree), (tree, "store"))

    def test_a_submodule_is_a_project_of_its_own(self) -> None:
        self.write("my project/sub/.git", "gitdir: ../.git/modules/sub\n")
        sub = os.path.join(self.project, "sub")
        self.assertEqual(self.names(sub), (sub, "sub"))

    def test_odd_git_files_do_no_harm(self) -> None:
        for content in ("", "gitdir:", "gitdir: \x00", "gitdir: /dev", "x" * 9999):
            self.write("my project/.git", content)
            self.assertEqual(self.names(self.project), (self.project, "my project"))

    def test_a_home_that_is_a_repository_is_no_project(self) -> None:
        self.folder("home", ".git")
        inside = self.folder("home", "notes")
        self.assertEqual(self.names(inside), (inside, "notes"))

    def test_the_session_started_where_the_host_says(self) -> None:
        other = self.folder("other")
        with mock.patch.dict(os.environ, {"CLAUDE_PROJECT_DIR": self.project}):
            self.assertEqual(paths.start_dir(other), self.project)
        with mock.patch.dict(os.environ, {"CLAUDE_PROJECT_DIR": "/no/such"}):
            self.assertEqual(paths.start_dir(other), other)
            self.assertEqual(paths.start_dir("relative"), os.getcwd())

    def test_the_configuration_folder(self) -> None:
        with mock.patch.dict(os.environ, {"HOME": self.home}, clear=True):
            self.assertEqual(paths.config_dir(), os.path.join(self.home, ".claude"))
            data = os.path.join(self.home, ".claude/plugins/data/ecc-hooks-custom-skills")
            self.assertEqual(paths.data_dir(), data)
            os.environ["CLAUDE_CONFIG_DIR"] = "/elsewhere"
            self.assertEqual(paths.config_dir(), "/elsewhere")


class ConfigTest(HookTestCase):
    def load(self, start: str = "", **env: str) -> config.Settings:
        with mock.patch.dict(os.environ, {"HOME": self.home, **env}, clear=True):
            return config.merge(config.layers(start or self.project, self.project))

    def test_nothing_set(self) -> None:
        settings = self.load()
        self.assertEqual((settings.enabled, settings.profile), (True, "standard"))
        self.assertNotIn("suggest-compact", settings.disabled)

    def test_later_layers_win_and_disabled_adds_up(self) -> None:
        layers = ("home/.claude/settings.json", "my project/.claude/settings.json")
        local = "my project/.claude/settings.local.json"
        self.write(layers[0], {"customSkills": {"profile": "minimal", "disabled": ["a"], "x": 1}})
        self.write(layers[1], {"customSkills": {"profile": "strict", "disabled": "nonsense"}})
        self.write(local, {"customSkills": {"disabled": ["b", 5]}})
        settings = self.load(CUSTOM_SKILLS_DISABLED="c, d")
        self.assertEqual(settings.profile, "strict")
        self.assertLessEqual({"a", "b", "c", "d"}, settings.disabled)
        self.assertEqual(settings.positive_int("x", 9), 1)

    def test_a_session_started_in_a_subfolder_sees_both_folders(self) -> None:
        self.write(
            "my project/.claude/settings.json", {"customSkills": {"profile": "strict", "x": 2}}
        )
        self.write("my project/sub/.claude/settings.json", {"customSkills": {"x": 3}})
        settings = self.load(os.path.join(self.project, "sub"))
        self.assertEqual((settings.profile, settings.positive_int("x", 9)), ("strict", 3))

    def test_an_unknown_profile_counts_as_not_given(self) -> None:
        self.write("home/.claude/settings.json", {"customSkills": {"profile": "minimal"}})
        self.assertEqual(self.load(CUSTOM_SKILLS_PROFILE="turbo").profile, "minimal")
        self.write("home/.claude/settings.json", {"customSkills": {"profile": ["strict"]}})
        self.assertEqual(self.load().profile, "standard")

    def test_the_environment_wins_over_enabled(self) -> None:
        self.write("home/.claude/settings.json", {"customSkills": {"enabled": False}})
        self.assertFalse(self.load().enabled)
        self.assertTrue(self.load(CUSTOM_SKILLS="1").enabled)
        self.write("home/.claude/settings.json", {"customSkills": {"enabled": "no"}})
        self.assertTrue(self.load().enabled)
        for off in ("0", "OFF", "False", " no "):
            self.assertFalse(self.load(CUSTOM_SKILLS=off).enabled)


class LogTest(HookTestCase):
    def setUp(self) -> None:
        super().setUp()
        patch = mock.patch.dict(os.environ, {"CLAUDE_PLUGIN_DATA": self.data})
        patch.start()
        self.addCleanup(patch.stop)

    def test_a_line_has_what_the_statistics_need(self) -> None:
        log.write("Stop", "some-hook", "spoke", 1.2345, 99)
        (line,) = self.log()
        self.assertEqual(list(line), ["time", "plugin", "event", "hook", "ms", "outcome", "bytes"])
        self.assertEqual((line["plugin"], line["ms"], line["bytes"]), ("ecc-hooks", 1.23, 99))

    def test_a_failure_tells_where_but_not_the_users_text(self) -> None:
        try:
            raise ValueError("my secret text")
        except ValueError as error:
            log.failure("Stop", "some-hook", error)
        try:
            open("/no/such/private/file")  # noqa: SIM115
        except OSError as error:
            log.failure("Stop", "some-hook", error)
        first, second = self.log()
        self.assertEqual(first["error"], "ValueError")
        self.assertIn("test_library.py", first["at"][-1])
        self.assertIn("No such file", second["error"])
        self.assertNotIn("secret", json.dumps(self.log()) + json.dumps(second["error"]))
        self.assertNotIn("private", json.dumps(self.log()))

    def test_it_is_capped_with_one_rotation_and_private(self) -> None:
        with mock.patch.object(log, "CAP", 2000):
            for n in range(100):
                log.write("Stop", "hook-%d" % n, "silent")
        names = sorted(os.listdir(self.data))
        self.assertEqual(names, ["hooks.log", "hooks.log.1", "hooks.log.lock"])
        for name in names:
            path = os.path.join(self.data, name)
            self.assertLess(os.path.getsize(path), 2500)
            self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)

    def test_rotation_under_parallel_writers_loses_no_line(self) -> None:
        code = (
            "import sys; sys.path.insert(0, sys.argv[1])\n"
            "from hooklib import log\n"
            "log.CAP = 30_000\n"
            "for n in range(40): log.write('Stop', sys.argv[2] + '-%d' % n, 'silent')\n"
        )
        env = {**os.environ, "CLAUDE_PLUGIN_DATA": self.data}
        started = [
            subprocess.Popen([PYTHON, "-S", "-c", code, LIB, str(n)], env=env) for n in range(8)
        ]
        self.assertEqual([process.wait() for process in started], [0] * 8)
        hooks = [line["hook"] for line in self.log()]
        with open(os.path.join(self.data, "hooks.log.1")) as file:
            hooks += [json.loads(line)["hook"] for line in file]
        self.assertEqual(len(hooks), len(set(hooks)))
        self.assertEqual(len(hooks), 320)

    def test_a_log_that_cannot_be_written_is_no_error(self) -> None:
        below = os.path.join(self.write("a file", ""), "data")
        with mock.patch.dict(os.environ, {"CLAUDE_PLUGIN_DATA": below}):
            log.write("Stop", "x", "silent")


class EventTest(unittest.TestCase):
    def test_odd_types_read_as_missing(self) -> None:
        odd: Any
        for odd in (5, [], {}, True, 1.5):
            data = dict.fromkeys(("session_id", "cwd", "tool_name", "agent_id", "source"), odd)
            given = event.Event("SessionStart", dict(data, tool_input=[odd]))
            self.assertEqual((given.session_id, given.tool_name, given.subject), ("", "", ""))
            self.assertEqual(given.tool_input, {})
            self.assertIn("tool_input", given.odd_fields)
        self.assertEqual(event.Event("Stop", {"session_id": None}).odd_fields, [])

    def test_texts_are_bounded(self) -> None:
        given = event.Event("Stop", {"cwd": "x" * 99_999, "prompt": "y" * 99_999})
        self.assertEqual(len(given.cwd), event.MAX_NAME)
        self.assertEqual(len(given.text("prompt", 10)), 10)

    def test_file_names_are_safe_and_different(self) -> None:
        samples = [
            "",
            ".",
            "..",
            "a/b",
            "a\\b",
            "a:b",
            "NUL",
            "com1",
            "é",
            "a b",
            "x" * 200,
            "\ud800",
        ]
        names = [event.file_name(sample) for sample in samples]
        self.assertEqual(len(set(names)), len(samples))
        for name in names:
            self.assertRegex(name, r"\A[A-Za-z0-9_-]{1,60}\Z")
            self.assertNotIn(name.upper(), ("NUL", "COM1"))
        self.assertEqual(event.file_name("86fdd279-6a75"), "86fdd279-6a75")


class HotPathTest(HookTestCase):
    def test_a_silent_event_imports_nothing_heavy(self) -> None:
        from support import edit

        start = os.path.join(self.root, "lib", "start.py")
        command = [PYTHON, "-I", "-S", "-X", "importtime", start, "PreToolUse"]
        done = self.start(command, edit())
        loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
        self.assertIn("hooklib.engine.planner", loaded)
        heavy = "json re subprocess pathlib logging argparse sqlite3 hashlib typing dataclasses"
        self.assertEqual(
            loaded & set((heavy + " datetime contextlib tempfile shutil").split()), set()
        )
        shutil.rmtree(os.path.join(self.root, "lib", "__pycache__"), ignore_errors=True)
        self.assertTrue(sys.version_info)
