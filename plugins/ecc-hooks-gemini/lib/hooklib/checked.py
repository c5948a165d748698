"""Read values of unknown type, from events, transcripts and files that others wrote."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def text(value: object, limit: int | None = None) -> str:
    """Return value, cut to limit characters, if it is a text; else ''."""
    return value[:limit] if isinstance(value, str) else ""


def number(value: object) -> int:
    """Return value if it is a whole number, else 0."""
    return value if isinstance(value, int) else 0


def mapping(value: object) -> dict[str, Any]:
    """Return value if it is a JSON object, else {}."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    """Return value if it is a JSON array, else []."""
    return value if isinstance(value, list) else []


def texts(value: object) -> list[str]:
    """Return the texts in a JSON array; leave out its other items."""
    return [item for item in items(value) if isinstance(item, str)]
