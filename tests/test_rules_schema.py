"""The published schema of rules accepts exactly what the validator accepts."""

from __future__ import annotations

import json
import os
import re
from typing import Any

from hooklib.engine import event_names
from support import LIB, PLUGINS, HookTestCase

SCHEMA = os.path.join(LIB, "hooklib", "engine", "rules.schema.json")
OK = {"type": "command", "command": "true"}
RULE = {"event": "PostToolUse", "run": [OK]}


def rule(**more: object) -> dict[str, Any]:
    return {"rules": [{**RULE, **more}]}


def hook(**more: object) -> dict[str, Any]:
    return {"rules": [{**RULE, "run": [{**OK, **more}]}]}


def native(*rules: object, event: str = "PostToolUse") -> dict[str, Any]:
    return {"hooks": {event: list(rules)}}


GOOD = [
    {},
    {"enabled": True, "description": "mine", "$schema": "x"},
    {"enabled": False, "disabled": ["a", "b"], "hookScriptPaths": []},
    {"defaultTimeout": 0.5, "timeoutBehavior": "deny", "failureBehavior": "ask"},
    {"maxConcurrentHooks": 100, "rules": [], "hooks": {}},
    rule(),
    rule(id="x", name="y", description="z", sequential=True),
    rule(event=["PostToolUse", "Stop"]),
    rule(event="AfterTool"),
    rule(matcher="Edit|Write"),
    rule(matcher=""),
    rule(matcher=None),
    rule(matcher={}),
    rule(matcher={"tools": "Edit", "paths": ["*.py", "*.pyi"], "commands": "^git"}),
    rule(matcher='tool == "Bash" && !(tool_input.command contains "push")'),
    rule(run=[]),
    rule(run=[OK, OK, {"type": "prompt", "prompt": "hi $TOOL"}]),
    rule(run=[{"type": "command", "args": ["echo", "$FILE"]}]),
    rule(run=[{"type": "command", "command": "echo", "args": []}]),
    hook(timeout=5, statusMessage="x", id="y", name="n", description="d"),
    hook(timeoutMs=1500),
    hook(**{"async": True}),
    hook(onFailure="deny", profile="strict"),
    hook(onFailure="continue"),
    native({"hooks": [OK]}),
    native({"matcher": "Edit", "hooks": [OK]}, {"hooks": []}),
    rule(event="BeforeTool"),
]
BAD = [
    {"enabled": "yes"},
    {"enabled": 1},
    {"unknown": 1},
    {"defaultTimeout": 0},
    {"defaultTimeout": "5"},
    {"defaultTimeout": True},
    {"timeoutBehavior": "explode"},
    {"failureBehavior": None},
    {"maxConcurrentHooks": 0},
    {"maxConcurrentHooks": 101},
    {"maxConcurrentHooks": 2.5},
    {"disabled": "a"},
    {"disabled": [5]},
    {"hookScriptPaths": "x"},
    {"rules": 5},
    {"rules": [5]},
    {"rules": [{}]},
    {"rules": [{"run": [OK]}]},
    {"rules": [{"event": "PostToolUse"}]},
    rule(event="PostTool"),
    rule(event=5),
    rule(event=["PostToolUse", "Nope"]),
    rule(event=[]),
    rule(unknown=1),
    rule(hooks=[OK]),
    rule(id=5),
    rule(sequential="yes"),
    rule(matcher=5),
    rule(matcher=["Edit"]),
    rule(matcher={"tool": "Edit"}),
    rule(matcher={"paths": 5}),
    rule(matcher={"paths": [5]}),
    rule(run=5),
    rule(run=OK),
    rule(run=[5]),
    rule(run=[{}]),
    rule(run=[{"type": "http", "url": "x"}]),
    rule(run=[{"type": "command"}]),
    rule(run=[{"type": "script"}]),
    rule(run=[{"type": "prompt", "prompt": "  "}]),
    rule(run=[{"type": "command", "args": "x"}]),
    rule(run=[{"type": "command", "args": [5]}]),
    rule(run=[{"type": "command", "args": []}]),
    hook(command=5),
    hook(command=" "),
    hook(timeout=0),
    hook(timeout="5"),
    hook(timeout=True),
    hook(timeoutMs=-1),
    hook(**{"async": "yes"}),
    hook(onFailure="explode"),
    hook(profile="turbo"),
    hook(unknown=1),
    hook(id=5),
    {"hooks": 5},
    {"hooks": []},
    {"hooks": {"PostToolUse": {}}},
    native({"hooks": [OK]}, event="Nope"),
    native({"run": [OK]}),
    native(5),
]


def accepts(schema: dict[str, Any], value: Any, whole: dict[str, Any]) -> bool:
    """The part of JSON Schema that our schema uses."""
    if "$ref" in schema:
        return accepts(whole["$defs"][schema["$ref"].rpartition("/")[2]], value, whole)
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    kinds = {
        "object": isinstance(value, dict),
        "array": isinstance(value, list),
        "string": isinstance(value, str),
        "boolean": isinstance(value, bool),
        "null": value is None,
        "number": number,
        "integer": number and value == int(value),
    }
    wanted = schema.get("type", [])
    checks = [
        not wanted or any(kinds[k] for k in ([wanted] if isinstance(wanted, str) else wanted))
    ]
    checks.append(value == schema.get("const", value))
    checks.append("enum" not in schema or value in schema["enum"])
    checks.append("anyOf" not in schema or any(accepts(s, value, whole) for s in schema["anyOf"]))
    if number:
        checks.append(schema.get("exclusiveMinimum", value - 1) < value)
        checks.append(value < schema.get("exclusiveMaximum", value + 1))
        checks.append(schema.get("minimum", value) <= value <= schema.get("maximum", value))
    if isinstance(value, str):
        checks.append(re.search(schema.get("pattern", ""), value) is not None)
        checks.append(len(value) >= schema.get("minLength", 0))
    if isinstance(value, list):
        checks.append(len(value) >= schema.get("minItems", 0))
        checks += [accepts(schema["items"], part, whole) for part in value if "items" in schema]
    if isinstance(value, dict):
        checks += [name in value for name in schema.get("required", [])]
        known = schema.get("properties", {})
        rest = schema.get("additionalProperties", True)
        for name, part in value.items():
            checks.append(accepts(schema.get("propertyNames", {}), name, whole))
            if name in known:
                checks.append(accepts(known[name], part, whole))
            elif rest is not True:
                checks.append(rest is not False and accepts(rest, part, whole))
    return all(checks)


class RulesSchemaTest(HookTestCase):
    def setUp(self) -> None:
        super().setUp()
        with open(SCHEMA, encoding="utf-8") as file:
            self.schema = json.load(file)

    def validate(self, value: object) -> list[Any]:
        """What `hookctl validate FILE` finds in a settings file with these rules."""
        path = self.write("settings/settings.json", {"customHooks": value})
        hookctl = os.path.join(self.root, "bin", "hookctl")
        done = self.start(["sh", hookctl, "validate", path, "--json"], b"")
        found: list[Any] = json.loads(done.stdout)
        self.assertEqual(done.code, 1 if found else 0, done.stderr)
        return found

    def test_both_accept_the_good_and_refuse_the_bad(self) -> None:
        for values, expected in ((GOOD, True), (BAD, False)):
            for value in values:
                with self.subTest(json.dumps(value)):
                    self.assertIs(accepts(self.schema, value, self.schema), expected, "schema")
                    found = self.validate(value)
                    self.assertIs(not found, expected, found)
                    for problem in found:
                        self.assertTrue(problem["path"].startswith("customHooks"), problem)
                        self.assertTrue(problem["reason"] and problem["file"], problem)

    def test_the_schema_knows_every_event(self) -> None:
        known = set(self.schema["$defs"]["event"]["enum"])
        self.assertEqual(known, event_names.EVENTS | set(event_names.ALIASES))

    def test_it_has_an_id_that_the_readme_names(self) -> None:
        readme = os.path.join(PLUGINS, "custom-hooks", "README.md")
        with open(readme, encoding="utf-8") as file:
            self.assertIn("`%s`" % self.schema["$id"], file.read())

    def test_our_own_pipelines_are_valid_and_say_so(self) -> None:
        for plugin in ("ecc-hooks", "auto-skill-hooks", "custom-hooks"):
            with open(os.path.join(PLUGINS, plugin, "hooks", "pipeline.json")) as file:
                pipeline = json.load(file)
            self.assertTrue(accepts(self.schema, pipeline, self.schema), plugin)
            named = os.path.join(PLUGINS, plugin, "hooks", pipeline["$schema"])
            self.assertTrue(os.path.isfile(named))
