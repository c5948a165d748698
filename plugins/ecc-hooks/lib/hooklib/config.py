"""The switches: settings key customSkills and environment variables, read on each call."""

from __future__ import annotations

import os

from hooklib import files, jsonio, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

KEY = "customSkills"
PROFILES = ("minimal", "standard", "strict")
_OFF = ("0", "false", "off", "no")
_LIMIT = 2_000_000


class Settings:
    """The merged switches. A value of the wrong type or an unknown one counts as not given."""

    def __init__(self, values: dict[str, Any], environ: dict[str, str]) -> None:
        self.values = values
        self.environ = environ

    @property
    def enabled(self) -> bool:
        """False where CUSTOM_SKILLS=0 or "enabled": false switches everything off."""
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
        """Ids that are switched off, in any layer or in CUSTOM_SKILLS_DISABLED=id,id."""
        named = self.environ.get("CUSTOM_SKILLS_DISABLED", "").split(",")
        ids = {name.strip() for name in named}
        ids.update(name for name in _list(self.values.get("disabled")) if isinstance(name, str))
        return frozenset(ids)

    def positive_int(self, name: str, default: int, env: str = "") -> int:
        """Return a whole number above zero: the variable env, else the setting, else default."""
        for value in (self.environ.get(env), self.values.get(name)):
            if isinstance(value, str) and len(value) < 10:
                value = int(value) if value.strip().isascii() and value.strip().isdigit() else 0
            if isinstance(value, int) and not isinstance(value, bool) and value > 0:
                return value
        return default


def load(start: str, root: str) -> Settings:
    """Read the layers: the user's, the project's, the project's local ones; later ones win.

    Where the session was started below the top of the repository, both folders count.
    """
    values: dict[str, Any] = {}
    _merge(values, os.path.join(paths.config_dir(), "settings.json"))
    for project in (root,) if start == root else (root, start):
        for name in ("settings.json", "settings.local.json"):
            _merge(values, os.path.join(project, ".claude", name))
    return Settings(values, dict(os.environ))


def _merge(values: dict[str, Any], path: str) -> None:
    """Lay one file over values. `disabled` adds up over the layers."""
    try:
        data = jsonio.loads(files.read_bounded(path, _LIMIT))
    except (OSError, ValueError, RecursionError):
        return  # no such layer; a broken one is the host's to report, and `hookctl doctor`'s
    layer = data.get(KEY) if isinstance(data, dict) else None
    if not isinstance(layer, dict):
        return
    disabled = [*_list(values.get("disabled")), *_list(layer.get("disabled"))]
    values.update(layer)
    values["disabled"] = disabled


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
