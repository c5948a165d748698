"""Show the hooks' answers in the sandbox as text."""

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
    """Return the outcome of one plugin's hooks as lines of text."""
    report = ["", terminal.clean(answer["plugin"])]
    if answer["why"]:
        report.append(terminal.clean("  not started: " + answer["why"]))
    for hook in answer["hooks"]:
        report += _hook_lines(hook)
    for hook in answer["leftOut"]:
        report.append(terminal.clean("  left out  %(id)s: %(reason)s" % hook))
    if answer["invalid"]:
        report.append("  %d invalid entries, see `hookctl validate`" % answer["invalid"])
    if answer["notice"]:
        report.append(terminal.clean("  notice    " + answer["notice"]))
    if answer["answer"] is not None:
        report.append("  the host gets  " + terminal.clean(_text(answer["answer"])))
    if answer["lost"]:
        report.append("  not possible on this event: " + ", ".join(answer["lost"]))
    if len(report) == 2:
        report.append("  no hooks for this event")
    return report


def spoken_lines(answer: dict[str, Any]) -> list[str]:
    """Return the lines of one plugin's hooks, without those that stayed silent."""
    speaking = [h for h in answer["hooks"] if h["outcome"] != "silent"] if answer["runs"] else []
    return ["      " + line for hook in speaking for line in _hook_lines(hook)]


def _hook_lines(hook: dict[str, Any]) -> list[str]:
    time = "  %.1f ms" % hook["ms"] if hook["ms"] else ""
    detail = "  " + hook["detail"] if hook["detail"] else ""
    output = [
        "            %s: %s" % (k, terminal.clean(_text(v))) for k, v in hook["output"].items()
    ]
    return [terminal.clean("  %-9s %s%s%s" % (hook["outcome"], hook["id"], time, detail)), *output]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else jsonio.dumps(value)
