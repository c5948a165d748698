"""Format the edited file, and report the lines that this changed."""

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
MOST_SPANS = 8  # some tools need one run for each


def run(event: Event, language: str, execute: Run) -> Output | None:
    """Format with the project's formatter; return None if nothing changed."""
    policy = event.settings.choice("format", config.FORMAT_POLICIES, "CUSTOM_SKILLS_FORMAT")
    file = edited_file.for_event(event, language) if policy != "off" else None
    if file is None or not file.is_utf8:
        return None
    choice = formatter_choice.formatter(file, language)
    if policy == "configured" and not choice.configured:
        return None
    tool = _find(event, file, language, choice, execute)
    if tool is None:
        return None
    old_data, added = file.data, added_lines.added(event, file, execute)
    format_all = policy == "always" or choice.configured or _is_all_ours(event, file, tool)
    _apply(event, file, tool, None if format_all else line_diff.spans(added))
    if file.data == old_data:
        file.broken = finding_text.complaint(tool.error_text, file.path) if tool.failed else ""
        if tool.failed and not file.broken:
            log.write(event.name, tool.name, "ended with %d" % tool.failed)
        return None
    old_lines, new_lines = (
        line_diff.lines_of(text) for text in (old_data.decode("utf-8"), file.text)
    )
    file.added = line_diff.carry_over(added, old_lines, new_lines)
    changes = line_diff.blocks(old_lines, new_lines)
    return Output(context=finding_text.formatted(tool.name, file.name, changes, new_lines))


def _find(
    event: Event, file: Edited, language: str, choice: Choice, execute: Run
) -> Formatter | None:
    from hooklib.quality.formatters import Formatter

    for name in choice.names:
        program = find_tool.find(event, file, language, name, execute)
        if program is not None:
            folder = choice.folder or file.root
            return Formatter(name, program.path, file, folder, execute)
    return None


def _is_all_ours(event: Event, file: Edited, tool: Formatter) -> bool:
    """Return whether to format the whole file: it is new, or was formatted before the edit."""
    old_text = added_lines.text_before(event)
    if not old_text:
        return old_text is not None
    if b"\r\n" in file.data and "\r\n" not in old_text:  # the host has its own line ends
        old_text = old_text.replace("\n", "\r\n")
    if not tool.is_clean(old_text.encode("utf-8", "replace")):
        tool.failed = 0  # not formatted, or not readable: no failure of this edit
        return False
    return True


def _apply(event: Event, file: Edited, tool: Formatter, spans: Spans | None) -> None:
    """Format the file on disk: the lines in spans, or all of it."""
    if spans is not None:
        _apply_ranges(event, file, tool, spans)
    elif tool.is_in_place:
        if tool.format_file():
            file.read_again()
    else:
        formatted = tool.formatted(file.data, None)
        if formatted and formatted != file.data:
            _replace(event, file, formatted)


def _apply_ranges(event: Event, file: Edited, tool: Formatter, spans: Spans) -> None:
    """Format the lines in spans if that leaves the others unchanged."""
    if not tool.knows_ranges or not 0 < len(spans) <= MOST_SPANS or _has_odd_ends(file.data):
        return
    bom = _BOM if file.data.startswith(_BOM) else b""  # Ruff's ranges fail with it
    formatted = tool.formatted(file.data[len(bom) :], spans)
    if not formatted or bom + formatted == file.data:
        return
    if _keeps_indentation(file.text, formatted, spans):
        _replace(event, file, bom + formatted)


def _has_odd_ends(data: bytes) -> bool:
    """Return whether line ends are mixed: tools then change or count lines in the whole file."""
    pairs = data.count(b"\r\n")
    return data.count(b"\r") != pairs or pairs not in (0, data.count(b"\n"))


def _keeps_indentation(old_text: str, formatted: bytes, spans: Spans) -> bool:
    """Return whether no line outside the spans was indented anew: a tool whose indentation differs
    from the file's formats whole classes for one line.
    """
    old_lines = line_diff.lines_of(old_text)
    new_lines = line_diff.lines_of(formatted.decode("utf-8", "replace"))
    for a, b, c, d in line_diff.blocks(old_lines, new_lines):
        new_indentations = {(line_diff.gist(line), _indentation(line)) for line in new_lines[c:d]}
        gists = {gist for gist, _ in new_indentations}
        for number, line in enumerate(old_lines[a:b], a + 1):
            gist = line_diff.gist(line)
            reindented = gist in gists and (gist, _indentation(line)) not in new_indentations
            if gist and reindented and not any(first <= number <= last for first, last in spans):
                return False
    return True


def _indentation(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _replace(event: Event, file: Edited, formatted: bytes) -> None:
    """Write the formatted text unless the file has changed meanwhile."""
    try:
        if files.read_bounded(file.path, len(file.data)) != file.data:
            return
        mode = stat.S_IMODE(os.stat(file.path).st_mode)
        files.write_atomic(file.path, formatted, mode)
        os.chmod(file.path, mode)  # whatever the umask
    except OSError as error:
        log.failure(event.name, "format", error)
        return
    file.data = formatted
