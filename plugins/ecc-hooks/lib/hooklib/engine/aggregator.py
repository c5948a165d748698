"""Merge what several hooks of one event said into one output."""

from __future__ import annotations

from hooklib.output import Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_RANK = ("deny", "block", "defer", "ask", "allow")


def merge(outputs: Sequence[Output]) -> Output | None:
    """Return one output: texts joined in order, the strictest decision; None where none spoke."""
    if not outputs:
        return None
    merged = Output(
        context="\n\n".join(o.context for o in outputs if o.context),
        message=" | ".join(o.message for o in outputs if o.message),
        stop=next((o.stop for o in outputs if o.stop), ""),
    )
    for rank in _RANK:
        decided = [o for o in outputs if o.decision == rank]
        if decided:
            merged.decision = rank
            merged.reason = "\n".join(o.reason for o in decided if o.reason)
            break
    for output in outputs:
        if output.updated_input is not None:
            merged.updated_input = {**(merged.updated_input or {}), **output.updated_input}
    return merged
