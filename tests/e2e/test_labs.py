"""The scripted models and the labs themselves, without a client."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import sys
import time
import unittest
from typing import Any
from unittest import mock

from fake_anthropic import FakeAnthropic
from fake_gemini import FakeGemini
from fake_openai import FakeOpenAI
from fake_server import DEFAULT, FakeServer
from lab import NOWHERE, Lab

CALL = {"tool": "look", "input": {"at": "it"}}
TOOLS = [{"name": "look"}]


def post(model: FakeServer[Any], path: str, body: object) -> tuple[int, str]:
    """Return the status and the text that a model answers."""
    connection = http.client.HTTPConnection(model.url.partition("//")[2], timeout=30)
    with contextlib.closing(connection):
        connection.request("POST", path, json.dumps(body))
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def ask(model: FakeServer[Any], prompt: str = "go", **more: object) -> tuple[int, str]:
    """Send one request of a conversation in the words of the model's API."""
    if isinstance(model, FakeGemini):
        contents = [{"role": "user", "parts": [{"text": prompt}]}]
        path = "/v1beta/models/m:streamGenerateContent?alt=sse"
        return post(model, path, {"contents": contents})
    path = "/v1/messages" if isinstance(model, FakeAnthropic) else "/v1/chat/completions"
    messages = [{"role": "user", "content": prompt}]
    return post(model, path, {"messages": messages, "tools": TOOLS, "stream": True, **more})


class ScriptTest(unittest.TestCase):
    def test_turns_in_order_then_the_default(self) -> None:
        for fake in (FakeAnthropic, FakeGemini, FakeOpenAI):
            with self.subTest(fake.__name__), fake(["one", ["two", CALL]]) as model:
                self.assertIn('"one"', ask(model)[1])
                second = ask(model, "a question")[1]
                self.assertRegex(second, '"two"(.|\n)*"name": "look"')
                self.assertIn(DEFAULT, ask(model)[1])
                asked = [request.newest for request in model.requests]
                self.assertEqual(asked, ["go", "a question", "go"])
                self.assertEqual((model.script, model.side_requests), ([], []))

    def test_a_turn_with_a_match_waits_for_it(self) -> None:
        with FakeOpenAI([{"match": "SUBTASK", "blocks": "sub"}, "main"]) as model:
            self.assertIn('"main"', ask(model)[1])
            self.assertIn(DEFAULT, ask(model)[1])
            self.assertIn('"sub"', ask(model, "the SUBTASK")[1])

    def test_a_side_request_uses_up_no_turn(self) -> None:
        for fake in (FakeAnthropic, FakeOpenAI):
            with self.subTest(fake.__name__), fake(["one"]) as model:
                self.assertIn(fake.SIDE, ask(model, tools=[])[1])
                self.assertEqual((len(model.requests), len(model.side_requests)), (0, 1))
                self.assertEqual(model.script, ["one"])

    def test_errors_tokens_and_delays(self) -> None:
        turns = [{"error": 529, "message": "busy"}, {"blocks": "late", "tokens": 777, "delay": 0.2}]
        with FakeOpenAI(turns) as model:
            status, text = ask(model)
            self.assertEqual((status, json.loads(text)["error"]["message"]), (529, "busy"))
            started = time.monotonic()
            self.assertIn('"prompt_tokens": 777', ask(model)[1])
            self.assertGreaterEqual(time.monotonic() - started, 0.2)

    def test_every_other_address_is_noted(self) -> None:
        with FakeOpenAI([]) as model:
            self.assertEqual(post(model, "/npm/audit", "no document")[0], 404)
            self.assertEqual((model.strangers, model.requests), (["/npm/audit"], []))


class PlainLab(Lab):
    seconds = 30

    def client_env(self, url: str) -> dict[str, str]:
        return {"MODEL": url}


class LabTest(unittest.TestCase):
    def test_a_program_sees_nothing_of_the_caller(self) -> None:
        show = [
            sys.executable,
            "-c",
            "import json, os; print(json.dumps([os.getcwd(), *os.environ]))",
        ]
        with mock.patch.dict(os.environ, {"SECRET_KEY": "x"}), PlainLab(show) as lab:
            model = FakeOpenAI(["never"])
            run = lab.play(model, lab.command, MORE="1")
            where, *names = json.loads(run.stdout)
            self.assertEqual((run.code, run.unused, run.requests), (0, ["never"], []))
            self.assertEqual(where, lab.project)
            known = {"PATH", "HOME", "TMPDIR", "LANG", "TERM", "SHELL", "NO_PROXY", "MODEL", "MORE"}
            self.assertEqual(set(names) - {"LC_CTYPE", "__CF_USER_TEXT_ENCODING"}, known)
            env = lab.env()
            self.assertTrue(env["HOME"].startswith(lab.root) and " " in env["HOME"])
            self.assertEqual(env["MODEL"], NOWHERE)
        self.assertFalse(os.path.exists(lab.root))

    def test_a_program_that_fails_raises_unless_it_may(self) -> None:
        with PlainLab(["false"]) as lab:
            with self.assertRaisesRegex(RuntimeError, "false"):
                lab.cli()
            self.assertEqual(lab.cli(check=False).returncode, 1)

    def test_the_logs_of_all_plugins_are_read(self) -> None:
        with PlainLab([]) as lab:
            for folder in (".claude/plugins/data/a", "claude config/plugins/data/b"):
                path = os.path.join(lab.home, folder, "hooks.log")
                lab.write(path, '{"hook": "%s"}\n' % folder[-1])
            self.assertEqual(sorted(line["hook"] for line in lab.hook_log()), ["a", "b"])
