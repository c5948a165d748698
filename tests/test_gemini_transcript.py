"""Gemini CLI's transcript."""

from __future__ import annotations

import json
import os
from typing import Any

from gemini_case import EVENTS, TRANSCRIPT, GeminiTestCase

from hooklib.hosts.gemini import adapter, chat_transcript


class TranscriptTest(GeminiTestCase):
    def state(self) -> dict[str, Any]:
        folder = os.path.join(self.home, ".claude", "sessions")
        (name,) = os.listdir(folder)
        path = os.path.join(folder, name, EVENTS["AfterAgent"]["session_id"] + ".json")
        with open(path, encoding="utf-8") as file:
            document: dict[str, Any] = json.load(file)
            return document

    def check(self, state: dict[str, Any]) -> None:
        self.assertEqual([goal["text"] for goal in state["goals"]], ["do it please"])
        self.assertEqual(state["prompts"], 1)
        ((path, file),) = state["files"].items()
        self.assertEqual(
            (path, file["how"], file["count"]), ("/home/dev/project/src/out.txt", "created", 2)
        )
        failed = [each["command"] for each in state["failed"]]
        self.assertEqual(failed, ["echo err >&2; exit 3", "kill -9 $$"])
        self.assertEqual(state["tools"]["Bash"], 5)
        self.assertEqual([task["subject"] for task in state["tasks"]], ["a"])
        self.assertEqual((state["host"], state["model"]), ("gemini", "gemini-2.5-flash"))

    def test_the_session_is_remembered(self) -> None:
        self.assert_silent(self.send("AfterAgent", transcript_path=TRANSCRIPT))
        state = self.state()
        self.check(state)
        self.assertEqual(state["last_message"], "bye")

    def test_read_in_pieces_it_tells_the_same(self) -> None:
        with open(TRANSCRIPT, encoding="utf-8") as file:
            text = file.read()
        path = os.path.join(self.base, "t.jsonl")
        for part in range(1, 8):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text[: len(text) * part // 7])
            self.send("AfterAgent", transcript_path=path)
        self.check(self.state())

    def test_the_size_of_the_context(self) -> None:
        self.assertEqual(adapter.HOST.context_tokens(TRANSCRIPT), 100)
        self.assertEqual(chat_transcript.last_request(TRANSCRIPT), (100, "gemini-2.5-flash"))
        self.assertEqual(chat_transcript.last_request(os.path.join(self.base, "none")), (0, ""))
        broken = self.write("broken.jsonl", '{"id":"x","tokens":5}\n{"id":"y","tokens":{"inp')
        self.assertEqual(chat_transcript.last_request(broken), (0, ""))

    def test_broken_records_tell_nothing(self) -> None:
        for line in (
            b'{"id":"x"',
            b'{"id":"x","type":"user"}',
            b'{"id":"x","type":"user","content":7}',
            b'{"id":"x","type":"info","content":"y"}',
            b'{"id":"x","type":"user","content":[{"functionResponse":{}}]}',
        ):
            self.assertEqual(chat_transcript.records(line, set()), [], line)
        odd = b'{"id":"x","type":"gemini","toolCalls":[5,{"id":1},{"id":"a","name":"b"}]}'
        (only,) = chat_transcript.records(odd, set())
        self.assertEqual(only["message"]["content"], [{"type": "text", "text": ""}])
