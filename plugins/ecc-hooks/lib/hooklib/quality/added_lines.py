"""Which lines an edit added: from the patch in the event, its texts, or git."""

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
    """Return the lines of the file as it was read, counted from 1, that this edit added."""
    if edited.added is None:
        edited.added = _added(event, edited, run)
    return edited.added


def before(event: Event) -> str | None:
    """Return the file's text before the edit, '' for a new file; None where nobody tells."""
    response = _response(event)
    text = response.get("originalFile")
    if isinstance(text, str):
        return text
    return "" if response.get("type") == "create" else None


def _added(event: Event, edited: Edited, run: Run) -> set[int]:
    now = line_diff.lines_of(edited.text)
    then = _after(event)
    numbers = _from_patch(event)
    if numbers is None and then is not None and before(event) is not None:
        numbers = _differing(before(event) or "", then)
    if numbers is None:
        numbers = _from_strings(event, now)
        then = None  # those were looked for in the file as it is
    if numbers is None:
        from hooklib.quality import git_diff

        differing = git_diff.changed_lines(edited.root, [edited.path], run)
        return {number for number in range(1, len(now) + 1) if number in differing}
    if then is not None and line_diff.lines_of(then) != now:  # formatted since, or edited again
        numbers = line_diff.carry_over(numbers, line_diff.lines_of(then), now)
    return {number for number in numbers if number <= len(now)}


def _response(event: Event) -> dict[str, Any]:
    return checked.mapping(event.data.get("tool_response"))


def _from_patch(event: Event) -> set[int] | None:
    """Read the numbers only: the host shows tabs as spaces in the patch's lines."""
    response = _response(event)
    patch = response.get("structuredPatch")
    if not isinstance(patch, list):
        return None
    if not patch:  # a new file, or nothing changed
        content = event.tool_input.get("content")
        if response.get("type") == "create" and isinstance(content, str):
            return set(range(1, len(line_diff.lines_of(content)) + 1))
        return set()
    found = set()
    for hunk in patch:
        lines, start = (checked.mapping(hunk).get(name) for name in ("lines", "newStart"))
        if not isinstance(lines, list) or not isinstance(start, int):
            return None
        for line in lines:
            sign = checked.text(line, 1)
            if sign == "+":
                found.add(start)
            if sign in ("+", " ", ""):
                start += 1
    return found


def _after(event: Event) -> str | None:
    """Return the file's text as the edit left it, None where the event does not tell."""
    content = event.tool_input.get("content")
    if isinstance(content, str):
        return content
    text, (old, new) = before(event), _strings(event.tool_input)
    response = _response(event)
    if isinstance(response.get("oldString"), str):  # as it is in the file
        old = response["oldString"]
    if text is None or new is None:
        return None
    if not old:
        return new if not text else None
    if old not in text:
        return None
    return text.replace(old, new, -1 if event.tool_input.get("replace_all") is True else 1)


def _strings(given: dict[str, Any]) -> tuple[str, str | None]:
    old, new = given.get("old_string"), given.get("new_string")
    return checked.text(old), new if isinstance(new, str) else None


def _from_strings(event: Event, now: list[str]) -> set[int] | None:
    """Look for the new text of an edit, or of several, in the file; None where it is not there."""
    edits = event.tool_input.get("edits")
    given = edits if isinstance(edits, list) else [event.tool_input]
    text = "\n".join(now)
    found: set[int] = set()
    for edit in given:
        old, new = _strings(checked.mapping(edit))
        new = new.replace("\r\n", "\n") if new is not None else None
        if not new or new not in text:
            return None
        first = text.count("\n", 0, text.index(new)) + 1
        own = _differing(old, new)
        found.update(first + number - 1 for number in own)
    return found


def _differing(old: str, new: str) -> set[int]:
    """Return the lines of new, counted from 1, that old does not have there."""
    changes = line_diff.blocks(line_diff.lines_of(old), line_diff.lines_of(new))
    return {number + 1 for _, _, c, d in changes for number in range(c, d)}
