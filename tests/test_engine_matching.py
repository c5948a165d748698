"""Matchers: every form, mostly on events that they must leave alone."""

from __future__ import annotations

import os
import unittest
from typing import Any
from unittest import mock

from hooklib.engine import expression, matcher
from hooklib.event import Event

PROJECT = os.path.join(os.sep, "home", "dev", "project")


def tool(name: str, **given: object) -> Event:
    data = {"cwd": PROJECT, "tool_name": name, "tool_input": given, "session_id": "s"}
    return Event("PreToolUse", data)


EDIT_PY = tool("Edit", file_path=PROJECT + "/src/app/main.py", old_string="a", replace_all=False)
EDIT_MD = tool("Edit", file_path=PROJECT + "/README.md")
OUTSIDE = tool("Write", file_path="/etc/hosts")
RELATIVE = tool("Write", file_path="docs/guide.md")
PUSH = tool("Bash", command="git push origin main", timeout=5)
STATUS = tool("Bash", command="git status")
READ = tool("Read", file_path=PROJECT + "/src/app/main.py")
MCP = tool("mcp__db__query", sql="select 1")
NOTHING = tool("")
STARTUP = Event("SessionStart", {"source": "startup", "cwd": PROJECT})
PROMPT = Event("UserPromptSubmit", {"prompt": "deploy it now", "cwd": PROJECT})
STOP = Event("Stop", {"cwd": PROJECT})
EVENTS = {
    name: value for name, value in globals().items() if isinstance(value, Event)
}  # by the names above

# matcher, the events that it fits, the events that it must not fit
TABLE = [
    (None, "EDIT_PY PUSH STARTUP STOP NOTHING", ""),
    ("", "EDIT_PY PUSH STARTUP STOP", ""),
    ("*", "EDIT_PY PUSH STARTUP STOP NOTHING", ""),
    ("Edit", "EDIT_PY EDIT_MD", "OUTSIDE PUSH READ MCP NOTHING STARTUP"),
    ("edit", "", "EDIT_PY PUSH NOTHING"),
    ("Edi", "", "EDIT_PY"),
    ("Edit|Write", "EDIT_PY OUTSIDE", "PUSH READ MCP NOTHING"),
    ("Edit, Write", "EDIT_PY OUTSIDE", "PUSH READ"),
    (" Edit , Write ", "EDIT_PY OUTSIDE", "PUSH"),
    ("Edit|", "EDIT_PY NOTHING", "PUSH"),
    ("startup", "STARTUP", "EDIT_PY"),
    ("compact|clear", "", "STARTUP"),
    ("Bash", "PUSH STOP PROMPT", "STARTUP EDIT_PY"),  # no tool there: as Claude Code, ignored
    ("^Edit$", "EDIT_PY", "PUSH"),
    ("E.it", "EDIT_PY", "PUSH READ"),
    (".*", "EDIT_PY PUSH MCP NOTHING STARTUP", ""),
    ("di.$", "EDIT_PY", "PUSH"),
    ("mcp__.*", "MCP", "EDIT_PY PUSH"),
    ("mcp__[a-z]+__query", "MCP", "EDIT_PY"),
    ("^(?!Bash)", "EDIT_PY MCP", "PUSH STATUS"),
    ("(Edit", "", "EDIT_PY PUSH"),  # invalid: compared as it is
    ("Edit(", "", "EDIT_PY"),
    ("[", "", "EDIT_PY PUSH"),
    ("Bash(git *)", "", "PUSH EDIT_PY"),
    ({}, "EDIT_PY PUSH STOP", ""),
    ({"tools": "Edit"}, "EDIT_PY", "PUSH READ NOTHING"),
    ({"tools": "Edit|Write"}, "EDIT_PY OUTSIDE", "PUSH"),
    ({"tools": "E.*"}, "EDIT_PY", "READ PUSH"),
    ({"tools": "di."}, "", "EDIT_PY"),  # the object form wants the whole name
    ({"tools": ["Edit", "Write"]}, "EDIT_PY OUTSIDE", "PUSH"),
    ({"paths": "*.py"}, "EDIT_PY READ", "EDIT_MD OUTSIDE PUSH STOP PROMPT NOTHING"),
    ({"paths": "**/*.py"}, "EDIT_PY", "EDIT_MD PUSH"),
    ({"paths": "src/**"}, "EDIT_PY READ", "EDIT_MD OUTSIDE PUSH"),
    ({"paths": "src/*.py"}, "", "EDIT_PY EDIT_MD"),
    ({"paths": "src/*/main.py"}, "EDIT_PY", "EDIT_MD"),
    ({"paths": "app/main.py"}, "", "EDIT_PY"),
    ({"paths": "main.py"}, "EDIT_PY", "EDIT_MD"),
    ({"paths": "*.{ts,py}"}, "EDIT_PY", "EDIT_MD"),
    ({"paths": ["*.ts", "*.md"]}, "EDIT_MD RELATIVE", "EDIT_PY OUTSIDE"),
    ({"paths": "/etc/*"}, "OUTSIDE", "EDIT_PY RELATIVE"),
    ({"paths": "docs/**"}, "RELATIVE", "EDIT_MD OUTSIDE"),
    ({"commands": "git push"}, "PUSH", "STATUS EDIT_PY STOP"),
    ({"commands": "^git (push|pull)"}, "PUSH", "STATUS EDIT_PY"),
    ({"commands": "^push"}, "", "PUSH STATUS"),
    ({"commands": ["rm -rf", "push.*main"]}, "PUSH", "STATUS"),
    ({"commands": "(unclosed"}, "", "PUSH STATUS"),
    ({"tools": "Bash", "commands": "push"}, "PUSH", "STATUS EDIT_PY"),
    ({"tools": "Edit", "paths": "*.py"}, "EDIT_PY", "READ EDIT_MD"),
    ({"tools": "Read", "commands": "push"}, "", "READ PUSH"),
    ('tool == "Bash"', "PUSH STATUS", "EDIT_PY STARTUP STOP NOTHING"),
    ("tool == 'Bash'", "PUSH", "EDIT_PY"),
    ('tool=="Bash"', "PUSH", "EDIT_PY"),
    ('tool != "Bash"', "EDIT_PY NOTHING STOP", "PUSH STATUS"),
    ('tool == "bash"', "", "PUSH EDIT_PY"),
    ('tool in ("Edit", "Write")', "EDIT_PY OUTSIDE", "PUSH READ NOTHING"),
    ('tool in ("Edit")', "EDIT_PY", "OUTSIDE"),
    ('tool matches "mcp__*"', "MCP", "EDIT_PY PUSH NOTHING"),
    ('tool matches "^(Edit|Write)$"', "EDIT_PY OUTSIDE", "PUSH"),
    ('tool contains "di"', "EDIT_PY", "PUSH READ"),
    ('tool_input.command matches "git push*"', "PUSH", "STATUS EDIT_PY STOP"),
    ('tool_input.command matches "push"', "", "PUSH STATUS"),  # a glob is for the whole value
    ('tool_input.command matches "*push*"', "PUSH", "STATUS"),
    ('tool_input.command matches "(push|pull)"', "PUSH", "STATUS"),
    ('tool_input.command matches "^git\\s+push"', "PUSH", "STATUS"),
    ('tool_input.command contains "origin"', "PUSH", "STATUS EDIT_PY"),
    ('tool_input.command == "git status"', "STATUS", "PUSH EDIT_PY"),
    ('tool_input.command != "git status"', "PUSH EDIT_PY", "STATUS"),
    ('tool_input.file_path matches "*.py"', "EDIT_PY READ", "EDIT_MD PUSH OUTSIDE"),
    ('tool_input.file_path matches "src/**/*.py"', "EDIT_PY", "EDIT_MD OUTSIDE"),
    ('tool_input.file_path matches "\\.(py|pyi)$"', "EDIT_PY", "EDIT_MD PUSH"),
    ('tool_input.file_path matches "docs/*"', "RELATIVE", "EDIT_MD EDIT_PY"),
    ('tool_input.replace_all == "false"', "EDIT_PY", "EDIT_MD PUSH"),
    ("tool_input.replace_all == false", "EDIT_PY", "EDIT_MD"),
    ("tool_input.timeout == 5", "PUSH", "STATUS"),
    ('tool_input.timeout == "5"', "PUSH", "STATUS"),
    ('tool_input.no.such.field == "x"', "", "EDIT_PY PUSH"),
    ('tool_input.command matches ""', "", "PUSH EDIT_PY"),
    ('tool == "Bash" && tool_input.command contains "push"', "PUSH", "STATUS EDIT_PY"),
    ('tool == "Edit" || tool == "Write"', "EDIT_PY OUTSIDE", "PUSH READ"),
    ('!(tool == "Bash")', "EDIT_PY", "PUSH"),
    ('!tool == "Bash"', "EDIT_PY", "PUSH"),
    ('!!(tool == "Bash")', "PUSH", "EDIT_PY"),
    ('(tool == "Edit" || tool == "Read") && tool_input.file_path matches "*.py"', "EDIT_PY READ",
     "EDIT_MD PUSH"),
    ('tool == "Edit" || tool == "Read" && tool_input.file_path matches "*.md"', "EDIT_PY EDIT_MD",
     "READ PUSH"),
    ('* && tool == "Edit"', "EDIT_PY", "PUSH"),
    ('event == "Stop"', "STOP", "EDIT_PY STARTUP"),
    ('source == "startup"', "STARTUP", "STOP EDIT_PY"),
    ('prompt contains "deploy"', "PROMPT", "STOP EDIT_PY"),
    ('prompt matches "*now"', "PROMPT", "EDIT_PY"),
    ('tool_input.command contains "__import__(\'os\')"', "", "PUSH"),
]  # fmt: skip

# expression, the position (from 1) that its error names
BROKEN = [
    ('tool == ', 9),
    ('tool = "Bash"', 6),
    ('tool "Bash"', 6),
    ('"Bash" == tool', 1),
    ('tool == "Bash', 9),
    ('tool == "Bash" &&', 18),
    ('tool == "Bash" and tool == "x"', 16),
    ('(tool == "Bash"', 16),
    ('tool == "Bash")', 15),
    ('tool in "Bash"', 9),
    ('tool in ()', 10),
    ('tool in ("a" "b")', 14),
    ('toool == "Bash"', 1),
    ('tool_input == "x"', 1),
    ('tool_input. == "x"', 1),
    ('tool_input.a..b == "x"', 1),
    ('tool.name == "x"', 1),
    ('tool equals "x"', 6),
    ('tool == "a" ; tool == "b"', 13),
    ('tool == "a" && os.system("x")', 16),
    ('tool matches "(unclosed"', 15),
    ('__class__ == "x"', 1),
    ("(" * 60 + 'tool == "a"' + ")" * 60, 52),
    ('tool == "' + "x" * 5000 + '"', 4001),
]  # fmt: skip


class MatchingTest(unittest.TestCase):
    def setUp(self) -> None:
        patch = mock.patch.dict(os.environ, {"CLAUDE_PROJECT_DIR": ""})
        patch.start()
        self.addCleanup(patch.stop)
        # the project does not exist here: what the events say about it has to do
        for name in ("start_dir", "project_root"):
            patched = mock.patch.object(Event, name, PROJECT)
            patched.start()
            self.addCleanup(patched.stop)

    def test_every_matcher_fits_what_it_names_and_nothing_else(self) -> None:
        for given, fitting, others in TABLE:
            for names, expected in ((fitting, True), (others, False)):
                for name in names.split():
                    with self.subTest(matcher=given, event=name):
                        self.assertIs(matcher.fits(given, EVENTS[name]), expected)

    def test_the_corpus_is_large_and_mostly_silent(self) -> None:
        acts = sum(len(fitting.split()) for _, fitting, _ in TABLE)
        silent = sum(len(others.split()) for _, _, others in TABLE)
        self.assertGreater(silent, acts)
        self.assertGreater(silent + acts, 250)

    def test_a_syntax_error_names_its_position(self) -> None:
        for text, position in BROKEN:
            with self.subTest(text[:40]):
                with self.assertRaises(expression.ExpressionError) as caught:
                    expression.parse(text)
                self.assertEqual(caught.exception.position + 1, position, str(caught.exception))
                self.assertIn("position %d" % position, str(caught.exception))

    def test_what_is_broken_is_said(self) -> None:
        given: Any
        for given, usable in (
            ("tool == ", False),
            (5, False),
            ([], False),
            ({"tool": "Edit"}, False),
            ({"paths": 5}, False),
            ({"commands": "("}, True),
            ("Edit(", True),
        ):
            with self.subTest(given):
                reason, can_be_used = matcher.problem(given)
                self.assertTrue(reason)
                self.assertIs(can_be_used, usable)
        for given, _, _ in TABLE:
            if given not in ("(Edit", "Edit(", "[", {"commands": "(unclosed"}):
                self.assertEqual(matcher.problem(given), ("", True), given)

    def test_catastrophic_patterns_end(self) -> None:
        long = tool("Bash", command="a" * 19_000 + "!")
        for text in ("(a+)+$", "(a|a)*b", "(a|ab)*c", "(.*)*x", "((a*)*)*b"):
            for given in ({"commands": text}, 'tool_input.command matches "%s"' % text):
                self.assertFalse(matcher.fits(given, long))

    def test_deep_negation_ends(self) -> None:
        with self.assertRaises(expression.ExpressionError):
            expression.parse("!" * 3000 + 'tool == "a"')
