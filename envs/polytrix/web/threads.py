"""Calls in threads, so that pages need not wait for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")


async def in_thread(threads: Executor, function: Callable[..., T], *arguments: Any) -> T:
    """Call in a thread. Who is cancelled meanwhile still waits for its end, and so keeps the locks it holds.

    A call that has not begun is then dropped.
    """
    call = threads.submit(function, *arguments)
    end = asyncio.wrap_future(call)
    try:
        return await asyncio.shield(end)
    except asyncio.CancelledError:
        call.cancel()
        while not end.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([end])
        raise
