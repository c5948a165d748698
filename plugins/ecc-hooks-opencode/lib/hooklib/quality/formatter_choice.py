"""Choose the formatter of a file by the nearest configuration of the project."""

from __future__ import annotations

import os

from hooklib import checked, jsonio
from hooklib.quality import config_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.quality.edited_file import Edited

_PYTHON_RIVALS = {"tool.yapf", "tool.autopep8", "tool.blue", "tool.pyink"}
_JS_RIVALS = frozenset("biome.json biome.jsonc dprint.json .dprint.json dprint.jsonc".split())
_JS_LINTERS = (".eslintrc", "eslint.config.", "deno.json", "xo.config.")
_FIXER = frozenset(".php-cs-fixer.php .php-cs-fixer.dist.php .php_cs .php_cs.dist".split())
_PHP_RIVALS = frozenset("phpcs.xml phpcs.xml.dist .phpcs.xml .phpcs.xml.dist ecs.php".split())


class Choice:
    """The formatters to try, in order; whether the project configures them, and in which folder."""

    __slots__ = ("names", "configured", "folder")

    def __init__(self, names: tuple[str, ...], configured: bool = False, folder: str = "") -> None:
        self.names = names
        self.configured = configured
        self.folder = folder


def formatter(edited: Edited, language: str) -> Choice:
    """Return the formatters for a file; if the project configures one, no other."""
    return {"python": _python, "js": _js, "php": _php}[language](edited)


def _python(edited: Edited) -> Choice:
    for folder, names in edited.around:
        tables: set[str] = set()
        if "pyproject.toml" in names:
            tables |= config_text.tables(config_text.read(os.path.join(folder, "pyproject.toml")))
        for name in ("ruff.toml", ".ruff.toml"):
            if name in names:
                text = config_text.read(os.path.join(folder, name))
                ruff_tables = config_text.tables(text) or {""}
                tables |= {("tool.ruff." + table).rstrip(".") for table in ruff_tables}
        ruff = {table for table in tables if table == "tool.ruff" or table[:10] == "tool.ruff."}
        # with rules for the linter alone, Ruff does not format
        ruff = {table for table in ruff if table[:14] != "tool.ruff.lint"}
        if "tool.ruff.format" in ruff or (ruff and "tool.black" not in tables):
            return Choice(("ruff",), True, folder)
        if "tool.black" in tables:
            return Choice(("black",), True, folder)
        if tables & _PYTHON_RIVALS or ".style.yapf" in names:
            return Choice((), True, folder)
    return Choice(("ruff", "black"))


def _js(edited: Edited) -> Choice:
    listed = linted = False
    for folder, names in edited.around:
        package = _package(folder) if "package.json" in names else {}
        config = (".prettierrc", "prettier.config.")
        if "prettier" in package or any(name.startswith(config) for name in names):
            return Choice(("prettier",), True, folder)
        if names & _JS_RIVALS:
            return Choice((), True, folder)
        for group in ("dependencies", "devDependencies"):
            dependencies = package.get(group)
            listed = listed or (isinstance(dependencies, dict) and "prettier" in dependencies)
        linted = linted or any(name.startswith(_JS_LINTERS) for name in names)
        linted = linted or not {"eslintConfig", "standard", "xo"}.isdisjoint(package)
    return Choice(("prettier",) if listed or not linted else ())


def _php(edited: Edited) -> Choice:
    for folder, names in edited.around:
        if "pint.json" in names:
            return Choice(("pint",), True, folder)
        if names & _FIXER:
            return Choice(("php-cs-fixer",), True, folder)
        if names & _PHP_RIVALS:
            return Choice((), True, folder)
    return Choice(("pint", "php-cs-fixer"))


def _package(folder: str) -> dict[str, Any]:
    try:
        value = jsonio.loads(config_text.read(os.path.join(folder, "package.json")))
    except (ValueError, RecursionError):
        return {}
    return checked.mapping(value)
