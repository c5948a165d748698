"""Find the lines that an edit added: from the patch in the event, its texts, or git."""

from __future__ import annotations

from hooklib import checked
from hooklib.quality import line_diff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.event import Event
    from hooklib.process import Run
    from hooklib.quality.edited_file import Edited


def added(event: Event, edited: Edited, run: Run) -> set[int]:
    """Return the lines that this edit added, counted from 1 in the text of edited."""
    if edited.added is None:
        edited.added = _added(event, edited, run)
    return edited.added


def text_before(event: Event) -> str | None:
    """Return the file's text before the edit, '' for a new file, None if it is unknown."""
    response = _response(event)
    text = response.get("originalFile")
    if isinstance(text, str):
        return text
    return "" if response.get("type") == "create" else None


def _added(event: Event, edited: Edited, run: Run) -> set[int]:
    lines = line_diff.lines_of(edited.text)
    after_edit = _after(event)
    numbers = _from_patch(event)
    if numbers is None and after_edit is not None and text_before(event) is not None:
        numbers = _differing(text_before(event) or "", after_edit)
    if numbers is None:
        numbers = _from_strings(event, lines)
        after_edit = None  # these numbers fit the present text already
    if numbers is None:
        from hooklib.quality import git_diff

        changed_lines = git_diff.changed_lines(edited.root, [edited.path], run)
        return {number for number in range(1, len(lines) + 1) if number in changed_lines}
    if after_edit is not None:
        edited_lines = line_diff.lines_of(after_edit)
        if edited_lines != lines:  # formatted since, or edited again
            numbers = line_diff.carry_over(numbers, edited_lines, lines)
    return {number for number in numbers if number <= len(lines)}


def _response(event: Event) -> dict[str, Any]:
    return checked.mapping(event.data.get("tool_response"))


def _from_patch(event: Event) -> set[int] | None:
    """Read the line numbers of the patch, whose text has spaces for tabs."""
    response = _response(event)
    patch = response.get("structuredPatch")
    if not isinstance(patch, list):
        return None
    if not patch:  # a new file, or nothing changed
        content = event.tool_input.get("content")
        if response.get("type") == "create" and isinstance(content, str):
            return set(range(1, len(line_diff.lines_of(content)) + 1))
        return set()
    numbers = set()
    for hunk in patch:
        lines, start = (checked.mapping(hunk).get(name) for name in ("lines", "newStart"))
        if not isinstance(lines, list) or not isinstance(start, int):
            return None
        for line in lines:
            sign = checked.text(line, 1)
            if sign == "+":
                numbers.add(start)
            if sign in ("+", " ", ""):
                start += 1
    return numbers


def _after(event: Event) -> str | None:
    """Return the file's text after the edit, None if the event does not say."""
    content = event.tool_input.get("content")
    if isinstance(content, str):
        return content
    text, (old, new) = text_before(event), _strings(event.tool_input)
    response = _response(event)
    if isinstance(response.get("oldString"), str):  # the text that was in the file
        old = response["oldString"]
    if text is None or new is None:
        return None
    if not old:
        return new if not text else None
    if old not in text:
        return None
    return text.replace(old, new, -1 if event.tool_input.get("replace_all") is True else 1)


def _strings(edit: dict[str, Any]) -> tuple[str, str | None]:
    old, new = edit.get("old_string"), edit.get("new_string")
    return checked.text(old), new if isinstance(new, str) else None


def _from_strings(event: Event, lines: list[str]) -> set[int] | None:
    """Find the new texts of the edits in the file; return None if one is missing."""
    edits = event.tool_input.get("edits")
    values = edits if isinstance(edits, list) else [event.tool_input]
    text = "\n".join(lines)
    numbers: set[int] = set()
    for value in values:
        old, new = _strings(checked.mapping(value))
        new = new.replace("\r\n", "\n") if new is not None else None
        if not new or new not in text:
            return None
        first = text.count("\n", 0, text.index(new)) + 1
        differing = _differing(old, new)
        numbers.update(first + number - 1 for number in differing)
    return numbers


def _differing(old: str, new: str) -> set[int]:
    """Return the lines of new that differ from old, counted from 1."""
    changes = line_diff.blocks(line_diff.lines_of(old), line_diff.lines_of(new))
    return {number + 1 for _, _, c, d in changes for number in range(c, d)}
