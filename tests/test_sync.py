"""The sync check: every way in which a copy can differ fails it, and says how to mend it."""

import os
import shutil
import subprocess
import sys

from support import PLUGINS, REPO, HookTestCase

SYNC = os.path.join(REPO, "tools", "sync.py")
# what each variant may hold beside the copies
VARIANTS = {
    "ecc-hooks-gemini": (
        "README.md",
        "gemini-extension.json",
        "hooks/hooks.json",
        "hooks/rules",
    ),
    "ecc-hooks-opencode": ("README.md", "package.json", "ecc-hooks-opencode.js"),
}
COPY = os.path.join("auto-skill-hooks", "lib", "hooklib", "event.py")


class SyncTest(HookTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.plugins = os.path.join(self.base, "plugins")
        shutil.copytree(PLUGINS, self.plugins, ignore=shutil.ignore_patterns("__pycache__"))

    def sync(self, *args: str) -> tuple:
        done = subprocess.run(
            [sys.executable, SYNC, *args, self.plugins], capture_output=True, text=True
        )
        return done.returncode, done.stdout

    def assert_found(self, *parts: str) -> None:
        code, told = self.sync("--check")
        self.assertEqual(code, 1, told)
        for part in (*parts, "make sync"):
            self.assertIn(part, told)
        self.assertEqual(self.sync()[0], 0)
        self.assertEqual(self.sync("--check")[0], 0)

    def test_the_repository_is_in_sync(self) -> None:
        self.assertEqual(self.sync("--check")[0], 0)

    def test_a_changed_byte(self) -> None:
        for path in (COPY, os.path.join("auto-skill-hooks", "hooks", "run")):
            with open(os.path.join(self.plugins, path), "ab") as file:
                file.write(b" ")
            self.assert_found(path.replace(os.sep, "/"), "changed")

    def test_one_byte_of_any_file_of_the_library(self) -> None:
        top = os.path.join(self.plugins, "auto-skill-hooks")
        changed = 0
        for folder, _, names in os.walk(os.path.join(top, "lib")):
            for path in (os.path.join(folder, name) for name in names):
                with open(path, "r+b") as file:  # its size and its time stay
                    about, byte = os.stat(path), file.read(1)
                    file.seek(0)
                    file.write(bytes([byte[0] ^ 1]))
                os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
                changed += 1
        code, told = self.sync("--check")
        self.assertEqual((code, told.count(": changed;")), (1, changed))
        self.assertGreater(changed, 50)

    def test_a_changed_byte_in_any_file_of_a_variant(self) -> None:
        changed = []
        for variant in VARIANTS:
            top = os.path.join(self.plugins, variant)
            for folder, _, names in os.walk(top):
                for path in (os.path.join(folder, name) for name in names):
                    name = os.path.relpath(path, top).replace(os.sep, "/")
                    if name in VARIANTS[variant]:
                        continue
                    with open(path, "rb") as file:
                        data = file.read()
                    with open(path, "wb") as file:
                        file.write(data[:-1] + (b" " if data[-1:] != b" " else b"x"))
                    changed.append("plugins/%s/%s: changed" % (variant, name))
        self.assertGreater(len(changed), 150)
        self.assert_found(*changed)

    def test_a_file_of_a_variant_that_is_not_listed(self) -> None:
        for variant in VARIANTS:
            for name in ("notes.txt", "hooks/more.json", "node_modules/a/index.js"):
                path = self.write("plugins/%s/%s" % (variant, name), "")
                code, told = self.sync("--check")
                self.assertEqual(code, 1)
                self.assertIn("plugins/%s/%s: not listed" % (variant, name), told)
                self.assertEqual(self.sync()[0], 1)  # copying does not mend it
                os.unlink(path)
                self.assertEqual(self.sync("--check")[0], 0)

    def test_a_listed_file_of_a_variant_that_is_missing(self) -> None:
        for variant in VARIANTS:
            for name in VARIANTS[variant]:
                path = os.path.join(self.plugins, variant, name)
                os.rename(path, path + ".aside")
                self.assertIn("%s/%s: listed, but missing" % (variant, name), self.sync()[1])
                os.rename(path + ".aside", path)

    def test_a_missing_file(self) -> None:
        os.unlink(os.path.join(self.plugins, COPY))
        self.assert_found("event.py", "missing")

    def test_an_extra_file(self) -> None:
        self.write("plugins/auto-skill-hooks/lib/hooklib/extra.py", "")
        self.assert_found("extra.py", "extra")
        self.write("plugins/auto-skill-hooks/lib/hooklib/sub/extra.txt", "")
        self.assert_found("sub/extra.txt", "extra")

    def test_a_lost_run_bit(self) -> None:
        os.chmod(os.path.join(self.plugins, "auto-skill-hooks", "hooks", "run"), 0o644)
        self.assert_found("hooks/run", "run bit")

    def test_nothing_to_compare_is_a_failure(self) -> None:
        shutil.rmtree(self.plugins)
        code, told = self.sync("--check")
        self.assertEqual(code, 1)
        self.assertIn("nothing", told)

    def test_an_original_without_its_library_is_a_failure(self) -> None:
        for plugin in ("ecc-hooks", "auto-skill-hooks"):
            shutil.rmtree(os.path.join(self.plugins, plugin, "lib"))
        self.assertEqual(self.sync("--check")[0], 1)

    def test_compiled_files_are_no_difference(self) -> None:
        self.write("plugins/auto-skill-hooks/lib/hooklib/__pycache__/event.pyc", "x")
        self.assertEqual(self.sync("--check")[0], 0)
