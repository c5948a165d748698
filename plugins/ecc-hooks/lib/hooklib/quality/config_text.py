"""Read as much of TOML and INI as shows which tool a project configures."""

from __future__ import annotations

from hooklib import files

_LIMIT = 1_000_000


def read(path: str) -> str:
    """Return the text of a configuration file, '' if it cannot be read."""
    try:
        return files.read_bounded(path, _LIMIT).decode("utf-8", "replace")
    except OSError:
        return ""


def tables(text: str) -> set[str]:
    """Return the names of the tables, and '' if there are keys before the first one."""
    names = set()
    in_table = False
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("["):
            in_table = True
            names.add(line.partition("]")[0].strip("[ ").replace('"', "").replace(" ", ""))
        elif not in_table and "=" in line and not line.startswith("#"):
            names.add("")
    return names


def texts(text: str, table: str, key: str) -> list[str]:
    """Return the text or the list of texts under a key of a table, [] if it is missing."""
    in_table = not table
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines):
        if line.lstrip().startswith("["):
            in_table = line.strip().partition("]")[0].strip("[ ") == table
        name, equals, value = line.partition("=")
        if in_table and equals and name.strip() == key:
            return _strings(value.lstrip() + "".join(lines[number + 1 :]))
    return []


def ini(text: str, section: str, key: str) -> str:
    """Return the value of a key in a section of an INI file, including its further lines."""
    in_section = in_value = False
    value: list[str] = []
    for line in text.splitlines():
        if in_value and line[:1].isspace():
            value.append(line)
            continue
        in_value = False
        if line.startswith("["):
            in_section = line.strip() == "[%s]" % section
        name, equals, rest = line.partition("=")
        if in_section and equals and name.strip() == key:
            in_value = True
            value.append(rest)
    return "\n".join(value).strip()


def _strings(value: str) -> list[str]:
    """Read a string or a list of strings, in any of TOML's four kinds of quotes."""
    strings: list[str] = []
    is_list = value.startswith("[")
    value = value[1:] if is_list else value
    while True:
        value = value.lstrip(" \t\r\n,")
        if value.startswith("#"):
            value = value.partition("\n")[2]
            continue
        quote = next((q for q in ("'''", '"""', "'", '"') if value.startswith(q)), "")
        if not quote:
            return strings
        inner, _, value = value[len(quote) :].partition(quote)
        strings.append(inner.replace("\\\\", "\\") if quote[0] == '"' else inner)
        if not is_list:
            return strings
