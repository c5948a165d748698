"""Tell people what came of a rehearsal."""

from __future__ import annotations

from hooklib import jsonio
from hooklib.cli import terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_BAD = ("error", "timeout", "refused")


def went_wrong(told: dict[str, Any]) -> bool:
    return bool(told["invalid"]) or any(hook["outcome"] in _BAD for hook in told["hooks"])


def lines(told: dict[str, Any]) -> list[str]:
    """Return what became of one plugin's hooks, for people."""
    found = ["", terminal.clean(told["plugin"])]
    if told["why"]:
        found.append(terminal.clean("  not started: " + told["why"]))
    for hook in told["hooks"]:
        found += _hook_lines(hook)
    for left in told["leftOut"]:
        found.append(terminal.clean("  left out  %(id)s: %(reason)s" % left))
    if told["invalid"]:
        found.append("  %d invalid entries, see `hookctl validate`" % told["invalid"])
    if told["notice"]:
        found.append(terminal.clean("  notice    " + told["notice"]))
    if told["answer"] is not None:
        found.append("  the host gets  " + terminal.clean(_text(told["answer"])))
    if told["lost"]:
        found.append("  this event cannot deliver: " + ", ".join(told["lost"]))
    if len(found) == 2:
        found.append("  no hooks for this event")
    return found


def said_lines(told: dict[str, Any]) -> list[str]:
    """Return what one plugin's hooks said or would be asked, without those that stayed silent."""
    loud = [h for h in told["hooks"] if h["outcome"] != "silent"] if told["runs"] else []
    return ["      " + line for hook in loud for line in _hook_lines(hook)]


def _hook_lines(hook: dict[str, Any]) -> list[str]:
    time = "  %.1f ms" % hook["ms"] if hook["ms"] else ""
    detail = "  " + hook["detail"] if hook["detail"] else ""
    said = ["            %s: %s" % (k, terminal.clean(_text(v))) for k, v in hook["output"].items()]
    return [terminal.clean("  %-9s %s%s%s" % (hook["outcome"], hook["id"], time, detail)), *said]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else jsonio.dumps(value)
