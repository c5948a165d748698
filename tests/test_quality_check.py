"""Checking after an edit: whose errors are told, how many, when, and where tools come from."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any
from unittest import mock

from quality_case import QualityTestCase

from hooklib.event import Event
from hooklib.output import Output
from hooklib.process import TIMED_OUT, Finished
from support import PLUGINS

INI = "[mypy]\nstrict = true\n"


def complain(*lines: str, code: int = 1) -> str:
    """What a stand-in does to print lines; {file} is the file that it was called for."""
    said = [line.replace("{file}", "' + args[-1] + '") for line in lines]
    return "say('" + "\\n".join(said) + "\\n'); sys.exit(%d)" % code


class MypyTest(QualityTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.put("mypy.ini", INI)
        self.path = self.put("src/a.py", "a = 1\nb = 2\n")
        self.number = 0

    def context_after_edit(self, **env: str) -> str:
        """The context that the model gets after some edit of the file."""
        self.number += 1
        return self.edit(self.path, self.read(self.path), "a = %d\n" % self.number, **env).context

    def test_errors_of_this_file_only_by_path(self) -> None:
        other = self.put("other/a.py", "")
        self.tool(
            "mypy",
            complain(
                "{file}:3:5: error: Bad thing  [assignment]",
                other + ":1:1: error: Not this file",
                "a.py:9: error: Nor this",
                "{file}x:9: error: Nor this",
                "{file}:3:5: note: See something",
                "{file}:7: error: No column",
                "Found 3 errors in 2 files",
            ),
        )
        self.assertEqual(
            self.context_after_edit(),
            "[mypy] src/a.py: 2 errors\n  3:5  Bad thing [assignment]\n  7  No column",
        )

    def test_the_call(self) -> None:
        for name in ("a b.py", "it's.py", "$(touch x).py", "-m.py", "a\nb.py"):
            with self.subTest(name):
                self.tool("mypy", complain("{file}:1:1: error: Bad"))
                path = self.put("pkg/" + name, "a = 1\n")
                self.assertIn("1 error", self.edit(path, "a = 1", "a = 2").context)
                ((tool, args, folder),) = self.calls()
                self.assertEqual((tool, args[-2:], folder), ("mypy", ["--", path], self.project))
        self.assertFalse(os.path.exists(os.path.join(self.project, "pkg/x")))

    def test_at_most_ten_errors_and_the_rest_counted(self) -> None:
        self.tool("mypy", complain(*("{file}:%d:1: error: No %d" % (n, n) for n in range(1, 14))))
        lines = self.context_after_edit().splitlines()
        self.assertEqual(lines[0], "[mypy] src/a.py: 13 errors")
        self.assertEqual(len(lines), 12)
        self.assertEqual(lines[-1], "  ... and 3 more")

    def test_each_error_is_told_once(self) -> None:
        self.tool("mypy", complain("{file}:3:5: error: First", "{file}:9:1: error: Second"))
        self.assertIn("2 errors", self.context_after_edit())
        self.assertEqual(
            self.context_after_edit(),
            "[mypy] src/a.py: 2 errors still there (lines 3 and 9)",
        )
        self.tool("mypy", complain("{file}:8:1: error: Third", "{file}:10:1: error: Second"))
        self.assertEqual(
            self.context_after_edit(),
            "[mypy] src/a.py: 1 error\n  8:1  Third\n"
            "[mypy] src/a.py: 1 error still there (line 10)",
        )
        self.tool("mypy")
        self.assertEqual(self.context_after_edit(), "")
        self.tool("mypy", complain("{file}:3:5: error: First"))
        self.assertIn("First", self.context_after_edit())  # it was gone, and is back

    def test_garbage_is_not_told(self) -> None:
        for does in (
            "",
            "sys.exit(2)",
            "say('Traceback: INTERNAL ERROR\\n'); sys.exit(2)",
            complain("{file}", "{file}:", "{file}:x:y: error: z", "{file}:: error:", ":::"),
            "sys.stdout.buffer.write(bytes(range(256)) * 99); sys.exit(1)",
            "os.kill(os.getpid(), 9)",
        ):
            with self.subTest(does):
                self.tool("mypy", does)
                self.assertEqual(self.context_after_edit(), "")

    def test_what_is_told_is_plain_and_short(self) -> None:
        secret = "ghp_" + "Ab3" * 12
        said = "\\x1b[31mRed\\x1b[0m " + secret + " " + "long " * 200
        self.tool("mypy", complain("{file}:1:1: error: " + said))
        told = self.context_after_edit()
        self.assertIn("Red ghp_[redacted]", told)
        self.assertNotIn("\x1b", told)
        self.assertLess(len(told), 400)

    def test_configuration_decides_where_it_runs(self) -> None:
        self.tool("mypy")
        for name, text in (
            ("packages/one/mypy.ini", "[mypy]\n"),
            ("packages/two/pyproject.toml", "[tool.mypy]\nstrict = true\n"),
            ("packages/three/setup.cfg", "[metadata]\n[mypy]\n"),
            ("packages/four/pyproject.toml", "[tool.other]\n"),
        ):
            folder = os.path.dirname(self.put(name, text))
            path = self.put(os.path.join(folder, "src/a.py"), "a = 1\n")
            self.edit(path, "a = 1", "a = 2")
            wanted = self.project if "four" in name else folder
            self.assertEqual([call[2] for call in self.calls()], [wanted])

    def test_files_that_the_configuration_leaves_out(self) -> None:
        self.tool("mypy")
        os.unlink(os.path.join(self.project, "mypy.ini"))
        for name, text, checked in (
            ("mypy.ini", "[mypy]\nexclude = ^src/\n", False),
            ("mypy.ini", "[mypy]\nexclude = (?x)(\n    ^lib/  # one\n    | ^src/\n  )\n", False),
            ("mypy.ini", "[mypy]\nexclude = ^lib/\n", True),
            ("mypy.ini", "[mypy]\nfiles = lib, tools/*.py\n", False),
            ("mypy.ini", "[mypy]\nfiles = src\n[mypy-x]\nexclude = src\n", True),
            ("mypy.ini", "[mypy]\nexclude = (((\n", True),
            ("pyproject.toml", "[tool.mypy]\nexclude = ['^lib/', \"src/a\\\\.py$\"]\n", False),
            ("pyproject.toml", '[tool.mypy]\nfiles = ["lib"]\n', False),
            ("pyproject.toml", '[tool.mypy]\nfiles = "src/"\n[tool.x]\nexclude = "src"\n', True),
        ):
            with self.subTest(text):
                path = self.put(name, text)
                self.context_after_edit()
                self.assertEqual(len(self.calls()), checked)
                os.unlink(path)

    def test_a_mypy_of_the_users_needs_a_configuration(self) -> None:
        folder = self.folder("bin of the user")
        self.tool("mypy", complain("{file}:1:1: error: Bad"), folder)
        there = {"PATH": self.env()["PATH"] + ":" + folder}
        os.unlink(os.path.join(self.project, "mypy.ini"))
        self.assertEqual(self.context_after_edit(**there), "")
        self.put("mypy.ini", INI)
        self.assertIn("Bad", self.context_after_edit(**there))
        self.assertNotIn("--python-executable", self.calls()[0][1])
        python = self.tool("python")  # the environment that the packages are in
        self.context_after_edit(**there)
        args = self.calls()[0][1]
        self.assertEqual(args[args.index("--python-executable") + 1], python)
        self.git("add", "-f", ".venv")  # it came with the repository: mypy would start it
        self.data = self.folder("another session's data")
        self.context_after_edit(**there)
        self.assertNotIn("--python-executable", self.calls()[0][1])

    def test_its_cache_is_not_in_the_project(self) -> None:
        self.tool("mypy")
        self.context_after_edit()
        args = self.calls()[0][1]
        self.assertTrue(args[args.index("--cache-dir") + 1].startswith(self.data))
        self.folder("my project", ".mypy_cache")  # unless the project has it already
        self.context_after_edit()
        self.assertNotIn("--cache-dir", self.calls()[0][1])

    def test_caches_of_projects_long_gone_are_dropped(self) -> None:
        folder = os.path.join(self.data, "quality", "mypy")
        self.tool("mypy", 'os.makedirs(args[args.index("--cache-dir") + 1], exist_ok=True)')
        for number in range(14):
            old = os.path.join(folder, "old%d" % number, "3.9")
            os.makedirs(old)
            os.utime(os.path.dirname(old), (number, number))
        self.context_after_edit()
        self.assertEqual(len(os.listdir(folder)), 10)
        self.assertIn("old13", os.listdir(folder))
        self.context_after_edit()
        self.assertEqual(len(os.listdir(folder)), 10)

    def test_switched_off(self) -> None:
        self.tool("mypy", complain("{file}:1:1: error: Bad"))
        for env in (
            {"CUSTOM_SKILLS_CHECKS": "off"},
            {"CUSTOM_SKILLS_DISABLED": "check-mypy"},
            {"CUSTOM_SKILLS_PROFILE": "minimal"},
            {"CUSTOM_SKILLS": "0"},
        ):
            self.assertEqual(self.context_after_edit(**env), "")
        self.assertEqual(self.calls(), [])
        self.settings(checks="of")  # unknown: the default
        self.assertIn("Bad", self.context_after_edit())

    def test_real_mypy(self) -> None:
        self.link("mypy")
        self.put("other/__init__.py", "")
        self.put("other/b.py", 'x: int = "no"\n')
        path = self.put("c.py", "import other.b\n\ny: int = 1\n")
        done = self.edit(path, "= 1", '= ""')
        wanted = "  3:10  Incompatible types in assignment"
        self.assertIn("[mypy] c.py: 1 error\n" + wanted, done.context)
        self.assertEqual(self.git("status", "--porcelain", "--", ".mypy_cache"), "")
        self.assertEqual(self.edit(path, '= ""', "= 2").context, "")


class LateTest(QualityTestCase):
    """Checks at the end of a turn: because the user wants it, or because the tool is slow."""

    def setUp(self) -> None:
        super().setUp()
        self.put("mypy.ini", INI)
        self.paths = [self.put(name, "a = 1\n") for name in ("src/a.py", "src/b.py")]
        self.bad = complain(
            "' + args[-2] + ':1:1: error: In a", "' + args[-1] + ':2:1: error: In b"
        )

    def edit_all(self, text: str, **env: str) -> list[Any]:
        return [self.edit(path, self.read(path), text, **env).context for path in self.paths]

    def test_all_files_at_once_with_stop(self) -> None:
        self.tool("mypy", self.bad)
        self.settings(checks="stop")
        self.assertEqual(self.edit_all("a = 2\n"), ["", ""])
        self.assertEqual(self.calls(), [])
        done = self.stop()
        self.assertEqual(
            done.context,
            "[mypy] src/a.py: 1 error\n  1:1  In a\n[mypy] src/b.py: 1 error\n  2:1  In b",
        )
        ((_, args, folder),) = self.calls()
        self.assertEqual((args[-3:], folder), (["--", *self.paths], self.project))
        self.assert_silent(self.stop())  # nothing was edited since
        self.assertEqual(self.calls(), [])
        self.edit_all("a = 3\n")
        self.assert_silent(self.stop())  # the same errors: no reason to go on
        self.assertEqual(len(self.calls()), 1)

    def test_each_root_has_a_run_of_its_own(self) -> None:
        self.tool("mypy")
        self.settings(checks="stop")
        self.put("other/mypy.ini", INI)
        self.paths.append(self.put("other/c.py", "a = 1\n"))
        self.edit_all("a = 2\n")
        self.assert_silent(self.stop())
        folders = sorted(call[2] for call in self.calls())
        self.assertEqual(folders, [self.project, os.path.join(self.project, "other")])

    def test_not_while_the_host_says_that_it_goes_on_but_then(self) -> None:
        self.tool("mypy", self.bad)
        self.settings(checks="stop")
        self.edit_all("a = 2\n")
        self.assert_silent(self.stop(stop_hook_active=True))
        self.assert_silent(self.stop(background_tasks=[{"id": "b1"}]))
        self.assertEqual(self.calls(), [])
        self.assertIn("In a", self.stop().context)

    def test_what_is_gone_or_switched_off_since(self) -> None:
        self.tool("mypy", self.bad)
        self.settings(checks="stop")
        self.edit_all("a = 2\n")
        os.unlink(self.paths[0])
        self.stop()
        self.assertEqual(self.calls()[0][1][-2:], ["--", self.paths[1]])
        self.put(self.paths[0], "a = 1\n")
        self.edit_all("a = 3\n")
        self.settings(checks="stop", disabled=["check-mypy"])
        self.assert_silent(self.stop())
        self.assertEqual(self.calls(), [])

    def test_a_checker_out_of_time_runs_at_the_end_and_the_model_is_told_once(self) -> None:
        self.tool("mypy", "time.sleep(100000)")
        self.settings(checkSeconds=1)
        first, second = self.edit_all("a = 2\n", CUSTOM_SKILLS_TIME_SCALE="5")
        self.assertEqual(
            first,
            "[mypy] took over 1 s; from now on it runs at the end of a turn.",
        )
        self.assertEqual(second, "")  # not tried again
        self.assertEqual(len(self.calls()), 1)
        self.tool("mypy", self.bad)
        self.assertIn("In b", self.stop().context)
        self.assertEqual(self.calls()[0][1][-2:], self.paths)

    def test_other_stages_go_on_whatever_the_checker_does(self) -> None:
        self.settings(checkSeconds=1)
        own = {"CUSTOM_SKILLS_TIME_SCALE": "1"}
        for does in ("time.sleep(100000)", "sys.exit(3)", "os.kill(os.getpid(), 11)"):
            self.tool("mypy", does)
            said = self.create("new%d.py" % len(does), "print(1)\n", **own).context
            self.assertIn("print", said)

    def test_a_broken_ledger_is_begun_anew(self) -> None:
        self.tool("mypy", self.bad)
        self.settings(checks="stop")
        self.edit_all("a = 2\n")
        folder = os.path.join(self.data, "quality/sessions")
        (name,) = [name for name in os.listdir(folder) if name.endswith(".json")]
        for text in (
            "{",
            "[]",
            '{"late": 5, "files": []}',
            '{"late": {"mypy": 5, "x": ["/etc/passwd"]}}',
        ):
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
            self.assert_silent(self.stop())
        self.assertEqual([line for line in self.log() if line["outcome"] == "error"], [])


class TypeScriptTest(QualityTestCase):
    BAD = (
        "say('src/a.ts(2,7): error TS2322: Type no.\\n  Because.\\nb.ts(1,1): error TS1: No\\n"
        + ("../src/a.ts(3,3): error TS3: No\\n'); sys.exit(2)")
    )

    def setUp(self) -> None:
        super().setUp()
        self.put("web/tsconfig.json", "{}")
        self.path = self.put("web/src/a.ts", "let a = 1\n")
        self.tool("tsc", self.BAD, "web/node_modules/.bin")

    def test_errors_of_this_file_by_the_nearest_configuration(self) -> None:
        self.put("tsconfig.json", "{}")
        done = self.edit(self.path, "a = 1", "a = 2")
        self.assertEqual(done.context, "[tsc] web/src/a.ts: 1 error\n  2:7  TS2322: Type no.")
        ((_, args, folder),) = self.calls()
        self.assertEqual(folder, os.path.join(self.project, "web"))
        wanted = ["--noEmit", "--pretty", "false", "--project", folder + "/tsconfig.json"]
        self.assertEqual(args[: len(wanted)], wanted)
        self.assertTrue(args[-1].startswith(self.data), args)

    def test_where_it_has_nothing_to_do(self) -> None:
        for name in ("web/src/a.js", "web/src/a.vue", "lib/a.ts", "web/src/a.svelte", "a.tsx"):
            path = self.put(name, "let a = 1\n")
            self.assert_silent(self.edit(path, "a = 1", "a = 2"))
        self.assertEqual(self.calls(), [])

    def test_javascript_where_it_is_to_be_checked(self) -> None:
        self.put("web/tsconfig.json", '{"compilerOptions": {"checkJs": true}}')
        path = self.put("web/src/a.js", "let a = 1\n")
        self.edit(path, "a = 1", "a = 2")
        self.assertEqual(len(self.calls()), 1)

    def test_a_list_of_projects_leads_to_the_sources(self) -> None:
        self.put("web/tsconfig.json", '{"files": [ ], "references": [{"path": "./x"}]}')
        app = self.put("web/tsconfig.app.json", "{}")
        self.edit(self.path, "a = 1", "a = 2")
        self.assertIn(app, self.calls()[0][1])


class PhpstanTest(QualityTestCase):
    """PHPStan is a stand-in here, which notes its arguments."""

    def test_errors_of_this_file(self) -> None:
        self.put("phpstan.neon.dist", "")
        other = self.put("lib/a.php", "")
        said = complain("{file}:5:Method a: no type.", other + ":1:Not this")
        self.tool("phpstan", said, "vendor/bin")
        path = self.put("src/a.php", "<?php\n$a = 1;\n")
        done = self.edit(path, "$a = 1", "$a = 2")
        self.assertEqual(done.context, "[phpstan] src/a.php: 1 error\n  5  Method a: no type.")
        ((_, args, folder),) = self.calls()
        self.assertEqual(args[:2], ["analyse", "--error-format=raw"])
        self.assertEqual((args[-2:], folder), (["--", path], self.project))


class OrderTest(QualityTestCase):
    """One process, the stages in order, whatever becomes of one."""

    def test_format_check_warn(self) -> None:
        self.put("pyproject.toml", "[tool.ruff]\n[tool.mypy]\n")
        self.tool("ruff", "say(text.replace('x=', 'x = '))")
        self.tool("mypy", complain("{file}:1:1: error: Bad"))
        said = self.create("a.py", "x=1\nprint(x)\n").context
        places = [said.index(mark) for mark in ("[format]", "[mypy]", "[debug code]")]
        self.assertEqual(places, sorted(places))
        self.assertEqual([call[0] for call in self.calls()], ["ruff", "mypy"])
        hooks = [line["hook"] for line in self.log()]
        self.assertEqual(hooks, ["format-python", "check-mypy", "warn-python-debug"])

    def test_the_checker_sees_the_formatted_file(self) -> None:
        self.put("pyproject.toml", "[tool.ruff]\n[tool.mypy]\n")
        self.tool("ruff", "say('# new line\\n' + text)")
        self.tool("mypy", "say(args[-1] + ':1:1: error: ' + open(args[-1]).readline())")
        self.assertIn("1:1  # new line", self.create("a.py", "x = 1\n").context)

    def test_real_ruff_and_mypy(self) -> None:
        for name in ("ruff", "mypy"):
            self.link(name)
        self.put("pyproject.toml", "[tool.ruff]\n[tool.mypy]\n")
        path = self.put("a.py", "def f( a:int )->str:\n    return str( a )\n")
        said = self.edit(path, "return str( a )", "print( a )\n    return a").context
        self.assertEqual(
            said,
            "[format] ruff reformatted a.py: lines 1-2 changed."
            " Read again before editing there.\n\n"
            "[mypy] a.py: 1 error\n"
            '  3:12  Incompatible return value type (got "int", expected "str") [return-value]\n\n'
            "[debug code] a.py: added by this edit\n  2  print",
        )


class HandlerTest(QualityTestCase):
    """A handler takes the function that runs commands as a parameter."""

    def handler(self, name: str) -> Callable[..., Output | None]:
        path = os.path.join(PLUGINS, "ecc-hooks/scripts/code-quality", name + ".py")
        with open(path, encoding="utf-8") as file:
            module: dict[str, Any] = {"__name__": name}
            exec(compile(file.read(), path, "exec"), module)
        run: Callable[..., Output | None] = module["run"]
        return run

    def call(self, name: str, given: dict[str, Any], *answers: Finished) -> tuple[str, list[Any]]:
        """Call a handler with answers instead of programs; return what it said and started."""
        started = []
        waiting = list(answers)

        def run(
            args: list[str],
            stdin: bytes = b"",
            env: object = None,
            cwd: str = "",
            timeout: float = 0,
        ) -> Finished:
            if args[0] == "git":
                return Finished(0, b"")
            started.append((args, stdin, cwd, timeout))
            return waiting.pop(0)

        env = self.env(CUSTOM_SKILLS_TIME_SCALE="1")
        with mock.patch.dict(os.environ, env, clear=True):
            said = self.handler(name)(Event("PostToolUse", given), run)
        return (said.context if said else ""), started

    def test_formatter(self) -> None:
        self.put("pyproject.toml", "[tool.ruff]\n")
        program = self.tool("ruff")
        path = self.put("a.py", "a = 1\n")
        given = self.edited(path, "a = 1", "a=1")
        said, started = self.call("format-python", given, Finished(0, b"a = 1\n"))
        self.assertIn("line 1 changed", said)
        ((args, stdin, cwd, timeout),) = started
        self.assertEqual((args[0], stdin, cwd), (program, b"a=1\n", self.project))
        self.assertTrue(0 < timeout <= 10)
        self.assertEqual(self.calls(), [])

    def test_checker_has_fifteen_seconds_or_what_is_set(self) -> None:
        self.put("mypy.ini", INI)
        self.tool("mypy")
        path = self.put("a.py", "a = 1\n")
        for number, (switches, seconds) in enumerate(
            (({}, 15), ({"checkSeconds": 3}, 3), ({"checkSeconds": 99999}, 40))
        ):
            self.settings(**switches)
            given = self.edited(path, self.read(path), "a = %d\n" % number)
            given["session_id"] = "s%d" % number
            said, started = self.call("check-mypy", given, Finished(TIMED_OUT))
            self.assertIn("took over %d s" % seconds, said)
            self.assertEqual(started[0][3], seconds)

    def test_every_handler_takes_one(self) -> None:
        folder = os.path.join(PLUGINS, "ecc-hooks/scripts/code-quality")
        for name in os.listdir(folder):
            said = self.handler(name[:-3])
            with mock.patch.dict(os.environ, self.env(), clear=True):
                self.assertIsNone(said(Event("PostToolUse", {}), lambda *_, **__: Finished(1)))


class DoctorTest(QualityTestCase):
    def doctor(self, **switches: object) -> str:
        self.settings(**switches)
        done = self.start([os.path.join(self.root, "bin/hookctl"), "doctor", "--json"], "")
        return json.dumps(json.loads(done.stdout))

    def test_values_that_mean_nothing_are_reported(self) -> None:
        for key, bad, good in (
            ("format", "sometimes", "configured"),
            ("checks", "late", "stop"),
            ("checkSeconds", -1, 20),
            ("allowDebug", "print", ["print", "scripts/**"]),
        ):
            self.assertIn("customSkills.%s is" % key, self.doctor(**{key: bad}))
            self.assertNotIn("customSkills.%s" % key, self.doctor(**{key: good}))
        self.assertIn("customSkills.formatt is not a switch", self.doctor(formatt="auto"))
