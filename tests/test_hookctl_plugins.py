"""hookctl in plugins that a git marketplace has installed."""

from __future__ import annotations

import os
import shutil
from typing import Any

from hookctl_case import USER, HookctlTestCase

from support import PLUGINS


class CacheTest(HookctlTestCase):
    """The plugins as a git marketplace installs them: each alone, in <plugin>/<version>."""

    def setUp(self) -> None:
        super().setUp()
        self.cache = self.folder("home/.claude/plugins/cache/custom-skills")
        installed = {}
        for name in ("ecc-hooks", "custom-hooks"):
            path = os.path.join(self.cache, name, "0.1.0")
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(os.path.join(PLUGINS, name), path, ignore=ignored)
            shutil.rmtree(os.path.join(path, "lib"))
            shutil.copytree(
                os.path.join(PLUGINS, "ecc-hooks/lib"), os.path.join(path, "lib"), ignore=ignored
            )
            installed[name + "@custom-skills"] = [{"scope": "user", "installPath": path}]
        self.write(
            "home/.claude/plugins/installed_plugins.json", {"version": 2, "plugins": installed}
        )
        self.root = os.path.join(self.cache, "custom-hooks", "0.1.0")
        git = {"source": {"source": "git", "url": "https://marketplace.invalid/x.git"}}
        self.settings: dict[str, Any] = {
            "extraKnownMarketplaces": {"custom-skills": git},
            "enabledPlugins": dict.fromkeys(installed, True),
        }
        self.write(USER, self.settings)

    def test_finds_the_others_through_the_hosts_files(self) -> None:
        status = self.json("status", CLAUDE_PLUGIN_DATA="")
        found = {plugin["name"]: plugin["folder"] for plugin in status["plugins"]}
        self.assertEqual(sorted(found), ["custom-hooks", "ecc-hooks"])
        self.assertEqual(found["ecc-hooks"], os.path.join(self.cache, "ecc-hooks", "0.1.0"))
        self.assertEqual(self.rows()["suggest-compact"]["state"], "on")
        data = [folder for folder in status["data"] if folder.endswith("ecc-hooks-custom-skills")]
        self.assertTrue(data[0].startswith(self.home))

    def test_finds_them_without_the_list_of_installed_ones(self) -> None:
        os.unlink(os.path.join(self.home, ".claude/plugins/installed_plugins.json"))
        self.assertEqual(self.rows()["suggest-compact"]["state"], "on")

    def test_a_disabled_plugin(self) -> None:
        self.settings["enabledPlugins"]["ecc-hooks@custom-skills"] = False
        path = self.write(USER, self.settings)
        row = self.rows()["suggest-compact"]
        self.assertEqual(row["state"], "plugin disabled")
        self.assertIn(path, row["why"])
        tried = {p["plugin"]: p for p in self.json("test", "PreToolUse", "--file", "x")["plugins"]}
        self.assertFalse(tried["ecc-hooks"]["runs"])
        args = ("test", "PreToolUse", "--file", "x", "--plugin", "ecc-hooks")
        self.assertEqual(self.json(*args)["plugins"][0]["hooks"][0]["outcome"], "silent")

    def test_doctor_sees_copies_that_differ_and_plugins_that_are_gone(self) -> None:
        self.assertIn("the library is the same in all 2 plugins", self.hookctl("doctor").stdout)
        with open(os.path.join(self.cache, "ecc-hooks/0.1.0/lib/hooklib/text.py"), "a") as file:
            file.write("# older\n")
        done = self.hookctl("doctor")
        self.assertEqual(done.code, 1)
        self.assertIn("warn  the library differs", done.stdout)
        shutil.rmtree(os.path.join(self.cache, "ecc-hooks"))
        self.assertIn("but not installed", self.hookctl("doctor").stdout)

    def test_host_files_full_of_nonsense(self) -> None:
        for text in ("{", "[]", '{"plugins": []}', '{"plugins": {"ecc-hooks@custom-skills": 5}}'):
            self.write("home/.claude/plugins/installed_plugins.json", text)
            self.write("home/.claude/plugins/known_marketplaces.json", text)
            self.assertEqual(self.hookctl("list").code, 0)
        value: Any
        for value in (5, [], {"x": 1, "@": True, "a@b": "yes"}):
            self.write(USER, {"enabledPlugins": value, "extraKnownMarketplaces": value})
            self.assertEqual(self.hookctl("status").code, 0)
            self.assertNotIn("Traceback", self.hookctl("doctor").stderr)
