"""Read and write the list `disabled` of a settings file, for hookctl enable and disable."""

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
    """Add the options of enable and disable."""
    parser.add_argument("id", help="id of a hook or a rule, see `hookctl list`")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--project", action="store_true", help="in .claude/settings.json")
    where.add_argument("--local", action="store_true", help="in .claude/settings.local.json")


def reply(
    id: str, state: str, path: str, changed: bool, lines: list[str], code: int = 0
) -> terminal.Reply:
    data = {"id": id, "state": state, "file": path, "changed": changed}
    return terminal.Reply(data, map(terminal.clean, lines), code)


def find(setup: Setup, id: str) -> Row:
    """Return the row of the hook with that id, or of the rule with that id.

    Of a rule's hooks, the first that is not on. Raise Problem with similar ids if there is none.
    """
    rows = [row for row in overview.rows(setup) if row.hook is not None]
    for row in rows:
        if row.id == id:
            return row
    of_rule = [row for row in rows if row.rule == id]
    if of_rule:
        return next((row for row in of_rule if row.state != "on"), of_rule[0])
    import difflib

    ids = sorted({name for row in rows for name in (row.id, row.rule) if name})
    near = difflib.get_close_matches(id, ids, 3, 0.5)
    hint = "did you mean %s?" % ", ".join(near) if near else "see `hookctl list`"
    raise terminal.Problem("no hook or rule %s; %s" % (id, hint))


def key_of(row: Row) -> str:
    return config.KEY if row.bundled else loader.KEY


def path_of(setup: Setup, options: argparse.Namespace) -> str:
    if options.project or options.local:
        name = "settings.local.json" if options.local else "settings.json"
        return os.path.join(setup.root, ".claude", name)
    return os.path.join(paths.config_dir(), "settings.json")


def _settings(path: str) -> tuple[dict[str, Any], str]:
    """Return the settings in a file and its text; raise Problem if it cannot be changed safely."""
    try:
        text = files.read_bounded(path, 4_000_000).decode("utf-8-sig")
        values = json.loads(text, parse_constant=_no_constant)
    except FileNotFoundError:
        return {}, ""
    except OSError as error:
        raise terminal.Problem("%s: %s" % (path, error.strerror or error)) from None
    except (ValueError, RecursionError) as error:
        raise terminal.Problem("%s is broken, fix it first: %s" % (path, error)) from None
    if not isinstance(values, dict):
        raise terminal.Problem("%s is broken, fix it first: not a JSON object" % path)
    return values, text


def _no_constant(word: str) -> None:
    raise ValueError("%s is not JSON" % word)  # Python would accept NaN and write it back


def read(path: str, key: str) -> list[Any]:
    switches = _settings(path)[0].get(key, {})
    if not isinstance(switches, dict):
        raise terminal.Problem("%s: %s is not an object, fix it first" % (path, key))
    listed = switches.get("disabled", [])
    if not isinstance(listed, list):
        raise terminal.Problem("%s: %s.disabled is not a list, fix it first" % (path, key))
    return listed


def write(path: str, key: str, disabled: list[Any]) -> None:
    """Replace the list and keep all other keys, the file's mode and a symbolic link."""
    values, text = _settings(path)
    switches = values.setdefault(key, {})
    if disabled:
        switches["disabled"] = disabled
    else:
        switches.pop("disabled", None)
        if not switches:
            del values[key]
    indent = re.search(r'\n([ \t]+)"', text)
    new = json.dumps(values, indent=indent[1] if indent else "  ", ensure_ascii=False) + "\n"
    # JSON can hold half a surrogate pair only as an escape
    new = re.sub("[\ud800-\udfff]", lambda half: "\\u%04x" % ord(half[0]), new)
    target = os.path.realpath(path)
    try:
        mode = stat.S_IMODE(os.stat(target).st_mode) if text else 0o600
        files.make_private_dir(os.path.dirname(target))
        files.write_atomic(target, new.encode("utf-8"), mode)
    except OSError as error:
        raise terminal.Problem("%s: %s" % (path, error.strerror or error)) from None
