"""One turn of the model: its answer, a correction, or that rules have to go on without it.

No failure of a model ends a run by itself. Spec: agent.md; reference field-cases.md, LLM.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from libs.telemetry import logs
from services.agent.domain.errors import (
    Mendable,
    ModelFailed,
    ModelRateLimited,
    ModelServerError,
    ModelTimedOut,
    ModelUnreachable,
)
from services.agent.domain.happening import Status
from services.agent.domain.run import Turn
from services.agent.graph import words
from services.agent.graph.desk import Desk
from services.agent.graph.ports import Model
from services.agent.graph.step import State, Step, status
from services.agent.llm.context import Context
from services.agent.llm.conversation import Message, Said, Shape
from services.agent.llm.tokens import corrected as corrected_factor
from services.agent.llm.tokens import estimate

_log = logs.get("graph.model")

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")

NO_MODEL = "no_model"
UNUSABLE = "model_unusable"
# What may be over in a moment is asked once more.
_PASSING = (ModelUnreachable, ModelServerError, ModelRateLimited)
_PAUSE_SECONDS = 0.5


class Readable(Shape, Protocol[T_co]):
    """A shape that reads its own answers."""

    def read(self, said: str) -> T_co: ...


@dataclass(frozen=True, slots=True)
class Answered(Generic[T]):
    """What the model decided."""

    state: State
    answer: T


@dataclass(frozen=True, slots=True)
class Corrected:
    """The model is told what was wrong; the next turn is its next try."""

    state: State


@dataclass(frozen=True, slots=True)
class GivenUp:
    """From here on rules decide; `status` says so plainly."""

    state: State
    status: Status


Turned = Answered[T] | Corrected | GivenUp


async def turn(state: State, desk: Desk, shape: Readable[T], context: Context) -> Turned[T]:
    """One answer of the model, which must be there. What it cost is counted in the state."""
    model = desk.tools.model
    if model is None:
        return given_up(state, NO_MODEL)
    state = state.having(weights=context.weights)
    try:
        said = await _asked(model, shape, context.messages, _seconds(state, desk))
    except ModelFailed as failed:
        _log.warning("model_failed", run=state.run.id, reason=failed.reason)
        return given_up(state, failed.reason)
    state = _counted(state, context, said)
    try:
        answer = shape.read(said.text)
    except Mendable as failed:
        return _corrected(state, desk, failed.problem)
    return Answered(state, answer)


def accepted(step: Step) -> Step:
    """A step that an answer of the model led to: the row of corrections is over."""
    return replace(step, state=step.state.having(corrections=0))


def corrected(state: State, desk: Desk, problem: str) -> Corrected | GivenUp:
    """The same for an answer that reads well and cannot be meant."""
    return _corrected(state, desk, problem)


def given_up(state: State, reason: str) -> GivenUp:
    """Rules decide for the rest of the run."""
    state = state.having(by_rules=reason, corrections=0)
    code = NO_MODEL if reason == NO_MODEL else "model_unavailable"
    return GivenUp(state, status(state.run, code, words.RULES_GO_ON[code]))


def _corrected(state: State, desk: Desk, problem: str) -> Corrected | GivenUp:
    run = state.run
    _log.info("model_corrected", run=run.id, count=run.corrections + 1)
    if run.corrections + 1 >= desk.tools.limits.corrections:
        return given_up(state, UNUSABLE)
    told = Turn(run.round, "", observation=words.correction(problem))
    return Corrected(state.having(corrections=run.corrections + 1, loop=(*run.loop, told)))


async def _asked(model: Model, shape: Shape, messages: Sequence[Message], seconds: float) -> Said:
    """One answer; what failed in passing is asked once more. Raises ModelFailed."""
    loop = asyncio.get_running_loop()
    ends_at = loop.time() + seconds
    try:
        return await model.answer(messages, shape, seconds=seconds)
    except _PASSING:
        if loop.time() + 2 * _PAUSE_SECONDS >= ends_at:
            raise
        await asyncio.sleep(_PAUSE_SECONDS)
        return await model.answer(messages, shape, seconds=ends_at - loop.time())


def _seconds(state: State, desk: Desk) -> float:
    """How long this answer may take: its own limit, or what the run has left."""
    left = desk.tools.limits.seconds - state.run.seconds
    if left <= 0:
        raise ModelTimedOut("nothing left")
    return min(desk.tools.model_seconds, left)


def _counted(state: State, context: Context, said: Said) -> State:
    """What the exchange cost, and how far off the estimate was."""
    run = state.run
    plain = sum(estimate(one.content) for one in context.messages)
    factor = corrected_factor(run.token_factor, estimated=plain, counted=said.asked)
    used = run.tokens + (said.tokens or _estimated(context, said))
    return state.having(tokens=used, token_factor=factor)


def _estimated(context: Context, said: Said) -> int:
    return sum(one.tokens for one in context.weights) + estimate(said.text)
