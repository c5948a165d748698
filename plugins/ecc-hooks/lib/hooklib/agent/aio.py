"""Await a blocking call without blocking the event loop."""

from __future__ import annotations

import asyncio
import functools
import threading

from hooklib.boundary import guarded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable
    from typing import Any, Callable, TypeVar

    from typing_extensions import ParamSpec

    P = ParamSpec("P")
    T = TypeVar("T")


async def in_thread(call: Callable[[], T]) -> T:
    """Run call in a thread of its own and return its result.

    The loop's pool will not do: calls that queue there run into the host's time limit, and the end
    of the program waits for its threads even when nobody needs them any more.
    """
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:  # trio, which the Agent SDK supports too, through anyio
        import anyio.to_thread  # type: ignore[import-not-found]

        value: T = await anyio.to_thread.run_sync(call)
        return value
    future: asyncio.Future[T] = loop.create_future()

    def settle(value: Any, error: BaseException | None) -> None:
        if future.done():  # the waiting task was cancelled
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(value)

    def work() -> None:
        value, error = guarded(call)
        try:
            loop.call_soon_threadsafe(settle, value, error)
        except RuntimeError:
            pass  # the loop is closed: nobody waits any more

    threading.Thread(target=work, daemon=True).start()
    return await future


def awaitable(call: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """Return the async form of a function."""

    @functools.wraps(call)
    async def wrapper(*args: P.args, **kwargs: P.kwargs) -> T:
        return await in_thread(lambda: call(*args, **kwargs))

    return wrapper
