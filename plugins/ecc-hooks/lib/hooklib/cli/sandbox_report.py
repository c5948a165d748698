"""Show people what hooks answered in the sandbox."""

from __future__ import annotations

from hooklib import jsonio
from hooklib.cli import terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_BAD = ("error", "timeout", "refused")


def went_wrong(answer: dict[str, Any]) -> bool:
    return bool(answer["invalid"]) or any(hook["outcome"] in _BAD for hook in answer["hooks"])


def lines(answer: dict[str, Any]) -> list[str]:
    """Return what became of one plugin's hooks, for people."""
    found = ["", terminal.clean(answer["plugin"])]
    if answer["why"]:
        found.append(terminal.clean("  not started: " + answer["why"]))
    for hook in answer["hooks"]:
        found += _hook_lines(hook)
    for left in answer["leftOut"]:
        found.append(terminal.clean("  left out  %(id)s: %(reason)s" % left))
    if answer["invalid"]:
        found.append("  %d invalid entries, see `hookctl validate`" % answer["invalid"])
    if answer["notice"]:
        found.append(terminal.clean("  notice    " + answer["notice"]))
    if answer["answer"] is not None:
        found.append("  the host gets  " + terminal.clean(_text(answer["answer"])))
    if answer["lost"]:
        found.append("  this event cannot deliver: " + ", ".join(answer["lost"]))
    if len(found) == 2:
        found.append("  no hooks for this event")
    return found


def said_lines(answer: dict[str, Any]) -> list[str]:
    """Return what one plugin's hooks said or would be asked, without those that stayed silent."""
    loud = [h for h in answer["hooks"] if h["outcome"] != "silent"] if answer["runs"] else []
    return ["      " + line for hook in loud for line in _hook_lines(hook)]


def _hook_lines(hook: dict[str, Any]) -> list[str]:
    time = "  %.1f ms" % hook["ms"] if hook["ms"] else ""
    detail = "  " + hook["detail"] if hook["detail"] else ""
    said = ["            %s: %s" % (k, terminal.clean(_text(v))) for k, v in hook["output"].items()]
    return [terminal.clean("  %-9s %s%s%s" % (hook["outcome"], hook["id"], time, detail)), *said]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else jsonio.dumps(value)
