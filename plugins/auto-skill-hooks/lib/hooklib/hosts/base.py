"""What the engine asks of a host. An adapter is a module with HOST, an instance of a subclass."""

from __future__ import annotations

from abc import ABC, abstractmethod

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from hooklib.event import Event
    from hooklib.output import Output


class Host(ABC):
    """One host: what it sends becomes events, an output becomes what it consumes.

    The way of an event is `decode`, `expand`, the hooks, `answer`. A method without a default is
    one that every host must answer for itself.
    """

    name: str
    messages: frozenset[str]  # the events whose message the user sees
    user_rules = False  # whether its one plugin runs the user's rules too
    hookctl_on_path = False  # whether the model can call hookctl by its name
    compact_command = "/compact"  # what the user types

    @abstractmethod
    def decode(self, name: str, raw: bytes) -> Event:
        """Return the event in Claude Code's terms; name is the host's own, as it was wired."""

    def expand(self, event: Event) -> Sequence[Event]:
        """Return the events that this one stands for: none where the host repeats itself."""
        return (event,)

    def carry(self, event: Event, output: Output | None) -> Output | None:
        """Return what to say on this event: with what waited for it, without what has to wait."""
        return output

    @abstractmethod
    def encode(self, event: Event, output: Output) -> tuple[str, list[str]]:
        """Return what to print ('' for nothing) and what this event has no channel for."""

    def answer(self, event: Event, output: Output | None) -> tuple[str, list[str]]:
        """Return what to print after the hooks of an event have run, and what gets lost."""
        if output is not None and not self.hookctl_on_path:
            output = output.replace(
                context=_with_path(output.context), reason=_with_path(output.reason)
            )
        output = self.carry(event, output)
        return self.encode(event, output) if output is not None else ("", [])

    @abstractmethod
    def attended(self) -> bool:
        """Return whether a person follows the session; else its last message is a result."""

    @abstractmethod
    def read_line(self, line: bytes, calls: set[str]) -> list[dict[str, Any]]:
        """Return the records, in Claude Code's form, of one line of a transcript.

        calls holds the ids of the tool calls that lines before this one have shown.
        """

    @abstractmethod
    def context_tokens(self, transcript: str) -> int:
        """Return the tokens that the main conversation held at its last reply; 0 if unknown."""


def _with_path(text: str) -> str:
    """Return a text for the model in which hookctl is named by its path."""
    if "hookctl memory " not in text:
        return text
    import os

    from hooklib import paths

    path = os.path.join(paths.PLUGIN_ROOT, "bin", "hookctl").replace("'", "'\\''")
    return text.replace("hookctl memory ", "'%s' memory " % path)
