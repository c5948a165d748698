"""Code quality in the real Claude Code, with the real tools: what the model and the user are told.

Ruff, Black, mypy, Prettier and TypeScript are the pinned ones; the PHP tools are small stand-ins in
vendor/bin that note their arguments.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess

from bundle import BundleTestCase, call, hook_lines
from claude_lab import Run
from clients import cache_dir
from fake_anthropic import Turn
from tui import Tui

from support import PYTHON

UGLY = """import os


def name( a:int )->str:
    return str( a )


def here()->str:
    return os.sep
"""
STAND_IN = """#!%s -I
import json, sys
with open(sys.argv[0] + ".calls", "a") as file:
    file.write(json.dumps(sys.argv[1:]) + "\\n")
path = sys.argv[-1]
%s
"""


class QualityTestCase(BundleTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.put(".gitignore", ".venv\nnode_modules\nvendor\n")
        tools = {".venv": ("python-tools",), "node_modules": ("node-tools", "node_modules")}
        for name, where in tools.items():
            os.symlink(os.path.join(cache_dir(), *where), self.lab.path(name))

    def put(self, name: str, text: str) -> str:
        return self.lab.write(self.lab.path(*name.split("/")), text)

    def commit(self) -> None:
        self.lab.call(["git", "add", "-A"])
        who = ["-c", "user.name=lab", "-c", "user.email=lab@localhost"]
        self.lab.call(["git", *who, "commit", "-q", "-m", "step"])

    def play(self, script: list[Turn], **env: str) -> Run:
        node = os.path.dirname(shutil.which("node") or "")
        path = self.lab.env()["PATH"] + os.pathsep + node
        return self.session(script, PATH=path, **env)

    def edit(self, path: str, old: str, new: str) -> Turn:
        return call("Edit", file_path=path, old_string=old, new_string=new)

    def read(self, path: str) -> Turn:
        return call("Read", file_path=path)

    def assert_in_order(self, text: str, *parts: str) -> None:
        at = -1
        for part in parts:
            self.assertIn(part, text)
            self.assertGreater(text.index(part), at, text)
            at = text.index(part)


class PythonTest(QualityTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.put("pyproject.toml", "[tool.ruff]\nline-length = 100\n\n[tool.mypy]\nstrict = true\n")
        self.path = self.put("src/report.py", UGLY)
        self.commit()

    def test_three_findings_in_order_the_print_once_and_the_next_edit_succeeds(self) -> None:
        run = self.play(
            [
                self.read(self.path),
                self.edit(self.path, "return str( a )", "print( a )\n    return a"),
                # a line that was reformatted, by its new text; without another Read
                self.edit(self.path, "def name(a: int) -> str:", "def name(a: int) -> int:"),
                self.edit(self.path, "return os.sep", "return os.sep * 2"),
            ]
        )
        first, second, third = (request.newest for request in run.requests[2:5])
        self.assert_in_order(
            first,
            "[format] ruff reformatted src/report.py: lines 4-5 and 9 changed.",
            '[mypy] src/report.py: 1 error\n  6:12  Incompatible return value type (got "int"',
            "[debug code] src/report.py: added by this edit\n  5  print",
        )
        for text in (second, third):  # the error is mended, the print is old
            self.assertIn("updated successfully", text)
            self.assertNotRegex(text, r"\[(format|mypy|debug code)\]")
        self.assertEqual(run.counts("[debug code]"), [0, 0, 1, 1, 1])
        self.assertEqual(
            self.lab.read("src", "report.py"),
            "import os\n\n\ndef name(a: int) -> int:\n    print(a)\n    return a\n\n\n"
            "def here() -> str:\n    return os.sep * 2\n",
        )
        status = self.lab.call(["git", "status", "--porcelain"]).stdout
        self.assertEqual(status, " M src/report.py\n")  # no cache of any tool

    def test_without_a_configuration_only_the_lines_of_the_edit(self) -> None:
        os.unlink(self.lab.path("pyproject.toml"))
        run = self.play(
            [self.read(self.path), self.edit(self.path, "return os.sep", "x  =  1\n    return x")]
        )
        self.assertIn("line 9 changed", run.requests[2].newest)
        wanted = UGLY.replace("return os.sep", "x = 1\n    return x")
        self.assertEqual(self.lab.read("src", "report.py"), wanted)

    def test_black_where_the_project_configures_it(self) -> None:
        self.put("pyproject.toml", "[tool.black]\nexclude = '/generated/'\n")
        other = self.put("src/generated/x.py", UGLY)
        run = self.play(
            [
                self.read(self.path),
                self.edit(self.path, "str( a )", "str( a+1 )"),
                self.read(other),
                self.edit(other, "str( a )", "str( a+1 )"),
            ]
        )
        self.assertIn("[format] black reformatted src/report.py", run.requests[2].newest)
        self.assertIn("return str(a + 1)", self.lab.read("src", "report.py"))
        self.assertNotIn("[format]", run.requests[4].newest)
        self.assertIn("str( a+1 )", self.lab.read("src", "generated", "x.py"))

    def test_a_clean_edit_is_silent(self) -> None:
        clean = self.put("src/clean.py", "a = 1\n")
        run = self.play([self.read(clean), self.edit(clean, "a = 1", "a = 2")])
        self.assertNotIn("hook additional context", run.requests[2].newest)

    def test_at_the_end_of_the_turn(self) -> None:
        switches = {"checks": "stop", "profile": "strict"}
        self.lab.write(self.lab.path(".claude", "settings.json"), {"customSkills": switches})
        other = self.put("src/other.py", "b: int = 1\n")
        script = [
            self.read(self.path),
            self.edit(self.path, "return str( a )", "return a"),
            self.read(other),
            self.edit(other, "= 1", '= ""'),
            "I am done.",
        ]
        run = self.play(script)
        self.assertEqual(run.counts("[mypy]"), [0, 0, 0, 0, 0, 2])
        self.assert_in_order(run.requests[-1].newest, "[mypy] src/report.py", "[mypy] src/other.py")
        del switches["profile"]  # then the answer of an unattended run counts for more
        self.lab.write(self.lab.path(".claude", "settings.json"), {"customSkills": switches})
        run = self.play([self.read(other), self.edit(other, '""', "b''")])
        self.assertEqual(run.result, "bye")


class TypeScriptTest(QualityTestCase):
    def test_prettier_tsc_and_console_log(self) -> None:
        self.put("web/.prettierrc", '{"singleQuote": true}')
        self.put("web/tsconfig.json", '{"compilerOptions": {"strict": true}, "include": ["src"]}')
        path = self.put("web/src/a.ts", "export const a: number = 1;\n")
        self.put("web/src/b.ts", 'export const b: number = "not mine";\n')
        self.commit()
        run = self.play(
            [
                self.read(path),
                self.edit(path, "= 1;", '= "x"\nconsole.log( a )'),
                self.edit(path, "= 'x';", "= 2;"),
            ]
        )
        self.assert_in_order(
            run.requests[2].newest,
            "[format] prettier reformatted web/src/a.ts: lines 1-2 changed.",
            "[tsc] web/src/a.ts: 1 error\n  1:14  TS2322: Type 'string' is not assignable",
            "[debug code] web/src/a.ts: added by this edit\n  2  console.log",
        )
        self.assertNotIn("b.ts", run.requests[2].newest)
        self.assertNotRegex(run.requests[3].newest, r"\[(format|tsc|debug code)\]")
        self.assertEqual(
            self.lab.read("web", "src", "a.ts"), "export const a: number = 2;\nconsole.log(a);\n"
        )
        self.assertEqual(
            self.lab.call(["git", "status", "--porcelain"]).stdout, " M web/src/a.ts\n"
        )

    def test_an_ignored_file_is_left_alone(self) -> None:
        self.put(".prettierrc", "{}")
        self.put(".prettierignore", "web/gen\n")
        path = self.put("web/gen/a.js", "let a=1\n")
        run = self.play([self.read(path), self.edit(path, "a=1", "a=2")])
        self.assertEqual(self.lab.read("web", "gen", "a.js"), "let a=2\n")
        self.assertNotIn("hook additional context", run.requests[2].newest)


class PhpTest(QualityTestCase):
    def test_pint_phpstan_and_var_dump(self) -> None:
        self.put("pint.json", "{}")
        self.put("phpstan.neon", "")
        formats = 'text = open(path).read().replace("=1", " = 1"); open(path, "w").write(text)'
        says = 'print(path + ":2:Variable $a is never used."); sys.exit(1)'
        for name, does in (("pint", formats), ("phpstan", says)):
            program = self.put("vendor/bin/" + name, STAND_IN % (PYTHON, does))
            os.chmod(program, 0o755)
        path = self.lab.path("src", "it's $(x) -- a.php")
        run = self.play([call("Write", file_path=path, content="<?php\n$a=1;\nvar_dump($a);\n")])
        name = "src/it's $(x) -- a.php"
        self.assert_in_order(
            run.requests[1].newest,
            "[format] pint reformatted %s: line 2 changed." % name,
            "[phpstan] %s: 1 error\n  2  Variable $a is never used." % name,
            "[debug code] %s: added by this edit\n  3  var_dump" % name,
        )
        for tool in ("pint", "phpstan"):
            (line,) = self.lab.read("vendor", "bin", tool + ".calls").splitlines()
            self.assertEqual(json.loads(line)[-2:], ["--", path])
        if shutil.which("php"):
            subprocess.run(["php", "-l", path], check=True, stdout=subprocess.DEVNULL)


class StopTest(QualityTestCase):
    def test_strict_asks_the_model_once(self) -> None:
        path = self.lab.path("a.py")
        script = [
            call("Write", file_path=path, content="print(1)\n"),
            "I am done.",  # and is asked to go on
        ]
        run = self.play(script, CUSTOM_SKILLS_PROFILE="strict")
        asked = "Debug code in changed lines: a.py:1 print"
        # the client itself tells a reason twice, as a reminder and as feedback
        self.assertEqual([count > 0 for count in run.counts(asked)], [False, False, True])


class ScreenTest(QualityTestCase):
    def screen(self, text: str) -> str:
        """Return what a person sees after the model wrote a file."""
        script = [call("Write", file_path=self.lab.path("a.py"), content=text), "That is all."]
        with Tui(self.lab, script) as tui:
            tui.type("write it")
            tui.wait("That is all.")
            return tui.wait(" · done ")

    def test_the_stop_finding_is_one_line(self) -> None:
        (line,) = hook_lines(self.screen("import os\n\nprint(os)\n"))
        self.assertIn("Stop says: debug code in changed lines: a.py:3 print", line)

    def test_a_clean_edit_leaves_no_line(self) -> None:
        self.assertEqual(hook_lines(self.screen("import os\n")), [])

    def test_a_slow_tool_is_told_on_the_spinner(self) -> None:
        os.unlink(self.lab.path(".venv"))
        slow = "import time; time.sleep(4); sys.stdout.write(sys.stdin.read())"
        os.chmod(self.put(".venv/bin/ruff", STAND_IN % (PYTHON, slow)), 0o755)
        script = [call("Write", file_path=self.lab.path("a.py"), content="a = 1\n"), "That is all."]
        with Tui(self.lab, script) as tui:
            tui.type("write it")
            tui.wait("Formatting and checking the edit")
            tui.wait("That is all.")
