"""Find plugins, this bundle's and all that Claude Code has enabled, with their folders."""

from __future__ import annotations

import os

from hooklib import files, jsonio, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.config import Layer

OPENCODE_PLUGIN = "ecc-hooks-opencode"
_LIMIT = 4_000_000


class Plugin:
    """A plugin as the host sees it; root is the folder that it runs from, '' if there is none."""

    __slots__ = ("name", "marketplace", "root", "state", "by")

    def __init__(self, name: str, marketplace: str, root: str, state: str, by: str) -> None:
        self.name = name
        self.marketplace = marketplace
        self.root = root
        self.state = state  # on, off, or absent if no settings file names it
        self.by = by  # the settings file with the state

    @property
    def ours(self) -> bool:
        """Whether this bundle has it: such a plugin has a pipeline and a copy of the library."""
        return is_ours(self.root)

    @property
    def version(self) -> str:
        return version(self.root)


def read_object(path: str) -> dict[str, Any]:
    """Return the JSON object in a file, or {} if there is none."""
    try:
        value = jsonio.loads(files.read_bounded(path, _LIMIT))
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def manifest(root: str) -> dict[str, Any]:
    return read_object(os.path.join(root, ".claude-plugin", "plugin.json"))


def version(root: str) -> str:
    value = manifest(root).get("version")
    return value if isinstance(value, str) else ""


def is_ours(root: str) -> bool:
    return bool(root) and all(
        os.path.isfile(os.path.join(root, *parts))
        for parts in (("hooks", "pipeline.json"), ("lib", "start.py"))
    )


def enabled(layers: list[Layer]) -> list[Plugin]:
    """Return every plugin that a settings file switches on or off; the strongest file decides."""
    by_key: dict[str, Plugin] = {}
    marketplaces = _marketplaces(layers)
    for layer in layers:
        for key, on in _mapping(layer.data.get("enabledPlugins")).items():
            name, _, marketplace = key.rpartition("@")
            if name:
                root = _root(name, marketplace, marketplaces)
                by_key[key] = Plugin(name, marketplace, root, "on" if on else "off", layer.path)
    return list(by_key.values())


def bundle(layers: list[Layer]) -> list[Plugin]:
    """Return the plugins of this bundle: those that settings name, else those beside this one."""
    by_name = {plugin.name: plugin for plugin in enabled(layers) if plugin.ours}
    parent = os.path.dirname(paths.PLUGIN_ROOT)
    for root in (paths.PLUGIN_ROOT, *(os.path.join(parent, name) for name in _names(parent))):
        name = manifest(root).get("name")
        if isinstance(name, str) and is_ours(root):
            by_name.setdefault(name, Plugin(name, paths.MARKETPLACE, root, "absent", ""))
    return sorted(by_name.values(), key=lambda plugin: plugin.name)


def variant(host: str) -> Plugin:
    """Return this bundle's one plugin for a host other than Claude Code.

    OpenCode's is complete only where the user installed it; its root is '' if he did not. One that
    lies in a project may be a stranger's.
    """
    name = "ecc-hooks-" + host
    folders, fallback = [os.path.join(os.path.dirname(paths.PLUGIN_ROOT), name)], paths.PLUGIN_ROOT
    if name == OPENCODE_PLUGIN:
        folders, fallback = [*folders, opencode_folder()], ""
    return Plugin(name, "", next(filter(is_ours, folders), fallback), "on", "")


def opencode_folder() -> str:
    """Return where OpenCode's plugin is if it is installed for the user."""
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    user = os.environ.get("OPENCODE_CONFIG_DIR") or os.path.join(home, "opencode")
    return os.path.join(user, OPENCODE_PLUGIN)


def data_folders(plugins: list[Plugin]) -> dict[str, str]:
    """Return the data folders that exist or would be created, each with its plugin's name."""
    top = os.path.join(paths.config_dir(), "plugins", "data")
    folders = {paths.data_dir(): paths.plugin_name()}
    for plugin in plugins:
        for origin in (plugin.marketplace, "inline"):  # inline: started with --plugin-dir
            folder = os.path.join(top, plugin.name + "-" + origin)
            if origin != "inline" or os.path.isdir(folder):
                folders.setdefault(folder, plugin.name)
    return folders


def _marketplaces(layers: list[Layer]) -> dict[str, str]:
    """Return the path of each marketplace that is a folder: its plugins run in place."""
    entries = dict(read_object(_host_file("known_marketplaces.json")))
    for layer in layers:
        entries.update(_mapping(layer.data.get("extraKnownMarketplaces")))
    by_name = {}
    for name, value in entries.items():
        source = _mapping(_mapping(value).get("source"))
        path = source.get("path")
        if source.get("source") in ("directory", "file") and isinstance(path, str):
            by_name[name] = path
    return by_name


def _root(name: str, marketplace: str, marketplaces: dict[str, str]) -> str:
    """Return the folder that the host runs a plugin from, or ''."""
    if marketplace in marketplaces:
        top = marketplaces[marketplace]
        if top.endswith(".json"):
            top = os.path.dirname(os.path.dirname(top))
        catalogue = read_object(os.path.join(top, ".claude-plugin", "marketplace.json"))
        for entry in catalogue.get("plugins") or ():
            if _mapping(entry).get("name") == name and isinstance(entry.get("source"), str):
                root = os.path.normpath(os.path.join(top, entry["source"]))
                if os.path.isdir(root):
                    return root
    installed = _mapping(read_object(_host_file("installed_plugins.json")).get("plugins"))
    copies = installed.get(name + "@" + marketplace)
    for copy in copies if isinstance(copies, list) else ():
        path = _mapping(copy).get("installPath")
        if isinstance(path, str) and os.path.isdir(path):
            return path
    folder = os.path.join(paths.config_dir(), "plugins", "cache", marketplace, name)
    versions = [os.path.join(folder, version) for version in _names(folder)]
    return max(filter(os.path.isdir, versions), key=os.path.getmtime, default="")


def _host_file(name: str) -> str:
    return os.path.join(paths.config_dir(), "plugins", name)


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
