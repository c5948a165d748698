"""The sync check: every way in which a copy can differ fails it, and says how to mend it."""

import contextlib
import filecmp
import io
import os
import shutil
import sys

from support import LIB, PLUGINS, PYTHON, REPO, HookTestCase

sys.path[:0] = [LIB, os.path.join(REPO, "tools")]
import sync  # noqa: E402

from hooklib import hosts  # noqa: E402
from hooklib.cli import handover, options  # noqa: E402

# what each variant may hold beside the copies
VARIANTS = {
    "ecc-hooks-gemini": (
        "README.md",
        "gemini-extension.json",
        "hooks/hooks.json",
        "hooks/rules",
    ),
    "ecc-hooks-opencode": ("README.md", "package.json", "ecc-hooks-opencode.js", "facts.json"),
}
COPY = os.path.join("auto-skill-hooks", "lib", "hooklib", "event.py")


class SyncTest(HookTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.plugins = os.path.join(self.base, "plugins")
        shutil.copytree(PLUGINS, self.plugins, ignore=shutil.ignore_patterns("__pycache__"))

    def sync(self, *args: str) -> tuple[int, str]:
        """Run the tool in this process, which parses each file of the library but once."""
        with contextlib.redirect_stdout(io.StringIO()) as said:
            code = sync.main([*args, self.plugins])
        return code, said.getvalue()

    def test_as_a_program(self) -> None:
        command = [PYTHON, os.path.join(REPO, "tools", "sync.py"), "--check", self.plugins]
        done = self.start(command, "")
        self.assertEqual((done.code, done.stdout), (0, "check-sync: copies are the same\n"))

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
        self.assertGreater(len(changed), 100)
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

    def test_copies_in_a_variant_that_is_assembled_when_it_is_installed(self) -> None:
        top = os.path.join(self.plugins, "ecc-hooks-opencode")
        self.assertEqual(sync.listing(top, ""), sorted(VARIANTS["ecc-hooks-opencode"]))
        copies = ("lib/start.py", "hooks/run", "hooks/pipeline.json", "scripts/a/b.py")
        for name in copies:
            self.write(os.path.join(top, name), "")
        code, told = self.sync()
        self.assertEqual(code, 1)
        for name in copies:
            self.assertIn("ecc-hooks-opencode/%s: not listed; remove it" % name, told)

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

    def change(self, path: str, text: str) -> None:
        """Add lines to a file of the original's library."""
        with open(os.path.join(self.plugins, "ecc-hooks", "lib", "hooklib", path), "a") as file:
            file.write(text)

    def test_a_module_that_a_plugin_does_not_need(self) -> None:
        for name in ("memory/learn/failures.py", "cli/knowledge.py", "hosts/opencode.py"):
            path = os.path.join("lib", "hooklib", *name.split("/"))
            copy = os.path.join(self.plugins, "custom-hooks", path)
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            shutil.copy2(os.path.join(self.plugins, "ecc-hooks", path), copy)
            self.assert_found("custom-hooks/lib/hooklib/%s: not needed by this plugin" % name)
        self.assertFalse(
            os.path.exists(os.path.join(self.plugins, "custom-hooks/lib/hooklib/memory"))
        )

    def test_a_module_that_a_plugin_needs_from_now_on(self) -> None:
        late = "\n\ndef late():\n    from hooklib.knowledge.note_folders import KINDS\n"
        self.change("boundary.py", late)
        self.assert_found("custom-hooks/lib/hooklib/knowledge/note_folders.py: missing")

    def test_a_module_that_a_script_needs(self) -> None:
        script = os.path.join("auto-skill-hooks", "scripts", "auto-skill", "more.py")
        self.write("plugins/" + script, "from hooklib.quality import line_diff\n")
        self.assert_found("auto-skill-hooks/lib/hooklib/quality/line_diff.py: missing")

    def test_an_import_for_type_checkers_alone_needs_nothing(self) -> None:
        text = "\nif TYPE_CHECKING:\n    from hooklib.knowledge.layer import Layer\n"
        self.change("boundary.py", text)
        self.assertEqual(self.sync()[0], 0)
        self.assertFalse(
            os.path.exists(os.path.join(self.plugins, "custom-hooks/lib/hooklib/knowledge"))
        )

    def test_a_file_of_the_original_that_nobody_needs(self) -> None:
        for name in ("memory/forgotten.py", "engine/notes.json"):
            path = self.write("plugins/ecc-hooks/lib/hooklib/" + name, "")
            code, told = self.sync()  # copying does not mend it
            self.assertEqual(code, 1)
            self.assertIn("ecc-hooks/lib/hooklib/%s: not used by any plugin" % name, told)
            os.unlink(path)

    def test_a_module_of_the_table_that_is_gone(self) -> None:
        os.unlink(os.path.join(self.plugins, "ecc-hooks/lib/hooklib/hosts/opencode.py"))
        os.unlink(os.path.join(self.plugins, "ecc-hooks/lib/hooklib/engine/call_script.mjs"))
        told = self.sync()[1]
        self.assertIn("lists hooklib.hosts.opencode, which does not exist", told)
        self.assertIn("lists lib/hooklib/engine/call_script.mjs, which does not exist", told)


class AssembleTest(HookTestCase):
    def test_a_variant_is_the_originals_files_and_its_own(self) -> None:
        library = sync.Library(PLUGINS)
        for plugin in VARIANTS:
            top = os.path.join(self.base, plugin)
            sync.assemble(library, plugin, top)
            files = library.files(plugin)
            for part in ("hooks/run", "bin/hookctl", "hooks/pipeline.json", "scripts"):
                files += sync.listing(library.original, part)
            self.assertEqual(sync.listing(top, ""), sorted({*files, *VARIANTS[plugin]}))
            for source, names in (("ecc-hooks", files), (plugin, VARIANTS[plugin])):
                for name in names:
                    one, other = os.path.join(PLUGINS, source, name), os.path.join(top, name)
                    self.assertTrue(filecmp.cmp(one, other, shallow=False), name)
                    self.assertEqual(os.access(one, os.X_OK), os.access(other, os.X_OK), name)


class TableTest(HookTestCase):
    """The table of tools/sync.py says the same as the library."""

    def test_every_command_is_in_a_plugin_and_a_topics_is_where_it_is_handed_over_to(self) -> None:
        everywhere = {name for name in options.COMMANDS if name not in handover.OWNERS}
        for plugin, needs in sync.PLUGINS.items():
            topics = {name for name, owner in handover.OWNERS.items() if owner == plugin}
            if needs.variant:
                topics = {name for name, owner in handover.OWNERS.items() if owner == "ecc-hooks"}
            self.assertEqual({*needs.commands} - {"answer"}, everywhere | topics, plugin)

    def test_every_plugin_has_the_adapters_of_its_hosts(self) -> None:
        for plugin, needs in sync.PLUGINS.items():
            carried = {"hooklib.hosts." + name for name in needs.adapters}
            known = {name for name, module in hosts.MODULES.items() if module in carried}
            host = plugin[len("ecc-hooks-") :] if needs.variant else "claude"
            self.assertEqual(known, {"claude", host}, plugin)

    def test_each_copy_of_the_library_can_be_imported_whole(self) -> None:
        code = (
            "import sys, importlib; sys.path.insert(0, sys.argv[1])\n"
            "for name in sys.argv[2:]: importlib.import_module(name)"
        )
        for plugin, needs in sync.PLUGINS.items():
            top = os.path.join(PLUGINS, plugin)
            if not needs.committed:
                top = os.path.join(self.base, plugin)
                sync.assemble(sync.Library(PLUGINS), plugin, top)
            lib = os.path.join(top, "lib")
            names = [
                name[len("lib/") : -len(".py")].replace("/", ".")
                for name in sync.listing(top, sync.LIBRARY)
                if name.endswith(".py") and "call_script" not in name
            ]
            done = self.start([PYTHON, "-I", "-S", "-B", "-c", code, lib, *names], "")
            self.assertEqual((done.code, done.stderr), (0, ""), plugin)

    def test_plugins_without_memory_and_quality_are_less_than_half(self) -> None:
        whole = len(sync.listing(os.path.join(PLUGINS, "ecc-hooks"), "lib"))
        for plugin in ("custom-hooks", "auto-skill-hooks"):
            found = sync.listing(os.path.join(PLUGINS, plugin), "lib")
            self.assertLess(len(found), whole / 2)
            for topic in ("memory", "quality", "sessions", "agent"):
                self.assertEqual([name for name in found if "/hooklib/%s/" % topic in name], [])
