#!/usr/bin/env python3
"""Switch the bundle on in the user's Claude Code settings; `--remove` removes it again.

This writes two keys of settings.json, extraKnownMarketplaces and enabledPlugins. The client needs
nothing else for a marketplace that is a folder: it runs the plugins in place.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import re
import stat
import sys
import tempfile
from typing import Any, NoReturn

REPO = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
NAME = "custom-skills"
MARKETPLACES = "extraKnownMarketplaces"
PLUGINS = "enabledPlugins"
BACKUP = ".custom-skills-backup"


class Problem(Exception):
    """The reason why nothing was changed: the file and its problem, in one line."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__("%s: %s" % (path, why))


class Settings:
    """The settings file as it was read: values, bytes (None if there is no file), mode."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.target = os.path.realpath(path)  # a symbolic link into a dotfiles folder stays one
        self.raw: bytes | None = None
        self.mode = 0o600
        self.values: dict[str, Any] = {}
        try:
            status = os.stat(self.target)
        except FileNotFoundError:
            return
        if not stat.S_ISREG(status.st_mode):  # reading a pipe would never end
            raise Problem(path, "not a plain file")
        self.mode = stat.S_IMODE(status.st_mode)
        with open(self.target, "rb") as file:
            self.raw = file.read()
        self.values = parse(path, self.raw)

    def write(self, values: dict[str, Any], installed: bool) -> str:
        """Back up and replace the file; return the backup's path, or ''."""
        backup = self.path + BACKUP
        # the backup holds the state before the installation, so a later one must not replace it
        if self.raw is not None and not (installed and os.path.lexists(backup)):
            replace(backup, self.raw, self.mode)
        text = json.dumps(values, indent=self.indent, ensure_ascii=False) + "\n"
        # JSON can hold half a surrogate pair only as an escape
        text = re.sub("[\ud800-\udfff]", lambda half: "\\u%04x" % ord(half[0]), text)
        os.makedirs(os.path.dirname(self.target), mode=0o700, exist_ok=True)
        replace(self.target, text.encode("utf-8"), self.mode)
        return backup if os.path.lexists(backup) else ""

    @property
    def indent(self) -> str:
        """The file's own indentation, or two spaces."""
        first = re.search(rb'\n([ \t]+)"', self.raw or b"")
        return first[1].decode("ascii") if first else "  "


def parse(path: str, raw: bytes) -> dict[str, Any]:
    """Return the object in a settings file; raise Problem if it or our keys are not objects."""
    try:
        values = json.loads(raw.decode("utf-8-sig"), parse_constant=no_constant)
    except UnicodeDecodeError as error:
        raise Problem(path, "not UTF-8 at byte %d" % error.start) from None
    except json.JSONDecodeError as error:
        where = "line %d column %d" % (error.lineno, error.colno)
        raise Problem(path, "not valid JSON at %s: %s" % (where, error.msg)) from None
    except (ValueError, RecursionError) as error:
        raise Problem(path, "not valid JSON: %s" % error) from None
    if not isinstance(values, dict):
        raise Problem(path, "not a JSON object at line 1 column 1")
    for key in (MARKETPLACES, PLUGINS):
        if not isinstance(values.get(key, {}), dict):
            raise Problem(path, 'not an object at key "%s"' % key)
    return values


def no_constant(word: str) -> NoReturn:
    raise ValueError("%s is not JSON" % word)  # Python would accept NaN and write it back


def replace(path: str, data: bytes, mode: int) -> None:
    """Write a file completely or not at all."""
    fd, temporary = tempfile.mkstemp(prefix=".custom-skills-", dir=os.path.dirname(path))
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def plugin_names() -> list[str]:
    path = os.path.join(REPO, ".claude-plugin", "marketplace.json")
    try:
        with open(path, encoding="utf-8") as file:
            return [plugin["name"] for plugin in json.load(file)["plugins"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Problem(path, "no list of plugins (%s)" % type(error).__name__) from None


def is_ours(name: str) -> bool:
    """Return whether a key is ours, even of a plugin that no longer exists."""
    return name == NAME or name.endswith("@" + NAME)


def is_installed(values: dict[str, Any]) -> bool:
    return NAME in values.get(MARKETPLACES, {}) or any(
        is_ours(key) and on is not False for key, on in values.get(PLUGINS, {}).items()
    )


def add(values: dict[str, Any], plugins: list[str]) -> list[str]:
    """Add our keys to values; return lines for the user."""
    marketplaces = values.setdefault(MARKETPLACES, {})
    old = marketplaces.get(NAME)
    # keep other keys of the entry, e.g. autoUpdate
    marketplaces[NAME] = dict(old if isinstance(old, dict) else {})
    marketplaces[NAME]["source"] = {"source": "directory", "path": REPO}
    lines = ["marketplace: %s, from %s (keep that folder: the plugins run from it)" % (NAME, REPO)]
    if old is not None and old != marketplaces[NAME]:
        lines.append("replaces the marketplace of the same name: %s" % json.dumps(old))
    enabled = values.setdefault(PLUGINS, {})
    for plugin in plugins:
        if enabled.get(plugin + "@" + NAME) is False:
            lines.append("%s stays off: you set it to false" % plugin)
        else:
            enabled[plugin + "@" + NAME] = True
            lines.append("%s is on" % plugin)
    return lines


def remove(values: dict[str, Any]) -> list[str]:
    """Remove our keys from values; return lines for the user."""
    lines = []
    for key in (MARKETPLACES, PLUGINS):
        ours = [name for name in values.get(key, {}) if is_ours(name)]
        for name in ours:
            del values[key][name]
            lines.append("removed %s from %s" % (name, key))
        if ours and not values[key]:
            del values[key]
    return lines


def change(settings: Settings, removing: bool) -> None:
    """Add or remove our keys, and print what was done."""
    values = copy.deepcopy(settings.values)
    lines = remove(values) if removing else add(values, plugin_names())
    if values == settings.values:
        state = "not in" if removing else "already in"
        print("custom-skills is %s %s; nothing was changed." % (state, settings.path))
        lines = [line for line in lines if "stays off" in line]
        print("".join("  %s\n" % line for line in lines), end="")
        return
    backup = settings.write(values, is_installed(settings.values))
    print("custom-skills is now %s %s" % ("removed from" if removing else "in", settings.path))
    if backup:
        lines.append("backup: " + backup)
    print("".join("  %s\n" % line for line in lines), end="")
    print("It takes effect in the next Claude Code session; restart running sessions.")
    if removing:
        data = os.path.join(os.path.dirname(settings.path), "plugins", "data")
        print("Logs and counters stay in %s; delete them if you like." % data)
    else:
        print("`make uninstall` removes it again.")


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="install.py", description=__doc__.partition("\n")[0])
    parser.add_argument("--remove", action="store_true", help="remove the bundle again")
    removing: bool = parser.parse_args(argv).remove
    folder = os.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(os.path.expanduser("~"), ".claude")
    path = os.path.join(os.path.abspath(folder), "settings.json")
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        change(Settings(path), removing)
    except OSError as error:
        print("install: %s: %s; nothing was changed" % (path, error.strerror), file=sys.stderr)
    except Problem as problem:
        print("install: %s; nothing was changed" % problem, file=sys.stderr)
    else:
        return 0
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
