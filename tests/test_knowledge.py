"""auto-skill: what the agent is told of knowledge files, and how hookctl keeps them."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import time

from test_redact import SECRETS

from hooklib.knowledge.index import clean
from hooklib.knowledge.index_text import safe
from hooklib.redact import redact
from support import Done, HookTestCase, event

BASE = "[Auto-Skill Knowledge Base]"
SKILLS = "[Auto-Skill Experience]"
REMINDER = "[Auto-Skill] "
USER, PROJECT = "home/.claude/skills/auto-skill", "my project/skills/auto-skill"
HIDDEN = "my project/.claude/skills/auto-skill"


def category(id: str, count: int = 1, /, *keywords: str, **more: object) -> dict:
    return {
        "id": id, "name": id.title(), "keywords": list(keywords), "file": id + ".md",
        "count": count, **more,
    }  # fmt: skip


def skill(id: str, count: int = 1, *keywords: str) -> dict:
    return {
        "skillId": id, "file": "skill-%s.md" % id, "keywords": list(keywords), "count": count,
    }  # fmt: skip


class KnowledgeTestCase(HookTestCase):
    plugin = "auto-skill-hooks"

    def fill(self, root: str, categories: object = None, skills: object = None) -> None:
        """Write the indexes of a layer and a file for each entry that names a plain one."""
        for folder, key, listed in (
            ("knowledge-base", "categories", categories),
            ("experience", "skills", skills),
        ):
            if listed is None:
                continue
            self.write("%s/%s/_index.json" % (root, folder), {key: listed})
            for entry in listed if isinstance(listed, list) else []:
                file = entry.get("file") if isinstance(entry, dict) else None
                if isinstance(file, str) and file and "/" not in file and file.isprintable():
                    self.write("%s/%s/%s" % (root, folder, file), "# Notes\n\n## One\ntext\n")

    def begin(self, source: str = "startup", **env: str) -> Done:
        return self.run_event(event("SessionStart", source=source), **env)

    def lines(self, **env: str) -> list:
        return self.begin(**env).context.splitlines()

    def ask(self, prompt: object, **fields: object) -> Done:
        return self.run_event(event("UserPromptSubmit", prompt=prompt, **fields))

    def odd_log(self) -> list:
        return [line for line in self.log() if line["outcome"] not in ("spoke", "silent")]


class SessionStartTest(KnowledgeTestCase):
    def test_a_line_per_category_and_skill(self) -> None:
        self.fill(PROJECT, [category("deploying", 3, "deploy", "發布")], [skill("pdf", 1)])
        head, line, second, other = self.lines()
        self.assertTrue(head.startswith(BASE))
        where = "skills/auto-skill/knowledge-base/deploying.md"
        self.assertEqual(
            line, "- Deploying (%s): 3 entries [project] | keywords: deploy, 發布" % where
        )
        self.assertTrue(second.startswith(SKILLS))
        self.assertEqual(
            other, "- pdf (skills/auto-skill/experience/skill-pdf.md): 1 entry [project]"
        )
        self.assertEqual(self.odd_log(), [])

    def test_layers_are_merged_by_id(self) -> None:
        self.fill(USER, [category("git", 2, "rebase", "Merge"), category("own")], [skill("pdf", 4)])
        self.fill(PROJECT, [category("git", 3, "merge", "hooks", name="Other")], [skill("pdf", 1)])
        _, git, own, _, pdf = self.lines()
        paths = "~/.claude/skills/auto-skill/%s, skills/auto-skill/%s"
        file = "knowledge-base/git.md"
        told = "- Git (%s): 5 entries (2 [user] + 3 [project]) | keywords: rebase, Merge, hooks"
        self.assertEqual(git, told % (paths % (file, file)))
        self.assertTrue(own.endswith(": 1 entry [user]"))
        self.assertIn("5 entries (4 [user] + 1 [project])", pdf)

    def test_both_project_folders_count(self) -> None:
        self.fill(PROJECT, [category("a", 2)])
        self.fill(HIDDEN, [category("a", 1), category("b", 1)])
        _, a, b = self.lines()
        self.assertIn(": 3 entries [project]", a)
        self.assertIn("(.claude/skills/auto-skill/knowledge-base/b.md)", b)

    def test_a_link_to_the_other_folder_does_not_count_twice(self) -> None:
        self.fill(PROJECT, [category("a", 2)])
        self.folder("my project", ".claude")
        os.symlink("../skills", os.path.join(self.project, ".claude", "skills"))
        self.assertIn(": 2 entries [project]", self.lines()[1])

    def test_below_the_top_of_the_repository_paths_are_whole(self) -> None:
        self.folder("my project", ".git")
        below = self.folder("my project", "packages", "one")
        self.fill(PROJECT, [category("a", 2)])
        self.fill("my project/packages/one/skills/auto-skill", [category("b", 1)])
        _, a, b = self.lines(CLAUDE_PROJECT_DIR=below)
        self.assertIn("(%s/skills/auto-skill/knowledge-base/a.md)" % self.project, a)
        self.assertIn("(%s/skills/auto-skill/knowledge-base/b.md)" % below, b)

    def test_the_configuration_folder_can_be_elsewhere(self) -> None:
        self.fill("config/skills/auto-skill", [category("a")])
        (_, line) = self.lines(CLAUDE_CONFIG_DIR=os.path.join(self.base, "config"))
        self.assertIn("(%s/config/skills/auto-skill/knowledge-base/a.md)" % self.base, line)

    def test_a_project_whose_name_would_break_a_line_is_no_error(self) -> None:
        self.fill("my\tproject\n/skills/auto-skill", [category("a", 1, "word")])
        self.project = os.path.join(self.base, "my\tproject\n")
        self.assert_silent(self.begin())
        self.assert_silent(self.ask("a word"))
        self.fill(USER, [category("mine", 1, "word")])
        self.assertEqual(len(self.lines()), 2)
        self.assertTrue(self.ask("a word").context)
        self.assertEqual(self.odd_log(), [])

    def test_nothing_to_show_nothing_printed(self) -> None:
        self.assert_silent(self.begin())
        self.fill(PROJECT, [], [])
        self.assert_silent(self.begin())
        self.fill(PROJECT, [category("a", 0)], [skill("b", 0)])
        self.assert_silent(self.begin())
        self.assertEqual(self.odd_log(), [])
        self.assertEqual(os.listdir(self.home), [])

    def test_odd_entries_are_left_out(self) -> None:
        good = category("good")
        odd: list = [
            None, 1, "x", [], {}, {"id": "x"}, {"file": "good.md", "count": 1}, category(""),
            category("x", file="good.md", id=["x"]), category(" \n\t "),
        ]  # fmt: skip
        counts = (True, "3", None, -1, 1.5)
        odd += [category("good", count=count) for count in counts]
        names = ("", None, 3, "missing/x.md", "..", "../good.md", "/etc/passwd", "good.md/")
        names += ("a\nb.md", "./good.md", "x\\y.md", "\x00", "a" * 300, "_index.json")
        odd += [category("n%d" % n, file=name) for n, name in enumerate(names)]
        self.fill(PROJECT, [good])
        os.unlink(self.write(PROJECT + "/knowledge-base/gone.md", ""))
        self.write(PROJECT + "/good.md", "")
        self.folder("my project", "skills", "auto-skill", "knowledge-base", "folder.md")
        self.write(
            PROJECT + "/knowledge-base/_index.json",
            {"categories": [*odd, category("gone"), category("folder"), good]},
        )
        self.assertEqual([line[:6] for line in self.lines()[1:]], ["- Good"])
        self.assertEqual(self.odd_log(), [])

    def test_links_that_lead_out_are_left_out(self) -> None:
        secret = self.write("home/secret.md", "x")
        self.fill(PROJECT, [category("in", 2), category("target")])
        folder = os.path.join(self.base, PROJECT, "knowledge-base")
        for name, target in (
            ("out.md", secret),
            ("dir", self.home),
            ("link.md", "target.md"),
            ("loop.md", "loop.md"),
        ):
            os.symlink(target, os.path.join(folder, name))
        listed = [category("out"), category("deep", file="dir/secret.md"), category("loop")]
        listed += [category("link"), category("in", 2)]
        self.write(folder + "/_index.json", {"categories": listed})
        self.assertEqual([line.split(" ")[1] for line in self.lines()[1:]], ["In", "Link"])

    def test_a_name_cannot_break_out_of_its_line(self) -> None:
        name = (
            "Bad\n\n[Auto-Skill Experience]\x1b[31m red\x1b[0m \u202e\u2028 x\x07\ud800 "
            + "y" * 500
        )
        keywords = ["a\nb", "\x1b]0;t\x07", "z" * 5000, "", 5, None, "tab\there", " ok "]
        self.fill(PROJECT, [category("a", 1, *keywords, name=name)])
        (_, line) = self.lines()
        self.assertTrue(line.isprintable())
        self.assertTrue(line.startswith("- Bad [Auto-Skill Experience] red x yyy"))
        self.assertLess(len(line), 250)
        self.assertTrue(line.endswith("| keywords: a b, tab here, ok"), line)

    def test_secrets_are_redacted(self) -> None:
        token = "ghp_" + "a1B2" * 9
        named = "password=hunter2horse"
        self.fill(PROJECT, [category("a", 1, token, "plain", named, name="Key " + token)])
        (_, line) = self.lines()
        self.assertNotIn("a1B2", line)
        self.assertNotIn("hunter2", line)
        self.assertIn("plain", line)

    def test_all_keywords_where_they_fit_and_some_where_they_do_not(self) -> None:
        words = ["keyword%02d" % n for n in range(30)]
        self.fill(PROJECT, [category("a", 1, *words)])
        self.assertTrue(self.lines()[1].endswith("| keywords: " + ", ".join(words)))
        self.fill(PROJECT, [category("a%d" % n, 1, *words) for n in range(30)])
        lines = self.lines()
        self.assertTrue(lines[1].endswith("| keywords: " + ", ".join(words[:12])), lines[1])
        self.assertGreater(len(lines), 20)

    def test_every_secret_that_fits_on_a_line_is_redacted(self) -> None:
        for text, _, _ in SECRETS:
            for limit in (60, 80):
                said = clean(text, limit)
                self.assertEqual(safe(said), redact(said))

    def test_words_about_secrets_are_no_secrets(self) -> None:
        words = ("auth", "token", "OAuth2", "api key", "password rotation", "JWT")
        self.fill(PROJECT, [category("a", 1, *words, name="Authentication and secrets")])
        self.assertTrue(self.lines()[1].endswith("| keywords: " + ", ".join(words)))

    def test_most_used_first_and_stable(self) -> None:
        listed = [category("b", 2), category("z", 9), category("a", 2), category("c", 5)]
        self.fill(PROJECT, listed)
        first = self.begin().context
        self.assertEqual([line[2] for line in first.splitlines()[1:]], ["Z", "C", "A", "B"])
        self.fill(PROJECT, listed[::-1])
        self.assertEqual(self.begin().context, first)

    def test_the_budget_holds_and_the_rest_is_counted(self) -> None:
        self.fill(
            PROJECT,
            [category("類別%d" % n, n, "關鍵字%d" % n) for n in range(1, 301)],
            [skill("skill%d" % n, n) for n in range(1, 201)],
        )
        said = self.begin().context
        self.assertLessEqual(len(said.encode()), 6_000)
        self.assertGreater(len(said.encode()), 5_500)
        base, skills = said.split(SKILLS)
        for block, total, first in ((base, 300, "類別300"), (skills, 200, "skill200")):
            lines = block.splitlines()
            self.assertTrue(lines[1].startswith("- %s (" % first), lines[1])
            shown = [line for line in lines if "[project]" in line]
            self.assertIn("- and %d more: `hookctl knowledge list`" % (total - len(shown)), lines)
            self.assertGreater(len(shown), 10)

    def test_many_skills_alone_may_use_the_whole_budget(self) -> None:
        self.fill(PROJECT, None, [skill("skill%d" % n, n) for n in range(1, 201)])
        said = self.begin().context
        self.assertGreater(len(said.encode()), 5_500)
        self.assertLessEqual(len(said.encode()), 6_000)
        self.assertNotIn(BASE, said)

    def test_broken_indexes_are_skipped_and_logged_once(self) -> None:
        self.fill(USER, [category("mine")])
        path = PROJECT + "/knowledge-base/_index.json"
        for text in (
            "", "{", "[]", "null", "7", '{"categories": {}}', '{"categories": "x"}', "{}",
            '{"categories": [', "\x00", '{"a":' * 20000, '{"categories": [%s]}x' % ("9" * 5000),
        ):  # fmt: skip
            with self.subTest(text[:20]):
                self.data = self.folder("data", str(hash(text)))
                self.write(path, text)
                self.assertEqual([line[:6] for line in self.lines()[1:]], ["- Mine"])
                (line,) = self.odd_log()
                self.assertEqual(
                    (line["hook"], line["kind"]), ("knowledge-index", "knowledge-base")
                )
                self.assertTrue(line["outcome"].startswith("project index: "), line)

    def test_a_bad_encoding_a_directory_a_pipe_and_a_loop_are_skipped(self) -> None:
        self.fill(USER, [category("mine")])
        folder = self.folder("my project", "skills", "auto-skill", "knowledge-base")
        path = os.path.join(folder, "_index.json")

        def encoding() -> None:
            with open(path, "wb") as file:
                file.write(b'{"categories": [{"id": "\xff"}]}')

        makers = {
            "encoding": encoding,
            "directory": lambda: os.mkdir(path),
            "pipe": lambda: os.mkfifo(path),
            "device": lambda: os.symlink("/dev/zero", path),
            "loop": lambda: os.symlink("_index.json", path),
        }
        for name, make in makers.items():
            with self.subTest(name):
                self.data = self.folder("data", name)
                make()
                self.assertEqual([line[:6] for line in self.lines()[1:]], ["- Mine"])
                self.assertEqual(len(self.odd_log()), 1)
                (os.rmdir if name == "directory" else os.unlink)(path)

    def test_no_permission(self) -> None:
        run = ["sh", os.path.join(self.root, "hooks", "run"), "SessionStart"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:  # who may read everything
            if not shutil.which("setpriv"):
                self.skipTest("root without setpriv")
            run = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", *run]
        self.fill(USER, [category("mine")])
        self.fill(PROJECT, [category("theirs")])
        for path in ("knowledge-base/_index.json", "knowledge-base", ""):
            with self.subTest(path):
                self.data = self.folder("data", path.replace("/", " "))
                closed = os.path.join(self.base, PROJECT, path)
                mode = os.stat(closed).st_mode
                os.chmod(closed, 0)
                said = self.start(run, event("SessionStart", source="startup")).context
                os.chmod(closed, mode)
                self.assertEqual([line[:6] for line in said.splitlines()[1:]], ["- Mine"])
                told = [(line["kind"], line["outcome"]) for line in self.odd_log()]
                want = "project index: cannot be read: Permission denied"
                self.assertEqual(set(told), {(kind, want) for kind, _ in told})
                self.assertEqual(len(told), len({kind for kind, _ in told}))
                self.assertIn("knowledge-base", dict(told))

    def test_a_file_where_a_folder_should_be_is_no_knowledge(self) -> None:
        self.write("my project/skills", "a plain file")
        self.assert_silent(self.begin())
        self.assertEqual(self.odd_log(), [])

    def test_not_on_resume_nor_fork_but_after_a_compaction(self) -> None:
        self.fill(PROJECT, [category("a")])
        first = self.begin().context
        for source in ("resume", "fork", ""):
            self.assert_silent(self.begin(source))
        for source in ("compact", "clear", "startup"):
            self.assertEqual(self.begin(source).context, first)
        script = "auto-skill/knowledge-index.py"
        self.assertEqual(
            self.run_script(script, event("SessionStart", source="startup")).context, first
        )
        self.assert_silent(self.run_script(script, event("SessionStart", source="resume")))

    def test_switched_off(self) -> None:
        self.fill(PROJECT, [category("a", 1, "word")])
        for env in (
            {"CUSTOM_SKILLS": "0"},
            {"CUSTOM_SKILLS_DISABLED": "knowledge-index"},
            {"CUSTOM_SKILLS_PROFILE": "minimal"},
        ):
            self.assert_silent(self.begin(**env))
        self.write(
            "my project/.claude/settings.json",
            {"customSkills": {"disabled": ["knowledge-index", "knowledge-reminder"]}},
        )
        self.assert_silent(self.begin())
        self.assert_silent(self.ask("a word"))

    def test_garbage(self) -> None:
        for given in ("not json", "[]", b"\xff\xfe", ""):
            for name in ("SessionStart", "UserPromptSubmit"):
                run = ["sh", os.path.join(self.root, "hooks", "run"), name]
                self.assert_silent(self.start(run, given))
        self.fill(PROJECT, [category("a", 1, "word")])
        for odd in (None, 5, ["word"], {"a": "word"}, ""):
            self.assert_silent(self.ask(odd))

    def test_it_writes_nothing_beside_its_own_data(self) -> None:
        self.fill(PROJECT, [category("a", 1, "word")])
        before = self.tree(self.project)
        self.begin()
        self.ask("a word")
        self.assertEqual(self.tree(self.project), before)
        self.assertEqual(os.listdir(self.home), [])

    def tree(self, top: str) -> dict:
        found = {}
        for folder, _, names in os.walk(top):
            for name in names:
                path = os.path.join(folder, name)
                found[path] = os.stat(path).st_mtime_ns
        return found


class LargeIndexTest(KnowledgeTestCase):
    def many(self, count: int, pad: str = "") -> str:
        """Write an index of many categories, the last of them the most used; return its path."""
        listed = [category("c%d" % n, n, "word%d" % n, pad=pad) for n in range(1, count + 1)]
        path = self.write(PROJECT + "/knowledge-base/_index.json", {"categories": listed})
        for n in range(max(1, count - 200), count + 1):
            self.write(PROJECT + "/knowledge-base/c%d.md" % n, "")
        self.settle(path)
        return path

    def settle(self, path: str) -> None:
        """Make the index and its folder look as if they had been written a minute ago."""
        then = time.time() - 60
        for what in (path, os.path.dirname(path)):
            os.utime(what, (then, then))

    def kept(self) -> list:
        folder = os.path.join(self.data, "knowledge")
        return os.listdir(folder) if os.path.isdir(folder) else []

    def test_the_most_used_of_many_and_the_same_again(self) -> None:
        self.many(3000)
        first = self.begin().context
        self.assertTrue(first.splitlines()[1].startswith("- C3000 ("))
        self.assertRegex(first, r"- and 1\d\d more")  # those whose files exist
        (name,) = self.kept()
        mode = os.stat(os.path.join(self.data, "knowledge", name)).st_mode
        self.assertEqual(stat.S_IMODE(mode), 0o600)
        self.assertEqual(self.begin().context, first)
        self.assertEqual(self.odd_log(), [])

    def test_a_changed_index_or_folder_is_noticed(self) -> None:
        path = self.many(3000)
        self.begin()
        os.unlink(os.path.join(os.path.dirname(path), "c3000.md"))
        self.assertTrue(self.lines()[1].startswith("- C2999 ("))
        listed = [category("c2950", 99_999), *(category("n%d" % n) for n in range(1000))]
        self.write(path, {"categories": listed})
        self.assertIn("99999 entries", self.lines()[1])

    def test_what_was_just_written_is_not_kept(self) -> None:
        path = self.many(3000)
        os.utime(path)
        self.begin()
        self.assertEqual(self.kept(), [])

    def test_what_is_kept_may_be_damaged(self) -> None:
        self.many(3000)
        first = self.begin().context
        path = os.path.join(self.data, "knowledge", self.kept()[0])
        for content in ("", "x\ty\n", "\x00" * 100):
            self.write(path, content)
            self.assertEqual(self.begin().context, first)

    def test_a_small_index_keeps_nothing(self) -> None:
        self.many(50)
        self.begin()
        self.assertEqual(self.kept(), [])

    def test_a_keyword_of_a_rare_category_is_found(self) -> None:
        self.many(3000)
        self.begin()
        self.assertIn("c2850.md", self.ask("what of word2850?").context)
        self.assert_silent(self.ask("what of word28?"))

    def begin_in_time(self) -> Done:
        """Begin a session in less work than half of the hook's time limit of 10 seconds."""
        before = os.times()
        done = self.begin()
        after = os.times()  # of the work: the clock would also count a busy machine's other work
        used = after.children_user + after.children_system
        self.assertLess(used - before.children_user - before.children_system, 5)
        return done

    def test_100_000_categories(self) -> None:
        self.many(100_000)
        said = self.begin_in_time().context
        self.assertLessEqual(len(said.encode()), 6_000)
        self.assertTrue(said.splitlines()[1].startswith("- C100000 ("))
        self.assertEqual(self.begin().context, said)
        self.assertEqual(self.odd_log(), [])

    def test_a_50_mb_index_is_read_from_its_beginning(self) -> None:
        path = self.many(10_000, pad="x" * 5_000)
        self.write(PROJECT + "/knowledge-base/c500.md", "")
        self.settle(path)
        self.assertGreater(os.path.getsize(path), 50_000_000)
        for _ in range(2):  # read, then kept
            self.assertIn("- C500 (", self.begin_in_time().context)
        self.assertEqual(
            [line["outcome"] for line in self.odd_log()],
            ["project index: only its first 16000000 bytes were read"] * 2,
        )


class ReminderTest(KnowledgeTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.fill(
            PROJECT,
            [
                category(
                    "deploying",
                    3,
                    "deploy",
                    "Blue Green",
                    "部署",
                    "C++",
                    "node.js",
                    "py測試",
                    "деплой",
                )
            ],
            [skill("pdf", 2, "fonts")],
        )

    def told(self, prompt: str) -> bool:
        """Whether a new session is told of deploying at this prompt."""
        self.sessions = getattr(self, "sessions", 0) + 1
        said = self.ask(prompt, session_id="s%d" % self.sessions).context
        self.assertTrue(not said or said.startswith(REMINDER))
        return "deploying.md" in said

    def test_whole_words_in_any_case(self) -> None:
        for prompt in (
            "deploy", "Please DEPLOY it.", "(deploy)", "re-deploy now", "請deploy這個", "deploy,s",
            "do a blue\n green one", "use C++ here", "why node.js?", "deploys? deploy!", "deploy's",
            "in C++20", "DEPLOY", "跑py測試吧", "сделай Деплой!",
        ):  # fmt: skip
            self.assertTrue(self.told(prompt), prompt)

    def test_parts_of_words_say_nothing(self) -> None:
        for prompt in (
            "", " ", "deployment", "redeploy", "deploy_all", "undeployed deploys", "bluegreen",
            "blue, green", "deployé", "éploy", "部 署", "nodeXjs", "C+", "dépløy", "/help", "abc++",
            "numpy測試", "部罪署", "deploy1", "2deploy", "деплоить",
            "x" * 30_000,
        ):  # fmt: skip
            self.assertFalse(self.told(prompt), prompt)

    def test_chinese_anywhere(self) -> None:
        for prompt in ("部署", "怎麼部署到正式環境", "請先部署。", "deployments 部署s"):
            self.assertTrue(self.told(prompt), prompt)

    def test_the_line_names_file_and_count(self) -> None:
        said = self.ask("deploy").context
        line = "- Deploying (skills/auto-skill/knowledge-base/deploying.md): 3 entries [project]"
        self.assertEqual(said.splitlines()[1:], [line])

    def test_experience_is_named_too(self) -> None:
        self.assertIn(
            "- pdf (skills/auto-skill/experience/skill-pdf.md)", self.ask("fonts").context
        )

    def test_once_per_session(self) -> None:
        self.assertTrue(self.ask("deploy").context)
        self.assert_silent(self.ask("deploy"))
        self.assertNotIn("deploying.md", self.ask("deploy with fonts").context)
        self.assertTrue(self.ask("deploy", session_id="other").context)

    def test_again_after_a_compaction_but_not_after_a_resume(self) -> None:
        self.ask("deploy")
        self.begin("resume")
        self.assert_silent(self.ask("deploy"))
        self.ask("deploy", session_id="other")
        self.begin("compact")
        self.assertTrue(self.ask("deploy").context)
        self.assert_silent(self.ask("deploy", session_id="other"))

    def test_once_even_if_many_ask_at_once(self) -> None:
        run = ["sh", os.path.join(self.root, "hooks", "run"), "UserPromptSubmit"]
        given = json.dumps(event("UserPromptSubmit", prompt="deploy")).encode()
        pipe = subprocess.PIPE
        started = [
            subprocess.Popen(run, stdin=pipe, stdout=pipe, stderr=pipe, env=self.env())
            for _ in range(20)
        ]
        answers = [process.communicate(given)[0] for process in started]
        self.assertEqual(len([answer for answer in answers if answer]), 1)

    def test_at_most_600_bytes_and_the_rest_at_the_next_prompt(self) -> None:
        self.fill(PROJECT, [category("類別%02d" % n, n, "word") for n in range(1, 21)])
        told: list = []
        for _ in range(12):
            said = self.ask("a word").context
            self.assertLessEqual(len(said.encode()), 600)
            told += said.splitlines()[1:]
        self.assertEqual(len(told), 20)
        self.assertEqual(len(set(told)), 20)
        self.assertTrue(told[0].startswith("- 類別20 ("))
        self.assert_silent(self.ask("a word"))

    def test_a_category_and_a_skill_of_one_name_are_told_apart(self) -> None:
        self.fill(PROJECT, [category("skill-pdf", 1, "word")], [skill("pdf", 1, "word")])
        self.assertEqual(len(self.ask("word").context.splitlines()), 3)

    def test_ids_of_any_kind_are_told_apart(self) -> None:
        self.fill(PROJECT, [category("a", 1, "word", id="../x"), category("b", 1, "word", id="類")])
        self.assertEqual(len(self.ask("word").context.splitlines()), 3)
        self.assert_silent(self.ask("word"))
        self.assertEqual(len(os.listdir(os.path.join(self.data, "counters"))), 2)

    def test_a_file_that_has_gone_is_not_named(self) -> None:
        os.unlink(os.path.join(self.base, PROJECT, "knowledge-base", "deploying.md"))
        self.assert_silent(self.ask("deploy"))

    def test_a_broken_index_is_not_logged_at_every_prompt(self) -> None:
        self.write(PROJECT + "/knowledge-base/_index.json", "{")
        self.assert_silent(self.ask("deploy"))
        self.assertTrue(self.ask("fonts").context)
        self.assertEqual(self.odd_log(), [])

    def test_the_script_works_by_itself(self) -> None:
        script = "auto-skill/knowledge-reminder.py"
        given = event("UserPromptSubmit", prompt="deploy")
        self.assertTrue(self.run_script(script, given).context)
        self.assert_silent(self.run_script(script, given))


class HookctlTestCase(KnowledgeTestCase):
    def tool(self, *args: str, given: str = "", **env: str) -> Done:
        return self.start(
            ["sh", os.path.join(self.root, "bin", "hookctl"), "knowledge", *args], given, **env
        )

    def good(self, *args: str, given: str = "", **env: str) -> str:
        done = self.tool(*args, given=given, **env)
        self.assertEqual((done.code, done.stderr), (0, ""), done.stdout)
        return done.stdout

    def bad(self, code: int, *args: str, **env: str) -> str:
        done = self.tool(*args, **env)
        self.assertEqual(done.code, code, done.stdout + done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        return done.stdout + done.stderr

    def add(self, id: str, title: str, *args: str, **env: str) -> str:
        return self.good("add", "--category", id, "--title", title, *args, **env)

    def text(self, path: str) -> str:
        with open(os.path.join(self.base, path), encoding="utf-8", newline="") as file:
            return file.read()

    def index(self, path: str = PROJECT + "/knowledge-base") -> dict:
        return json.loads(self.text(path + "/_index.json"))

    def drift(self, *args: str) -> list:
        done = self.tool("check", "--json", *args)
        problems = json.loads(done.stdout)["problems"]
        self.assertEqual(done.code, 1 if problems else 0)
        return sorted({problem["problem"] for problem in problems})


class AddTest(HookctlTestCase):
    def test_an_entry_with_title_date_keywords_and_body(self) -> None:
        self.add(
            "deploy", "Blue green", "--keyword", "release", "--keyword", "部署", "--body", "Do so."
        )
        text = self.text(PROJECT + "/knowledge-base/deploy.md")
        self.assertRegex(
            text,
            r"\A# deploy\n\n## Blue green\n\*\*Date:\*\* \d{4}-\d\d-\d\d\n"
            r"\*\*Keywords:\*\* release, 部署\n\nDo so\.\n\Z",
        )
        index = self.index()
        (found,) = index["categories"]
        self.assertEqual(found, category("deploy", 1, "release", "部署", name="deploy"))
        self.assertEqual(index["totalEntries"], 1)
        self.assertRegex(index["lastUpdated"], r"\A\d{4}-\d\d-\d\d\Z")
        self.assertTrue(self.lines()[1].startswith("- deploy ("))
        self.assertEqual(self.drift(), [])

    def test_experience_and_the_users_layer(self) -> None:
        self.good(
            "add", "--experience", "pdf", "--title", "Fonts", "--user", "--body", "-", given="*x*\n"
        )
        text = self.text(USER + "/experience/skill-pdf.md")
        self.assertIn("## Fonts\n**Date:** ", text)
        self.assertIn("\n**Skill:** pdf\n\n*x*\n", text)
        (found,) = self.index(USER + "/experience")["skills"]
        self.assertEqual(found, skill("pdf", 1))
        self.assertFalse(os.path.exists(os.path.join(self.base, PROJECT)))
        path = os.path.join(self.base, USER, "experience")
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o700)
        self.assertEqual(stat.S_IMODE(os.stat(path + "/skill-pdf.md").st_mode), 0o600)
        self.assertIn("pdf", self.begin().context)

    def test_what_a_person_wrote_stays(self) -> None:
        own = "# My own\n\nIntro\n## First\n\n  odd   spacing\t\n```\n## not one\n```\nend"
        own = own.replace("\n", "\r\n")
        path = PROJECT + "/knowledge-base/deploy.md"
        with open(self.write(path, ""), "w", encoding="utf-8", newline="") as file:
            file.write(own)
        index = {
            "version": "7", "lastUpdated": "x", "extra": {"a": [1]},
            "categories": [{"note": "mine", **category("deploy", 9, "Release"), "z": None}, "odd"],
        }  # fmt: skip
        self.write(PROJECT + "/knowledge-base/_index.json", json.dumps(index, indent=4))
        self.add("deploy", "Second", "--keyword", "release", "--keyword", "new")
        text = self.text(path)
        self.assertTrue(text.startswith(own + "\r\n\r\n## Second\r\n"))
        now = self.index()
        self.assertEqual((now["version"], now["extra"]), ("7", {"a": [1]}))
        self.assertEqual(now["categories"][1], "odd")
        want = {**index["categories"][0], "count": 2, "keywords": ["Release", "new"]}
        self.assertEqual(now["categories"][0], want)
        self.assertEqual(list(now["categories"][0]), list(want))
        self.assertIn('\n    "version"', self.text(PROJECT + "/knowledge-base/_index.json"))

    def test_modes_and_links_stay(self) -> None:
        self.add("a", "One")
        folder = os.path.join(self.base, PROJECT, "knowledge-base")
        index = os.path.join(folder, "_index.json")
        os.chmod(index, 0o640)
        os.rename(os.path.join(folder, "a.md"), os.path.join(folder, "real.md"))
        os.symlink("real.md", os.path.join(folder, "a.md"))
        self.add("a", "Two")
        self.assertTrue(os.path.islink(os.path.join(folder, "a.md")))
        self.assertIn("## Two", self.text(folder + "/real.md"))
        self.assertEqual(stat.S_IMODE(os.stat(index).st_mode), 0o640)

    def test_headings_in_a_body_are_no_entries(self) -> None:
        self.add(
            "a", "One", "--body", "# Top\n## Two\n### Three\n```\n## code\n```\n~~~md\n# x\n~~~"
        )
        text = self.text(PROJECT + "/knowledge-base/a.md")
        self.assertIn("\n### Top\n### Two\n### Three\n```\n## code\n```\n~~~md\n# x\n~~~\n", text)
        self.assertEqual(self.index()["categories"][0]["count"], 1)
        self.assertEqual(self.drift(), [])

    def test_a_body_is_text(self) -> None:
        given = "\x1b[31mred\x1b[0m  \rtwo\r\n\tthree\x00\n\n```\ncode  \n```\n"
        self.good("add", "--category", "a", "--title", "T", "--body", "-", given=given)
        text = self.text(PROJECT + "/knowledge-base/a.md")
        self.assertTrue(text.endswith("\n\nred  \ntwo\n\tthree\n\n```\ncode  \n```\n"), text)

    def test_keywords_may_be_listed(self) -> None:
        self.add("a", "T", "--keyword", "x, y，z、x", "--keyword", "Y")
        self.assertEqual(self.index()["categories"][0]["keywords"], ["x", "y", "z"])

    def test_a_file_that_is_not_utf_8_is_left_alone(self) -> None:
        self.fill(PROJECT, [category("a")])
        path = os.path.join(self.base, PROJECT, "knowledge-base", "a.md")
        for content in ("## 部署\n".encode("big5"), "## One\n".encode("utf-16")):
            with open(path, "wb") as file:
                file.write(content)
            self.assertIn("not UTF-8", self.bad(1, "add", "--category", "a", "--title", "T"))
            with open(path, "rb") as file:
                self.assertEqual(file.read(), content)

    def test_secrets_are_not_written(self) -> None:
        token = "ghp_" + "a1B2" * 9
        self.add(
            "a",
            "T " + token,
            "--keyword",
            token,
            "--body",
            "export TOKEN=" + token,
            "--name",
            token,
        )
        for file in ("a.md", "_index.json"):
            self.assertNotIn("a1B2", self.text(PROJECT + "/knowledge-base/" + file))

    def test_20_at_once_lose_nothing(self) -> None:
        command = ["sh", os.path.join(self.root, "bin", "hookctl"), "knowledge", "add"]
        started = [
            subprocess.Popen(
                [
                    *command,
                    "--category",
                    "c%d" % (n % 3),
                    "--title",
                    "T%d" % n,
                    "--keyword",
                    "k%d" % n,
                ],
                env=self.env(),
                cwd=self.project,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            for n in range(20)
        ]
        for process in started:
            self.assertEqual((process.communicate()[0][:8], process.returncode), (b"recorded", 0))
        index = self.index()
        self.assertEqual(index["totalEntries"], 20)
        self.assertEqual(sum(len(entry["keywords"]) for entry in index["categories"]), 20)
        self.assertEqual(self.drift(), [])
        names = sorted(os.listdir(os.path.join(self.base, PROJECT)))
        self.assertEqual(names, ["knowledge-base"])
        names = sorted(os.listdir(os.path.join(self.base, PROJECT, "knowledge-base")))
        self.assertEqual(names, ["_index.json", "c0.md", "c1.md", "c2.md"])

    def test_an_existing_hidden_layer_is_used(self) -> None:
        self.fill(HIDDEN, [category("a")])
        self.add("a", "Two")
        self.assertFalse(os.path.exists(os.path.join(self.base, PROJECT)))
        self.assertEqual(self.index(HIDDEN + "/knowledge-base")["categories"][0]["count"], 2)

    def test_json(self) -> None:
        done = json.loads(self.add("a", "One", "--json"))
        path = os.path.join(self.base, PROJECT, "knowledge-base", "a.md")
        want = {
            "id": "a", "file": path, "entries": 1, "new": True, "layer": "project",
            "kind": "knowledge-base", "title": "One",
        }  # fmt: skip
        self.assertEqual(done, want)

    def test_refusals_change_nothing(self) -> None:
        self.add("a", "One")
        self.write(PROJECT + "/knowledge-base/open.md", "## X\n```\ncode")
        before = self.snapshot()
        ids = ("../x", "a/b", "", ".", "..", "_index", "-x", "con", "a b", "x\n", "x" * 65, "a:b")
        for args in (
            ("--category", "a", "--title", "one"),
            ("--category", "A", "--title", "Two"),
            ("--category", "open", "--title", "Two"),
            ("--category", "a", "--title", "Two", "--body", "```\nnever closed"),
            *(("--category=" + id, "--title", "T") for id in ids),
        ):
            with self.subTest(args):
                self.assertTrue(self.bad(1, "add", *args).startswith("hookctl: "))
                self.assertEqual(self.snapshot(), before)

    def test_wrong_usage(self) -> None:
        for args in (
            ("add",), ("add", "--title", "x"), ("add", "--category", "a"), ("search",), ("no",),
            ("add", "--category", "a", "--experience", "b", "--title", "t"),
            ("init", "--user", "--project"),
        ):  # fmt: skip
            self.bad(2, *args)
        self.assertEqual(
            self.bad(1, "add", "--category", "a", "--title", " # "), "hookctl: the title is empty\n"
        )
        self.assertFalse(os.path.exists(os.path.join(self.base, PROJECT)))

    def test_a_broken_index_is_not_overwritten(self) -> None:
        path = self.write(PROJECT + "/knowledge-base/_index.json", '{"categories": [')
        self.assertIn("not JSON", self.bad(1, "add", "--category", "a", "--title", "T"))
        self.assertEqual(self.text(path), '{"categories": [')

    def test_nothing_is_written_outside(self) -> None:
        target = self.write("home/outside.md", "mine\n")
        self.fill(PROJECT, [category("a"), category("up", file="../../../../home/outside.md")])
        folder = os.path.join(self.base, PROJECT, "knowledge-base")
        os.unlink(folder + "/a.md")
        os.symlink(target, folder + "/a.md")
        self.bad(1, "add", "--category", "a", "--title", "T")
        self.bad(1, "add", "--category", "up", "--title", "T")
        self.assertEqual(self.text(target), "mine\n")

    def test_nothing_is_made_outside(self) -> None:
        listed = [category("link", file="out/new.md"), category("deep", file="in/new.md")]
        listed.append(category("self", file="_index.json"))
        self.write(PROJECT + "/knowledge-base/_index.json", {"categories": listed})
        folder = os.path.join(self.base, PROJECT, "knowledge-base")
        os.symlink(self.home, folder + "/out")
        self.bad(1, "add", "--category", "link", "--title", "T")
        self.bad(1, "add", "--category", "self", "--title", "T")
        self.assertEqual(os.listdir(self.home), [])
        self.add("deep", "T")
        self.assertIn("## T\n", self.text(folder + "/in/new.md"))

    def test_topics_that_share_a_file_share_its_count(self) -> None:
        self.fill(PROJECT, [category("a"), category("b", file="a.md"), category("c")])
        self.add("a", "Two")
        counts = [entry["count"] for entry in self.index()["categories"]]
        self.assertEqual(counts, [2, 2, 1])

    def test_a_project_folder_that_leads_out_is_refused(self) -> None:
        outside = self.folder("home", "elsewhere")
        self.folder("my project", "skills")
        os.symlink(outside, os.path.join(self.project, "skills", "auto-skill"))
        self.assertIn("leads out", self.bad(1, "add", "--category", "a", "--title", "T"))
        self.assertIn("leads out", self.bad(1, "init"))
        self.assertEqual(os.listdir(outside), [])

    def test_an_index_that_leads_out_is_not_written(self) -> None:
        target = self.write("home/settings.json", "{}")
        self.folder("my project", "skills", "auto-skill", "knowledge-base")
        link = os.path.join(self.base, PROJECT, "knowledge-base", "_index.json")
        for to in (target, os.path.join(self.home, "new.json")):
            os.symlink(to, link)
            self.assertIn("leads out", self.bad(1, "add", "--category", "a", "--title", "T"))
            self.assertIn("leads out", self.bad(1, "reindex"))
            os.unlink(link)
        self.assertEqual((self.text(target), os.listdir(self.home)), ("{}", ["settings.json"]))
        self.assertEqual(os.listdir(os.path.dirname(link)), [])

    def test_no_project_means_the_users_layer(self) -> None:
        here = {"CLAUDE_PROJECT_DIR": self.home}
        self.add("a", "One", **here)
        self.assertTrue(os.path.exists(os.path.join(self.base, USER, "knowledge-base", "a.md")))
        self.assertIn("no project", self.bad(1, "init", "--project", **here))

    def snapshot(self) -> dict:
        found = {}
        for folder, _, names in os.walk(self.project):
            for name in names:
                found[os.path.join(folder, name)] = self.text(os.path.join(folder, name))
        return found


class KeepingTest(HookctlTestCase):
    def test_init_makes_a_layer_once(self) -> None:
        self.good("init")
        self.assertEqual(self.index()["categories"], [])
        self.assertEqual(self.index(PROJECT + "/experience")["skills"], [])
        self.write(PROJECT + "/knowledge-base/_index.json", "mine")
        self.assertEqual(self.good("init"), "it is there\n")
        self.assertEqual(self.text(PROJECT + "/knowledge-base/_index.json"), "mine")
        self.good("init", "--user")
        self.assertEqual(self.index(USER + "/knowledge-base")["totalEntries"], 0)
        self.assert_silent(self.ask("anything"))

    def test_check_names_each_drift_and_reindex_mends_it(self) -> None:
        listed = [
            category("right", 1), category("wrong", 5, "kept"), category("gone", 2, "kept"),
            category("waiting", 0, "kept"), category("twice", 1, "a"), category("twice", 1, "b"),
            category("", 1, file="nameless.md"), {"id": "fileless", "count": 1}, "odd",
        ]  # fmt: skip
        self.fill(PROJECT, listed, [skill("pdf", 3)])
        folder = os.path.join(self.base, PROJECT, "knowledge-base")
        for name in ("gone.md", "waiting.md"):
            os.unlink(os.path.join(folder, name))
        entry = "# New notes\n\n## A\n**Keywords:** x, y\n## B\n**keywords：** Y，z\n"
        self.write(PROJECT + "/knowledge-base/unlisted.md", entry)
        self.write(PROJECT + "/experience/skill-new.md", "## A\n")
        self.write(PROJECT + "/knowledge-base/README.md", "## no category\n")
        problems = json.loads(self.tool("check", "--json").stdout)["problems"]
        told = {
            (one["kind"], one["problem"], one["text"].split(" ")[0].rstrip(":")) for one in problems
        }
        self.assertEqual(
            told,
            {
                ("knowledge-base", "count", "wrong"), ("knowledge-base", "no-file", "gone"),
                ("knowledge-base", "duplicate", "twice"), ("knowledge-base", "odd", "entry"),
                ("knowledge-base", "no-entry", "unlisted.md"),
                ("knowledge-base", "no-entry", "nameless.md"),
                ("knowledge-base", "total", "totalEntries"),
                ("experience", "count", "pdf"), ("experience", "no-entry", "skill-new.md"),
            },
        )  # fmt: skip
        self.assertEqual([one["problem"] for one in problems].count("odd"), 3)
        self.assertIn(
            "skills/auto-skill/knowledge-base: wrong: the index says 5", self.bad(1, "check")
        )
        self.good("reindex")
        self.assertEqual(self.drift(), [])
        found = {entry["id"]: entry for entry in self.index()["categories"]}
        self.assertEqual(
            {id: entry["count"] for id, entry in found.items()},
            {"right": 1, "wrong": 1, "gone": 0, "waiting": 0, "twice": 1, "nameless": 1,
             "fileless": 0, "unlisted": 2},
        )  # fmt: skip
        self.assertEqual(found["gone"]["keywords"], ["kept"])
        self.assertEqual(found["twice"]["keywords"], ["a", "b"])
        want = category("unlisted", 2, "x", "y", "z", name="New notes")
        self.assertEqual(found["unlisted"], want)
        new = self.index(PROJECT + "/experience")["skills"][1]
        self.assertEqual(new, skill("new", 1))
        self.assertEqual(self.index()["totalEntries"], 6)
        self.assertEqual(
            json.loads(self.text(PROJECT + "/knowledge-base/_index.json.old"))["categories"], listed
        )
        self.assertEqual(self.good("reindex"), "nothing to mend\n")

    def test_a_broken_index_is_put_aside_and_made_again(self) -> None:
        self.fill(PROJECT, [category("a", 1)])
        self.write(PROJECT + "/knowledge-base/_index.json", "{broken")
        self.assertEqual(self.drift(), ["broken"])
        self.good("reindex")
        self.assertEqual(self.text(PROJECT + "/knowledge-base/_index.json.old"), "{broken")
        self.assertEqual(self.index()["categories"][0]["name"], "Notes")
        self.assertEqual(self.drift(), [])

    def test_odd_names_and_keywords_are_mended(self) -> None:
        self.fill(PROJECT, [category("a", 1, "x"), category("a", 1, "y")], [])
        self.write(
            PROJECT + "/knowledge-base/_index.json",
            {"categories": [category("a", keywords=["x", 5]), category("a", keywords=[7, "y"])]},
        )
        self.write(PROJECT + "/experience/skill-.md", "## A\n")
        self.good("reindex")
        self.assertEqual(self.index()["categories"][0]["keywords"], ["x", 5, "y"])
        self.assertEqual(self.index(PROJECT + "/experience")["skills"][0]["skillId"], "skill-")
        self.assertEqual(self.drift(), [])

    def test_what_leads_out_is_named_and_left(self) -> None:
        self.fill(PROJECT, [category("up", file="../x.md"), category("link")])
        path = os.path.join(self.base, PROJECT, "knowledge-base", "link.md")
        os.unlink(path)
        os.symlink("/etc/passwd", path)
        self.assertEqual(self.drift("--project"), ["outside", "total"])
        self.bad(1, "reindex")
        self.assertEqual(self.drift(), ["outside"])

    def test_the_layers_are_told_apart(self) -> None:
        self.fill(USER, [category("a", 7)])
        self.fill(PROJECT, [category("a", 1)])
        self.good("reindex", "--project")
        self.assertEqual(self.drift("--project"), [])
        self.assertEqual(self.drift("--user"), ["count", "total"])
        self.good("reindex", "--user")
        self.assertEqual(self.drift(), [])

    def test_all_folders_of_a_project_are_looked_at(self) -> None:
        self.folder("my project", ".git")
        below = "my project/packages/one"
        for root in (PROJECT, HIDDEN, below + "/skills/auto-skill"):
            self.fill(root, [category("a", 7)])
        here = {"CLAUDE_PROJECT_DIR": os.path.join(self.base, below)}
        self.assertEqual(self.bad(1, "check", **here).count("the index says 7"), 3)
        self.assertEqual(self.good("reindex", **here).count("mended"), 3)
        self.add("a", "New", **here)
        self.assertEqual(self.index()["totalEntries"], 2)

    def test_a_folder_that_a_link_leads_to_is_looked_at_once(self) -> None:
        self.fill(PROJECT, [category("a", 7)])
        self.folder("my project", ".claude")
        os.symlink("../skills", os.path.join(self.project, ".claude", "skills"))
        self.assertEqual(self.bad(1, "check").count("the index says 7"), 1)

    def test_nothing_there_is_no_drift(self) -> None:
        self.assertEqual(self.good("check"), "indexes and files agree\n")
        self.assertEqual(self.good("reindex"), "nothing to mend\n")
        self.assertEqual(os.listdir(self.project), [])

    def test_list(self) -> None:
        self.assertIn("no knowledge yet", self.good("list"))
        self.assertEqual(self.good(), self.good("list"))
        self.fill(USER, [category("a", 2, "x")])
        self.fill(
            PROJECT,
            [category("a", 3, "y"), category("b\x1b[31m", 1, file="b.md")],
            [skill("pdf", 1)],
        )
        said = self.good("list")
        self.assertIn("5 entries (2 [user] + 3 [project])", said)
        self.assertNotIn("\x1b", said)
        data = json.loads(self.good("list", "--json"))
        self.assertEqual([one["id"] for one in data], ["a", "b", "pdf"])
        self.assertEqual((data[0]["entries"], data[0]["keywords"]), (5, ["x", "y"]))
        self.assertEqual(len(data[0]["files"]), 2)
        self.write(PROJECT + "/experience/_index.json", "{")
        self.assertIn("not JSON", self.good("list"))

    def test_search(self) -> None:
        self.add("deploy", "Blue green", "--body", "Switch the router.", "--keyword", "release")
        self.add("deploy", "Rollback", "--body", "After blue, switch back: password=hunter2horse")
        self.add("other", "Nothing", "--body", "of that kind")
        titles = [
            hit["title"] for hit in json.loads(self.good("search", "--json", "BLUE", "switch"))
        ]
        self.assertEqual(titles, ["Blue green", "Rollback"])
        said = self.good("search", "release")
        self.assertIn("Blue green [project]  skills/auto-skill/knowledge-base/deploy.md:3", said)
        self.assertIn("Rollback", said)  # the category's keyword
        self.assertEqual(self.good("search", "zebra"), "nothing found\n")
        self.write(USER + "/knowledge-base/_index.json", "{")
        self.assertIn("not JSON", self.good("search", "release"))
        self.assertNotIn("hunter2", self.good("search", "--json", "rollback"))
