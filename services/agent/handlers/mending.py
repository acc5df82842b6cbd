"""One answer of a model within its time, with one restricted retry where it can be mended."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from libs.rpc import deadline
from libs.telemetry import logs
from services.agent.domain.errors import Mendable, ModelTimedOut
from services.agent.handlers.ports import Model
from services.agent.llm.conversation import Message, Shape

_log = logs.get("mending")

# What the caller's deadline must leave for the way back.
_MARGIN_SECONDS = 0.25

Answer_co = TypeVar("Answer_co", covariant=True)


class Form(Shape, Protocol[Answer_co]):
    """A shape that can read what was answered."""

    def read(self, text: str) -> Answer_co:
        """Raises Mendable."""
        ...


async def asked(
    model: Model,
    messages: Sequence[Message],
    form: Form[Answer_co],
    again: Callable[[Mendable], Sequence[Message]],
    *,
    seconds: float,
) -> Answer_co:
    """The model's answer in at most so many seconds, and before the caller's deadline.

    Raises ModelFailed; a second answer that cannot be used either is not asked for again.
    """
    ends_at = asyncio.get_running_loop().time() + _budget(seconds)
    said = await model.ask(messages, form, seconds=_left(ends_at))
    try:
        return form.read(said)
    except Mendable as failure:
        _log.info("asked_again", reason=failure.reason, problem=failure.problem)
        mended = again(failure)
    said = await model.ask(mended, form, seconds=_left(ends_at))
    return form.read(said)


def _budget(seconds: float) -> float:
    """The model's time: its own, or what the caller leaves of it."""
    return min(seconds, deadline.remaining(seconds + _MARGIN_SECONDS) - _MARGIN_SECONDS)


def _left(ends_at: float) -> float:
    """Raises ModelTimedOut where nothing is left."""
    left = ends_at - asyncio.get_running_loop().time()
    if left <= 0:
        raise ModelTimedOut("nothing left")
    return left
