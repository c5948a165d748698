"""Check the switches: unknown keys, ids and variables, and invalid values."""

from __future__ import annotations

import os

from hooklib import config
from hooklib.cli import overview
from hooklib.engine import loader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from hooklib.cli.overview import Setup

    Check = tuple[str, str, str]

COUNT = range(10**9)  # a whole number, including 0
# The keys of customSkills, each with the type or the values it accepts.
KEYS: dict[str, Any] = {
    "enabled": bool,
    "profile": config.PROFILES,
    "disabled": list,
    "format": config.FORMAT_POLICIES,
    "checks": config.CHECK_MODES,
    "checkSeconds": int,
    "allowDebug": list,
    "committedTools": bool,
    "compactThreshold": int,
    "sessionMessage": bool,
    "unsavedThreshold": COUNT,
    "$schema": str,
    "description": str,
}
_SWITCH = ("0", "1", "false", "true", "off", "on", "no", "yes")
VARIABLES: dict[str, Any] = {
    "CUSTOM_SKILLS": _SWITCH,
    "CUSTOM_SKILLS_PROFILE": config.PROFILES,
    "CUSTOM_SKILLS_DISABLED": str,
    "CUSTOM_SKILLS_SESSION_MESSAGE": _SWITCH,
    "CUSTOM_SKILLS_FORMAT": config.FORMAT_POLICIES,
    "CUSTOM_SKILLS_CHECKS": config.CHECK_MODES,
    "CUSTOM_SKILLS_CHECK_SECONDS": int,
    "CUSTOM_SKILLS_REHEARSAL": str,  # of hookctl test
    "CUSTOM_SKILLS_E2E": str,  # of the tests
    "CUSTOM_SKILLS_TIME_SCALE": int,  # of the tests: multiplies the limits of limits.py
    "CUSTOM_SKILLS_MEMORY_FTS": _SWITCH,  # of the tests: search without SQLite's index
    "CUSTOM_HOOKS_ENABLED": _SWITCH,
    "CUSTOM_HOOKS_DEFAULT_TIMEOUT": str,  # these are checked by the loader
    "CUSTOM_HOOKS_TIMEOUT_BEHAVIOR": str,
    "CUSTOM_HOOKS_FAILURE_BEHAVIOR": str,
    "CUSTOM_HOOKS_MAX_CONCURRENT_HOOKS": str,
    "COMPACT_THRESHOLD": int,
    "CLAUDE_PACKAGE_MANAGER": config.PACKAGE_MANAGERS,
}
_NAMES = {bool: "true or false", list: "a list", int: "a whole number above 0", str: "a text"}


def check(setup: Setup) -> Iterator[Check]:
    problems = [*_settings(setup), *_variables(), *_ids(setup)]
    yield from problems
    if not problems:
        yield "ok", "all switches are valid", ""


def _settings(setup: Setup) -> Iterator[Check]:
    for layer in setup.layers:
        values = layer.data.get(config.KEY)
        if values is None:
            continue
        if not isinstance(values, dict):
            yield "warn", "%s: %s is not an object" % (layer.path, config.KEY), "fix it"
            continue
        for key, value in values.items():
            name = "%s: %s.%s" % (layer.path, config.KEY, key)
            if key not in KEYS:
                yield "warn", name + " is not a switch", nearest(key, KEYS)
            elif not _is_valid(value, KEYS[key]):
                yield "warn", "%s is %r" % (name, value), "use " + _describe(KEYS[key])


def _variables() -> Iterator[Check]:
    for name, value in sorted(os.environ.items()):
        if name not in VARIABLES:
            if name.startswith(("CUSTOM_SKILLS", "CUSTOM_HOOKS_")):
                yield "warn", "variable %s is not a switch" % name, nearest(name, VARIABLES)
            continue
        accepted = VARIABLES[name]
        text = value.strip()
        parsed: Any = text.lower() if accepted is _SWITCH else text
        if accepted is int:
            parsed = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
        if text and not _is_valid(parsed, accepted):
            yield "warn", "variable %s is %r" % (name, value), "use " + _describe(accepted)


def _ids(setup: Setup) -> Iterator[Check]:
    ids = {name for row in overview.rows(setup) for name in (row.id, row.rule) if name}
    variable = os.environ.get("CUSTOM_SKILLS_DISABLED", "").split(",")
    for name in filter(None, (part.strip() for part in variable)):
        if name not in ids:
            what = "CUSTOM_SKILLS_DISABLED names %s: no hook has that id" % name
            yield "warn", what, nearest(name, ids)
    for layer in setup.layers:
        for key in (config.KEY, loader.KEY):
            for name in overview.disabled_in(layer.data, key):
                if name not in ids:
                    what = "%s: %s.disabled names %s: no hook has that id" % (layer.path, key, name)
                    yield "warn", what, nearest(str(name), ids)


def _is_valid(value: Any, accepted: Any) -> bool:
    if isinstance(accepted, tuple):
        return value in accepted
    if accepted is int or accepted is COUNT:
        return type(value) is int and value >= (accepted is int)
    if accepted is list:
        return isinstance(value, list) and all(isinstance(text, str) for text in value)
    return isinstance(value, accepted)


def _describe(accepted: Any) -> str:
    if accepted is COUNT:
        return "a whole number, 0 or more"
    return " or ".join(accepted) if isinstance(accepted, tuple) else _NAMES[accepted]


def nearest(name: str, names: Iterable[str]) -> str:
    """Return the remedy for an unknown name."""
    import difflib

    near = difflib.get_close_matches(name, list(names), 1)
    return "did you mean %s?" % near[0] if near else "remove it"
