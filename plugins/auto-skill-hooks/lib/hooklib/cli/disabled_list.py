"""The list `disabled` of a settings file, which hookctl enable and disable change."""

from __future__ import annotations

import json
import os
import re
import stat

from hooklib import config, files, paths
from hooklib.cli import overview, terminal
from hooklib.engine import loader

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from hooklib.cli.overview import Row, Setup


def declare(parser: argparse.ArgumentParser) -> None:
    """Add the options of both commands."""
    parser.add_argument("id", help="of a hook or a rule, see `hookctl list`")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--project", action="store_true", help="in .claude/settings.json")
    where.add_argument("--local", action="store_true", help="in .claude/settings.local.json")


def reply(
    id: str, state: str, path: str, changed: bool, lines: list[str], code: int = 0
) -> terminal.Reply:
    data = {"id": id, "state": state, "file": path, "changed": changed}
    return terminal.Reply(data, map(terminal.clean, lines), code)


def find(setup: Setup, id: str) -> Row:
    """Return the hook of that id, or the first of the rule of that id; Problem names near ones."""
    rows = [row for row in overview.rows(setup) if row.hook is not None]
    for row in rows:
        if row.id == id:
            return row
    of_rule = [row for row in rows if row.rule == id]
    if of_rule:
        return next((row for row in of_rule if row.state != "on"), of_rule[0])
    import difflib

    known = sorted({name for row in rows for name in (row.id, row.rule) if name})
    near = difflib.get_close_matches(id, known, 3, 0.5)
    hint = "did you mean %s?" % ", ".join(near) if near else "`hookctl list` shows them"
    raise terminal.Problem("no hook or rule %s; %s" % (id, hint))


def key_of(row: Row) -> str:
    return config.KEY if row.bundled else loader.KEY


def path_of(setup: Setup, options: argparse.Namespace) -> str:
    if options.project or options.local:
        name = "settings.local.json" if options.local else "settings.json"
        return os.path.join(setup.root, ".claude", name)
    return os.path.join(paths.config_dir(), "settings.json")


def _settings(path: str) -> tuple[dict[str, Any], str]:
    """Return the settings in a file and its text; Problem where it cannot be changed safely."""
    try:
        text = files.read_bounded(path, 4_000_000).decode("utf-8-sig")
        values = json.loads(text, parse_constant=_no_constant)
    except FileNotFoundError:
        return {}, ""
    except OSError as error:
        raise terminal.Problem("%s: %s" % (path, error.strerror or error)) from None
    except (ValueError, RecursionError) as error:
        raise terminal.Problem("%s is broken, mend it first: %s" % (path, error)) from None
    if not isinstance(values, dict):
        raise terminal.Problem("%s is broken, mend it first: not a JSON object" % path)
    return values, text


def _no_constant(word: str) -> None:
    raise ValueError("%s is no value" % word)  # Python would take NaN and write it back


def read(path: str, key: str) -> list[Any]:
    switches = _settings(path)[0].get(key, {})
    if not isinstance(switches, dict):
        raise terminal.Problem("%s: %s is not an object, mend it first" % (path, key))
    listed = switches.get("disabled", [])
    if not isinstance(listed, list):
        raise terminal.Problem("%s: %s.disabled is not a list, mend it first" % (path, key))
    return listed


def write(path: str, key: str, disabled: list[Any]) -> None:
    """Replace the file, all other keys as they were; it keeps its mode, a link stays a link."""
    values, text = _settings(path)
    switches = values.setdefault(key, {})
    if disabled:
        switches["disabled"] = disabled
    else:
        switches.pop("disabled", None)
        if not switches:
            del values[key]
    found = re.search(r'\n([ \t]+)"', text)
    new = json.dumps(values, indent=found[1] if found else "  ", ensure_ascii=False) + "\n"
    # half a surrogate pair can be written in JSON only as an escape
    new = re.sub("[\ud800-\udfff]", lambda half: "\\u%04x" % ord(half[0]), new)
    target = os.path.realpath(path)
    try:
        mode = stat.S_IMODE(os.stat(target).st_mode) if text else 0o600
        files.make_private_dir(os.path.dirname(target))
        files.write_atomic(target, new.encode("utf-8"), mode)
    except OSError as error:
        raise terminal.Problem("%s: %s" % (path, error.strerror or error)) from None
