"""hookctl doctor on the hosts: which are there, what each has of this bundle, what is wrong."""

import json
import os
import shutil
from typing import Any

from opencode_case import assembled

from support import PLUGINS, PYTHON, HookTestCase

GEMINI = os.path.join(PLUGINS, "ecc-hooks-gemini")
LINK = "home/.gemini/extensions/ecc-hooks-gemini/.gemini-extension-install.json"
RULE = [{"hooks": [{"type": "command", "command": "true"}]}]
with open(os.path.join(GEMINI, "gemini-extension.json"), encoding="utf-8") as file:
    VERSION = json.load(file)["version"]


class DoctorTest(HookTestCase):
    def lines(self, host: str, plugin: str = "ecc-hooks", **env: str) -> list[Any]:
        """Return (level, what, remedy) of the lines about a host."""
        tool = os.path.join(PLUGINS, plugin, "bin", "hookctl")
        done = self.start(["sh", tool, "doctor", "--json"], "", **env)
        self.assertEqual(done.stderr, "")
        found = [tuple(line.values()) for line in json.loads(done.stdout)]
        return [line for line in found if line[1].startswith(host + ":")]

    def only(self, host: str, **env: str) -> tuple[Any, ...]:
        line: tuple[Any, ...]
        (line,) = self.lines(host, **env)
        return line

    def test_a_host_that_is_not_there(self) -> None:
        for host in ("gemini", "opencode"):
            told = "%s: not on PATH, no bundle" % host
            self.assertEqual(self.only(host, PATH=self.path()), ("ok", told, ""))

    def path(self, *programs: str) -> str:
        """Return a PATH with what hookctl needs and these programs."""
        for name in programs:
            os.chmod(self.write("programs/" + name, "#!/bin/sh\n"), 0o755)
        folder = self.folder("programs")
        for name in ("sh", "git", "python3", "readlink", "dirname"):
            target = PYTHON if name == "python3" else shutil.which(name)
            if target and not os.path.lexists(os.path.join(folder, name)):
                os.symlink(os.path.realpath(target), os.path.join(folder, name))
        return folder

    def test_a_linked_extension(self) -> None:
        self.write(LINK, {"source": GEMINI, "type": "link"})
        level, what, _ = self.only("gemini", PATH=self.path("gemini"))
        told = "gemini: installed, ecc-hooks-gemini %s is linked from %s" % (VERSION, GEMINI)
        self.assertEqual((level, what), ("ok", told))

    def test_an_installed_extension_and_its_own_hookctl(self) -> None:
        target = os.path.join(self.base, os.path.dirname(LINK))
        shutil.copytree(GEMINI, target)
        self.assertIn(VERSION + " is installed from " + target, self.only("gemini")[1])
        done = self.start(["sh", os.path.join(target, "bin", "hookctl"), "doctor"], "")
        self.assertEqual((done.code, done.stderr), (0, ""), done.stdout)

    def test_a_link_to_a_folder_that_is_gone(self) -> None:
        self.write(LINK, {"source": os.path.join(self.base, "gone"), "type": "link"})
        level, what, remedy = self.only("gemini")
        self.assertEqual(level, "fail")
        self.assertIn("incomplete", what)
        self.assertIn("make install-gemini", remedy)

    def test_hooks_that_are_switched_off(self) -> None:
        self.write(LINK, {"source": GEMINI, "type": "link"})
        self.write("home/.gemini/settings.json", {"hooksConfig": {"enabled": False}})
        self.assertEqual([level for level, _, _ in self.lines("gemini")], ["ok", "warn"])

    def test_a_rule_for_an_event_that_is_not_wired(self) -> None:
        self.write(LINK, {"source": GEMINI, "type": "link"})
        self.write("home/.claude/settings.json", {"customHooks": {"hooks": {"AfterModel": RULE}}})
        _, (level, what, remedy) = self.lines("gemini")
        self.assertEqual(level, "warn")
        self.assertIn("AfterModel", what)
        self.assertIn(os.path.join(GEMINI, "hooks", "rules"), remedy)
        self.write("home/.gemini/settings.json", {"hooks": {"AfterModel": RULE}})
        self.assertEqual(self.only("gemini")[0], "ok")

    def test_a_rule_that_one_of_the_hosts_knows_is_not_wrong(self) -> None:
        self.write("home/.claude/settings.json", {"customHooks": {"hooks": {"BeforeModel": RULE}}})
        tool = ["sh", os.path.join(PLUGINS, "ecc-hooks", "bin", "hookctl"), "doctor"]
        self.assertIn("rule entries are invalid", self.start(tool, "").stdout)
        self.write(LINK, {"source": GEMINI, "type": "link"})
        self.assertIn("all rules are valid", self.start(tool, "").stdout)

    def test_opencode(self) -> None:
        top = os.path.join(self.home, ".config", "opencode")
        shutil.copytree(assembled(), os.path.join(top, "ecc-hooks-opencode"))
        self.write(os.path.join(top, "ecc-hooks-opencode", "package.json"), {"version": "9.8.7"})
        self.assertEqual(self.only("opencode")[0], "warn")  # nothing loads it
        self.write(os.path.join(top, "plugin", "ecc-hooks-opencode.js"), "")
        level, what, _ = self.only("opencode")
        self.assertEqual(level, "ok")
        self.assertIn("ecc-hooks-opencode 9.8.7 is installed in " + top, what)
        shutil.rmtree(os.path.join(top, "ecc-hooks-opencode", "lib"))
        self.assertEqual(self.only("opencode")[0], "fail")
