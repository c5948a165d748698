"""Check the file that was edited, at once or at the end of the turn, and say what is wrong."""

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
    from hooklib.quality.finding_text import Problem

SECONDS = 15
MOST_SECONDS = 40  # below the limit of the whole event in hooks.json
LATE_SECONDS = 45.0  # at the end of a turn, all tools together


def run(event: Event, tool: str, execute: Run) -> Output | None:
    """Check the edited file with one tool; None where there is nothing to say."""
    from hooklib.quality import checkers

    mode = event.settings.choice("checks", config.CHECK_MODES, "CUSTOM_SKILLS_CHECKS")
    file = edited_file.of(event, checkers.LANGUAGE[tool])
    if file is None:
        return None
    checker = checkers.find(event, file, tool, execute) if mode != "off" else None
    if checker is None:
        return _unreadable(file)
    if mode == "stop" or checker.key in session_notes.read(event)["slow"]:
        _put_off(event, tool, file.path)
        return None
    seconds = event.settings.positive_int("checkSeconds", SECONDS, "CUSTOM_SKILLS_CHECK_SECONDS")
    seconds = min(seconds, MOST_SECONDS)
    output = start(event, checker, [file.path], limits.scaled(seconds), execute)
    if output is None:
        _put_off(event, tool, file.path, checker.key)
        text = "[%s] did not finish within %d s; in this session it runs at the end of a turn."
        return Output(context=text % (tool, seconds))
    text = news(event, checker, file, output)
    return Output(context=text) if text else None


def start(
    event: Event, checker: Checker, paths: list[str], seconds: float, execute: Run
) -> str | None:
    """Return a checker's output, None where it ran out of time."""
    done = execute(checker.args(paths), cwd=checker.folder, timeout=seconds)
    if done.code == process.TIMED_OUT:
        log.write(event.name, checker.name, "timed out")
        return None
    if done.code not in (0, 1, 2):
        log.write(event.name, checker.name, "ended with %d" % done.code)
    return done.stdout.decode("utf-8", "replace")


def news(event: Event, checker: Checker, file: Edited, output: str, late: bool = False) -> str:
    """Return what to tell of a file: new errors whole, those told before by their lines.

    At the end of a turn old ones are no reason to go on.
    """
    from hooklib.quality.debug_warning import mark

    problems = checker.problems(output, file.path)
    place = checker.name + " " + file.path
    told = session_notes.read(event)["told"].get(place)
    old = list(checked.items(told))
    fresh: list[Problem] = []
    known: list[Problem] = []
    now = [mark(problem.text) for problem in problems]
    for problem, its in zip(problems, now):
        if its in old:
            old.remove(its)
            known.append(problem)
        else:
            fresh.append(problem)
    if now != told and (now or told):
        session_notes.change(event, lambda book: book["told"].update({place: now}))
    return "" if late and not fresh else finding_text.errors(checker.name, file.name, fresh, known)


def _put_off(event: Event, tool: str, path: str, slow: str = "") -> None:
    def write(book: session_notes.Book) -> None:
        paths = book["late"].setdefault(tool, [])
        if path not in paths:
            paths.append(path)
        if slow:
            book["slow"].append(slow)

    session_notes.change(event, write)


def _unreadable(file: Edited) -> Output | None:
    """Say what the formatter complained of: where no checker runs, nobody else would."""
    if not file.broken:
        return None
    return Output(
        context="[format] %s could not be read: %s" % (finding_text.plain(file.name), file.broken)
    )
