"""What people write: search tokens, and the sentences that are worth remembering."""

from __future__ import annotations

import random
import unittest

from hooklib.memory.learn import statements
from hooklib.memory.search import hanzi, synonyms, tokens

AWKWARD = [
    "",
    " ",
    "\n\n\n",
    "\x00",
    "\ud800",
    "İ",
    "ß",
    "e\u0301",
    "\u202etxt",
    "```",
    "```\n",
    ">",
    "|",
    "**",
    "-",
    "。",
    "？",
    "decision:",
    "Decision: ",
    "決定：",
    "we decided",
    "「",
    "“",
    "`",
    "a" * 50_000,
    "我" * 30_000,
    "we decided to " * 3_000,
    ". " * 20_000,
    "aB" * 20_000,
    "a_" * 20_000,
    "a/" * 20_000,
    "字a" * 10_000,
    "決定：" * 9_000,
    "`" * 20_000,
    '"' * 20_001,
    "「" * 20_000,
    "\n- " * 9_000,
]


class TokensTest(unittest.TestCase):
    # text, tokens it must give, tokens it must not give
    GIVEN = [
        ("Use WAL for the database", ["wal", "databas"], ["the", "for"]),
        ("retries, retried, retrying", ["retri"], ["retries", "retried"]),
        ("caches cached caching cache", ["cach"], []),
        ("parseHTTPHeader2", ["pars", "http", "header2", "parsehttpheader2"], []),
        ("max_retry_count", ["retri", "count", "maxretrycount"], []),
        ("x-request-id", ["request", "id", "xrequestid"], ["x"]),
        ("os.path.join", ["os", "path", "join", "ospathjoin"], []),
        ("src/auth/login_handler.py", ["src", "auth", "login", "loginhandler"], ["py"]),
        ("C:\\work\\Main.java", ["work", "main"], ["c", "java"]),
        ("it's the user's", ["user"], ["s", "it"]),
        ("资料库", ["资料", "料库", "databas"], ["资", "资料库"]),
        ("資料庫", ["资料", "料库", "databas"], ["資料"]),
        ("錯", ["错"], []),
        ("這個API很慢", ["api", "很慢", "slow"], ["这个"]),
        ("用 pnpm 安裝", ["pnpm", "安装", "用"], []),
        ("ＡＰＩ ｆａｓｔ", ["api", "fast"], []),
        ("naïve café", ["naïve", "café"], []),
        ("log in with e-mail", ["login", "email"], ["log"]),
        ("1234 7", ["1234"], ["7"]),
        ("!!! ??? ---", [], [""]),
    ]

    def test_tokens(self) -> None:
        for text, wanted, unwanted in self.GIVEN:
            with self.subTest(text):
                found = tokens.words(text)
                for token in wanted:
                    self.assertIn(token, found)
                for token in unwanted:
                    self.assertNotIn(token, found)

    def test_what_is_written_differently_is_found(self) -> None:
        for one, other in (
            ("loginHandler", "login_handler"),
            ("login-handler", "LoginHandler"),
            ("SQLite", "sqlite"),
            ("PostgreSQL", "postgres"),
            ("數據庫連接", "数据库连接"),
            ("資料庫", "database"),
            ("快取", "cache"),
            ("indices", "index"),
            ("migrations", "migrate"),
            ("it hung", "it hangs"),
            ("timed out", "timeout"),
            ("K8s", "kubernetes"),
        ):
            with self.subTest(one):
                self.assertTrue(set(tokens.words(one)) & set(tokens.words(other)))

    def test_what_is_different_is_not_found(self) -> None:
        for one, other in (
            ("production", "product"),
            ("header", "heads"),
            ("string", "strong"),
            ("class", "classic"),
            ("the and of to", "a about over"),
            ("openapi.json", "json"),
            ("事务", "任务"),
        ):
            with self.subTest(one):
                self.assertFalse(set(tokens.words(one)) & set(tokens.words(other)))

    def test_everyday_words_are_tokens_too(self) -> None:
        everyday = tokens.everyday()
        self.assertTrue(everyday.issuperset(tokens.words("check again how it works")))
        for text in ("invoice", "cache", "pytest", "database", "資料庫", "login_handler"):
            self.assertTrue(everyday.isdisjoint(tokens.words(text)), text)

    def test_a_token_is_letters_and_digits_whatever_is_given(self) -> None:
        dice = random.Random(4711)
        mixed = "aB9_-./\\: \n字的錯İßé\u0301\ud800\x00「」"
        texts = ["".join(dice.choices(mixed, k=200)) for _ in range(500)]
        for text in [*AWKWARD, *texts]:
            for token in tokens.words(text):
                self.assertTrue(token.isalnum() and token == token.lower() and len(token) <= 64)

    def test_each_character_has_one_simplified_form(self) -> None:
        pairs = hanzi._PAIRS
        self.assertEqual(len(pairs) % 2, 0)
        self.assertEqual(len(set(pairs[::2])), len(pairs) // 2)
        self.assertFalse(set(pairs[::2]) & set(pairs[1::2]))
        self.assertEqual(hanzi.simplified("資料庫，ＯＫ"), "资料库,OK")

    def test_a_synonym_stands_for_one_word_that_stands_for_itself(self) -> None:
        for word, stands_for in synonyms._ENGLISH.items():
            with self.subTest(word):
                self.assertEqual(synonyms.common(stands_for), stands_for)


class RemarksTest(unittest.TestCase):
    SAID = [
        # decisions
        ("We decided to use WAL mode for the database.", "decision"),
        ("We've decided on Postgres because SQLite cannot do row level security.", "decision"),
        ("After the benchmark we agreed to drop Redis.", "decision"),
        ("Decision: keep the old API until 3.0", "decision"),
        ("- **Decision:** sessions are stored as JSON", "decision"),
        ("Decided: one process per event", "decision"),
        ("Let's use pnpm instead of npm.", "decision"),
        ("ok, let's go with cursor pagination", "decision"),
        ("We'll go with option B, the outbox table.", "decision"),
        ("We will use UUIDv7 for all primary keys.", "decision"),
        ("From now on all commits are signed.", "decision"),
        ("Going forward, put migrations into their own pull request.", "decision"),
        ("We're switching to Vite for the frontend.", "decision"),
        ("The decision was to keep the monolith.", "decision"),
        ("I chose argon2id over bcrypt because it resists GPUs.", "decision"),
        ("我們決定採用 PostgreSQL。", "decision"),
        ("我们选择用行锁而不是分布式锁。", "decision"),
        ("決定：匯出檔案一律使用 Big5", "decision"),
        ("最後決定改用 Celery 處理匯入。", "decision"),
        ("以後都用 pnpm。", "decision"),
        ("从现在起，所有接口都要带版本号。", "decision"),
        ("LINE Notify 停止服務，改用 Messaging API。", "decision"),
        # patterns
        ("Always run make check before committing.", "pattern"),
        ("Never catch Exception in the domain layer.", "pattern"),
        ("Convention: tests mirror the package layout.", "pattern"),
        ("By convention every hook script has one handler.", "pattern"),
        ("We always squash merge.", "pattern"),
        ("Every time you change the schema, regenerate the client.", "pattern"),
        ("A migration must always be reversible.", "pattern"),
        ("慣例：測試檔放在 tests/ 底下", "pattern"),
        ("规则是先写测试再改代码。", "pattern"),
        ("每次改了模型都要重新生成客户端。", "pattern"),
        ("金額一律用 Decimal，不得使用浮點數。", "pattern"),
        # solutions
        ("The fix was to pin urllib3 below 2.", "solution"),
        ("Import errors were fixed by adding the missing __init__.py.", "solution"),
        ("Error handling convention: only the boundary catches.", "pattern"),
        ("Fixed by adding the missing index on tenant_id.", "solution"),
        ("I fixed it by clearing the cache in the teardown.", "solution"),
        ("Root cause: the lock was taken twice", "solution"),
        ("The root cause was a missing timeout in the client.", "solution"),
        ("The problem was that the cache was never cleared, so stale data came back.", "solution"),
        ("Turns out the port was already taken by the old server.", "solution"),
        ("原因是時區沒有設定。", "solution"),
        ("问题出在缓存键没有包含租户。", "solution"),
        ("解決方法是重建索引。", "solution"),
        ("修复方法：把心跳间隔改成 25 秒", "solution"),
        # preferences
        ("I prefer small pull requests.", "preference"),
        ("Please never use default exports.", "preference"),
        ("Stop adding comments that repeat the code.", "preference"),
        ("我比較喜歡先看計畫再動手。", "preference"),
        ("不要再自動提交了。", "preference"),
    ]
    SILENT = [
        # questions
        "Should we use Redis?",
        "Have we decided to use Redis or Kafka?",
        "Why did we decide to use it?",
        "Let's use pnpm, shall we?",
        "What was the root cause?",
        "Do we always squash merge?",
        "要不要改用 bun？",
        "我們決定用哪一個呢",
        "問題的原因是什麼？",
        "以后都用 pnpm 吗",
        # hypotheticals and proposals
        "If we decided to use Redis, we would need ops.",
        "Maybe we'll go with Kafka.",
        "We could go with option B.",
        "I suggest we will use Kafka later.",
        "Perhaps the fix is to wait.",
        "I think the root cause is the cache, but let me check.",
        "It might be that we always retry.",
        "Once we have decided to migrate, we can drop the table.",
        "One option: we'll use Redis.",
        "可以考慮改用 Kafka。",
        "如果我們決定採用 Redis，就要維運。",
        "也许原因是缓存。",
        "建議以後都用 pnpm。",
        "我們可能會決定採用別的。",
        # denied
        "We have not decided which ORM to use.",
        "We haven't agreed on a name.",
        "Nothing was decided.",
        "No decision was made about Redis.",
        "We never decided to support Windows.",
        "The bug was not fixed by the upgrade.",
        "還沒決定要用哪個資料庫。",
        "我們尚未決定採用哪一個。",
        "原因還沒找到。",
        # what somebody is about to do
        "I decided to read the file first.",
        "Let's use grep to find the call.",
        "I'll use the Read tool.",
        "Let me fix that by running the formatter.",
        "Now I will use a subagent for this.",
        "Let's look at the tests.",
        "Decision: let me think about that first.",
        "The solution is to either:",
        "I'm going to stick with the plan.",
        "Let's run the tests again.",
        "我先看一下檔案。",
        "让我检查一下原因是什么。",
        "接下来我会用脚本处理。",
        # quotes and code
        '"We decided to use X" is what the old document says.',
        "> We decided to use Y",
        "The text `Decision: x y z` is parsed.",
        "他說「我們決定採用 Redis」。",
        "```\nDecision: from a code block, not a decision\n```",
        "    Decision: indented code sample here",
        "~~~text\nWe decided to use tildes\n~~~",
        "| We decided | to use tables |",
        # logs
        "2026-01-01 12:00:00 INFO we decided to use the fallback",
        "ERROR: the fix was not applied",
        "[info] always retry on failure",
        "$ echo we decided to use X",
        "at decide (we.decided.to.js:1:2)",
        "WARN Decision: dropping connection",
        "+++ b/decision.txt",
        # narration with the same words
        "This always returns None.",
        "The function never gets called.",
        "It always fails on Windows.",
        "Never mind.",
        "The problem was reported by a user.",
        "The issue was closed.",
        "That is the rule.",
        "The pattern matches three files.",
        "The user picked a date.",
        "The tests pass now.",
        "Fixed.",
        "Decision:",
        "Decided: ok",
        "Fix: x",
        "The fix works.",
        "I fixed the test.",
        "Let's go!",
        "We are done with the first part.",
        "The agreed date is Monday.",
        "這個函式會回傳 None。",
        "選擇一個檔案。",
        "測試通過。",
        "修改了三個檔案。",
        "已經修好測試。",
    ]

    def test_what_is_stated_is_found(self) -> None:
        for text, kind in self.SAID:
            with self.subTest(text):
                found = statements.remarks(text)
                self.assertEqual([each.kind for each in found], [kind])
                self.assertTrue(0.5 < found[0].confidence <= 1)
                self.assertTrue(0 < len(found[0].title) <= 80)

    def test_most_sentences_state_nothing(self) -> None:
        for text in self.SILENT:
            with self.subTest(text):
                self.assertEqual([each.title for each in statements.remarks(text)], [])

    def test_a_label_is_not_part_of_the_title_and_a_reason_is_part_of_the_body(self) -> None:
        text = (
            "Intro.\n\n* **Decision:** use WAL for it all. Because readers block otherwise. Next."
        )
        (found,) = statements.remarks(text)
        self.assertEqual(found.title, "use WAL for it all")
        self.assertEqual(found.body, "use WAL for it all. Because readers block otherwise.")

    def test_what_stands_below_a_heading(self) -> None:
        text = """## Summary
I looked at it.

### Root cause

The session cookie had no domain. Two hosts did not share it.

**Decisions**
- keep `src/**` as it is
- one file per host, named `__init__.py`

1. another list of things

## Fix
Let me run the tests first.

## Decision
"""
        found = [(each.kind, each.title) for each in statements.remarks(text)]
        expected = [
            ("solution", "The session cookie had no domain"),
            ("decision", "keep `src/**` as it is"),
            ("decision", "one file per host, named `__init__.py`"),
            ("decision", "another list of things"),
        ]
        self.assertEqual(found, expected)

    def test_wrapped_lines_are_one_sentence(self) -> None:
        text = (
            "We looked at it for a long time and in the end we decided to\n"
            "keep the queue in the database.\nShort line\nWe decided to use tabs here."
        )
        titles = [each.title for each in statements.remarks(text)]
        self.assertEqual(len(titles), 2)
        self.assertIn("keep the queue", statements.remarks(text)[0].body)

    def test_a_long_sentence_has_a_short_title(self) -> None:
        text = "We decided to " + "keep the very long name of it " * 6 + "."
        (found,) = statements.remarks(text)
        self.assertLessEqual(len(found.title), 80)
        self.assertTrue(found.title.endswith("…"))
        self.assertGreater(len(found.body), 150)

    def test_each_remark_comes_once_and_not_too_many(self) -> None:
        text = "We decided to use WAL here.\n\n" * 3
        self.assertEqual(len(statements.remarks(text)), 1)
        many = "\n\n".join("We decided to use queue number %d." % n for n in range(100))
        self.assertEqual(len(statements.remarks(many)), 20)

    def test_whatever_is_given_comes_to_an_end(self) -> None:
        for text in AWKWARD:
            for remark in statements.remarks(text):
                self.assertLessEqual(len(remark.title), 80)


if __name__ == "__main__":
    unittest.main()
