"""Which hosts are on this machine, and what each has of this bundle."""

from __future__ import annotations

import os
import shutil

from hooklib.cli import plugins
from hooklib.engine import loader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from hooklib.cli.overview import Setup

    Check = tuple[str, str, str]

EXTENSION = "ecc-hooks-gemini"
PLUGIN = "ecc-hooks-opencode"
_LINK = ".gemini-extension-install.json"


def check(setup: Setup) -> Iterator[Check]:
    listed = any(plugin.state == "on" for plugin in setup.plugins)
    state = "bundle on" if listed else "bundle not enabled"
    yield "ok", "claude: %s, %s" % (_installed("claude"), state), ""
    yield from _gemini(setup)
    yield from _opencode(setup)


def with_bundle(setup: Setup) -> list[str]:
    """Return the hosts for which a rule may be meant: Claude Code, and those with our variant."""
    found = ["claude"]
    if os.path.isdir(_extension()[0]):
        found.append("gemini")
    if any(map(os.path.isdir, _opencode_folders(setup))):
        found.append("opencode")
    return found


def _gemini(setup: Setup) -> Iterator[Check]:
    root, linked = _extension()
    about = "gemini: %s, " % _installed("gemini")
    if not linked and not os.path.isdir(root):
        yield "ok", about + "no bundle", ""
        return
    how = "%s from %s" % ("linked" if linked else "installed", root)
    again = "`make install-gemini` in a clone, or gemini extensions uninstall " + EXTENSION
    if not plugins.is_ours(root):
        yield "fail", "%s%s is %s, which is not all there" % (about, EXTENSION, how), again
        return
    version = plugins.read_object(os.path.join(root, "gemini-extension.json")).get("version", "?")
    yield "ok", "%s%s %s is %s" % (about, EXTENSION, version, how), ""
    settings = [plugins.read_object(path) for path in _gemini_settings(setup)]
    for data in settings:
        switch = data.get("hooksConfig")
        if isinstance(switch, dict) and switch.get("enabled") is False:
            yield "warn", "gemini: hooksConfig.enabled is false: no hook runs", "remove it"
    if _mentions(setup, "AfterModel") and not any(_listens(data) for data in settings):
        wiring = "sh '%s' AfterModel" % os.path.join(root, "hooks", "rules")
        remedy = 'wire it in ~/.gemini/settings.json: hooks.AfterModel with "%s"' % wiring
        yield "warn", "gemini: there is a rule for AfterModel, which is not wired", remedy


def _extension() -> tuple[str, bool]:
    """Return the folder that Gemini CLI runs the extension from, and whether it is a link."""
    top = os.path.join(_gemini_home(), "extensions", EXTENSION)
    made = plugins.read_object(os.path.join(top, _LINK))
    source = made.get("source")
    if made.get("type") == "link" and isinstance(source, str):
        return source, True
    return top, False


def _gemini_home() -> str:
    return os.path.join(os.environ.get("GEMINI_CLI_HOME") or os.path.expanduser("~"), ".gemini")


def _gemini_settings(setup: Setup) -> list[str]:
    folders = (_gemini_home(), os.path.join(setup.start, ".gemini"))
    return [os.path.join(folder, "settings.json") for folder in folders]


def _mentions(setup: Setup, event: str) -> bool:
    """Whether a settings file has a rule for event."""
    from hooklib.jsonio import dumps

    return any('"%s"' % event in dumps(layer.data.get(loader.KEY)) for layer in setup.layers)


def _listens(data: dict[str, Any]) -> bool:
    hooks = data.get("hooks")
    return isinstance(hooks, dict) and bool(hooks.get("AfterModel"))


def _opencode(setup: Setup) -> Iterator[Check]:
    about = "opencode: %s, " % _installed("opencode")
    roots = [folder for folder in _opencode_folders(setup) if os.path.isdir(folder)]
    if not roots:
        yield "ok", about + "no bundle", ""
    for root in roots:
        version = plugins.read_object(os.path.join(root, "package.json")).get("version", "?")
        loaders = [os.path.join(os.path.dirname(root), name) for name in ("plugin", "plugins")]
        if not plugins.is_ours(root):
            what = "%s%s is not all there" % (about, root)
            yield "fail", what, "`make install-opencode` in a clone"
        elif not any(os.path.exists(os.path.join(each, PLUGIN + ".js")) for each in loaders):
            what = "%s%s %s is not loaded from plugin/" % (about, root, version)
            yield "warn", what, "`make install-opencode` in a clone"
        else:
            yield "ok", "%s%s %s is installed in %s" % (about, PLUGIN, version, root), ""


def _opencode_folders(setup: Setup) -> list[str]:
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    user = os.environ.get("OPENCODE_CONFIG_DIR") or os.path.join(home, "opencode")
    return [os.path.join(top, PLUGIN) for top in (user, os.path.join(setup.root, ".opencode"))]


def _installed(program: str) -> str:
    return "installed" if shutil.which(program) else "not on PATH"
