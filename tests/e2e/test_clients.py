"""The installer of the pinned clients, without a network."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import clients


class InstallTest(unittest.TestCase):
    def setUp(self) -> None:
        self.cache = os.path.realpath(tempfile.mkdtemp(prefix="e2e cache "))
        self.addCleanup(shutil.rmtree, self.cache)
        self.installed: list[str] = []

    def install(self, **parts: str) -> list[str]:
        """Install parts with these pins; return the names of those that were installed anew."""

        def make(folder: str, pins: tuple[str, ...]) -> None:
            os.mkdir(folder)
            if pins == ("broken",):
                raise clients.MissingError("no network")

        table = {name: ("npm", (pin,)) for name, pin in parts.items()}
        with mock.patch.multiple(clients, PARTS=table, INSTALLERS={"npm": make}):
            return [name for name in parts if clients.install(self.cache, name)]

    def test_only_a_part_with_a_changed_pin_is_renewed(self) -> None:
        self.assertEqual(self.install(one="a@1", two="b@1"), ["one", "two"])
        self.assertEqual(self.install(one="a@1", two="b@1"), [])
        self.assertEqual(self.install(one="a@1", two="b@2"), ["two"])

    def test_half_an_install_is_redone(self) -> None:
        with self.assertRaises(clients.MissingError):
            self.install(one="broken")
        self.assertTrue(os.path.isdir(os.path.join(self.cache, "one")))
        self.assertEqual(self.install(one="a@1"), ["one"])

    def run_program(self, path: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, clients.__file__, "--cache", self.cache]
        return subprocess.run(
            command, env={"PATH": path}, capture_output=True, text=True, timeout=60
        )

    def test_without_npm_it_says_what_to_install(self) -> None:
        done = self.run_program(self.cache)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("npm is missing: install Node.js", done.stderr)

    def test_without_a_network_it_says_what_npm_said(self) -> None:
        npm = os.path.join(self.cache, "npm")
        with open(npm, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho no such host >&2\nexit 1\n")
        os.chmod(npm, 0o755)
        done = self.run_program(self.cache)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(
            done.stderr, r"npm failed with 1\. It needs the network(.|\n)*no such host"
        )

    def test_a_missing_client_is_named(self) -> None:
        with self.assertRaisesRegex(clients.MissingError, "run `make e2e`"):
            clients.claude_bin(self.cache)
