"""The JSON objects of the turns before the loop: which way to go, and what to plan."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any

from services.agent.domain.errors import ModelAnswerInvalid
from services.agent.llm import extraction
from services.agent.llm.decisions import AbortWish, Action, chosen, code_of, worded

MOST_STEPS = 8


class Route(StrEnum):
    """What some words ask for."""

    DIRECT_REPLY = "direct_reply"
    QUICK_TASK = "quick_task"
    PLAN = "plan"
    EXECUTE = "execute"
    FEEDBACK = "feedback"


@dataclass(frozen=True, slots=True)
class Routed:
    """The way to go; `speak` is the answer of a direct reply."""

    route: Route
    speak: str
    reason: str


@dataclass(frozen=True, slots=True)
class RouteShape:
    """The way."""

    @property
    def name(self) -> str:
        return "route"

    @property
    def strict(self) -> bool:
        return True

    def schema(self) -> dict[str, Any]:
        text = {"type": "string"}
        return _closed(
            {
                "route": {"type": "string", "enum": [one.value for one in Route]},
                "speak": text,
                "reason": text,
            }
        )

    def read(self, said: str) -> Routed:
        """Raises ModelAnswerInvalid."""
        found = extraction.json_object(said)
        route = Route(chosen(found, "route", tuple(one.value for one in Route), said))
        speak, reason = worded(found, "speak", said), worded(found, "reason", said)
        if route is Route.DIRECT_REPLY and not (speak or reason):
            raise ModelAnswerInvalid("route 为 direct_reply 时须有 speak", said)
        return Routed(route, speak or reason, reason)


@dataclass(frozen=True, slots=True)
class StepWish:
    """A step as the model words it; classes by their number in the list."""

    text: str
    done_criterion: str
    first: date | None
    last: date | None
    classes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PlanWish:
    """What to plan; classes by their number in the list."""

    action: Action
    speak: str
    reason: str
    classes: tuple[int, ...] = ()
    first: date | None = None
    last: date | None = None
    excluded_days: tuple[int, ...] = ()
    steps: tuple[StepWish, ...] = ()
    abort: AbortWish | None = None


_ACTIONS = (Action.CONTINUE, Action.CONFIRM, Action.ASK_USER, Action.ABORT)


@dataclass(frozen=True, slots=True)
class PlanShape:
    """The plan; `count` classes were listed."""

    count: int

    @property
    def name(self) -> str:
        return "plan"

    @property
    def strict(self) -> bool:
        return False

    def schema(self) -> dict[str, Any]:
        text, numbers = {"type": "string"}, {"type": "array", "items": {"type": "integer"}}
        dates = {"first_date": text, "last_date": text}
        step = {
            "type": "object",
            "properties": {"text": text, "done_criterion": text, **dates, "task_classes": numbers},
            "required": ["text", "done_criterion"],
        }
        return {
            "type": "object",
            "properties": {
                "action": {"type": "string", "enum": [one.value for one in _ACTIONS]},
                "speak": text,
                "reason": text,
                "task_classes": numbers,
                **dates,
                "excluded_days_of_week": numbers,
                "steps": {"type": "array", "items": step},
                "abort": {"type": "object"},
            },
            "required": ["action", "reason"],
        }

    def read(self, said: str) -> PlanWish:
        """Raises ModelAnswerInvalid."""
        found = extraction.json_object(said)
        action = Action(chosen(found, "action", tuple(one.value for one in _ACTIONS), said))
        reason = worded(found, "reason", said)
        speak = worded(found, "speak", said) or reason
        if action is Action.ASK_USER:
            if not speak:
                raise ModelAnswerInvalid("action 为 ask_user 时须在 speak 写出问题", said)
            return PlanWish(action, speak, reason)
        if action is Action.ABORT:
            return PlanWish(action, speak, reason, abort=_abort(found, speak, said))
        return self._plan(found, action, speak, said)

    def _plan(self, found: Mapping[str, Any], action: Action, speak: str, said: str) -> PlanWish:
        classes = _numbers(found, "task_classes", self.count, said)
        if not classes:
            raise ModelAnswerInvalid("task_classes 须列出至少一个任务类的编号", said)
        first, last = _dates(found, said)
        excluded = _numbers(found, "excluded_days_of_week", 7, said)
        if len(excluded) == 7:
            raise ModelAnswerInvalid("excluded_days_of_week 不能包含全部七天", said)
        steps = self._steps(found.get("steps"), said)
        if action is Action.CONFIRM and not steps:
            raise ModelAnswerInvalid("action 为 confirm 时须有 steps", said)
        return PlanWish(
            action, speak, worded(found, "reason", said), classes, first, last, excluded, steps
        )

    def _steps(self, value: object, said: str) -> tuple[StepWish, ...]:
        if value is None:
            return ()
        if not isinstance(value, list) or len(value) > MOST_STEPS:
            raise ModelAnswerInvalid(f"steps 须为最多{MOST_STEPS}项的列表", said)
        return tuple(self._step(one, said) for one in value)

    def _step(self, value: object, said: str) -> StepWish:
        if not isinstance(value, dict) or not worded(value, "text", said):
            raise ModelAnswerInvalid("steps 的每一项须含 text 与 done_criterion", said)
        first, last = _dates(value, said)
        classes = _numbers(value, "task_classes", self.count, said)
        criterion = worded(value, "done_criterion", said)
        return StepWish(worded(value, "text", said), criterion, first, last, classes)


def _abort(found: Mapping[str, Any], speak: str, said: str) -> AbortWish:
    value = found.get("abort")
    told = value if isinstance(value, dict) else {}
    message = worded(told, "user_message", said) or speak
    if not message:
        raise ModelAnswerInvalid("action 为 abort 时须有 abort.user_message", said)
    code = code_of(worded(told, "code", said))
    return AbortWish(code, message, worded(told, "internal_reason", said))


def _numbers(found: Mapping[str, Any], name: str, highest: int, said: str) -> tuple[int, ...]:
    value = found.get(name)
    if value is None:
        return ()
    whole = isinstance(value, list) and all(
        isinstance(one, int) and not isinstance(one, bool) and 1 <= one <= highest for one in value
    )
    if not whole:
        raise ModelAnswerInvalid(f"{name} 须为 1 到 {highest} 的整数的列表", said)
    return tuple(sorted(set(value)))


def _dates(found: Mapping[str, Any], said: str) -> tuple[date | None, date | None]:
    first, last = (_date(found, name, said) for name in ("first_date", "last_date"))
    if (first is None) != (last is None):
        raise ModelAnswerInvalid("first_date 与 last_date 须同时给出或同时省略", said)
    if first is not None and last is not None and last < first:
        raise ModelAnswerInvalid("last_date 不能早于 first_date", said)
    return first, last


def _date(found: Mapping[str, Any], name: str, said: str) -> date | None:
    text = worded(found, name, said)
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise ModelAnswerInvalid(f"{name} 须为 YYYY-MM-DD", said) from None


def _closed(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
