"""Check the edited file, at once or at the end of the turn, and report its errors."""

from __future__ import annotations

from hooklib import checked, config, limits, log, process
from hooklib.output import Output
from hooklib.quality import edited_file, finding_text, session_notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.event import Event
    from hooklib.process import Run
    from hooklib.quality.checkers import Checker
    from hooklib.quality.edited_file import Edited
    from hooklib.quality.finding_text import Finding

SECONDS = 15
MOST_SECONDS = 40  # below the limit of the whole event in hooks.json
LATE_SECONDS = 45.0  # at the end of a turn, all tools together


def run(event: Event, tool: str, execute: Run) -> Output | None:
    """Check the edited file with one tool; return None if there is nothing to report."""
    from hooklib.quality import checkers

    mode = event.settings.choice("checks", config.CHECK_MODES, "CUSTOM_SKILLS_CHECKS")
    file = edited_file.for_event(event, checkers.LANGUAGE[tool])
    if file is None:
        return None
    checker = checkers.find(event, file, tool, execute) if mode != "off" else None
    if checker is None:
        return _formatter_complaint(file)
    if mode == "stop" or checker.key in session_notes.read(event)["slow"]:
        _defer(event, tool, file.path)
        return None
    seconds = event.settings.positive_int("checkSeconds", SECONDS, "CUSTOM_SKILLS_CHECK_SECONDS")
    seconds = min(seconds, MOST_SECONDS)
    output = run_checker(event, checker, [file.path], limits.scaled(seconds), execute)
    if output is None:
        _defer(event, tool, file.path, checker.key)
        text = "[%s] took over %d s; from now on it runs at the end of a turn."
        return Output(context=text % (tool, seconds))
    text = describe_findings(event, checker, file, output)
    return Output(context=text) if text else None


def run_checker(
    event: Event, checker: Checker, paths: list[str], seconds: float, execute: Run
) -> str | None:
    """Run a checker; return its output, None if it ran out of time."""
    done = execute(checker.args(paths), cwd=checker.folder, timeout=seconds)
    if done.code == process.TIMED_OUT:
        log.write(event.name, checker.name, "timed out")
        return None
    if done.code not in (0, 1, 2):
        log.write(event.name, checker.name, "ended with %d" % done.code)
    return done.stdout.decode("utf-8", "replace")


def describe_findings(
    event: Event, checker: Checker, file: Edited, output: str, late: bool = False
) -> str:
    """Return the text about a file's errors: new ones in full, repeated ones by their lines.

    At the end of a turn return '' if all are repeated: these are no reason to go on.
    """
    from hooklib.quality.debug_warning import checksum

    findings = checker.findings(output, file.path)
    notes_key = checker.name + " " + file.path
    reported = session_notes.read(event)["told"].get(notes_key)
    old_checksums = list(checked.items(reported))
    new_findings: list[Finding] = []
    repeated: list[Finding] = []
    checksums = [checksum(finding.text) for finding in findings]
    for finding, finding_checksum in zip(findings, checksums):
        if finding_checksum in old_checksums:
            old_checksums.remove(finding_checksum)
            repeated.append(finding)
        else:
            new_findings.append(finding)
    if checksums != reported and (checksums or reported):
        session_notes.change(event, lambda notes: notes["told"].update({notes_key: checksums}))
    if late and not new_findings:
        return ""
    return finding_text.errors(checker.name, file.name, new_findings, repeated)


def _defer(event: Event, tool: str, path: str, slow_key: str = "") -> None:
    def write(notes: session_notes.Notes) -> None:
        paths = notes["late"].setdefault(tool, [])
        if path not in paths:
            paths.append(path)
        if slow_key:
            notes["slow"].append(slow_key)

    session_notes.change(event, write)


def _formatter_complaint(file: Edited) -> Output | None:
    """Report the formatter's complaint: without a checker nobody else would."""
    if not file.broken:
        return None
    return Output(
        context="[format] %s does not parse: %s" % (finding_text.plain(file.name), file.broken)
    )
