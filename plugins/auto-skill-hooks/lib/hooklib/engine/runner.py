"""Run one hook and always come back with a result."""

from __future__ import annotations

import os
import time

from hooklib.boundary import guarded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    from hooklib.engine.registry import Hook
    from hooklib.event import Event
    from hooklib.output import Output


class Result:
    """What became of one hook: its output, or the error that ended it, and how long it took."""

    __slots__ = ("hook", "output", "error", "ms")

    def __init__(
        self, hook: Hook, output: Output | None, error: BaseException | None, ms: float
    ) -> None:
        self.hook = hook
        self.output = output
        self.error = error
        self.ms = ms


def run(hook: Hook, event: Event, root: str) -> Result:
    """Run a script of the plugin in root in this process."""
    started = time.perf_counter()
    output, error = guarded(_call, os.path.join(root, *hook.script.split("/")), event)
    return Result(hook, output, error, (time.perf_counter() - started) * 1000)


def _call(path: str, event: Event) -> Output | None:
    """Load the script at path, which has no importable name, and call its handler."""
    name = os.path.basename(path)
    # the loader that loaded this module: importlib.machinery's, without its import, and it
    # keeps the compiled script in the cache as it does for modules
    code = type(__loader__)(name, path).get_code(name)  # type: ignore[name-defined]
    namespace: dict[str, Any] = {"__name__": name, "__file__": path}
    exec(code, namespace)
    handler: Callable[[Event], Output | None] = namespace["run"]
    return handler(event)
