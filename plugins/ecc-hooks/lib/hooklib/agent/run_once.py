"""The guard: an event runs once per tool call, however many callers bring it."""

from __future__ import annotations

import threading
from concurrent.futures import Future

from hooklib.engine.dispatch import Outcome
from hooklib.engine.planner import Plan
from hooklib.output import Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

REMEMBERED = 500  # calls


class Once:
    """Runs a call once per key. Who asks again gets its decision again, but not its texts."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[Any, Future[Output | None]] = {}

    def run(self, key: Any, call: Callable[[], Outcome]) -> Outcome:
        mine: Future[Output | None] = Future()
        with self._lock:
            known = self._known.setdefault(key, mine)
            if len(self._known) > REMEMBERED:
                del self._known[next(iter(self._known))]
        if known is not mine:
            return Outcome(known.result(), Plan(), [])
        kept = None
        try:
            outcome = call()
            said = outcome.output
            if said is not None and (said.decision or said.updated_input is not None):
                kept = Output(
                    decision=said.decision, reason=said.reason, updated_input=said.updated_input
                )
            return outcome
        finally:
            mine.set_result(kept)
