"""Which projects' rules may start commands: remembered by their content, as direnv does."""

from __future__ import annotations

import os

from hooklib import jsonio, paths, state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.config import Layer

_STARTS_SOMETHING = ("command", "script")


def store() -> str:
    """Return the file of trusted rules: the user's, the same whichever plugin or program asks."""
    return os.path.join(paths.config_dir(), "custom-skills", "trust.json")


def is_trusted(layers: list[Layer], project: str, keys: tuple[str, ...]) -> bool:
    """Return whether the project's rules under keys are the ones that the user has agreed to."""
    used = [key for key in keys if _rules(layers, key)]
    if not used:
        return True  # nothing that needs trust: spare the look and the hash
    known = _known().get(_name(project), [])
    return all(digest(layers, key) in known for key in used)


def remember(layers: list[Layer], project: str, keys: tuple[str, ...]) -> None:
    """Trust the project's rules under keys as they are now."""
    mine = [digest(layers, key) for key in keys if _rules(layers, key)]
    state.update_json(store(), lambda known: {**_checked(known), _name(project): mine}, {})


def forget(project: str) -> bool:
    """Take the trust back; False where there was none."""
    name = _name(project)
    if name not in _known():
        return False

    def change(known: Any) -> Any:
        return {other: mine for other, mine in _checked(known).items() if other != name}

    state.update_json(store(), change, {})
    return True


def digest(layers: list[Layer], key: str) -> str:
    """Return a hash of what the project's rules would start; switching one off changes nothing."""
    import hashlib

    return hashlib.sha256(jsonio.dumps(_rules(layers, key)).encode("ascii")).hexdigest()


def waiting(layers: list[Layer], keys: tuple[str, ...]) -> int:
    """Return how many commands and scripts the project's rules hold."""
    return sum(_count(_rules(layers, key)) for key in keys)


def _rules(layers: list[Layer], key: str) -> list[Any]:
    """Return the parts of the project's layers that say what is started and from where."""
    found: list[Any] = []
    for layer in layers:
        value = layer.data.get(key)
        if layer.name == "user" or not value:
            continue
        if key == "customHooks" and isinstance(value, dict):
            value = [value.get(part) for part in ("rules", "hooks", "hookScriptPaths")]
        found.append([layer.name, value])
    return found


def _known() -> dict[str, list[str]]:
    return _checked(state.read_json(store(), {}))


def _checked(known: Any) -> dict[str, list[str]]:
    if not isinstance(known, dict):
        return {}
    return {name: mine for name, mine in known.items() if isinstance(mine, list)}


def _count(value: Any) -> int:
    if isinstance(value, dict):
        own = value.get("type") in _STARTS_SOMETHING
        return int(own) + sum(_count(part) for part in value.values())
    return sum(_count(part) for part in value) if isinstance(value, list) else 0


def _name(project: str) -> str:
    return os.path.realpath(project)
