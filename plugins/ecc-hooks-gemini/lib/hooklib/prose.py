"""Read prose in Markdown: its paragraphs, and labels such as `Decision:` at their beginning."""

from __future__ import annotations

LIMIT = 20_000  # characters that are read
MARKS = " \t*_#-+•·–—"
_ITEMS = ("- ", "* ", "+ ")
_WRAPPED = 56  # columns; the writer ended a shorter line on purpose
_NO_PROSE = (  # the beginnings of lines of logs, quotations, tables and code
    "INFO", "WARN", "DEBUG", "ERROR", "TRACE", "FATAL", "info:", "warning:", "error:", "at ", "$ ",
    ">", "% ", "|", "diff ", "@@", "+++", "---", "#!", "//", "/*", "import ", "def ", "class ",
    "const ", "let ", "var ", "func ", "return ", "Traceback", "[",
)  # fmt: skip
# Labels: words before a colon that name the kind of the text after it, `Decision: ...`, `决定：...`
_DECISION = (
    "decision", "final decision", "decided", "agreed",
    "决定", "決定", "决议", "決議", "结论", "結論",
)  # fmt: skip
_PATTERN = (
    "convention", "conventions", "rule", "pattern", "policy", "guideline",
    "惯例", "慣例", "规则", "規則", "规范", "規範", "约定", "約定", "原则", "原則",
)  # fmt: skip
_SOLUTION = (
    "root cause", "the root cause", "cause", "the cause", "fix", "the fix", "solution",
    "the solution", "workaround", "the workaround", "根因", "根本原因", "原因", "解决方法",
    "解決方法", "解决方案", "解決方案", "解决办法", "解決辦法", "解法", "修复方法", "修復方法",
    "修正方法",
)  # fmt: skip
_KINDS = {
    **dict.fromkeys(_DECISION, "decision"),
    **dict.fromkeys(_PATTERN, "pattern"),
    **dict.fromkeys(_SOLUTION, "solution"),
    **dict.fromkeys(("preference", "my preference", "user preference", "偏好"), "preference"),
}
# Labels that name the kind of the text below as headings too; as headings the others are vague.
_HEADINGS = frozenset((
    *_DECISION, "decisions", "root cause", "cause", "fix", "the fix", "solution", "convention",
    "conventions", "根本原因", "根因", "原因", "解决方法", "解決方法", "解决方案", "解決方案",
    "修复方法", "修復方法", "惯例", "慣例",
))  # fmt: skip


def decisions(text: str) -> list[str]:
    """Return the texts labelled as decisions, in order."""
    lower = text.lower()
    if not any(name in lower for name in _DECISION):
        return []
    labelled_paragraphs = [labelled(paragraph) for paragraph in paragraphs(text)]
    return [decision for kind, decision in labelled_paragraphs if kind == "decision"]


def labelled(text: str) -> tuple[str, str]:
    """Return the kind of a text that begins with a label, and the text after the label."""
    label, _, rest = text.partition(":")
    if "：" in label:
        label, _, rest = text.partition("：")
    kind = _KINDS.get(label.strip(" *_").lower(), "")
    rest = (rest[1:] if rest[:2] in ("* ", "_ ") else rest).strip()
    return (kind, rest) if kind and rest else ("", "")


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs and list items of a text, each joined to one line."""
    joined: list[str] = []
    fence = heading = ""
    wrapped = False
    for line in text[:LIMIT].splitlines():
        bare = _plain(line.strip())
        is_item = bare.startswith(_ITEMS) or _is_numbered(bare)
        if fence:
            fence = "" if bare.startswith(fence) else fence
        elif bare.startswith(("```", "~~~")):
            fence = bare[:3]
        elif bare and not _is_code(line, bare):
            is_labelled = bool(labelled(bare.lstrip(MARKS))[0])
            name = "" if is_labelled else _heading(line)
            if wrapped and not is_item and not is_labelled:
                joined[-1] += _gap(joined[-1], bare) + bare
            elif name:
                heading = name if name in _HEADINGS else ""
            else:
                start = heading.rstrip("s") + ": " if heading and not is_labelled else ""
                joined.append(start + _without_mark(bare))
                heading = heading if is_item else ""
            wrapped = not name and _width(line) >= _WRAPPED and bare[-1] not in ".。:："
            continue
        wrapped = False
    return joined


def _plain(line: str) -> str:
    """Return a line without bold marks; the stars of globs stay."""
    parts = line.split("**")
    plain_line = parts[0]
    for part in parts[1:]:
        plain_line += ("**" if plain_line.endswith("/") or part.startswith("/") else "") + part
    return plain_line


def _heading(line: str) -> str:
    """Return the words of a heading, '' if the line is not one."""
    line = line.strip()
    if not line.startswith("#") and not (
        line.startswith("**") and line.rstrip(":：").endswith("**")
    ):
        return ""
    return line.strip("#*:： ").lower()


def _is_code(line: str, bare: str) -> bool:
    indented = line.startswith(("    ", "\t")) and not bare.startswith(_ITEMS)
    dated = bare[:4].isdigit() and bare[4:5] == "-"
    return indented or dated or bare.startswith(_NO_PROSE) or bare.endswith(("{", "};", ");"))


def _is_numbered(bare: str) -> bool:
    return bare[:1].isdigit() and bare.lstrip("0123456789")[:2] in (". ", ") ")


def _without_mark(bare: str) -> str:
    return bare.lstrip("0123456789")[2:] if _is_numbered(bare) else bare.lstrip(MARKS)


def _width(line: str) -> int:
    return len(line) + sum(char >= "\u2e80" for char in line)


def _gap(before: str, after: str) -> str:
    return "" if before[-1] >= "\u2e80" and after[0] >= "\u2e80" else " "
