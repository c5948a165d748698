"""tools/install.py: the bundle goes into settings.json and out again, and nothing else changes."""

from __future__ import annotations

import json
import os
import shutil
import stat
import unittest
from typing import Any

from support import PYTHON, REPO, Done, HookTestCase

TOOL = os.path.join(REPO, "tools", "install.py")
BACKUP = "settings.json.custom-skills-backup"
USERS = {
    "model": "sonnet",
    "größe": "naïve ☃ 東京 \U0001f600",
    "env": {"B": "2", "A": "1"},
    "enabledPlugins": {"other@somewhere": True, "older@somewhere": False},
    "extraKnownMarketplaces": {"somewhere": {"source": {"source": "github", "repo": "a/b"}}},
    "hooks": {},
}


def bundle() -> list[str]:
    with open(os.path.join(REPO, ".claude-plugin", "marketplace.json"), encoding="utf-8") as file:
        return [plugin["name"] + "@custom-skills" for plugin in json.load(file)["plugins"]]


class InstallTestCase(HookTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.config = os.path.join(self.base, "claude config")
        self.path = os.path.join(self.config, "settings.json")
        self.backup = os.path.join(self.config, BACKUP)

    def tool(self, *args: str, **env: str) -> Done:
        env.setdefault("CLAUDE_CONFIG_DIR", self.config)
        return self.start([PYTHON, TOOL, *args], "", **env)

    def install(self) -> Done:
        done = self.tool()
        self.assertEqual((done.code, done.stderr), (0, ""))
        return done

    def remove(self) -> Done:
        done = self.tool("--remove")
        self.assertEqual((done.code, done.stderr), (0, ""))
        return done

    def give(self, content: object) -> bytes:
        """Write settings.json, from bytes, text or a value; return its bytes."""
        if not isinstance(content, bytes):
            text = content if isinstance(content, str) else json.dumps(content, indent=2)
            content = text.encode("utf-8")
        os.makedirs(self.config, exist_ok=True)
        with open(self.path, "wb") as file:
            file.write(content)
        return content

    def raw(self, path: str = "") -> bytes:
        with open(path or self.path, "rb") as file:
            return file.read()

    def settings(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.raw())
        return document

    def names(self) -> list[str]:
        return sorted(os.listdir(self.config))


class InstallTest(InstallTestCase):
    def test_a_new_file_is_private_and_holds_just_our_keys(self) -> None:
        done = self.install()
        source = {"source": "directory", "path": os.path.realpath(REPO)}
        self.assertEqual(
            self.settings(),
            {
                "extraKnownMarketplaces": {"custom-skills": {"source": source}},
                "enabledPlugins": dict.fromkeys(bundle(), True),
            },
        )
        self.assertEqual(stat.S_IMODE(os.stat(self.path).st_mode), 0o600)
        self.assertEqual(self.names(), ["settings.json"])  # nothing to back up, nothing left over
        self.assertIn(self.path, done.stdout)
        self.assertIn("next Claude Code session", done.stdout)

    def test_the_home_folder_without_a_config_dir(self) -> None:
        done = self.tool(CLAUDE_CONFIG_DIR="")
        self.assertEqual(done.code, 0)
        self.assertTrue(os.path.exists(os.path.join(self.home, ".claude", "settings.json")))

    def test_everything_else_stays_as_it_was(self) -> None:
        self.give(USERS)
        self.install()
        after = self.settings()
        self.assertEqual(list(after), list(USERS))
        self.assertEqual(list(after["env"]), ["B", "A"])
        self.assertEqual(list(after["enabledPlugins"]), [*USERS["enabledPlugins"], *bundle()])
        self.assertIn("naïve ☃ 東京 \U0001f600".encode(), self.raw())
        for name in bundle():
            del after["enabledPlugins"][name]
        del after["extraKnownMarketplaces"]["custom-skills"]
        self.assertEqual(after, USERS)

    def test_the_backup_is_the_file_as_it_was(self) -> None:
        before = self.give('{"model":"sonnet" ,\n\n"a":1}')
        done = self.install()
        self.assertEqual(self.raw(self.backup), before)
        self.assertIn(self.backup, done.stdout)

    def test_again_changes_nothing_and_says_so(self) -> None:
        before = self.give(USERS)
        self.install()
        after, times = self.raw(), os.stat(self.path).st_mtime_ns
        done = self.install()
        self.assertIn("nothing was changed", done.stdout)
        self.assertEqual((self.raw(), os.stat(self.path).st_mtime_ns), (after, times))
        self.assertEqual(self.raw(self.backup), before)

    def test_a_plugin_that_joins_later_is_added_and_the_backup_stays(self) -> None:
        before = self.give(USERS)
        self.install()
        settings = self.settings()
        del settings["enabledPlugins"][bundle()[0]]
        self.give(settings)
        self.install()
        self.assertIs(self.settings()["enabledPlugins"][bundle()[0]], True)
        self.assertEqual(self.raw(self.backup), before)

    def test_a_second_time_after_a_removal_backs_up_anew(self) -> None:
        self.give({"model": "old"})
        self.install()
        self.remove()
        before = self.give({"model": "new"})
        self.install()
        self.assertEqual(self.raw(self.backup), before)

    def test_a_plugin_switched_off_stays_off(self) -> None:
        self.give({"enabledPlugins": {bundle()[0]: False}})
        for _ in range(2):
            self.assertIn("stays off", self.install().stdout)
            self.assertIs(self.settings()["enabledPlugins"][bundle()[0]], False)
            self.assertIs(self.settings()["enabledPlugins"][bundle()[1]], True)

    def test_a_marketplace_that_moved_is_replaced_and_that_is_said(self) -> None:
        old = {"source": {"source": "directory", "path": "/gone"}, "autoUpdate": True}
        self.give({"extraKnownMarketplaces": {"custom-skills": old}})
        self.assertIn("/gone", self.install().stdout)
        entry = self.settings()["extraKnownMarketplaces"]["custom-skills"]
        self.assertEqual(entry["source"]["path"], os.path.realpath(REPO))
        self.assertIs(entry["autoUpdate"], True)

    def test_the_mode_stays_and_the_backup_has_it_too(self) -> None:
        for mode in (0o600, 0o644, 0o640):
            self.give(USERS)
            os.chmod(self.path, mode)
            self.install()
            for path in (self.path, self.backup):
                self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), mode)

    def test_a_link_stays_a_link(self) -> None:
        target = self.write("dot files/claude.json", USERS)
        os.makedirs(self.config)
        os.symlink(os.path.join("..", "dot files", "claude.json"), self.path)
        self.install()
        self.assertTrue(os.path.islink(self.path))
        self.assertIn(bundle()[0], self.raw(target).decode())
        self.assertEqual(os.listdir(os.path.dirname(target)), ["claude.json"])
        self.assertEqual(json.loads(self.raw(self.backup)), USERS)

    def test_a_link_to_nothing_makes_its_target(self) -> None:
        os.makedirs(self.config)
        os.symlink(os.path.join(self.base, "new", "claude.json"), self.path)
        self.install()
        self.assertTrue(os.path.islink(self.path))
        self.assertIn(bundle()[0], self.settings()["enabledPlugins"])

    def test_a_byte_order_mark_is_accepted(self) -> None:
        self.give(b"\xef\xbb\xbf" + json.dumps(USERS).encode())
        self.install()
        self.assertEqual(self.settings()["model"], "sonnet")

    def test_indentation_stays(self) -> None:
        for indent in ("\t", "    "):
            self.give(json.dumps(USERS, indent=indent))
            self.install()
            self.assertIn(('\n%s"model"' % indent).encode(), self.raw())

    def test_odd_but_valid_values_survive(self) -> None:
        odd = {"half": "\ud83d", "nul": "\u0000", "big": 2**70, "deep": [[[{}]]], "": None}
        self.give(json.dumps(odd))
        self.install()
        after = self.settings()
        self.assertEqual({key: after[key] for key in odd}, odd)

    def test_wrong_arguments_are_a_usage_error(self) -> None:
        self.assertEqual(self.tool("--nonsense").code, 2)
        self.assertEqual(self.tool("extra").code, 2)
        self.assertFalse(os.path.exists(self.config))


class RefusalTest(InstallTestCase):
    def refused(self, expected: str, path: str = "") -> None:
        for args in ([], ["--remove"]):
            done = self.tool(*args)
            self.assertEqual((done.code, done.stdout), (1, ""))
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertIn(path or self.path, done.stderr)
            self.assertIn(expected, done.stderr)

    def test_broken_files_are_named_with_the_place_and_left_alone(self) -> None:
        cases: list[tuple[object, str]] = [
            ('{"a": 1,\n "b": }', "line 2 column 7"),
            ('{"a": 1,}', "line 1 column"),
            ('// comment\n{"a": 1}', "line 1 column 1"),
            ('{"a": 1} {"b": 2}', "line 1 column 10"),
            ("", "line 1 column 1"),
            ("[1]", "not a JSON object"),
            ("null", "not a JSON object"),
            ('"text"', "not a JSON object"),
            ('{"a": NaN}', "NaN"),
            (b'{"a": "\xff"}', "byte 7"),
            ('{"a": 1}'.encode("utf-16"), "byte 0"),
            ("[" * 200_000, "not valid JSON"),
            ({"enabledPlugins": []}, "enabledPlugins"),
            ({"enabledPlugins": None}, "enabledPlugins"),
            ({"extraKnownMarketplaces": "x"}, "extraKnownMarketplaces"),
        ]
        for content, expected in cases:
            with self.subTest(str(content)[:30]):
                before = self.give(content)
                self.refused(expected)
                self.assertEqual((self.raw(), self.names()), (before, ["settings.json"]))

    def test_a_folder_instead_of_the_file(self) -> None:
        os.makedirs(self.path)
        self.refused("not a plain file")

    @unittest.skipUnless(hasattr(os, "mkfifo"), "no named pipes here")
    def test_a_pipe_instead_of_the_file(self) -> None:
        os.makedirs(self.config)
        os.mkfifo(self.path)
        self.refused("not a plain file")

    def test_a_link_to_itself(self) -> None:
        os.makedirs(self.config)
        os.symlink("settings.json", self.path)
        self.refused("symbolic link")

    def test_a_file_instead_of_the_config_folder(self) -> None:
        self.write("claude config", "a file")
        self.refused("directory")

    @unittest.skipIf(os.name == "nt" or os.geteuid() == 0, "root reads everything")
    def test_an_unreadable_file(self) -> None:
        self.give(USERS)
        os.chmod(self.path, 0)
        self.refused("Permission denied")

    @unittest.skipIf(os.name == "nt" or os.geteuid() == 0, "root writes everywhere")
    def test_a_read_only_folder(self) -> None:
        before = self.give(USERS)
        os.chmod(self.config, 0o500)
        self.addCleanup(os.chmod, self.config, 0o700)
        self.assertEqual(self.tool().code, 1)
        self.assertEqual(self.raw(), before)

    def test_no_backup_no_change(self) -> None:
        before = self.give(USERS)
        os.makedirs(self.backup)
        done = self.tool()
        self.assertEqual((done.code, self.raw()), (1, before))
        self.assertEqual(self.names(), ["settings.json", BACKUP])

    def test_a_repository_without_its_list_of_plugins(self) -> None:
        copy = os.path.join(self.folder("copy", "tools"), "install.py")
        shutil.copy(TOOL, copy)
        before = self.give(USERS)
        done = self.start([PYTHON, copy], "", CLAUDE_CONFIG_DIR=self.config)
        self.assertEqual((done.code, self.raw()), (1, before))
        self.assertIn("marketplace.json", done.stderr)


class RemoveTest(InstallTestCase):
    def test_it_takes_out_just_our_keys(self) -> None:
        self.give(USERS)
        self.install()
        self.remove()
        self.assertEqual(self.settings(), USERS)
        self.assertEqual(list(self.settings()), list(USERS))

    def test_objects_that_were_ours_alone_go_too(self) -> None:
        self.give({"model": "sonnet"})
        self.install()
        done = self.remove()
        self.assertEqual(self.settings(), {"model": "sonnet"})
        self.assertIn(self.path, done.stdout)

    def test_again_changes_nothing_and_says_so(self) -> None:
        self.give({"enabledPlugins": {}, "extraKnownMarketplaces": {}})
        before = self.raw()
        for _ in range(2):
            self.assertIn("nothing was changed", self.remove().stdout)
            self.assertEqual((self.raw(), self.names()), (before, ["settings.json"]))

    def test_without_a_settings_file(self) -> None:
        self.assertIn("nothing was changed", self.remove().stdout)
        self.assertFalse(os.path.exists(self.config))

    def test_plugins_that_are_off_or_no_longer_ours_go_too(self) -> None:
        enabled = {bundle()[0]: False, "former@custom-skills": True, "my@custom-skills-2": True}
        self.give({"enabledPlugins": enabled})
        self.remove()
        self.assertEqual(self.settings(), {"enabledPlugins": {"my@custom-skills-2": True}})

    def test_changes_since_then_stay_and_the_backup_is_not_touched(self) -> None:
        before = self.give(USERS)
        self.install()
        self.give({**self.settings(), "model": "opus"})
        self.remove()
        self.assertEqual(self.settings(), {**USERS, "model": "opus"})
        self.assertEqual(self.raw(self.backup), before)
