"""Format the file that was edited, and say where that changed it."""

from __future__ import annotations

import os
import stat

from hooklib import config, files, log
from hooklib.output import Output
from hooklib.quality import (
    added_lines,
    edited_file,
    find_tool,
    finding_text,
    formatter_choice,
    line_diff,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.event import Event
    from hooklib.process import Run
    from hooklib.quality.edited_file import Edited
    from hooklib.quality.formatter_choice import Choice
    from hooklib.quality.formatters import Formatter, Spans

_BOM = b"\xef\xbb\xbf"
MOST_SPANS = 8  # some tools need a run for each


def run(event: Event, language: str, execute: Run) -> Output | None:
    """Format by the project's own formatter; None where nothing changed."""
    policy = event.settings.choice("format", config.FORMAT_POLICIES, "CUSTOM_SKILLS_FORMAT")
    file = edited_file.of(event, language) if policy != "off" else None
    if file is None or not file.is_utf8:
        return None
    chosen = formatter_choice.formatter(file, language)
    if policy == "configured" and not chosen.configured:
        return None
    tool = _find(event, file, language, chosen, execute)
    if tool is None:
        return None
    old, added = file.data, added_lines.added(event, file, execute)
    whole = policy == "always" or chosen.configured or _is_whole(event, file, tool)
    _apply(event, file, tool, None if whole else line_diff.spans(added))
    if file.data == old:
        file.broken = finding_text.complaint(tool.problem, file.path) if tool.failed else ""
        if tool.failed and not file.broken:
            log.write(event.name, tool.name, "ended with %d" % tool.failed)
        return None
    then, now = (line_diff.lines_of(text) for text in (old.decode("utf-8"), file.text))
    file.added = line_diff.carry_over(added, then, now)
    changes = line_diff.blocks(then, now)
    return Output(context=finding_text.formatted(tool.name, file.name, changes, now))


def _find(
    event: Event, file: Edited, language: str, chosen: Choice, execute: Run
) -> Formatter | None:
    from hooklib.quality.formatters import Formatter

    for name in chosen.names:
        program = find_tool.find(event, file, language, name, execute)
        if program is not None:
            folder = chosen.folder or file.root
            return Formatter(name, program.path, file, folder, execute)
    return None


def _is_whole(event: Event, file: Edited, tool: Formatter) -> bool:
    """Return whether all of the file is this tool's: it is new, or was clean before the edit."""
    before = added_lines.before(event)
    if not before:
        return before is not None
    if b"\r\n" in file.data and "\r\n" not in before:  # the host tells texts with its own ends
        before = before.replace("\n", "\r\n")
    if not tool.is_clean(before.encode("utf-8", "replace")):
        tool.failed = 0  # it said no, or could not read what is gone
        return False
    return True


def _apply(event: Event, file: Edited, tool: Formatter, spans: Spans | None) -> None:
    """Format the file on disk, in these lines or whole."""
    if spans is not None:
        _apply_ranges(event, file, tool, spans)
    elif tool.is_in_place:
        if tool.format_file():
            file.read_again()
    else:
        made = tool.formatted(file.data, None)
        if made and made != file.data:
            _replace(event, file, made)


def _apply_ranges(event: Event, file: Edited, tool: Formatter, spans: Spans) -> None:
    """Format these lines, where that leaves the others as they are."""
    if not tool.knows_ranges or not 0 < len(spans) <= MOST_SPANS or _has_odd_ends(file.data):
        return
    mark = _BOM if file.data.startswith(_BOM) else b""  # Ruff's ranges cannot do with it
    made = tool.formatted(file.data[len(mark) :], spans)
    if made and mark + made != file.data and _keeps_indentation(file.text, made, spans):
        _replace(event, file, mark + made)


def _has_odd_ends(data: bytes) -> bool:
    """Return whether lines end in different ways: tools count or mend these all over the file."""
    pairs = data.count(b"\r\n")
    return data.count(b"\r") != pairs or pairs not in (0, data.count(b"\n"))


def _keeps_indentation(old: str, made: bytes, spans: Spans) -> bool:
    """Return whether no line outside the spans is only moved: a tool with another indentation
    than the file's formats whole classes for one line.
    """
    then, now = line_diff.lines_of(old), line_diff.lines_of(made.decode("utf-8", "replace"))
    for a, b, c, d in line_diff.blocks(then, now):
        there = {(line_diff.gist(line), _indentation(line)) for line in now[c:d]}
        gists = {gist for gist, _ in there}
        for number, line in enumerate(then[a:b], a + 1):
            gist = line_diff.gist(line)
            moved = gist in gists and (gist, _indentation(line)) not in there
            if gist and moved and not any(first <= number <= last for first, last in spans):
                return False
    return True


def _indentation(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _replace(event: Event, file: Edited, made: bytes) -> None:
    """Write the formatted text, unless somebody else has changed the file meanwhile."""
    try:
        if files.read_bounded(file.path, len(file.data)) != file.data:
            return
        mode = stat.S_IMODE(os.stat(file.path).st_mode)
        files.write_atomic(file.path, made, mode)
        os.chmod(file.path, mode)  # whatever the umask
    except OSError as error:
        log.failure(event.name, "format", error)
        return
    file.data = made
