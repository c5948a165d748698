"""The little of TOML and INI that tells which tool a project configures."""

from __future__ import annotations

from hooklib import files

_LIMIT = 1_000_000


def read(path: str) -> str:
    """Return a configuration file's text, '' where there is none."""
    try:
        return files.read_bounded(path, _LIMIT).decode("utf-8", "replace")
    except OSError:
        return ""


def tables(text: str) -> set[str]:
    """Return the names of the tables; '' where there are keys before the first one."""
    found = set()
    started = False
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("["):
            started = True
            found.add(line.partition("]")[0].strip("[ ").replace('"', "").replace(" ", ""))
        elif not started and "=" in line and not line.startswith("#"):
            found.add("")
    return found


def texts(text: str, table: str, key: str) -> list[str]:
    """Return the text, or the texts of the list, that a key of a table has; [] where none."""
    inside = not table
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines):
        if line.lstrip().startswith("["):
            inside = line.strip().partition("]")[0].strip("[ ") == table
        name, equals, value = line.partition("=")
        if inside and equals and name.strip() == key:
            return _strings(value.lstrip() + "".join(lines[number + 1 :]))
    return []


def ini(text: str, section: str, key: str) -> str:
    """Return the value of a key in a section of an INI file, its further lines included."""
    inside = found = False
    value: list[str] = []
    for line in text.splitlines():
        if found and line[:1].isspace():
            value.append(line)
            continue
        found = False
        if line.startswith("["):
            inside = line.strip() == "[%s]" % section
        name, equals, rest = line.partition("=")
        if inside and equals and name.strip() == key:
            found = True
            value.append(rest)
    return "\n".join(value).strip()


def _strings(value: str) -> list[str]:
    """Read a string, or a list of strings, in any of TOML's four ways to quote."""
    found: list[str] = []
    is_list = value.startswith("[")
    value = value[1:] if is_list else value
    while True:
        value = value.lstrip(" \t\r\n,")
        if value.startswith("#"):
            value = value.partition("\n")[2]
            continue
        quote = next((q for q in ("'''", '"""', "'", '"') if value.startswith(q)), "")
        if not quote:
            return found
        inner, _, value = value[len(quote) :].partition(quote)
        found.append(inner.replace("\\\\", "\\") if quote[0] == '"' else inner)
        if not is_list:
            return found
