"""The decision of a turn, by its stage."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from standins.llm import turn as turns
from standins.llm.planner import bettering, noting, routing, scoping
from standins.llm.turn import Stage, Turn

_BY_STAGE: Mapping[Stage, Callable[[Turn], Mapping[str, Any]]] = {
    Stage.ROUTE: routing.decide,
    Stage.PLAN: scoping.decide,
    Stage.EXECUTE: bettering.decide,
    Stage.QUICK: noting.decide,
}


def decide(messages: Sequence[object]) -> dict[str, Any] | None:
    """What the planner says to the messages; None where they are no turn of a conversation."""
    turn = turns.read(messages)
    decides = _BY_STAGE.get(turn.stage)
    return None if decides is None else dict(decides(turn))
