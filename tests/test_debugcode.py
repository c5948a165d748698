"""Debug statements: the corpus of snippets, and what no text may do to the scanners."""

from __future__ import annotations

import os
import random
import subprocess
import time
import unittest
from unittest import mock

from hooklib.quality.debugcode import scan, script_blocks
from support import LIB, PYTHON

CORPUS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus", "debug")
MARK = "»"  # stands before every debug statement of a snippet


class Snippet:
    """One entry of a corpus file."""

    def __init__(self, header: str, marked: str) -> None:
        title, path, names, *allowed = (part.strip() for part in header.split(" | "))
        self.title, self.path = title, path
        self.allowed = frozenset(" ".join(allowed).split())
        self.text = marked.replace(MARK, "")
        self.expected = places(marked, [] if names == "-" else names.split(", "))


def places(marked: str, names: list[str]) -> list[str]:
    """Return what is to be found in a text, each as repr(DebugStatement)."""
    found: list[str] = []
    for number, line in enumerate(marked.split("\n"), 1):
        parts = line.split(MARK)
        for count in range(1, len(parts)):
            column = 1 + sum(len(part) for part in parts[:count])
            found.append("%d:%d %s" % (number, column, names[len(found)]))
    assert len(found) == len(names), marked
    return found


def corpus(name: str) -> list[Snippet]:
    with open(os.path.join(CORPUS, name + ".txt"), encoding="utf-8") as file:
        blocks = file.read().split("\n=== ")[1:]
    return [Snippet(*block.partition("\n")[::2]) for block in blocks]


def found(path: str, text: str, allowed: frozenset[str] = frozenset()) -> list[str]:
    return [repr(one) for one in scan.find(path, text, allowed)]


class CorpusTest(unittest.TestCase):
    def check(self, name: str) -> None:
        snippets = corpus(name)
        self.assertGreater(len(snippets), 100)
        for snippet in snippets:
            with self.subTest(snippet.title):
                self.assertEqual(
                    found(snippet.path, snippet.text, snippet.allowed),
                    snippet.expected,
                    snippet.text,
                )

    def test_python(self) -> None:
        self.check("python")

    def test_javascript(self) -> None:
        self.check("js")

    def test_php(self) -> None:
        self.check("php")

    def test_most_snippets_hold_nothing(self) -> None:
        every = [snippet for name in ("python", "js", "php") for snippet in corpus(name)]
        silent = [snippet for snippet in every if not snippet.expected]
        self.assertGreaterEqual(len(every), 300)
        self.assertGreater(len(silent), len(every) / 2)

    def test_the_cheap_test_lets_no_snippet_with_a_finding_go(self) -> None:
        for name in ("python", "js", "php"):
            for snippet in corpus(name):
                if snippet.expected:
                    self.assertTrue(scan.may_contain(name, snippet.text), snippet.text)


class PlacesTest(unittest.TestCase):
    """Lines and columns, whatever the file's ends of lines and marks."""

    STATEMENTS = {
        "a.py": ("x = 1\n", "print(1)"),
        "a.js": ("x = 1\n", "console.log(1)"),
        "a.php": ("<?php\n$x = 'é';\n", "dump(1)"),
        "a.vue": ("<p>é</p>\n<script>\nx = 1\n", "console.log(1)"),
    }

    def test_ends_of_lines(self) -> None:
        for path, (before, statement) in self.STATEMENTS.items():
            for end in ("\n", "\r\n", "\r"):
                text = (before + "\n  ;" * (path != "a.py") + statement + "\n").replace("\n", end)
                (one,) = scan.find(path, text)
                line = before.count("\n") + (1 if path == "a.py" else 2)
                self.assertEqual((one.line, one.column), (line, 1 if path == "a.py" else 4), text)

    def test_a_byte_order_mark_is_not_counted(self) -> None:
        self.assertEqual(found("a.py", "\ufeffprint(1)"), ["1:1 print"])
        self.assertEqual(found("a.js", "\ufeffconsole.log(1)"), ["1:1 console.log"])
        self.assertEqual(found("a.php", "\ufeff<?php dd(1);"), ["1:7 dd"])

    def test_a_byte_order_mark_before_the_shebang(self) -> None:
        self.assertEqual(found("a.py", "\ufeff#!/usr/bin/python\nprint(1)"), [])

    def test_form_feeds(self) -> None:
        self.assertEqual(found("a.py", "x = 1\n\x0c\nprint(1)\n"), ["3:1 print"])
        self.assertEqual(found("a.py", "x = 1\n\x0cprint(1)\n"), ["2:2 print"])
        self.assertEqual(found("a.js", "x\n\x0c\nconsole.log(1)\n"), ["3:1 console.log"])

    def test_odd_separators_of_lines_are_no_ends_of_lines(self) -> None:
        self.assertEqual(found("a.py", "x = '\x85\u2028\x1c'\nprint(1)"), ["2:1 print"])
        self.assertEqual(found("a.js", "'\u2028'\n// \x85\nconsole.log(1)"), ["3:1 console.log"])

    def test_a_separator_of_lines_ends_a_comment_of_javascript(self) -> None:
        self.assertEqual(found("a.js", "// a \u2028console.log(1)"), ["1:7 console.log"])

    def test_python_that_is_no_text_for_the_parser(self) -> None:
        self.assertEqual(found("a.py", "print(1)\n\0"), ["1:1 print"])
        self.assertEqual(found("a.py", "x = '\ud800'\nprint(1)\n"), ["2:1 print"])

    def test_odd_escapes_make_no_noise(self) -> None:
        code = (
            "from hooklib.quality.debugcode import scan; scan.find('a.py', 'print(\"\\\\d\" is 1)')"
        )
        done = subprocess.run(
            [PYTHON, "-c", code], env={"PYTHONPATH": LIB}, capture_output=True, timeout=60
        )
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))


class LanguageTest(unittest.TestCase):
    def test_by_ending(self) -> None:
        for ending in "py pyi".split():
            self.assertEqual(scan.language("/a b/c." + ending), "python")
        for ending in "ts tsx js jsx mjs cjs mts cts JS vue svelte".split():
            self.assertEqual(scan.language("c." + ending), "js")
        self.assertEqual(scan.language("c.PHP"), "php")
        for path in ("", "py", "a.pyc", "a.py.txt", "a/js", ".", "a.htm", "a.phtml"):
            self.assertEqual(scan.language(path), "")

    def test_the_usual_clean_text_is_let_go(self) -> None:
        clean = {
            "python": "from flask import Blueprint\nlog.print(pdb, topic(1), basic.ic(2))\n",
            "js": "console.error(1); myconsole.log(2); consoles.warn(3)",
            "php": "<?php $a = array(1); $this->dump(); A::dd(); $ray = is_array($b); add(1);",
        }
        for language, text in clean.items():
            self.assertFalse(scan.may_contain(language, text), text)
        self.assertFalse(scan.may_contain("", "print(1)"))


# Pieces to compose files of. %s stands where a debug statement is text, and must not count; no
# statement here holds a quote, so that it fits anywhere.
HIDING = {
    "python": [
        "# %s\n",
        "x = 1  # it's %s\n",
        'x = "%s"\n',
        "x = '%s \\' %s'\n",
        'x = r"\\\\" + b"%s"\n',
        '"""\n%s\n"""\n',
        "x = '''%s\n%s '' '''\n",
        'x = f"%s {y} {{%s}}"\n',
        "x = f'''{y}\n%s'''\n",
        "x = rb'''\n%s'''\n",
        "x = f\"{y('%s')}\"\n",
        'def f(a: "%s"):\n    """%s"""\n',
    ],
    "js": [
        "// %s\n",
        "/* it's %s */\n",
        "/**\n * %s\n */\n",
        'x = "%s";\n',
        "x = '\\' %s';\n",
        "x = `%s`;\n",
        "x = `%s ${y} %s ${`%s`} %s`;\n",
        "x = y / 2; z = /%s/g;\n",
        "if (y) /[/]%s/.test(z);\n",
        "x = f(/%s/, '%s');\n",
        'x = <p a="%s">%s {y} <b/> %s</p>;\n',
        "x = <>it's %s {/* %s */}</>;\n",
        "x = { a: `${'%s'}` }; y = x / 2; z = '%s/';\n",
        "function g() { return /%s/ }\n",
    ],
    "php": [
        "// %s\n",
        "# it's %s\n",
        "/* %s */\n",
        "/**\n * %s\n */\n",
        "$x = '%s \\' %s';\n",
        '$x = "%s {$y["a"]} %s";\n',
        '$x = <<<EOT\n%s "\nEOT;\n',
        "$x = <<<'EOT'\n%s '\n  EOT;\n",
        "?> it's %s <?php\n",
        "// %s ?> %s <?php\n",
        "?><?= $x ?> %s <?php\n",
        "$x = `%s`;\n",
    ],
}
# The same where it is code and must count. Python gets each in a line of its own.
SHOWING = {
    "python": ["%s\n", "if x:\n    %s\n", "def g():\n    return [1, %s]\n", "y = f'{%s}'\n"],
    "js": [
        "%s;\n",
        "if (x) { %s; }\n",
        "const f = () => { %s };\n",
        "x = `a ${(() => { %s; })()} b`;\n",
        "x = <p a={() => { %s; }}>it's {() => { %s }}</p>;\n",
        "class A { m() { %s; } }\n",
        "switch (x) { case 1: %s; }\n",
    ],
    "php": [
        "%s;\n",
        "if ($x) { %s; }\n",
        "class A { function m() { %s; } }\n",
        "?><?= %s ?><?php\n",
    ],
}
STATEMENTS = {
    "python": ["print(1)", "breakpoint()", "pdb.set_trace()", "pprint.pprint(x)", "ic(1)"],
    "js": ["console.log(1)", "console?.debug(x)", "debugger", "window.console.table(1)"],
    "php": ["var_dump(1)", "dd(1)", "print_r(1)", "error_log(1)", "\\dump(1)", "xdebug_break()"],
}
PATHS = {"python": "a.py", "js": "a.jsx", "php": "a.php"}
# the second of Python does not parse
BEGINNINGS = {"python": ["", "x = = 1\n"], "js": ["", "x = 1\n"], "php": ["<?php\n", "a <? "]}
NAMES = {
    "pprint.pprint(x)": "pprint",
    "window.console.table(1)": "console.table",
    "console?.debug(x)": "console.debug",
}


class PropertyTest(unittest.TestCase):
    """Statements in comments and strings never count, the same in code always do."""

    def compose(self, language: str, chance: random.Random, hiding: bool, showing: bool) -> str:
        pieces = [chance.choice(BEGINNINGS[language])]
        for _ in range(chance.randint(1, 12)):
            if showing and (not hiding or chance.random() < 0.4):
                piece = chance.choice(SHOWING[language]).replace("%s", MARK + "%s")
            else:
                piece = chance.choice(HIDING[language])
            while "%s" in piece:
                piece = piece.replace("%s", chance.choice(STATEMENTS[language]), 1)
            pieces.append(piece)
        return "".join(pieces)

    def check(self, hiding: bool, showing: bool) -> None:
        chance = random.Random(20)
        for language in HIDING:
            for _ in range(400):
                marked = self.compose(language, chance, hiding, showing)
                names = [self.name(part) for part in marked.split(MARK)[1:]]
                text = marked.replace(MARK, "")
                self.assertEqual(found(PATHS[language], text), places(marked, names), "\n" + text)
                if language == "js":
                    begin, end = '<p>a</p>\n<script lang="jsx">', "</script>\n"
                    expected = places(begin + marked + end, names)
                    self.assertEqual(found("a.vue", begin + text + end), expected, "\n" + text)

    def name(self, code: str) -> str:
        for statements in STATEMENTS.values():
            for statement in statements:
                if code.startswith(statement):
                    return NAMES.get(statement, statement.partition("(")[0].lstrip("\\"))
        raise AssertionError(code)

    def test_hidden_statements_never_count(self) -> None:
        self.check(hiding=True, showing=False)

    def test_statements_in_code_always_count(self) -> None:
        self.check(hiding=False, showing=True)

    def test_statements_in_code_count_among_hidden_ones(self) -> None:
        self.check(hiding=True, showing=True)


class AnyTextTest(unittest.TestCase):
    """No text makes a scanner raise, hang or report a place outside of it."""

    PATHS = ("a.py", "a.js", "a.ts", "a.tsx", "a.php", "a.vue")

    def check(self, text: str) -> None:
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        for path in self.PATHS:
            for one in scan.find(path, text):
                self.assertLessEqual(one.line, len(lines))
                self.assertLessEqual(one.column, len(lines[one.line - 1]) + 1)

    def test_mutated_snippets(self) -> None:
        chance = random.Random(7)
        texts = [one.text for name in ("python", "js", "php") for one in corpus(name)]
        for _ in range(1500):
            text = "".join(chance.choice(texts) for _ in range(chance.randint(1, 3)))
            for _ in range(chance.randint(1, 6)):
                at, length = chance.randrange(len(text) + 1), chance.randint(0, 9)
                cut = chance.choice(
                    ("", "", chance.choice("\"'`/\\{}()[]<>$#?:;,.\n\0 é"), text[:at])
                )
                text = text[:at] + cut + text[at + length :]
            self.check(text)

    def test_random_text(self) -> None:
        chance = random.Random(8)
        words = [
            *"<script> </script> <template> <!-- ".split(),
            *"print( console.log( debugger dump( <?php ?> <<<A A ${ ` ' \" ''' /* */ // #".split(),
            *'{ } ( ) [ ] < > </ /> \\ = f" => class function import as : ; . ?.'.split(),
            *("\n", "\r", " "),
        ]
        for _ in range(1500):
            self.check("".join(chance.choice(words) for _ in range(chance.randint(1, 60))))
            raw = bytes(chance.randrange(256) for _ in range(80))
            self.check("print(1) console.log(1) <?php dump(1) " + raw.decode("utf-8", "replace"))
            self.check("console.log(1) " + raw.decode("utf-8", "surrogateescape"))

    def test_long_texts_take_time_in_proportion(self) -> None:
        pieces = [
            *"( [ { `${ <a> <a|b={ ' \" \\ '\\ / /[ /* // <!-- x=> a? #[ <?=| -| a. )) ~".split(),
            *"function|f(console){ (console)=>( console, console: {console} case|".split(),
            *"[const|console= for(const|console|of|a) window.console.log( <T>( a!/".split(),
            *'//|?><?php| <<<A~ "{$a[" print_r( use|function|a, use|a{ class|A{'.split(),
            *"<script> ~<script></script> <template> <template></template> <b|'a'>".split(),
            *"<A></B> <a".split(),
            *"f'{ f'''{ f'{x:{ print(file= def|f( x\\~ lambda| not| import|a|as|b,".split(),
        ]
        pieces = [piece.replace("|", " ").replace("~", "\n") for piece in pieces]
        for path in self.PATHS:
            for piece in pieces:
                text = "print(1);console.log(1);<?php dump(1);\n" + piece * (30_000 // len(piece))
                start = time.process_time()
                scan.find(path, text)
                self.assertLess(time.process_time() - start, 2, (path, piece))


class CostTest(unittest.TestCase):
    def test_a_tag_that_nothing_closes_is_looked_for_once(self) -> None:
        with mock.patch.object(script_blocks, "_close", wraps=script_blocks._close) as close:
            self.assertEqual(script_blocks.blocks("<input>\n" * 100), [])
        self.assertEqual(close.call_count, 1)

    def test_what_loading_it_imports(self) -> None:
        code = (
            "import sys\n"
            "from hooklib.quality import edited_file; before = set(sys.modules)\n"
            "from hooklib.quality.debugcode import scan\n"
            "scan.find('a.py', 'print(1)'); scan.find('a.jsx', 'console.log(1)')\n"
            "scan.find('a.php', '<?php dd(1);'); scan.find('a.py', 'print(1')\n"
            "print(*sorted(name for name in set(sys.modules) - before if 'hooklib' not in name))"
        )
        done = subprocess.run(
            [PYTHON, "-S", "-c", code], env={"PYTHONPATH": LIB}, capture_output=True, timeout=60
        )
        self.assertLessEqual(set(done.stdout.decode().split()), {"__future__", "warnings"})
        self.assertEqual(done.stderr, b"")
