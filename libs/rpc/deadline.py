"""The time that is left to the current call, handed on to the calls that it leads to."""

import asyncio
from contextvars import ContextVar

DEFAULT_SECONDS = 10.0
"""A caller without a deadline gets this one."""


class DeadlineExceeded(Exception):
    """The call took longer than its caller waits."""

    reason = "deadline_exceeded"


_MARGIN_SECONDS = 0.05
_ends_at: ContextVar[float | None] = ContextVar("deadline", default=None)


def begin(seconds: float | None) -> float:
    """Starts the deadline of a call and gives its length in seconds."""
    length = DEFAULT_SECONDS if seconds is None else seconds
    _ends_at.set(asyncio.get_running_loop().time() + length)
    return length


def remaining(own: float) -> float:
    """`own` seconds, or what the caller has left less a margin, whichever is shorter."""
    ends_at = _ends_at.get()
    if ends_at is None:
        return own
    left = ends_at - asyncio.get_running_loop().time() - _MARGIN_SECONDS
    return max(0.001, min(own, left))
