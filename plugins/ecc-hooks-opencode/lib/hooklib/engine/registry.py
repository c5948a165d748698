"""Build hooks from configuration values; a bad entry becomes a warning and the rest work."""

from __future__ import annotations

from hooklib import config
from hooklib.engine import event_names, matcher

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from hooklib.engine.runner import Options

BEHAVIORS = {
    "ignore": "ignore",
    "deny": "deny",
    "ask": "ask",
    "continue": "ignore",
    "block": "deny",
}
TYPES = ("command", "script", "prompt")
_RULE_KEYS = frozenset("id name description matcher sequential".split())
_HOOK_KEYS = frozenset(
    "id name description type command args script prompt timeout timeoutMs statusMessage async"
    " onFailure profile".split()
)


class Source:
    """Where rules come from: a name, a file, and the base folder of its scripts."""

    __slots__ = (
        "name",
        "file",
        "base",
        "script_paths",
        "bundled",
        "trusted",
        "enabled",
        "disabled",
        "profile",
        "options",
    )

    def __init__(
        self,
        name: str,
        file: str = "",
        base: str = "",
        script_paths: tuple[str, ...] = (),
        bundled: bool = False,
        trusted: bool = True,
    ) -> None:
        self.name = name
        self.file = file
        self.base = base
        self.script_paths = script_paths  # folders that scripts must lie in
        self.bundled = bundled  # a plugin's own pipeline: its scripts run in this process
        self.trusted = trusted  # False: commands and scripts of an unknown project
        self.enabled = True  # this and the rest come from the settings that govern the source
        self.disabled: frozenset[str] = frozenset()
        self.profile = "strict"
        self.options: Options | None = None  # how its hooks run; None: the caller's options


class Hook:
    """One hook of one rule: what to run, when, and its source."""

    __slots__ = (
        "id",
        "rule",
        "event",
        "matcher",
        "type",
        "entry",
        "source",
        "profile",
        "sequential",
        "timeout",
        "on_failure",
        "background",
    )

    def __init__(self, id: str, rule: dict[str, Any], event: str, entry: dict[str, Any]) -> None:
        self.id = id
        self.rule = rule["id"] if isinstance(rule.get("id"), str) else ""
        self.event = event
        self.matcher = rule.get("matcher")
        self.type: str = entry["type"]
        self.entry = entry
        self.profile: str = entry.get("profile", "minimal")  # the smallest one that includes it
        self.sequential = rule.get("sequential") is True
        self.timeout = _seconds(entry)  # 0: the configuration's default
        self.on_failure = BEHAVIORS.get(entry.get("onFailure", ""), "")
        self.background = entry.get("async") is True
        self.source: Source

    @property
    def key(self) -> str:
        """A key that is equal for hooks that do the same thing; of those only one runs."""
        entry = self.entry
        base = self.source.base if self.type == "script" else ""
        content = entry.get("args") or entry.get(self.type)
        return "%s:%s:%s:%s" % (self.type, base, entry.get("command", ""), content)

    @property
    def runnable(self) -> bool:
        """False for a command or script of a project that is not trusted."""
        return self.source.trusted or self.type == "prompt"


class RuleWarning:
    """An entry of a configuration that is left out or does not do what it seems to do."""

    __slots__ = ("file", "path", "reason")

    def __init__(self, file: str, path: str, reason: str) -> None:
        self.file = file
        self.path = path
        self.reason = reason

    def __str__(self) -> str:
        return "%s: %s: %s" % (self.file, self.path, self.reason)


def collect(
    value: Any, source: Source, event: str, key_path: str = "hooks"
) -> tuple[list[Hook], list[RuleWarning]]:
    """Return the hooks for event in a configuration's `hooks` or `rules`, and the warnings.

    `hooks` is the hosts' form, {event: [{matcher, hooks: [...]}]}. `rules` says the same as a list,
    [{event, matcher, run: [...]}], because Claude Code 2.1.326 skips a whole settings.json with
    PreToolUse rules in its own form anywhere but under its own key.
    """
    hooks: list[Hook] = []
    warnings: list[RuleWarning] = []
    for rule, path, key in _rules(value, event, key_path, source.file, warnings):
        for hook, hook_path, reason in _hooks(rule, event, path, key, source.name):
            if reason:
                warnings.append(RuleWarning(source.file, hook_path, reason))
            if hook is not None:
                hook.source = source
                hooks.append(hook)
    return hooks, warnings


def _rules(
    value: Any, event: str, key_path: str, file: str, warnings: list[RuleWarning]
) -> Iterator[tuple[Any, str, str]]:
    """Yield each rule for event, its path, and the key of its hooks, which differs by form."""
    spellings = event_names.spellings(event)
    if isinstance(value, list):
        for number, rule in enumerate(value):
            path = "%s[%d]" % (key_path, number)
            event_value = rule.get("event") if isinstance(rule, dict) else None
            events = event_value if isinstance(event_value, list) else [event_value]
            if any(name in spellings for name in events if isinstance(name, str)):
                yield rule, path, "run"
            elif not events or not all(isinstance(name, str) for name in events):
                warnings.append(RuleWarning(file, path, "no event is named"))
    elif isinstance(value, dict):
        for spelling in spellings:
            rules = value.get(spelling)
            path = key_path + "." + spelling
            if isinstance(rules, list):
                for number, rule in enumerate(rules):
                    yield rule, "%s[%d]" % (path, number), "hooks"
            elif rules is not None:
                warnings.append(RuleWarning(file, path, "not a list of rules"))
    elif value is not None:
        warnings.append(
            RuleWarning(file, key_path, "neither an object of events nor a list of rules")
        )


def _hooks(
    rule: Any, event: str, path: str, key: str, source: str
) -> Iterator[tuple[Hook | None, str, str]]:
    """Yield each hook of a rule, or None, with its path and its problem."""
    if not isinstance(rule, dict):
        yield None, path, "not an object"
        return
    known_keys = _RULE_KEYS | ({"event", "run"} if key == "run" else {"hooks"})
    for unknown in [name for name in rule if name not in known_keys]:
        yield None, "%s.%s" % (path, unknown), "unknown key, ignored"
    for name, kind in (("id", str), ("name", str), ("sequential", bool)):
        if not isinstance(rule.get(name, kind()), kind):
            yield None, path + "." + name, "not a %s" % ("text" if kind is str else "true or false")
            return
    entries = rule.get(key)
    if not isinstance(entries, list):
        yield None, path + "." + key, "not a list of hooks"
        return
    for index, entry in enumerate(entries):
        hook_path = "%s.%s[%d]" % (path, key, index)
        reason = _problem(entry)
        if reason:
            yield None, hook_path, reason
            continue
        for unknown in [name for name in entry if name not in _HOOK_KEYS]:
            yield None, "%s.%s" % (hook_path, unknown), "unknown key, ignored"
        hook_id = entry.get("id") or (rule.get("id") if len(entries) == 1 else "")
        yield Hook(hook_id or "%s:%s" % (source, hook_path), rule, event, entry), hook_path, ""


def _problem(entry: Any) -> str:
    """Return why a hook cannot be used, '' if it can."""
    if not isinstance(entry, dict):
        return "not an object"
    kind = entry.get("type")
    if kind not in TYPES:
        return "type is %s, known are %s" % (kind, ", ".join(TYPES))
    text = entry.get(kind)
    if kind == "command" and "args" in entry:
        args = entry["args"]
        if not isinstance(args, list) or not all(isinstance(arg, str) for arg in args):
            return "args is not a list of texts"
        if not args and not text:
            return "args is empty"
    elif not isinstance(text, str) or not text.strip():
        return "no %s is given" % kind
    if text is not None and not isinstance(text, str):
        return "%s is not a text" % kind
    if not isinstance(entry.get("id", ""), str) or not isinstance(entry.get("async", False), bool):
        return "id is not a text, or async not true or false"
    for key in ("timeout", "timeoutMs"):
        value = entry.get(key, 1)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < 1e9:
            return "%s is not a number above 0" % key
    if entry.get("onFailure", "ignore") not in BEHAVIORS:
        return "onFailure is %s, known are %s" % (entry["onFailure"], ", ".join(BEHAVIORS))
    if entry.get("profile", "minimal") not in config.PROFILES:
        return "profile is %s, known are %s" % (entry["profile"], ", ".join(config.PROFILES))
    return ""


def _seconds(entry: dict[str, Any]) -> float:
    if "timeout" in entry:
        return float(entry["timeout"])
    return float(entry.get("timeoutMs", 0)) / 1000


def check_matchers(hooks: list[Hook]) -> list[RuleWarning]:
    """Return a warning for each matcher that is broken or does not do what it seems to do."""
    warnings = {}
    for hook in hooks:
        reason, usable = matcher.problem(hook.matcher)
        if reason:
            text = "matcher: " + reason + ("" if usable else "; the rule is left out")
            warnings[(hook.source.file, hook.id)] = RuleWarning(hook.source.file, hook.id, text)
    return list(warnings.values())
