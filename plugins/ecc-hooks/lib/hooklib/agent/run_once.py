"""Run an event once per tool call, even if several callers bring it."""

from __future__ import annotations

import threading
from concurrent.futures import Future

from hooklib.engine.dispatch import Outcome
from hooklib.engine.planner import Plan
from hooklib.output import Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

REMEMBERED = 500  # keys


class RunOnce:
    """Runs a call once per key. Later callers get its decision again, but not its texts."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._outputs: dict[Any, Future[Output | None]] = {}

    def run(self, key: Any, call: Callable[[], Outcome]) -> Outcome:
        own_future: Future[Output | None] = Future()
        with self._lock:
            future = self._outputs.setdefault(key, own_future)
            if len(self._outputs) > REMEMBERED:
                del self._outputs[next(iter(self._outputs))]
        if future is not own_future:
            return Outcome(future.result(), Plan(), [])
        repeated_output = None
        try:
            outcome = call()
            output = outcome.output
            if output is not None and (output.decision or output.updated_input is not None):
                repeated_output = Output(
                    decision=output.decision,
                    reason=output.reason,
                    updated_input=output.updated_input,
                )
            return outcome
        finally:
            own_future.set_result(repeated_output)
