"""Whatever a host writes on stdin: exit 0, nothing on stdout, one line in the log."""

import json
import os
from typing import Any

from support import PLUGINS, PYTHON, HookTestCase

BAD = {
    "empty": b"",
    "blank": b" \n\t ",
    "not JSON": b"not json {{{",
    "cut off": b'{"session_id": "abc", "tool_input": {"file',
    "two documents": b"{}{}",
    "null": b"null",
    "true": b"true",
    "number": b"17",
    "text": b'"hello"',
    "array": b"[]",
    "array of events": b'[{"tool_name": "Edit"}]',
    "invalid UTF-8": b'{"tool_name": "\xff\xfe"}',
    "UTF-16": '{"tool_name": "Edit"}'.encode("utf-16"),
    "NUL bytes": b"\x00\x00{}\x00",
    "NUL inside": b'{"a": \x00}',
    "deeply nested": b"[" * 200_000,
    "deeply nested objects": b'{"a":' * 200_000,
    "wrong types": json.dumps(
        {"session_id": 5, "cwd": [], "tool_name": {}, "tool_input": "x", "source": 7, "agent_id": 1}
    ).encode(),
    "more wrong types": json.dumps(
        {"session_id": None, "cwd": True, "transcript_path": {}, "tool_name": ["Edit"]}
    ).encode(),
    "huge number": b'{"session_id": ' + b"9" * 10_000 + b"}",
}
# each costs seconds; the adapters read and refuse it before they look at the event
HUGE = {
    "20 MB of nothing": b"x" * 20_000_000,
    "20 MB array": b"[" + b"1," * 10_000_000 + b"1]",
    "65 MB": b'{"a": "' + b"x" * 65_000_000 + b'"}',
}


def wired() -> list[Any]:
    """Every (plugin, event) that a hooks.json of ours wires."""
    found = []
    for plugin in sorted(os.listdir(PLUGINS)):
        path = os.path.join(PLUGINS, plugin, "hooks", "hooks.json")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                found += [(plugin, event) for event in json.load(file)["hooks"]]
    return found


class BadInputTest(HookTestCase):
    def test_on_every_wired_event(self) -> None:
        self.assertTrue(wired())
        for plugin, event in wired():
            self.root = os.path.join(PLUGINS, plugin)
            first = event == dict(reversed(wired()))[plugin]
            for what, raw in {**BAD, **(HUGE if first else {})}.items():
                with self.subTest(plugin=plugin, event=event, input=what):
                    self.data = self.folder("data", plugin, event, what)
                    words = ["sh", os.path.join(self.root, "hooks", "run"), event]
                    words += ["--host", "gemini"] if plugin.endswith("-gemini") else []
                    self.assert_silent(self.start(words, raw))
                    self.assertEqual(len(self.log()), 1, self.log())

    def test_every_script_by_itself(self) -> None:
        for folder, _, names in os.walk(PLUGINS):
            for name in sorted(names):
                if os.path.basename(os.path.dirname(folder)) != "scripts":
                    continue
                if "ecc-hooks-" in folder:  # a variant's scripts are the same bytes: test_sync
                    continue
                for raw in (BAD["not JSON"], BAD["null"], BAD["invalid UTF-8"], BAD["array"]):
                    with self.subTest(script=name, input=raw):
                        self.data = self.folder("data", name, str(hash(raw)))
                        path = os.path.join(folder, name)
                        self.assert_silent(self.start([PYTHON, "-S", path], raw))
                        self.assertEqual([line["outcome"] for line in self.log()], ["error"])

    def test_an_unknown_event_or_host_is_no_error_for_the_host(self) -> None:
        run = os.path.join(self.root, "hooks", "run")
        self.assert_silent(self.start(["sh", run, "NoSuchEvent"], {}))
        self.assert_silent(self.start(["sh", run], {}))
        self.assert_silent(self.start(["sh", run, "PreToolUse", "--host", "nobody"], {}))

    def test_no_stdin_at_all(self) -> None:
        run = os.path.join(self.root, "hooks", "run")
        closed = ["sh", "-c", 'exec sh "$0" PreToolUse <&-', run]
        self.assert_silent(self.start(closed, b""))
        self.assertEqual(len(self.log()), 1)

    def test_a_closed_stdout_is_no_error(self) -> None:
        run = os.path.join(self.root, "hooks", "run")
        given = {"session_id": "s", "tool_name": "Edit"}
        closed = ["sh", "-c", 'exec sh "$0" PreToolUse >&-', run]
        self.assert_silent(self.start(closed, given, COMPACT_THRESHOLD="1"))
