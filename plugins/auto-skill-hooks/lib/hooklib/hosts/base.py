"""The base class of hosts. An adapter is a module with HOST, an instance of a subclass."""

from __future__ import annotations

from abc import ABC, abstractmethod

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from hooklib.event import Event
    from hooklib.output import Output


class Host(ABC):
    """One host: turns its messages into events and outputs into its answers.

    An event passes through `decode`, `expand`, the hooks and `answer`. Every host must define the
    methods that have no default.
    """

    name: str
    messages: frozenset[str]  # the events whose message the user sees
    user_rules = False  # whether ecc-hooks runs the user's rules too
    hookctl_on_path = False  # whether the model can call hookctl by its name
    compact_command = "/compact"  # what the user types

    @abstractmethod
    def decode(self, name: str, raw: bytes) -> Event:
        """Return the event in Claude Code's terms; name is the host's name of it in hooks.json."""

    def expand(self, event: Event) -> Sequence[Event]:
        """Return the events that this one stands for; none if the host only repeats itself."""
        return (event,)

    def carry(self, event: Event, output: Output | None) -> Output | None:
        """Return the output for this event: add what waited for it, remove what has to wait."""
        return output

    @abstractmethod
    def encode(self, event: Event, output: Output) -> tuple[str, list[str]]:
        """Return the text to print, '' for none, and the fields that this event cannot deliver."""

    def answer(self, event: Event, output: Output | None) -> tuple[str, list[str]]:
        """Return the text to print after the hooks of an event, and the fields that get lost."""
        if output is not None and not self.hookctl_on_path:
            output = output.replace(
                context=_with_path(output.context), reason=_with_path(output.reason)
            )
        output = self.carry(event, output)
        return self.encode(event, output) if output is not None else ("", [])

    @abstractmethod
    def attended(self) -> bool:
        """Return whether a person follows the session; else a program reads its last message."""

    @abstractmethod
    def read_line(self, line: bytes, calls: set[str]) -> list[dict[str, Any]]:
        """Return the records, in Claude Code's form, of one line of a transcript.

        calls has the ids of the tool calls in earlier lines.
        """

    @abstractmethod
    def context_tokens(self, transcript: str) -> int:
        """Return the tokens in the main conversation at its last reply, 0 if unknown."""


def _with_path(text: str) -> str:
    """Return a text for the model that calls hookctl by its path."""
    if "hookctl memory " not in text:
        return text
    import os

    from hooklib import paths

    path = os.path.join(paths.PLUGIN_ROOT, "bin", "hookctl").replace("'", "'\\''")
    return text.replace("hookctl memory ", "'%s' memory " % path)
