"""Turn the exit code and the output of a hook's process into an Output."""

from __future__ import annotations

from hooklib import jsonio
from hooklib.engine import event_names
from hooklib.output import Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BLOCKED = 2
_TOOL_DECISIONS = {
    "approve": "allow",
    "allow": "allow",
    "ask": "ask",
    "defer": "defer",
    "block": "deny",
    "deny": "deny",
}
# here a rule may let a hook that failed refuse the action; at Stop the turn could never end
_CAN_REFUSE = ("PreToolUse", "PermissionRequest", "UserPromptSubmit")
# here bare text is context, as for the host itself; elsewhere it is a message for the user
_TEXT_IS_CONTEXT = ("SessionStart", "UserPromptSubmit")
_MODEL_FIELDS = ("llm_request", "llm_response", "toolConfig")


def from_process(event: str, code: int, stdout: bytes, stderr: bytes) -> Output | None:
    """Return the output of a finished process; a JSON object on stdout overrules the exit code."""
    text = stdout.decode("utf-8", "replace").strip()
    document = _document(text)
    if document is not None:
        return from_document(event, document)
    if code == BLOCKED:
        reason = stderr.decode("utf-8", "replace").strip() or text or "blocked by a hook"
        return refusal(event, "deny", reason)
    if code == 0 and text:
        return Output(context=text) if event in _TEXT_IS_CONTEXT else Output(message=text)
    return None


def from_document(event: str, document: dict[str, Any]) -> Output | None:
    """Return the output in a hook's JSON, which has Claude Code's form or is flat."""
    specific = document.get("hookSpecificOutput")
    flat = {**document, **(specific if isinstance(specific, dict) else {})}
    output = Output(
        context=_text(flat.get("additionalContext")),
        message=_text(document.get("systemMessage")),
        updated_input=_mapping(flat.get("updatedInput")) or _mapping(flat.get("tool_input")),
        updated_output=flat.get("updatedToolOutput", flat.get("modifiedOutput")),
        fields={key: flat[key] for key in _MODEL_FIELDS if isinstance(flat.get(key), dict)},
    )
    _read_decision(event, document, flat, output)
    if document.get("continue") is False:
        output.stop = _text(document.get("stopReason")) or output.reason or "stopped by a hook"
    return output if output.set_fields else None


def _read_decision(
    event: str, document: dict[str, Any], flat: dict[str, Any], output: Output
) -> None:
    reason = _text(flat.get("permissionDecisionReason")) or _text(document.get("reason"))
    verdict = flat.get("permissionDecision", document.get("decision"))
    decision_field = flat.get("decision")
    if isinstance(decision_field, dict):  # PermissionRequest: {"behavior": "allow", ...}
        verdict = decision_field.get("behavior")
        reason = _text(decision_field.get("message")) or reason
        output.updated_input = _mapping(decision_field.get("updatedInput")) or output.updated_input
    decision = _TOOL_DECISIONS.get(verdict, "") if isinstance(verdict, str) else ""
    if event in ("Stop", "SubagentStop") and document.get("continue") is True and reason:
        decision = "deny"  # with a reason it means "go on"; without, it is just the default
    if not decision:
        return
    if event in ("PreToolUse", "PermissionRequest"):
        output.decision, output.reason = decision, reason
    elif decision == "deny":
        output.decision, output.reason = "block", reason


def from_failure(event: str, behavior: str, reason: str) -> Output | None:
    """Return the output for a hook that failed or timed out: None unless a rule says otherwise."""
    if behavior == "ignore" or event not in _CAN_REFUSE:
        return None
    if behavior == "ask" and event != "PreToolUse":
        return None
    return refusal(event, behavior, reason)


def refusal(event: str, decision: str, reason: str) -> Output:
    if event in ("PreToolUse", "PermissionRequest"):
        return Output(decision=decision, reason=reason)
    if event in event_names.MODEL_EVENTS:
        return Output(decision="deny", reason=reason)
    return Output(decision="block", reason=reason)


def _document(text: str) -> dict[str, Any] | None:
    if not text.startswith("{"):
        return None
    try:
        value = jsonio.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _mapping(value: Any) -> dict[str, Any] | None:
    return value if isinstance(value, dict) else None
