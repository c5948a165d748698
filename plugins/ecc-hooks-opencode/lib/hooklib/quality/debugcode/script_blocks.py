"""The JavaScript and TypeScript in a Vue or Svelte file: the text of its <script> blocks.

What else stands at the top of the file is stepped over: comments, the template, styles, and blocks
like <docs>, which may quote a script. A block ends where its name is closed first, whatever is in
it, as for these compilers; of templates, which lie in one another, the outermost counts.
"""

from __future__ import annotations

# by `lang`; other languages are none that can be read here
_EXTENSIONS = {"": "mjs", "js": "mjs", "javascript": "mjs", "jsx": "jsx"}
_EXTENSIONS.update({"ts": "ts", "typescript": "ts", "tsx": "tsx"})


def blocks(text: str) -> list[tuple[int, int, str]]:
    """Return where each script begins and ends, and the ending that its language has."""
    found = []
    unclosed: set[str] = set()  # names that are not looked for once more
    end, i = 0, text.find("<")
    while i >= 0:
        gap = text[end:i]
        if text.startswith("<!--", i):
            end = _behind(text, "-->", i)
        elif text[i + 1 : i + 2].isalpha():
            name, lang, start = _tag(text, i)
            end = start
            if text[start - 2] != "/" and name not in unclosed:
                end = _close(text, name, start)
                unclosed.update([name] if end == start else [])
            if name == "script" and lang in _EXTENSIONS and _begins_line(gap, i):
                found.append((start, end, _EXTENSIONS[lang]))
        else:
            end = i + 1
        i = text.find("<", end)
    return found


def _begins_line(gap: str, i: int) -> bool:
    """Return whether nothing stands before the tag at i, as in an expression that quotes one."""
    _, newline, before = gap.rpartition("\n")
    return not before.strip() and (bool(newline) or len(gap) == i)


def _tag(text: str, i: int) -> tuple[str, str, int]:
    """Return the name and the `lang` of the tag that begins at i, and where its content begins."""
    name = attribute = ""
    words = []
    i += 1
    while i < len(text) and text[i] != ">":
        end = i + 1
        if text[i] in "\"'":
            end = _behind(text, text[i], end)
        elif text[i].isspace():
            words.append(attribute)
            attribute = ""
        attribute += text[i:end].strip()
        i = end
    name, *attributes = [*words, attribute.rstrip("/")]
    given = [each[5:].strip("\"'") for each in attributes if each.startswith("lang=")]
    return name.rstrip("/"), given[0].lower() if given else "", i + 1


def _close(text: str, name: str, start: int) -> int:
    """Return where the block ends whose content begins at start; start where nothing ends it."""
    end = text.find("</" + name, start)
    if name == "template":
        inner = text.count("<template", start, end)
        while end >= 0 and inner:
            following = text.find("</template", end + 1)
            inner += text.count("<template", end, following) - 1
            end = following
    if end < 0:
        return len(text) if name == "script" else start
    return end


def _behind(text: str, mark: str, i: int) -> int:
    end = text.find(mark, i)
    return len(text) if end < 0 else end + len(mark)
