"""The one place where errors stop: nothing that goes wrong in a hook reaches the host."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable


def guarded(call: Callable[..., Any], *args: Any) -> tuple[Any, BaseException | None]:
    """Return (what call returned, None) or (None, the error); sys.exit in call is one too."""
    try:
        return call(*args), None
    except (Exception, SystemExit) as error:
        if isinstance(error, EOFError) or "marshal" in str(error):
            _drop_compiled()
        return None, error


def _drop_compiled() -> None:
    """Let all be compiled anew: a full disk can leave half a file, which no import gets past."""
    import shutil
    import sys

    folder = sys.pycache_prefix or ""
    if folder.endswith("pycache"):  # the one that hooks/run names
        shutil.rmtree(folder, ignore_errors=True)
