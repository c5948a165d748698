"""The one place where errors stop: nothing that goes wrong in a hook reaches the host."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable


def guarded(call: Callable[..., Any], *args: Any) -> tuple[Any, BaseException | None]:
    """Return (the result of call, None), or (None, the error); SystemExit counts as an error."""
    try:
        return call(*args), None
    except (Exception, SystemExit) as error:
        if isinstance(error, EOFError) or "marshal" in str(error):
            _drop_compiled()
        return None, error


def _drop_compiled() -> None:
    """Remove the compiled modules: a full disk can leave half a file, which fails every import."""
    import shutil
    import sys

    folder = sys.pycache_prefix or ""
    if folder.endswith("pycache"):  # the folder that hooks/run names
        shutil.rmtree(folder, ignore_errors=True)
