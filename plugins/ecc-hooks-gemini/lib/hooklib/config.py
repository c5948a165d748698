"""The switches: settings key customSkills and environment variables, read on each call."""

from __future__ import annotations

import os

from hooklib import checked, files, jsonio, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

KEY = "customSkills"
PROFILES = ("minimal", "standard", "strict")
# Values of switches that belong to a topic. They are here because hookctl checks them also in
# plugins that do not carry the topic.
FORMAT_POLICIES = ("auto", "always", "configured", "off")
CHECK_MODES = ("edit", "stop", "off")
PACKAGE_MANAGERS = ("pnpm", "bun", "yarn", "npm")
_OFF = ("0", "false", "off", "no")
_LIMIT = 2_000_000
_GIT_SECONDS = 2.0


class Settings:
    """The merged switches. A value that is unknown or of the wrong type is ignored."""

    def __init__(self, settings_layers: list[Layer], environ: dict[str, str]) -> None:
        self.values = _merged_values(settings_layers)
        self.environ = environ
        self._layers = settings_layers
        self._users: Settings | None = None

    @property
    def users(self) -> Settings:
        """The user's own switches without the project's; they govern the user's rules."""
        if self._users is None:
            self._users = Settings([layer for layer in self._layers if layer.own], self.environ)
        return self._users

    @property
    def enabled(self) -> bool:
        """False if CUSTOM_SKILLS=0 or "enabled": false switches everything off."""
        switch = self.environ.get("CUSTOM_SKILLS", "").strip().lower()
        return switch not in _OFF if switch else self.values.get("enabled") is not False

    @property
    def profile(self) -> str:
        for value in (self.environ.get("CUSTOM_SKILLS_PROFILE"), self.values.get("profile")):
            if value in PROFILES:
                return str(value)
        return "standard"

    @property
    def disabled(self) -> frozenset[str]:
        """The ids switched off by any layer or by CUSTOM_SKILLS_DISABLED=id,id."""
        listed = self.environ.get("CUSTOM_SKILLS_DISABLED", "").split(",")
        ids = {name.strip() for name in listed}
        ids.update(checked.texts(self.values.get("disabled")))
        return frozenset(ids)

    def flag(self, name: str, default: bool = True, env: str = "") -> bool:
        """Return a yes-or-no switch: the variable env, else the setting, else default."""
        switch = self.environ.get(env, "").strip().lower()
        if switch:
            return switch not in _OFF
        value = self.values.get(name)
        return value if isinstance(value, bool) else default

    def user_flag(self, name: str) -> bool:
        """Return whether the user's own settings switch on something that no project may."""
        return self.users.values.get(name) is True

    def choice(self, name: str, allowed: tuple[str, ...], env: str = "") -> str:
        """Return one of the allowed values: the variable env, else the setting, else the first."""
        for value in (self.environ.get(env, "").strip(), self.values.get(name)):
            if value in allowed:
                return str(value)
        return allowed[0]

    def texts(self, name: str) -> list[str]:
        """Return the texts in a list; leave out its other items."""
        return checked.texts(self.values.get(name))

    def positive_int(self, name: str, default: int, env: str = "") -> int:
        """Return a whole number above zero: the variable env, else the setting, else default."""
        return self.count(name, default, env, 1)

    def count(self, name: str, default: int, env: str = "", least: int = 0) -> int:
        """Return a whole number: the variable env, else the setting, else default."""
        for value in (self.environ.get(env), self.values.get(name)):
            if isinstance(value, str) and len(value) < 10:
                value = int(value) if value.strip().isascii() and value.strip().isdigit() else -1
            if isinstance(value, int) and not isinstance(value, bool) and value >= least:
                return value
        return default


class Layer:
    """One settings file: its kind (user, project or local), its path and its contents."""

    __slots__ = ("name", "path", "data", "broken", "_own")

    def __init__(self, name: str, path: str, data: dict[str, Any], broken: str = "") -> None:
        self.name = name
        self.path = path
        self.data = data
        self.broken = broken  # why it could not be read; '' if it could, or if it is missing
        self._own: bool | None = None

    @property
    def own(self) -> bool:
        """Whether the user wrote it: settings.local.json counts only if git does not track it."""
        if self._own is None:
            self._own = self.name == "user" or (self.name == "local" and self._is_untracked())
        return self._own

    def _is_untracked(self) -> bool:
        if not (KEY in self.data or "customHooks" in self.data):
            return True  # it has none of our keys: do not start git
        from hooklib import git

        folder, name = os.path.split(self.path)
        done = git.ask(folder, ["ls-files", "--", name], _GIT_SECONDS)
        return done.code == 0 and not done.stdout


def layers(start: str, root: str) -> list[Layer]:
    """Read the settings files, weakest first: the user's, the project's, the project's local ones.

    If the session was started below the top of the repository, both folders count.
    """
    settings_layers = [read_layer("user", os.path.join(paths.config_dir(), "settings.json"))]
    for project in (root,) if start == root else (root, start):
        folder = os.path.join(project, ".claude")
        settings_layers.append(read_layer("project", os.path.join(folder, "settings.json")))
        settings_layers.append(read_layer("local", os.path.join(folder, "settings.local.json")))
    return settings_layers


def read_layer(name: str, path: str) -> Layer:
    try:
        data = jsonio.loads(files.read_bounded(path, _LIMIT))
    except FileNotFoundError:
        return Layer(name, path, {})
    except (OSError, ValueError, RecursionError) as error:
        return Layer(name, path, {}, str(error) or type(error).__name__)
    if not isinstance(data, dict):
        return Layer(name, path, {}, "not a JSON object")
    return Layer(name, path, data)


def merge(settings_layers: list[Layer]) -> Settings:
    """Merge the switches of the layers with the environment's."""
    return Settings(settings_layers, dict(os.environ))


def _merged_values(settings_layers: list[Layer]) -> dict[str, Any]:
    """Let the switches of later layers replace those of earlier ones; join the `disabled` lists."""
    values: dict[str, Any] = {}
    disabled: list[Any] = []
    for layer in settings_layers:
        switches = layer.data.get(KEY)
        if isinstance(switches, dict):
            values.update(switches)
            disabled += checked.items(switches.get("disabled"))
    values["disabled"] = disabled
    return values
