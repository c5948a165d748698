"""Keep a project's rules up to date in a program that lives longer than one event."""

from __future__ import annotations

import os
import threading

from hooklib import config as switches
from hooklib import paths
from hooklib.agent import sdk
from hooklib.agent.manager import HookManager
from hooklib.engine import loader, trust

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.agent.manager import Config


class Project:
    """One project's rules, read from its settings files and again when one of these changes."""

    def __init__(
        self,
        folder: str,
        config: Config = None,
        native: bool = False,
        nonzero_blocks: bool = False,
    ) -> None:
        self.folder = os.path.abspath(folder)
        self.manager = HookManager(config, self.folder, nonzero_blocks)
        self._native = native
        self._fixed = config is not None
        self._lock = threading.Lock()
        self._files: list[str] = []
        self._read_stamps: object = None
        self.refresh()

    def refresh(self) -> None:
        """Read the rules again if their files or the environment have changed."""
        if self._fixed:
            return
        with self._lock:
            if self._read_stamps is None or self._read_stamps != self._current_stamps():
                self._load()

    def _load(self) -> None:
        root = paths.project_root(self.folder)
        self._files = [layer.path for layer in switches.layers(self.folder, root)]
        self._files.append(trust.store())
        # before reading, so that a change in between is noticed next time
        self._read_stamps = self._current_stamps()
        layers = switches.layers(self.folder, root)
        rules = loader.load(layers, root, self._native, switches.merge(layers))
        self.manager.load_hooks(rules)

    def _current_stamps(self) -> object:
        """Return a value that changes whenever the rules may have changed."""
        variables = [item for item in os.environ.items() if item[0].startswith("CUSTOM_")]
        return [_stamp(path) for path in self._files], sorted(variables)


def build_query_options(project_dir: str, native: bool = False) -> dict[str, Any]:
    """Return the project's rules as options: `ClaudeAgentOptions(**build_query_options(folder))`.

    native adds the `hooks` field of its settings files, for `setting_sources=[]`; with any other
    value the client runs these hooks itself.
    """
    project = Project(project_dir, native=native, nonzero_blocks=True)
    hooks = sdk.matchers(project.manager, project.refresh)
    return {"hooks": hooks} if hooks else {}


def _stamp(path: str) -> object:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
