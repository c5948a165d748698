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
        return None, error
