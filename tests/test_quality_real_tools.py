"""Formatting after an edit, with the real tools."""

from __future__ import annotations

import os

from quality_case import RUFF, QualityTestCase


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
        self.assertIn("black reformatted", self.edit(path, "y = 3", "y = 4").context)
        path = self.put("src/gen/a.py", self.UGLY)
        self.assert_silent(self.edit(path, "y  =  2", "y  =  3"))

    def test_syntax_errors_change_nothing(self) -> None:
        for tool in ("ruff", "black"):
            self.link(tool)
            path = self.put("a.py", self.UGLY)
            done = self.edit(path, "y  =  2", "y  =  (")
            self.assertIn("does not parse", done.context)
            self.assertIn("y  =  (", self.read(path))
            os.unlink(os.path.join(self.project, ".venv/bin", tool))
