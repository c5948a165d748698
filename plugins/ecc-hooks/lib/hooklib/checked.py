"""Read values of any type: what stands in an event, a transcript or a file is not ours."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def text(value: object, limit: int | None = None) -> str:
    """Return a text, cut to limit characters; '' for anything else."""
    return value[:limit] if isinstance(value, str) else ""


def number(value: object) -> int:
    """Return a whole number; 0 for anything else."""
    return value if isinstance(value, int) else 0


def mapping(value: object) -> dict[str, Any]:
    """Return a JSON object; {} for anything else."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    """Return a JSON array; [] for anything else."""
    return value if isinstance(value, list) else []


def texts(value: object) -> list[str]:
    """Return the texts of a JSON array, without what is no text in it."""
    return [each for each in items(value) if isinstance(each, str)]
