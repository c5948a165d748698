"""The repository as a whole: what is wired exists, what exists is wired and described."""

import datetime
import json
import os
import re
import unittest
from typing import Any

from support import LIB, PLUGINS, REPO

LIBRARY = os.path.join(LIB, "hooklib")
NO_DOCUMENTS = (".git", ".github", "node_modules", ".venv", ".mypy_cache", ".ruff_cache")
# what the recipes of CONTRIBUTING.md make
EXAMPLES = set(
    "tests/test_warn_lock_file.py check-pyright.py tests/test_example_host.py"
    " plugins/ecc-hooks/lib/hooklib/hosts/example.py".split()
)

# the tools and sources that Claude Code 2.1.326 knows
TOOLS = set("Edit Write MultiEdit NotebookEdit Read Bash Glob Grep Agent Skill WebFetch".split())
SOURCES = set("startup resume clear compact fork".split())
# where each host looks for a plugin's version
MANIFESTS = (".claude-plugin/plugin.json", "gemini-extension.json", "package.json")


def load(*path: str) -> dict[str, Any]:
    with open(os.path.join(REPO, *path), encoding="utf-8") as file:
        document: dict[str, Any] = json.load(file)
        return document


def read(*path: str) -> str:
    with open(os.path.join(REPO, *path), encoding="utf-8") as file:
        return file.read()


def claude_plugins() -> list[Any]:
    return [entry["name"] for entry in load(".claude-plugin", "marketplace.json")["plugins"]]


def folders_of_plugins() -> list[str]:
    return sorted(entry.name for entry in os.scandir(PLUGINS) if entry.is_dir())


class PluginTest(unittest.TestCase):
    def each(self) -> list[Any]:
        return [(name, os.path.join("plugins", name)) for name in claude_plugins()]

    def test_manifests_agree(self) -> None:
        entries = load(".claude-plugin", "marketplace.json")["plugins"]
        for entry in entries:
            manifest = load("plugins", entry["name"], ".claude-plugin", "plugin.json")
            self.assertEqual(entry["source"], "./plugins/" + manifest["name"])
            self.assertEqual(entry["description"], manifest["description"])
            for key in ("version", "author", "license", "description"):
                self.assertTrue(manifest[key])
            self.assertNotIn("hooks", manifest)  # hooks/hooks.json is loaded by itself

    def test_hooks_json_wires_the_launcher_and_nothing_else(self) -> None:
        for _, root in self.each():
            wiring = load(root, "hooks", "hooks.json")
            self.assertEqual(sorted(wiring), ["$schema", "description", "hooks"])
            for event, groups in wiring["hooks"].items():
                for group in groups:
                    self.assertLessEqual(set(group), {"matcher", "hooks"})
                    (handler,) = group["hooks"]
                    self.assertEqual(handler["type"], "command")
                    self.assertTrue(handler["command"].endswith('/hooks/run" ' + event))
                    self.assertIn("|| exit 0", handler["command"])
                    # seconds; a user's own rules may take long and have limits of their own
                    most = 600 if root.endswith("custom-hooks") else 60
                    self.assertTrue(0 < handler["timeout"] <= most)

    def test_every_matcher_names_what_the_host_has(self) -> None:
        for _, root in self.each():
            for event, groups in load(root, "hooks", "hooks.json")["hooks"].items():
                known = SOURCES if event == "SessionStart" else TOOLS
                for group in groups:
                    if "matcher" in group:
                        self.assertLessEqual(set(group["matcher"].split("|")), known)

    def test_what_is_wired_is_what_the_pipeline_has_something_for(self) -> None:
        for _, root in self.each():
            wired = set(load(root, "hooks", "hooks.json")["hooks"])
            pipeline = load(root, "hooks", "pipeline.json")
            if not pipeline.get("userRules"):
                self.assertEqual(wired, set(pipeline["hooks"]))

    def test_every_script_is_in_the_pipeline_and_every_entry_has_its_script(self) -> None:
        for _, root in self.each():
            named, ids = [], []
            for rules in load(root, "hooks", "pipeline.json")["hooks"].values():
                for rule in rules:
                    self.assertTrue(rule["id"] and rule["description"])
                    named += [hook["script"] for hook in rule["hooks"]]
                    self.assertTrue(all(hook["profile"] for hook in rule["hooks"]))
                    ids += [hook["id"] for hook in rule["hooks"]]
            there = []
            for folder, _, names in os.walk(os.path.join(REPO, root, "scripts")):
                relative = os.path.relpath(folder, os.path.join(REPO, root)).replace(os.sep, "/")
                there += [relative + "/" + name for name in names if name.endswith(".py")]
            self.assertEqual(sorted(set(named)), sorted(there))
            self.assertEqual(len(ids), len(set(ids)))
            for script in there:
                self.assertTrue(os.access(os.path.join(REPO, root, script), os.X_OK), script)
                self.assertRegex(os.path.basename(script), r"\A[a-z-]+\.py\Z")

    def test_readmes_list_every_wired_event(self) -> None:
        for _, root in self.each():
            text = read(root, "README.md")
            wired = load(root, "hooks", "hooks.json")["hooks"]
            self.assertEqual([event for event in wired if event not in text], [], root)

    def test_readmes_list_every_hook(self) -> None:
        for name, root in self.each():
            text = read(root, "README.md")
            rules = load(root, "hooks", "pipeline.json")["hooks"].values()
            ids = [hook["id"] for event in rules for rule in event for hook in rule["hooks"]]
            self.assertEqual([each for each in ids if "`%s`" % each not in text], [], root)
            self.assertIn(name, read("README.md"))

    def test_every_script_starts_and_ends_the_same_way(self) -> None:
        for folder, _, names in os.walk(PLUGINS):
            if os.path.basename(os.path.dirname(folder)) != "scripts":
                continue
            for name in names:
                if not name.endswith(".py"):
                    continue
                text = read(folder, name)
                self.assertRegex(text, r'\A#!/usr/bin/env python3\n"""[A-Z][A-Za-z/, ]+: .+\."""\n')
                self.assertTrue(text.endswith("    sys.exit(run_alone(__file__, run))\n"), name)


class ReleaseTest(unittest.TestCase):
    def versions(self) -> dict[str, str]:
        """Return manifest -> version, of all plugins and of the package."""
        project = re.search(r'^version = "(.+?)"', read("pyproject.toml"), re.M)
        found = {"pyproject.toml": project[1] if project else ""}
        for plugin in folders_of_plugins():
            for name in MANIFESTS:
                if os.path.exists(os.path.join(PLUGINS, plugin, name)):
                    found["%s/%s" % (plugin, name)] = load("plugins", plugin, name)["version"]
        return found

    def test_every_plugin_has_a_manifest_and_all_have_one_version(self) -> None:
        versions = self.versions()
        holders = {name.partition("/")[0] for name in versions}
        self.assertEqual(holders, {"pyproject.toml", *folders_of_plugins()})
        self.assertEqual(len(set(versions.values())), 1, versions)

    def test_the_changelog_begins_with_that_version_and_its_date(self) -> None:
        headings = re.findall(r"^## (.*)$", read("CHANGELOG.md"), re.M)
        released = [heading.partition(" - ") for heading in headings]
        self.assertEqual(released[0][0], self.versions()["pyproject.toml"])
        for version, _, day in released:
            self.assertRegex(version, r"\A\d+\.\d+\.\d+\Z")
            datetime.date(*map(int, day.split("-")))  # YYYY-MM-DD, a day that exists
        days = [day for _, _, day in released]
        self.assertEqual(days, sorted(days, reverse=True))


def documents() -> list[str]:
    """Return the Markdown files that people read, from the top of the repository."""
    found = []
    for folder, folders, names in os.walk(REPO):
        folders[:] = [name for name in folders if name not in NO_DOCUMENTS]
        found += [os.path.join(folder, name) for name in names if name.endswith(".md")]
    return sorted(os.path.relpath(path, REPO).replace(os.sep, "/") for path in found)


def is_there(name: str) -> bool:
    """Return whether a file is there, by its path in the repository, ecc-hooks or the library."""
    tops = (REPO, os.path.join(PLUGINS, "ecc-hooks"), LIBRARY)
    return any(os.path.isfile(os.path.join(top, name)) for top in tops)


class DocumentsTest(unittest.TestCase):
    def test_every_relative_link_leads_to_a_file(self) -> None:
        broken = []
        for name in documents():
            for target in re.findall(r"\]\(<?([^)>\s#]+)", read(name)):
                path = os.path.join(REPO, os.path.dirname(name), target)
                if ":" not in target and not os.path.exists(path):
                    broken.append("%s: %s" % (name, target))
        self.assertEqual(broken, [])

    def test_files_that_the_guides_name_exist(self) -> None:
        named = []
        for guide in ("docs/ARCHITECTURE.md", "CONTRIBUTING.md"):
            text = re.sub(r"(?ms)^ *```.*?^ *```", "", read(guide))  # code of the recipes
            named += re.findall(r"`([\w.-]+(?:/[\w.-]+)*\.(?:py|js|md|toml|json))`", text)
        paths = {name for name in named if "/" in name or name.endswith(".py")}
        self.assertEqual([name for name in sorted(paths - EXAMPLES) if not is_there(name)], [])
        self.assertGreater(len(paths), 30)

    def test_the_architecture_names_every_room(self) -> None:
        text = read("docs", "ARCHITECTURE.md")
        for name in os.listdir(LIBRARY):
            if os.path.exists(os.path.join(LIBRARY, name, "__init__.py")):
                self.assertRegex(text, r"(?m)^%s/ " % name)
        for name in folders_of_plugins():
            self.assertRegex(text, r"(?m)^plugins/%s " % name)

    def test_every_question_is_asked_once_and_has_a_file(self) -> None:
        table = read("docs", "ARCHITECTURE.md").partition("| question | file |")[2]
        rows = re.findall(r"(?m)^\| (.+\?) \| `([^`|]+)` \|$", table.partition("\n\n")[0])
        self.assertGreaterEqual(len({question for question, _ in rows}), 20)
        self.assertEqual([answer for _, answer in rows if not is_there(answer)], [])
        self.assertEqual(len({answer for _, answer in rows}), len(rows))

    def test_the_readme_leads_to_every_document(self) -> None:
        text = read("README.md")
        for name in documents():
            top, _, rest = name.partition("/")
            if not rest or top == "docs":
                self.assertTrue(name == "README.md" or "](%s)" % name in text, name)


class TreeTest(unittest.TestCase):
    def test_readme_commands_exist(self) -> None:
        targets = set(re.findall(r"^([a-z0-9-]+):", read("Makefile"), re.M))
        guides = read("README.md") + read("CONTRIBUTING.md") + read("docs", "ARCHITECTURE.md")
        named = set(re.findall(r"(?:`|^ +)make ([a-z0-9-]+)", guides, re.M)) - {"install-example"}
        self.assertTrue({"demo", "install", "test"} <= named <= targets, named - targets)

    def test_every_target_is_described(self) -> None:
        for line in read("Makefile").splitlines():
            if re.match(r"[a-z0-9-]+:", line):
                self.assertIn("## ", line)

    def test_the_one_broad_except_is_in_the_boundary(self) -> None:
        found = []
        for folder, _, names in os.walk(os.path.join(PLUGINS, "ecc-hooks")):
            for name in names:
                if name.endswith(".py") and re.search(
                    r"except\s*(\(?Exception|\(?BaseException|:)", read(folder, name)
                ):
                    found.append(name)
        self.assertEqual(sorted(found), ["boundary.py", "files.py"])
