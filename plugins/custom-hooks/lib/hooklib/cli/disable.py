"""hookctl disable: add a hook's id to the list `disabled` of a settings file."""

from __future__ import annotations

from hooklib.cli import disabled_list, overview

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from hooklib.cli.terminal import Reply

declare = disabled_list.declare


def run(options: argparse.Namespace) -> Reply:
    setup = overview.Setup()
    row = disabled_list.find(setup, options.id)
    key, path = disabled_list.key_of(row), disabled_list.path_of(setup, options)
    listed = disabled_list.read(path, key)
    changed = options.id not in listed
    if changed:
        disabled_list.write(path, key, [*listed, options.id])
    now = disabled_list.find(overview.Setup(), options.id)
    if now.state == "on":  # a project's file cannot switch off the user's own rules
        text = "%s is still on: %s cannot switch it off while the project is not trusted"
        return disabled_list.reply(options.id, "on", path, changed, [text % (options.id, path)], 1)
    lines = ["%s is off: listed in %s.disabled in %s" % (options.id, key, path)]
    if row.id == options.id and not row.rule and "[" in row.id:
        lines.append("it has no id of its own: this one changes if rules are moved")
    return disabled_list.reply(options.id, "off", path, changed, lines)
