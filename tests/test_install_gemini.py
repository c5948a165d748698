"""tools/install_gemini.py: the link that Gemini CLI reads is made, and taken out again."""

import json
import os
from typing import Any

from support import PLUGINS, PYTHON, REPO, Done, HookTestCase

TOOL = os.path.join(REPO, "tools", "install_gemini.py")


class InstallGeminiTest(HookTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.extensions = os.path.join(self.home, ".gemini", "extensions")
        self.ours = os.path.join(self.extensions, "ecc-hooks-gemini")

    def tool(self, *args: str, **env: str) -> Done:
        return self.start([PYTHON, TOOL, *args], "", **env)

    def linked(self) -> dict[str, Any]:
        path = os.path.join(self.ours, ".gemini-extension-install.json")
        with open(path, encoding="utf-8") as file:
            document: dict[str, Any] = json.load(file)
            return document

    def test_a_link_to_this_repository(self) -> None:
        for how in ("linked:", "linked again:"):
            done = self.tool()
            self.assertEqual((done.code, done.stderr), (0, ""))
            self.assertIn(how, done.stdout)
            source = os.path.join(PLUGINS, "ecc-hooks-gemini")
            self.assertEqual(self.linked(), {"source": source, "type": "link"})

    def test_out_again_with_everything_else_left_alone(self) -> None:
        other = self.write("home/.gemini/extensions/other/gemini-extension.json", {})
        self.tool()
        done = self.tool("--remove")
        self.assertEqual((done.code, os.listdir(self.extensions)), (0, ["other"]))
        self.assertTrue(os.path.exists(other))
        self.assertIn("nothing was changed", self.tool("--remove").stdout)

    def test_a_copy_is_not_overwritten(self) -> None:
        self.write("home/.gemini/extensions/ecc-hooks-gemini/gemini-extension.json", {})
        done = self.tool()
        self.assertEqual(done.code, 1)
        self.assertIn("gemini extensions uninstall", done.stderr)
        self.assertEqual(os.listdir(self.ours), ["gemini-extension.json"])

    def test_another_home_of_the_client(self) -> None:
        self.tool(GEMINI_CLI_HOME=self.folder("else where"))
        self.assertFalse(os.path.exists(self.ours))
        self.ours = os.path.join(self.base, "else where", ".gemini/extensions/ecc-hooks-gemini")
        self.assertEqual(self.linked()["type"], "link")

    def test_a_folder_that_cannot_be_made(self) -> None:
        self.write("home/.gemini", "a file")
        done = self.tool()
        self.assertEqual((done.code, done.stdout), (1, ""))
        self.assertNotIn("Traceback", done.stderr)
