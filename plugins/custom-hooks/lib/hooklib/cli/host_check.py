"""Check which hosts are installed, and whether each has its variant of this bundle."""

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
_LINK = ".gemini-extension-install.json"


def check(setup: Setup) -> Iterator[Check]:
    enabled = any(plugin.state == "on" for plugin in setup.plugins)
    state = "bundle enabled" if enabled else "bundle not enabled"
    yield "ok", "claude: %s, %s" % (_installed("claude"), state), ""
    yield from _gemini(setup)
    yield from _opencode(setup)


def with_bundle(setup: Setup) -> list[str]:
    """Return the hosts that a rule may be meant for: Claude Code, and those with our variant."""
    names = ["claude"]
    if os.path.isdir(_extension()[0]):
        names.append("gemini")
    if any(map(os.path.isdir, _opencode_folders(setup))):
        names.append("opencode")
    return names


def _gemini(setup: Setup) -> Iterator[Check]:
    root, linked = _extension()
    prefix = "gemini: %s, " % _installed("gemini")
    if not linked and not os.path.isdir(root):
        yield "ok", prefix + "no bundle", ""
        return
    source = "%s from %s" % ("linked" if linked else "installed", root)
    remedy = "`make install-gemini` in a clone, or gemini extensions uninstall " + EXTENSION
    if not plugins.is_ours(root):
        yield "fail", "%s%s is %s, which is incomplete" % (prefix, EXTENSION, source), remedy
        return
    version = plugins.read_object(os.path.join(root, "gemini-extension.json")).get("version", "?")
    yield "ok", "%s%s %s is %s" % (prefix, EXTENSION, version, source), ""
    settings = [plugins.read_object(path) for path in _gemini_settings(setup)]
    for data in settings:
        switch = data.get("hooksConfig")
        if isinstance(switch, dict) and switch.get("enabled") is False:
            yield "warn", "gemini: hooksConfig.enabled is false: no hook runs", "remove it"
    if _mentions(setup, "AfterModel") and not any(_listens(data) for data in settings):
        wiring = "sh '%s' AfterModel" % os.path.join(root, "hooks", "rules")
        remedy = 'add the command "%s" to hooks.AfterModel in ~/.gemini/settings.json' % wiring
        yield "warn", "gemini: a rule is for AfterModel, which is not wired", remedy


def _extension() -> tuple[str, bool]:
    """Return the folder that Gemini CLI runs the extension from, and whether it is linked."""
    top = os.path.join(_gemini_home(), "extensions", EXTENSION)
    link = plugins.read_object(os.path.join(top, _LINK))
    source = link.get("source")
    if link.get("type") == "link" and isinstance(source, str):
        return source, True
    return top, False


def _gemini_home() -> str:
    return os.path.join(os.environ.get("GEMINI_CLI_HOME") or os.path.expanduser("~"), ".gemini")


def _gemini_settings(setup: Setup) -> list[str]:
    folders = (_gemini_home(), os.path.join(setup.start, ".gemini"))
    return [os.path.join(folder, "settings.json") for folder in folders]


def _mentions(setup: Setup, event: str) -> bool:
    """Return whether a settings file mentions event among its rules."""
    from hooklib.jsonio import dumps

    return any('"%s"' % event in dumps(layer.data.get(loader.KEY)) for layer in setup.layers)


def _listens(data: dict[str, Any]) -> bool:
    hooks = data.get("hooks")
    return isinstance(hooks, dict) and bool(hooks.get("AfterModel"))


def _opencode(setup: Setup) -> Iterator[Check]:
    name = plugins.OPENCODE_PLUGIN
    prefix = "opencode: %s, " % _installed("opencode")
    roots = [path for path in _opencode_folders(setup) if os.path.isdir(path)]
    if not roots:
        yield "ok", prefix + "no bundle", ""
    for root in roots:
        version = plugins.read_object(os.path.join(root, "package.json")).get("version", "?")
        loaders = [os.path.join(os.path.dirname(root), part) for part in ("plugin", "plugins")]
        if not plugins.is_ours(root):
            what = "%s%s is incomplete" % (prefix, root)
            yield "fail", what, "`make install-opencode` in a clone"
        elif not any(os.path.exists(os.path.join(folder, name + ".js")) for folder in loaders):
            what = "%s%s %s is not loaded from plugin/" % (prefix, root, version)
            yield "warn", what, "`make install-opencode` in a clone"
        else:
            yield "ok", "%s%s %s is installed in %s" % (prefix, name, version, root), ""


def _opencode_folders(setup: Setup) -> list[str]:
    """Return where OpenCode's plugin may be: installed for the user, for the project."""
    own = os.path.join(setup.root, ".opencode", plugins.OPENCODE_PLUGIN)
    return [plugins.opencode_folder(), own]


def _installed(program: str) -> str:
    return "installed" if shutil.which(program) else "not on PATH"
