"""Merge the outputs of an event's hooks into one."""

from __future__ import annotations

from hooklib.output import Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

RANK = ("deny", "block", "defer", "ask", "allow")
# after one of these decisions no later hook of a serial event runs
FINAL = {
    "PreToolUse": ("deny",),
    "PermissionRequest": ("allow", "deny", "ask"),
    "Stop": ("block",),
    "SubagentStop": ("block",),
    "BeforeModel": ("deny",),
}


def is_final(event: str, output: Output) -> bool:
    """Return whether no later hook could change the outcome."""
    return output.decision in FINAL.get(event, ())


def merge(outputs: Sequence[Output]) -> Output | None:
    """Join the texts in order and take the strictest decision; return None for no outputs."""
    if not outputs:
        return None
    merged = Output(
        context="\n\n".join(o.context for o in outputs if o.context),
        message=" | ".join(o.message for o in outputs if o.message),
        stop=next((o.stop for o in outputs if o.stop), ""),
    )
    for rank in RANK:
        decided = [o for o in outputs if o.decision == rank]
        if decided:
            merged.decision = rank
            merged.reason = "\n".join(o.reason for o in decided if o.reason)
            break
    for output in outputs:
        if output.updated_input is not None:
            merged.updated_input = {**(merged.updated_input or {}), **output.updated_input}
        if output.updated_output is not None:
            merged.updated_output = output.updated_output
        for key, value in output.fields.items():
            merged.fields[key] = _merge_field(key, merged.fields.get(key), value)
    return merged


def _merge_field(key: str, old: Any, new: Any) -> Any:
    """Let new replace old; but join the names of two tool choices, of which mode NONE wins."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return new
    merged = {**old, **new}
    if key == "toolConfig":
        allowed = [*_names(old), *(name for name in _names(new) if name not in _names(old))]
        if allowed:
            merged["allowedFunctionNames"] = allowed
        if "NONE" in (old.get("mode"), new.get("mode")):
            merged["mode"] = "NONE"
            merged.pop("allowedFunctionNames", None)
    return merged


def _names(config: dict[str, Any]) -> list[Any]:
    value = config.get("allowedFunctionNames")
    return value if isinstance(value, list) else []
