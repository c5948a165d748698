"""hookctl enable: remove a hook's id from the lists `disabled` of a settings file."""

from __future__ import annotations

from hooklib import config
from hooklib.cli import disabled_list, overview
from hooklib.engine import loader

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from hooklib.cli.terminal import Reply

declare = disabled_list.declare


def run(options: argparse.Namespace) -> Reply:
    setup = overview.Setup()
    row = disabled_list.find(setup, options.id)
    path = disabled_list.path_of(setup, options)
    changed = False
    for key in (config.KEY, loader.KEY):
        listed = disabled_list.read(path, key)
        if options.id in listed:
            disabled_list.write(path, key, [name for name in listed if name != options.id])
            changed = True
    now = disabled_list.find(overview.Setup(), options.id)
    if now.state == "on":
        return disabled_list.reply(options.id, "on", path, changed, ["%s is on" % options.id])
    text = "%s is still %s: %s" % (options.id, now.state, now.why)
    if not changed and row.state == "off":
        text = "%s is not switched off in %s; it is %s: %s" % (options.id, path, now.state, now.why)
    return disabled_list.reply(options.id, now.state, path, changed, [text], 1)
