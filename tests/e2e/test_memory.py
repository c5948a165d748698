"""Memory in the real Claude Code: what one session learnt comes up in another where it helps."""

from __future__ import annotations

import os
from typing import Any

from bundle import BundleTestCase, bash, call, marketplace
from claude_lab import Run
from fake_anthropic import Request, Turn, text_of

FENCE = "<recalled-memory>"
SECRET = "ghp_" + "Kq9w" * 9
BROKEN = "def total(values):\n    return sum(values) + 1\n"
CHECK = "from calc import total\nassert total([1, 2]) == 3, 'total was %d' % total([1, 2])\n"


class MemoryTestCase(BundleTestCase):
    def setUp(self) -> None:
        # the client leaves a plugin's bin/ off the PATH where its own has signs of the shell in it
        self.lab = self.new_lab(marketplace(), prefix="a lab ")

    def recalled(self, request: Request) -> list[str]:
        """The fenced texts that a request holds."""
        parts = request.text.split(FENCE)[1:]
        return [part.partition("</recalled-memory>")[0] for part in parts]

    def remember(self, *args: str) -> None:
        """Save a memory as the agent does, in its own shell."""
        run = self.session([bash("hookctl memory add " + " ".join(args))])
        self.assertIn("stored memory://", run.requests[-1].newest)

    def read(self, name: str) -> Turn:
        return call("Read", file_path=self.lab.path(name))


class FailureTest(MemoryTestCase):
    def test_a_failure_is_told_what_fixed_it_in_an_earlier_session(self) -> None:
        self.lab.write(self.lab.path("calc.py"), BROKEN)
        self.lab.write(self.lab.path("check.py"), CHECK)
        check = bash("python3 -B check.py")
        fix = call("Edit", file_path=self.lab.path("calc.py"), old_string=" + 1", new_string="")
        first = self.lab.run([check, self.read("calc.py"), fix, check, "fixed"], "check it")
        self.assertEqual((first.code, first.unused, len(first.failed_calls)), (0, [], 1))
        self.assertFalse(first.sent(FENCE))
        self.lab.write(self.lab.path("calc.py"), BROKEN)
        second = self.lab.run([check, "I see"], "check it again")
        (told,) = self.recalled(second.requests[-1])  # and not at the prompt
        self.assertIn("Failed here once before", told)
        self.assertIn("changed: calc.py", told)
        self.assertIn("python3 -B check.py", told)
        self.assertEqual(second.counts(FENCE)[0], 0)


class ReadTest(MemoryTestCase):
    def results(self, run: Run) -> list[str]:
        """What tools returned, without the client's own reminder, which it puts where it likes."""
        texts = [text_of(block["content"]) for block in run.requests[-1].tool_results]
        return [text.partition("<system-reminder>\n<total_tokens>")[0].strip() for text in texts]

    def test_a_read_brings_up_the_files_memory_and_is_itself_unchanged(self) -> None:
        self.lab.write(self.lab.path("notes.txt"), "one\ntwo\n")
        steps = [self.read("notes.txt"), self.read("README.md")]
        plain = self.session(steps, CUSTOM_SKILLS="0")
        self.remember("--kind pattern --title 'Lines are sorted' --file notes.txt")
        run = self.session([*steps, self.read("notes.txt")])
        self.assertEqual(run.counts(FENCE), [0, 1, 1, 1])
        self.assertIn("- Lines are sorted [memory://", self.recalled(run.requests[1])[0])
        self.assertEqual(self.results(run)[0], self.results(plain)[0])
        self.assertIn("one", self.results(run)[0])

    def test_another_project_is_told_nothing(self) -> None:
        self.remember("--kind core --title 'Lines are sorted' --file '*.md'")
        self.lab.project = self.lab.folder("other", "my project")
        self.lab.write(self.lab.path("README.md"), "Another.\n")
        os.mkdir(self.lab.path(".git"))
        run = self.session([self.read("README.md")], "are lines sorted?")
        self.assertFalse(run.sent(FENCE) or run.sent("Lines are sorted"))


class CompactionTest(MemoryTestCase):
    def test_a_decision_from_before_a_compaction_is_recalled_later(self) -> None:
        said = "Decision: we store every date as UTC in the database, because servers move."
        session = self.lab.run([said], "think about it").session_id
        compaction = self.lab.run(
            ["<summary>Something was decided.</summary>"], "/compact", session
        )
        self.assertEqual(compaction.code, 0)
        self.assertFalse(compaction.sent(FENCE))
        run = self.session([], "in which form does the database store a date?")
        (told,) = self.recalled(run.requests[0])
        self.assertIn("store every date as UTC", told)
        self.assertIn("from a conversation", told)
        self.assertFalse(self.session([], "write a poem about the sea").sent(FENCE))

    def test_what_was_told_before_a_compaction_is_told_again_after_it(self) -> None:
        self.remember("--kind core --title 'Lines are sorted'")
        first = self.session([], "hello")
        self.assertEqual(first.counts(FENCE), [1])
        self.assertEqual(self.session([], "again", first.session_id).counts(FENCE), [1])
        self.lab.run(["<summary>Nothing.</summary>"], "/compact", first.session_id)
        after = self.session([], "and now", first.session_id)
        self.assertIn("Lines are sorted", self.recalled(after.requests[-1])[-1])


class SecretTest(MemoryTestCase):
    def holders(self) -> list[str]:
        """The files of project and home that hold the token, but for the client's own."""
        found = []
        for base in (self.lab.project, self.lab.home):
            for top, _, names in os.walk(base):
                for name in names:
                    path = os.path.join(top, name)
                    with open(path, "rb") as file:
                        if SECRET[:16].encode() in file.read():
                            found.append(os.path.relpath(path, self.lab.root))
        own = os.path.relpath(self.lab.config, self.lab.root)
        client = (os.path.join(own, "projects", ""), os.path.join(own, "history.jsonl"))
        self.assertTrue(
            any(path.startswith(client) for path in found), found
        )  # so it was looked for
        return [path for path in found if not path.startswith(client)]

    def test_a_token_in_a_prompt_is_in_no_file_and_in_no_later_request(self) -> None:
        spoken = "Decision: we deploy with the token %s from now on." % SECRET
        fails = bash("echo ValueError: bad token %s; exit 3" % SECRET)
        prompt = "deploy with %s please, we decided to use it" % SECRET
        run = self.lab.run(
            [fails, *self.writes("a.txt"), bash("make -v " + SECRET + " || true"), spoken], prompt
        )
        self.assertEqual((run.code, run.unused), (0, []))
        self.assertTrue(run.sent(SECRET))
        self.lab.run(["<summary>Deployed.</summary>"], "/compact", run.session_id)
        self.assertEqual(self.holders(), [])
        later = self.lab.run(
            [self.read("a.txt"), fails_too(), "bye"], "which token do we deploy with?"
        )
        self.assertEqual(later.code, 0)
        self.assertFalse(later.sent(SECRET[:16]))
        self.assertTrue(later.sent("[redacted]"))


def fails_too() -> Turn:
    return bash("echo ValueError: bad token; exit 3")


class OtherEventsTest(MemoryTestCase):
    def test_the_important_ones_at_the_start_and_for_a_subagent(self) -> None:
        self.remember("--kind core --title 'Lines are sorted'")
        self.remember("--kind decision --title 'The parser is recursive' --file 'src/parser.py'")
        agent = call(
            "Agent",
            description="one file",
            prompt="SUBTASK: look at src/parser.py",
            subagent_type="general-purpose",
            run_in_background=False,
        )
        run = self.session([agent, {"match": "SUBTASK", "blocks": "SUBTASK ended"}])
        (told,) = self.recalled(run.requests[0])
        self.assertIn("1 memory: pinned", told)
        self.assertIn("[memory://project/core/lines-are-sorted]", told)
        (sub,) = [r for r in run.requests if "SUBTASK: look" in r.newest]
        (told,) = self.recalled(sub)
        self.assertIn("Lines are sorted", told)
        self.assertIn("The parser is recursive", told)

    def test_the_reminder_to_save_comes_once_and_saving_covers(self) -> None:
        switches: dict[str, Any] = {"unsavedThreshold": 2, "profile": "strict"}
        self.lab.write(self.lab.path(".claude", "settings.json"), {"customSkills": switches})
        script = [*self.writes("a.txt", "b.txt", "c.txt"), "first end", "second end"]
        run = self.lab.run(script, "write three")
        self.assertEqual((run.code, run.unused), (0, []))
        self.assertEqual(sum("3 operations since" in r.newest for r in run.requests), 1)
        again = self.lab.run(
            [*self.writes("d.txt", "e.txt", "f.txt"), "end"], "more", run.session_id
        )
        self.assertEqual(
            (again.unused, [r for r in again.requests if "3 operations" in r.newest]), ([], [])
        )
        saved = [*self.writes("g.txt", "h.txt"), bash("hookctl memory add --kind note --title x")]
        other = self.lab.run([*saved, *self.writes("i.txt"), "end"], "save it")
        self.assertEqual((other.code, other.unused), (0, []))
        self.assertFalse(other.sent("operations since the last saved memory"))

    def test_a_headless_run_of_40_edits_ends_with_the_models_answer(self) -> None:
        answer = '{"modules": 40, "ok": true}'
        script = [*self.writes(*("m%d.py" % n for n in range(40))), answer]
        run = self.lab.run(script, "write forty modules")
        self.assertEqual((run.code, run.unused), (0, []))
        self.assertEqual(run.result, answer)
        self.assertFalse(run.sent("operations since the last saved memory"))

    def test_the_slash_commands(self) -> None:
        self.remember("--kind decision --title 'The parser is recursive'")
        run = self.session([], "/ecc-hooks:recall parser")
        self.assertTrue(run.sent("memory://project/decision/the-parser-is-recursive"))
        run = self.session([], "/ecc-hooks:remember lines are sorted")
        self.assertTrue(run.sent("Save this as a memory of the project: lines are sorted"))

    def test_a_teams_memory_travels_by_git(self) -> None:
        self.remember("--kind core --title 'Lines are sorted'")
        commit = "git -c user.name=x -c user.email=x@y commit -qm m"
        self.session([bash("hookctl memory export && git add . && " + commit)])
        clone = os.path.join(self.lab.root, "clone")
        self.lab.call(["git", "clone", "-q", self.lab.project, clone])
        self.lab.project = clone
        run = self.session([], "hello")
        self.assertIn("Lines are sorted", self.recalled(run.requests[0])[0])
        self.assertIn("from the shared file", run.requests[0].text)
