"""Debug code: warned of in the lines an edit added, and once more at the end of a turn."""

import json
import os
import subprocess
from typing import Any

from quality_case import QualityTestCase

from support import event

MARK = "[debug code] "


class WarnTest(QualityTestCase):
    def lines(self, context: str) -> list[Any]:
        """What is warned of: line and name."""
        self.assertTrue(not context or context.startswith(MARK), context)
        return [tuple(line.split()) for line in context.splitlines()[1:]]

    def test_lines_that_this_edit_added(self) -> None:
        path = self.put("src/a.py", "import os\nprint(os)\n\n\ndef f():\n    return 1\n")
        done = self.edit(path, "    return 1", "    x = 1\n    print(x)\n    return x")
        self.assertEqual(done.context, "[debug code] src/a.py: added by this edit\n  7  print")

    def test_old_ones_are_not_told_again(self) -> None:
        path = self.put("a.py", "a = 1\n")
        self.assertIn("print", self.edit(path, "a = 1", "a = 1\nprint(a)").context)
        self.assert_silent(self.edit(path, "a = 1", "a = 2"))
        self.assert_silent(self.edit(path, "a = 2", "b = 0\na = 2"))  # it moved
        self.assert_silent(self.edit(path, "print(a)\n", ""))

    def test_a_line_that_was_changed_is_one_that_was_added(self) -> None:
        path = self.put("a.py", "a = 1\nprint(a)\n")
        self.assertEqual(self.lines(self.edit(path, "(a)", "(a, 1)").context), [("2", "print")])

    def test_each_language(self) -> None:
        for name, text, what in (
            ("a.py", "import pdb; pdb.set_trace()\n", "set_trace"),
            ("a.pyi", "breakpoint()\n", "breakpoint"),
            ("a.ts", "console.log(1)\n", "console.log"),
            ("a.jsx", "debugger\n", "debugger"),
            ("a.php", "<?php\nvar_dump($a);\n", "var_dump"),
        ):
            with self.subTest(name):
                self.assertIn(what, self.create(name, text).context)
        for name, text in (
            ("b.py", '"""print(1)"""\n# print(1)\nself.print(1)\n'),
            ("b.ts", "// console.log(1)\nconst a = 'debugger'\nconsole.error(1)\n"),
            ("b.php", "<?php\n// dd(1);\n$x = print_r($a, true);\n"),
            ("b.txt", "print(1)\n"),
            ("c.py", "#!/usr/bin/env python3\nprint(1)\n"),
        ):
            with self.subTest(name):
                self.assert_silent(self.create(name, text))

    def test_at_most_five_and_the_rest_counted(self) -> None:
        said = self.create("a.py", "print(1)\n" * 9).context.splitlines()
        self.assertEqual(len(said), 7)
        self.assertEqual(said[-1], "  ... and 4 more")

    def test_a_file_written_anew(self) -> None:
        self.put("a.py", "a = 1\nprint(a)\n")
        done = self.create("a.py", "a = 1\nprint(a)\nb = 2\nprint(b)\n")
        self.assertEqual(self.lines(done.context), [("4", "print")])

    def test_lines_that_the_formatter_moved(self) -> None:
        self.put("pyproject.toml", "[tool.ruff]\n")
        self.tool("ruff", 'say("# one\\n# two\\n" + text.replace("( ", "(").replace(";", "\\n"))')
        path = self.put("a.py", 'print( "old" )\na = 1\n')
        said = self.edit(path, "a = 1", 'a = 2;print( "new" )').context
        self.assertIn("[debug code] a.py: added by this edit\n  5  print", said)
        self.assertNotIn("  3  print", said)  # formatted too, but not added

    def test_a_formatter_that_ran_before_us(self) -> None:
        path = self.put("a.py", "print( 0 )\na = 1\n")
        given = self.edited(path, "a = 1", "a=2\nprint( 1 )")
        self.put(path, "# top\n\nprint(0)\na = 2\nprint(1)\n")
        script = "code-quality/warn-python-debug.py"
        self.assertEqual(self.lines(self.run_script(script, given).context), [("5", "print")])

    def test_tabs_and_other_line_ends(self) -> None:
        path = self.put("a.py", "if 1:\r\n\ta = 1\r\n\tprint(a)\r\n")
        done = self.edit(path, "\ta = 1", "\ta = 2\r\n\tprint(2)")
        self.assertEqual(self.lines(done.context), [("3", "print")])

    def test_without_a_patch_the_texts_are_looked_for(self) -> None:
        path = self.put("a.py", "print(0)\na = 1\nprint(2)\n")
        given = {"file_path": path, "old_string": "a\n", "new_string": "a = 1\nprint(2)"}
        done = self.run_event(self.post("Edit", given))
        self.assertEqual(self.lines(done.context), [("3", "print")])
        given = {"file_path": path, "old_string": "0\nprint(2)", "new_string": "a = 1\nprint(2)"}
        self.assert_silent(self.run_event(self.post("Edit", given)))
        edits = [
            {"old_string": "", "new_string": "print(0)"},
            {"old_string": "1", "new_string": "a = 1"},
        ]
        done = self.run_event(self.post("MultiEdit", {"file_path": path, "edits": edits}))
        self.assertEqual(self.lines(done.context), [("1", "print")])

    def test_with_nothing_to_go_by_git_is_asked(self) -> None:
        path = self.put("a.py", "print(0)\na = 1\n")
        given = self.post("Edit", {"file_path": path}, "text of another host")
        self.assertEqual(len(self.lines(self.run_event(given).context)), 1)  # no commit yet
        self.commit()
        self.assert_silent(self.run_event(given))
        self.put("a.py", "print(0)\na = 1\nprint(2)\n")
        self.assertEqual(self.lines(self.run_event(given).context), [("3", "print")])
        new = self.put("new.py", "print(0)\n")
        done = self.run_event(self.post("Edit", {"file_path": new}))
        self.assertEqual(self.lines(done.context), [("1", "print")])

    def test_odd_patches(self) -> None:
        path = self.put("a.py", "print(0)\n")
        patch: Any
        for patch in (
            [],
            [None],
            [{}],
            [{"newStart": "1", "lines": ["+x"]}],
            [{"newStart": 1, "lines": "+x"}],
            [{"newStart": 1, "lines": [None, 5]}],
            [{"newStart": 10**12, "lines": ["+x"]}],
            [{"newStart": -5, "lines": ["+x"]}],
            "x",
        ):
            with self.subTest(str(patch)):
                self.commit()
                response = {"structuredPatch": patch, "originalFile": "print(0)\n"}
                given = {"file_path": path, "old_string": "z", "new_string": "zz"}
                self.assert_silent(self.run_event(self.post("Edit", given, response)))
        self.assertEqual([line for line in self.log() if line["outcome"] == "error"], [])

    def test_scripts_of_vue_and_svelte(self) -> None:
        text = "<p>{console.log(1)}</p>\n<script>\n  console.log(2)\n</script>\n"
        for name in ("a.vue", "src/b.svelte"):
            self.assertIn("\n  3  console.log", self.create(name, text).context)
            self.assert_silent(self.create(name, text.replace("  console", "// console")))

    def test_what_is_allowed(self) -> None:
        self.settings(allowDebug=["print", "scripts/**", "*_cli.py", 5])
        self.assert_silent(self.create("a.py", "print(1)\n"))
        self.assert_silent(self.create("scripts/b/c.ts", "console.log(1)\n"))
        self.assert_silent(self.create("src/my_cli.py", "breakpoint()\n"))
        self.assertIn("breakpoint", self.create("b.py", "print(1)\nbreakpoint()\n").context)
        self.assertIn("console.log", self.create("c.ts", "console.log(1)\n").context)

    def test_switched_off(self) -> None:
        for env in (
            {"CUSTOM_SKILLS_DISABLED": "warn-python-debug"},
            {"CUSTOM_SKILLS_DISABLED": "python-quality"},
            {"CUSTOM_SKILLS_PROFILE": "minimal"},
        ):
            self.assert_silent(self.create("a.py", "print(1)\n", **env))


class StopTest(QualityTestCase):
    def message(self, **fields: object) -> str:
        """The one line for the user."""
        done = self.stop(**fields)
        self.assertLessEqual(set(done.answer), {"systemMessage"})
        self.assertNotIn("\n", done.answer.get("systemMessage", ""))
        text: str = done.answer.get("systemMessage", "")
        return text

    def test_one_line_for_the_user_once(self) -> None:
        self.create("src/a.py", "print(1)\nbreakpoint()\n")
        self.assertEqual(
            self.message(), "debug code in changed lines: src/a.py:1 print, src/a.py:2 breakpoint"
        )
        self.assertEqual(self.message(), "")
        self.create("src/b.ts", "console.log(1)\n")
        self.assertEqual(self.message(), "debug code in changed lines: src/b.ts:1 console.log")
        self.assertEqual(self.message(), "")

    def test_only_a_few_are_named(self) -> None:
        self.create("a.py", "".join("print(%d)\n" % n for n in range(7)))
        self.assertTrue(self.message().endswith("a.py:3 print, and 4 more"))

    def test_only_changed_lines(self) -> None:
        path = self.put("a.py", "print(0)\na = 1\n")
        self.commit()
        self.assertEqual(self.message(), "")
        self.edit(path, "a = 1", "a = 2")
        self.assertEqual(self.message(), "")
        self.edit(path, "a = 2", "a = 2\nprint(a)")
        self.assertEqual(self.message(), "debug code in changed lines: a.py:3 print")
        self.commit()
        self.assertEqual(self.message(session_id="another"), "")

    def test_what_git_says_without_an_edit_of_the_session(self) -> None:
        self.put("old.py", "a = 1\n")
        self.put("gone.py", "print(1)\n")
        self.put("was.py", "print(5)\n" + "a = 1\n" * 9)
        self.commit()
        self.put("old.py", "a = 1\nprint(a)\n")
        os.unlink(os.path.join(self.project, "gone.py"))
        self.git("mv", "was.py", "is now.py")
        self.put("new/deep/ü 'x' $(y).py", "print(1)\n")
        self.put("a\nb.py", "print(1)\n")
        self.put("-rf.py", "print(1)\n")
        self.put("node_modules/x.js", "console.log(1)\n")
        self.put("x_pb2.py", "print(1)\n")
        self.put("notes.txt", "print(1)\n")
        said = self.message()
        self.assertIn("and 1 more", said)
        self.assertNotIn("is now", said)
        whole = self.stop(session_id="strict", profile="strict").answer["reason"]
        for part in ("old.py:2", "new/deep/ü 'x' $(y).py:1", "a b.py:1", "-rf.py:1"):
            self.assertIn(part, whole)
        for part in ("node_modules", "pb2", "notes", "gone", "is now"):
            self.assertNotIn(part, whole)

    def test_many_other_files_do_not_hide_one(self) -> None:
        for number in range(400):
            self.put("notes/%d.txt" % number, "x")
            self.put("src/a%d.py" % number, "x = 1\n")
        self.create("z.py", "print(1)\n")
        self.assertEqual(self.message(), "debug code in changed lines: z.py:1 print")

    def test_no_commit_yet(self) -> None:
        self.put("a.py", "print(1)\n")
        self.put("b.py", "print(1)\n")
        self.git("add", "a.py")
        self.assertIn("a.py:1 print, b.py:1 print", self.message())

    def test_from_a_folder_below(self) -> None:
        self.put("sub/b.py", "print(1)\n")
        self.put("a.py", "print(1)\n")
        self.commit()
        self.put("a.py", "print(1)\nprint(2)\n")
        below = os.path.join(self.project, "sub")
        given = event("Stop", stop_hook_active=False, background_tasks=[], cwd=below)
        done = self.run_event(given, CLAUDE_PROJECT_DIR=below)
        said = done.answer["systemMessage"]
        self.assertEqual(said, "debug code in changed lines: a.py:2 print")

    def test_outside_a_repository_the_sessions_own_lines(self) -> None:
        self.project = self.folder("no repository")
        path = self.put("a.py", "print(0)\na = 1\n")
        self.put("never touched.py", "print(0)\n")
        self.edit(path, "a = 1", "a = 2")
        self.assertEqual(self.message(), "")
        self.edit(path, "a = 2", "a = 2\nprint(a)")
        self.create("new.py", "breakpoint()\n")
        self.assertEqual(
            self.message(), "debug code in changed lines: a.py:3 print, new.py:1 breakpoint"
        )
        folder = os.path.join(self.data, "quality/sessions")
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), "rb") as file:
                self.assertNotIn(b"print", file.read())  # it keeps no contents

    def test_strict_asks_the_model_once(self) -> None:
        self.create("a.py", "print(1)\n")
        answer = self.stop(profile="strict").answer
        self.assertEqual(answer["decision"], "block")
        self.assertIn("a.py:1 print", answer["reason"])
        self.assert_silent(self.stop(profile="strict", stop_hook_active=True))
        self.assert_silent(self.stop(profile="strict"))  # the same again
        self.put("a.py", "a = 1\n\nprint(1)\n")
        self.assert_silent(self.stop(profile="strict"))  # it only moved

    def test_never_more_than_two_turns_in_a_row(self) -> None:
        said = []
        for number in range(4):
            self.create("a%d.py" % number, "print(1)\n")
            said.append(sorted(self.stop(profile="strict").answer))
        block, tell = ["decision", "reason"], ["systemMessage"]
        self.assertEqual(said, [block, block, tell, tell])
        for number in range(4):
            self.put("a%d.py" % number, "a = 1\n")
        self.assert_silent(self.stop(profile="strict"))  # clean: the count begins anew
        self.create("b.py", "print(1)\n")
        self.assertEqual(sorted(self.stop(profile="strict").answer), block)

    def test_silent_while_the_turn_is_not_over(self) -> None:
        self.create("a.py", "print(1)\n")
        self.assert_silent(self.stop(stop_hook_active=True))
        self.assert_silent(self.stop(background_tasks=[{"id": "b1", "status": "running"}]))
        self.assertIn("a.py:1", self.message())

    def test_silent_cases(self) -> None:
        self.assertEqual(self.message(), "")
        self.create("a.py", "print(1)\n")
        self.assert_silent(self.stop(profile="minimal"))
        for off in ("check-debug-code", "code-quality"):
            self.settings(disabled=[off])
            self.assert_silent(self.stop())
        self.settings(allowDebug=["print"])
        self.assert_silent(self.stop())

    def test_git_that_fails_or_is_missing(self) -> None:
        self.create("a.py", "print(1)\n")
        folder = self.folder("broken git")
        self.tool("git", "say('\\0' * 9 + 'R \\0??'); sys.exit(0)", folder)
        given = event("Stop", stop_hook_active=False, background_tasks=[], cwd=self.project)
        self.assert_silent(self.run_event(given, PATH=folder + ":" + self.env()["PATH"]))
        self.tool("git", "sys.exit(128)", folder)
        self.assert_silent(self.run_event(given, PATH=folder + ":" + self.env()["PATH"]))

    def test_nothing_that_the_repository_names_is_started(self) -> None:
        self.put("a.py", "a = 1\n")
        self.commit()
        self.put("a.py", "a = 1\nprint(1)\n")
        trap = os.path.join(self.base, "trapped")
        for key in ("core.fsmonitor", "diff.external", "core.pager", "diff.x.textconv"):
            self.git("config", key, "touch '%s'; true" % trap)
        self.put(".gitattributes", "*.py diff=x\n")
        self.assertIn("a.py:2", self.message())
        self.assertFalse(os.path.exists(trap))


class PassthroughTest(QualityTestCase):
    """Alone, with --passthrough: stdin comes out as it went in, whatever happens."""

    def echoed(self, script: str, given: bytes, **env: str) -> str:
        path = os.path.join(self.root, "scripts/code-quality", script)
        done = subprocess.run(
            [path, "--passthrough"],
            input=given,
            env=self.env(**env),
            capture_output=True,
            timeout=60,
            cwd=self.project,
        )
        self.assertEqual((done.returncode, done.stdout), (0, given))
        return done.stderr.decode()

    def test_every_script_echoes_everything(self) -> None:
        path = self.put("a.py", "a = 1\n")
        event = json.dumps(self.edited(path, "a = 1", "a = 2"), indent=3).encode()
        for script in sorted(os.listdir(os.path.join(self.root, "scripts/code-quality"))):
            for given in (event, b"", b"not json {", b"\xff\x00\n\r\n", b"[1, 2]", event + b"\n\n"):
                self.assertEqual(self.echoed(script, given), "", (script, given))
        self.assertEqual(self.echoed("format-python.py", b"x" * 3_000_000), "")
        self.assertEqual(self.echoed("format-python.py", event, CUSTOM_SKILLS="0"), "")

    def test_messages_go_to_stderr(self) -> None:
        path = self.put("a.py", "a = 1\n")
        given = json.dumps(self.edited(path, "a = 1", "print(1)")).encode()
        said = self.echoed("warn-python-debug.py", given)
        self.assertEqual(said, "[debug code] a.py: added by this edit\n  1  print\n")

    def test_also_where_the_hook_fails(self) -> None:
        path = self.put("a.py", "a = 1\n")
        given = json.dumps(self.edited(path, "a = 1", "print(1)")).encode()
        blocked = self.write("a file", "")  # no folder can be made below it
        self.echoed("warn-python-debug.py", given, CLAUDE_PLUGIN_DATA=blocked + "/data")

    def test_alone_each_stage_works_by_itself(self) -> None:
        path = self.put("a.py", "a = 1\n")
        given = self.edited(path, "a = 1", "print(1)")
        done = self.run_script("code-quality/warn-python-debug.py", given)
        self.assertIn("print", done.context)
        self.assert_silent(self.run_script("code-quality/warn-console-log.py", given))
        self.assert_silent(self.run_script("code-quality/check-mypy.py", given))
        self.assert_silent(self.run_script("code-quality/format-python.py", "garbage"))
