"""`make install-opencode`: what it puts where, and that it takes out just that."""

from __future__ import annotations

import os
import shutil
import subprocess
import unittest

from opencode_case import NAME, assembled

from support import PYTHON, REPO, Done, HookTestCase

TOOL = os.path.join(REPO, "tools", "install_opencode.py")


class InstallOpenCodeTest(HookTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.user = os.path.join(self.home, ".config", "opencode")

    def install(self, *args: str, **env: str) -> Done:
        return self.start([PYTHON, TOOL, *args], "", **env)

    def files(self, folder: str) -> list[str]:
        found = [os.path.join(top, name) for top, _, names in os.walk(folder) for name in names]
        return sorted(os.path.relpath(path, folder) for path in found)

    def assert_installed(self, folder: str) -> None:
        self.assertEqual(self.files(os.path.join(folder, NAME)), self.files(assembled()))
        self.assertTrue(os.access(os.path.join(folder, NAME, "hooks", "run"), os.X_OK))
        with open(os.path.join(folder, "plugin", NAME + ".js"), encoding="utf-8") as file:
            self.assertIn('from "../%s/%s.js"' % (NAME, NAME), file.read())

    def test_for_the_user_and_out_again(self) -> None:
        done = self.install()
        self.assertEqual((done.code, done.stderr), (0, ""))
        self.assertIn("ecc-hooks is now in " + self.user, done.stdout)
        self.assert_installed(self.user)
        self.assertFalse(os.path.exists(os.path.join(self.user, ".npmrc")))
        self.assertIn("renewed", self.install().stdout)
        self.assert_installed(self.user)
        self.assertIn("removed from", self.install("--remove").stdout)
        self.assertFalse(os.path.exists(self.user))
        self.assertIn("nothing was changed", self.install("--remove").stdout)

    def test_what_is_installed_works(self) -> None:
        self.install()
        top = os.path.join(self.user, NAME)
        event = {"session_id": "ses_1", "cwd": self.project, "prompt": "Paint it"}
        command = ["sh", os.path.join(top, "hooks", "run"), "UserPromptSubmit"]
        self.assert_silent(self.start([*command, "--host", "opencode"], event))
        self.assertEqual([line["outcome"] for line in self.log()], ["silent"])
        done = self.start(["sh", os.path.join(top, "bin", "hookctl"), "memory", "list"], "")
        self.assertEqual((done.code, done.stderr), (0, ""))

    def test_where_the_user_keeps_it_elsewhere(self) -> None:
        other = os.path.join(self.base, "else where")
        self.install(OPENCODE_CONFIG_DIR=other)
        self.assert_installed(other)
        self.install(XDG_CONFIG_HOME=other)
        self.assert_installed(os.path.join(other, "opencode"))

    def test_a_project_gets_it_without_a_need_for_the_network(self) -> None:
        folder = os.path.join(self.project, ".opencode")
        self.install("--project", self.project)
        self.assert_installed(folder)
        with open(os.path.join(folder, ".npmrc"), encoding="utf-8") as file:
            self.assertIn("offline=true", file.read())
        self.install("--project", self.project, "--remove")
        self.assertFalse(os.path.exists(folder))

    def test_what_the_user_has_there_stays(self) -> None:
        folder = os.path.join(self.project, ".opencode")
        mine = self.write(os.path.join(folder, "plugin", "mine.js"), "mine")
        npmrc = self.write(os.path.join(folder, ".npmrc"), "registry=https://example.invalid\n")
        self.install("--project", self.project)
        self.install("--project", self.project, "--remove")
        self.assertEqual(self.files(folder), [".npmrc", "plugin/mine.js"])
        for path, text in ((mine, "mine"), (npmrc, "registry=https://example.invalid\n")):
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), text)

    def test_problems_are_named(self) -> None:
        done = self.install("--project", os.path.join(self.base, "nowhere"))
        self.assertEqual(done.code, 2)
        self.assertIn("no such folder", done.stderr)
        self.write(self.user, "a file")
        done = self.install()
        self.assertEqual((done.code, done.stdout), (1, ""))
        self.assertIn(self.user, done.stderr)

    @unittest.skipUnless(shutil.which("node"), "node is missing")
    def test_the_loader_loads_it_from_wherever_the_folder_is(self) -> None:
        self.install("--project", self.project)
        moved = os.path.join(self.base, "it's moved")
        os.rename(self.project, moved)
        loader = os.path.join(moved, ".opencode", "plugin", NAME + ".js")
        code = "import(%r).then((m) => console.log(Object.keys(m)))" % ("file://" + loader)
        done = subprocess.run(
            [shutil.which("node") or "", "--input-type=module", "-e", code.replace("%", "%25")],
            capture_output=True,
            text=True,
            env=self.env(),
        )
        self.assertIn("EccHooks", done.stdout, done.stderr)
