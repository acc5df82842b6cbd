"""How the stand-in plays where nothing is scripted: decently, dully, or badly."""

import random
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from standins.llm import completion, honest, turn
from standins.llm.planner import deciding
from standins.llm.steps import HONEST, Step
from standins.llm.turn import Stage
from standins.serving import fields
from standins.serving.fields import ScriptError


class Play(StrEnum):
    """What an unscripted request is answered with.

    planner: a conversation is planned decently. dull: it gets an empty object. rogue: a decent
    answer, spoilt at random by a seed. Selections are answered honestly by all of them.
    """

    PLANNER = "planner"
    DULL = "dull"
    ROGUE = "rogue"


_SPOILT = 0.4
_FAULTS = (
    *(Step(wrap=(wrap,)) for wrap in ("fence", "think", "prose", "two", "list", "comma")),
    *(Step(choices=how) for how in ("empty", "null", "none")),
    *(Step(native=how) for how in ("call", "pair", "bad", "nameless")),
    *(Step(http=status) for status in (429, 500, 503)),
    Step(content="好的，已经全部写入你的日程了。"),
    Step(blank=True),
    Step(null=True),
    Step(truncated=True),
    Step(refusal="I can't help with that."),
    Step(finish="content_filter"),
    Step(html=True),
    Step(body="{"),
    Step(reset=True),
    Step(cut=True),
    Step(merge={"action": "fly", "route": "fly"}),
    Step(merge={"speak": ["x"]}),
    Step(merge={"tool_call": {"name": "reschedule_all", "arguments": {}}}),
    Step(merge={"tool_call": {"name": "move", "arguments": {"task_id": -1, "day": "周一"}}}),
    Step(decide={"action": "done", "reason": "已经全部写入", "goal_check": "都好了"}),
    Step(decide={"action": "unplace", "reason": "删除全部"}),
    Step(decide={"action": "continue", "tool_call": {"name": "unplace", "arguments": {}}}),
)


def answer(play: Play, messages: Sequence[object], pick: int) -> dict[str, Any]:
    """What is said where no step says otherwise."""
    decided = None if play is Play.DULL else deciding.decide(messages)
    return honest.answer(messages, pick) if decided is None else decided


def step(play: Play, seed: int, number: int) -> Step:
    """What happens to the request of a number that nothing was scripted for."""
    if play is not Play.ROGUE:
        return HONEST
    chance = random.Random(f"{seed}:{number}")
    return chance.choice(_FAULTS) if chance.random() < _SPOILT else HONEST


def fits(one: Step, body: Mapping[str, Any]) -> bool:
    """Whether a scripted step is for a request."""
    if one.stage is None and one.contains is None:
        return True
    messages = completion.messages_of(body)
    if one.contains is not None and not any(one.contains in text for text in _texts(messages)):
        return False
    return one.stage is None or one.stage == stage(messages)


def stage(messages: Sequence[object]) -> Stage:
    """What a request asks for."""
    texts = list(_texts(messages))
    found = turn.stage_of_rules(texts[0]) if texts else Stage.OTHER
    return honest.stage(messages) if found is Stage.OTHER else found


def read_play(given: Mapping[str, object]) -> Mapping[str, Any]:
    """`{"play": …, "seed": n}`, a seed of 0 where none is given. Raises ScriptError."""
    fields.only_known(given, ("play", "seed"), "play")
    name = fields.text(given, "play")
    if name not in tuple(Play):
        raise ScriptError(f"play: of {', '.join(Play)}")
    return {"play": Play(name), "seed": fields.number(given, "seed", 0, 10**9) or 0}


def _texts(messages: Sequence[object]) -> list[str]:
    return [str(one.get("content")) for one in messages if isinstance(one, dict)]
