"""Which formatter a project has chosen for a file, by the nearest configuration."""

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
    """Return the formatters for a file: never another one than the project configures."""
    return {"python": _python, "js": _js, "php": _php}[language](edited)


def _python(edited: Edited) -> Choice:
    for folder, there in edited.around:
        tables: set[str] = set()
        if "pyproject.toml" in there:
            tables |= config_text.tables(config_text.read(os.path.join(folder, "pyproject.toml")))
        for name in ("ruff.toml", ".ruff.toml"):
            if name in there:
                own = config_text.tables(config_text.read(os.path.join(folder, name))) or {""}
                tables |= {("tool.ruff." + table).rstrip(".") for table in own}
        ruff = {table for table in tables if table == "tool.ruff" or table[:10] == "tool.ruff."}
        # with nothing but rules for the linter, Ruff is the linter only
        ruff = {table for table in ruff if table[:14] != "tool.ruff.lint"}
        if "tool.ruff.format" in ruff or (ruff and "tool.black" not in tables):
            return Choice(("ruff",), True, folder)
        if "tool.black" in tables:
            return Choice(("black",), True, folder)
        if tables & _PYTHON_RIVALS or ".style.yapf" in there:
            return Choice((), True, folder)
    return Choice(("ruff", "black"))


def _js(edited: Edited) -> Choice:
    listed = linted = False
    for folder, there in edited.around:
        package = _package(folder) if "package.json" in there else {}
        config = (".prettierrc", "prettier.config.")
        if "prettier" in package or any(name.startswith(config) for name in there):
            return Choice(("prettier",), True, folder)
        if there & _JS_RIVALS:
            return Choice((), True, folder)
        for group in ("dependencies", "devDependencies"):
            named = package.get(group)
            listed = listed or (isinstance(named, dict) and "prettier" in named)
        linted = linted or any(name.startswith(_JS_LINTERS) for name in there)
        linted = linted or not {"eslintConfig", "standard", "xo"}.isdisjoint(package)
    return Choice(("prettier",) if listed or not linted else ())


def _php(edited: Edited) -> Choice:
    for folder, there in edited.around:
        if "pint.json" in there:
            return Choice(("pint",), True, folder)
        if there & _FIXER:
            return Choice(("php-cs-fixer",), True, folder)
        if there & _PHP_RIVALS:
            return Choice((), True, folder)
    return Choice(("pint", "php-cs-fixer"))


def _package(folder: str) -> dict[str, Any]:
    try:
        value = jsonio.loads(config_text.read(os.path.join(folder, "package.json")))
    except (ValueError, RecursionError):
        return {}
    return checked.mapping(value)
