"""Waiting for what a test expects: a condition with a bound, never a fixed pause."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")

_LOOK_AGAIN_SECONDS = 0.03


async def until(
    look: Callable[[], Awaitable[T]], *, within: float = 30.0, what: str = "the condition"
) -> T:
    """The first truthy answer of `look`; fails when none came within so many seconds."""
    loop = asyncio.get_running_loop()
    ends_at = loop.time() + within
    while not (found := await look()):
        if loop.time() > ends_at:
            raise AssertionError(f"{what} did not come true within {within} s")
        await asyncio.sleep(_LOOK_AGAIN_SECONDS)
    return found


async def wait_until(
    condition: Callable[[], object], *, within: float = 30.0, what: str = "the condition"
) -> None:
    """The same for a condition that needs no await."""

    async def look() -> bool:
        return bool(condition())

    await until(look, within=within, what=what)
