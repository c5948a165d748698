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


def text_of(text: str, table: str, key: str) -> str:
    """Return a key's text in a table, in any of TOML's four ways to quote; '' where not given."""
    inside = False
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines):
        if line.lstrip().startswith("["):
            inside = line.strip().partition("]")[0].strip("[ ") == table
        name, equals, value = line.partition("=")
        if not inside or not equals or name.strip() != key:
            continue
        value = value.lstrip() + "".join(lines[number + 1 :])
        for quote in ("'''", '"""', "'", '"'):
            if value.startswith(quote):
                inner = value[len(quote) :].partition(quote)[0]
                return inner.replace("\\\\", "\\") if quote[0] == '"' else inner
        return ""
    return ""
