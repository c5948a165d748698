"""Remember which projects' rules may start commands, by a hash of their content, as direnv does."""

from __future__ import annotations

import os

from hooklib import jsonio, paths, state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.config import Layer

_STARTS_SOMETHING = ("command", "script")


def store() -> str:
    """Return the user's file of trusted rules, which all plugins and programs share."""
    return os.path.join(paths.config_dir(), "custom-skills", "trust.json")


def is_trusted(layers: list[Layer], project: str, keys: tuple[str, ...]) -> bool:
    """Return whether the user has trusted the project's present rules under keys."""
    used_keys = [key for key in keys if _rules(layers, key)]
    if not used_keys:
        return True  # nothing needs trust: do not read the file and hash
    trusted_digests = _read_store().get(_name(project), [])
    return all(digest(layers, key) in trusted_digests for key in used_keys)


def remember(layers: list[Layer], project: str, keys: tuple[str, ...]) -> None:
    """Trust the project's rules under keys as they are now."""
    digests = [digest(layers, key) for key in keys if _rules(layers, key)]
    state.update_json(
        store(), lambda stored: {**_valid_entries(stored), _name(project): digests}, {}
    )


def forget(project: str) -> bool:
    """Stop trusting a project; return whether it was trusted."""
    name = _name(project)
    if name not in _read_store():
        return False

    def change(stored: Any) -> Any:
        return {
            other: digests for other, digests in _valid_entries(stored).items() if other != name
        }

    state.update_json(store(), change, {})
    return True


def digest(layers: list[Layer], key: str) -> str:
    """Return a hash of all that the project's rules can start; switching one off keeps the hash."""
    import hashlib

    return hashlib.sha256(jsonio.dumps(_rules(layers, key)).encode("ascii")).hexdigest()


def command_count(layers: list[Layer], keys: tuple[str, ...]) -> int:
    """Return the number of commands and scripts in the project's rules."""
    return sum(_count(_rules(layers, key)) for key in keys)


def _rules(layers: list[Layer], key: str) -> list[Any]:
    """Return the parts of the project's layers that name commands, scripts and their folders."""
    rules: list[Any] = []
    for layer in layers:
        value = layer.data.get(key)
        if layer.name == "user" or not value:
            continue
        if key == "customHooks" and isinstance(value, dict):
            value = [value.get(part) for part in ("rules", "hooks", "hookScriptPaths")]
        rules.append([layer.name, value])
    return rules


def _read_store() -> dict[str, list[str]]:
    return _valid_entries(state.read_json(store(), {}))


def _valid_entries(stored: Any) -> dict[str, list[str]]:
    if not isinstance(stored, dict):
        return {}
    return {name: digests for name, digests in stored.items() if isinstance(digests, list)}


def _count(value: Any) -> int:
    if isinstance(value, dict):
        starts_process = value.get("type") in _STARTS_SOMETHING
        return int(starts_process) + sum(_count(part) for part in value.values())
    return sum(_count(part) for part in value) if isinstance(value, list) else 0


def _name(project: str) -> str:
    return os.path.realpath(project)
