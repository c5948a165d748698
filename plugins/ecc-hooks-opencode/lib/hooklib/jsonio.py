"""Read and write JSON without the json package, whose import costs as much as Python's start.

This uses CPython's C scanner directly; where that is missing, the json package does the work.
"""

from __future__ import annotations

try:
    from _json import encode_basestring_ascii as _quote
    from _json import make_scanner as _make_scanner
except ImportError:  # not CPython
    _make_scanner = None  # type: ignore[assignment,misc]
    from json.encoder import encode_basestring_ascii as _quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SPACE = " \t\n\r"


class _Options:
    """The attributes that the scanner reads; the values of json's default decoder."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    array_hook = None
    parse_float = float
    parse_int = int
    parse_constant = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": -float("inf")}.get
    memo: dict[str, str] = {}


def loads(data: bytes | str) -> Any:
    """Return the one JSON value in data, which may be UTF-8; raise ValueError for anything else."""
    text = data.decode("utf-8") if isinstance(data, bytes) else data
    text = text[1:] if text.startswith("\ufeff") else text  # the utf-8-sig codec is one more import
    if _make_scanner is not None:
        start = len(text) - len(text.lstrip(_SPACE))
        try:
            value, end = _make_scanner(_Options)(text, start)  # type: ignore[arg-type]
            if not text[end:].strip(_SPACE):
                return value
        except (StopIteration, SystemError):
            pass  # how the scanner rejects its input while json is not imported
    import json

    return json.loads(text, strict=False)


def dumps(value: Any) -> str:
    """Return value as one line of ASCII, which no encoding of a pipe or a console can break."""
    if isinstance(value, str):
        return _quote(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, (int, float)):
        return repr(value) if value - value == 0 else "null"  # JSON has no NaN and no infinity
    if isinstance(value, dict):
        return "{" + ",".join(_quote(str(k)) + ":" + dumps(v) for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(dumps, value)) + "]"
    raise TypeError("not a JSON value: " + type(value).__name__)
