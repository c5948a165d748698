"""Formatting after an edit: which lines."""

from __future__ import annotations

import os
from typing import Any

from quality_case import FORMATS, QualityTestCase


class LinesTest(QualityTestCase):
    """Without a configured formatter only what was edited is formatted."""

    def setUp(self) -> None:
        super().setUp()
        self.tool("ruff", 'say(text) if "--range" in str(args) else ' + FORMATS)

    def ranges(self) -> list[Any]:
        """The arguments that name a range, by call."""
        return [[arg for arg in args if "range" in arg] for _, args, _ in self.calls()]

    def test_a_file_whose_lines_end_in_different_ways_is_left_alone(self) -> None:
        self.tool("ruff", FORMATS)
        for text, old, new in (
            ("x = 1\r\ny=2\nz=  3\nw=4\n", "w=4", "w=5"),
            ("a=1\nb=2\r\nc=3\r\n", "c=3", "c=4"),
            ("a=1\nb = 'q'\rc=3\nd=4\n", "d=4", "d=5"),
        ):
            with self.subTest(text):
                path = self.put("a.py", text)
                self.assert_silent(self.edit(path, old, new))
                self.assertEqual(self.read(path), text.replace(old, new))
                self.assertEqual([found for found in self.ranges() if found], [])
        path = self.put("a.py", "x=1\r\ny=2\r\n")
        self.assertIn("ruff reformatted a.py", self.edit(path, "y=2", "y=3").context)
        self.assertNotEqual([found for found in self.ranges() if found], [])

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
        from quality_case import patch

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
