"""The result of a hook, for any host; hooklib.hosts encodes it for one."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Output:
    """Texts and decisions of one hook, or of all hooks of an event together.

    context   for the model
    message   for the user, one short line
    decision  deny, defer, ask or allow before a tool runs; block at the end of a turn
    reason    of the decision
    updated_input   the tool's new input
    updated_output  shown to the model instead of the tool's result
    stop      ends the whole turn, with this text as the reason
    fields    for events around the model's call: llm_request, llm_response, toolConfig
    """

    __slots__ = (
        "context",
        "message",
        "decision",
        "reason",
        "updated_input",
        "updated_output",
        "stop",
        "fields",
    )

    def __init__(
        self,
        context: str = "",
        message: str = "",
        decision: str = "",
        reason: str = "",
        updated_input: dict[str, Any] | None = None,
        updated_output: Any = None,
        stop: str = "",
        fields: dict[str, Any] | None = None,
    ) -> None:
        self.context = context
        self.message = message
        self.decision = decision
        self.reason = reason
        self.updated_input = updated_input
        self.updated_output = updated_output
        self.stop = stop
        self.fields = fields or {}

    @property
    def set_fields(self) -> dict[str, Any]:
        """The fields that are not empty, and an empty `updated_output`, as it replaces a result."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        return {
            name: value
            for name, value in fields.items()
            if value or (name == "updated_output" and value is not None)
        }

    def replace(self, **changes: Any) -> Output:
        """Return a copy with these fields changed."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        return Output(**{**fields, **changes})

    def __repr__(self) -> str:
        return "Output(%s)" % ", ".join("%s=%r" % pair for pair in self.set_fields.items())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Output) and self.set_fields == other.set_fields

    __hash__ = None  # type: ignore[assignment]

    @property
    def size(self) -> int:
        """The number of bytes of text in this output."""
        texts = [self.context, self.message, self.reason, self.stop]
        if self.updated_output is not None:
            value = self.updated_output
            texts.append(value if isinstance(value, str) else repr(value))
        return sum(len(text.encode("utf-8", "replace")) for text in texts)
