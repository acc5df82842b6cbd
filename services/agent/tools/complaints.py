"""From what a model sent to checked arguments, or to a sentence that says what is wrong with it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import ValidationError

from libs.planning.state import PlanningState
from services.agent.tools import words
from services.agent.tools.arguments import Allowed, Arguments, BatchMove, Move, allowed_of
from services.agent.tools.result import BadArgument, Code

A = TypeVar("A", bound=Arguments)

MOST_TOLD = 3
_MOST_CATEGORIES = 12
_LONGEST_VALUE = 20
_UNKNOWN = ("extra_forbidden", "invalid_key")

Path = tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Complaint:
    """Why arguments are refused: the first problem for programs, the told ones for people."""

    code: Code
    argument: BadArgument
    sentence: str


def read(
    model: type[A], raw: object, state: PlanningState, *, bounded: bool = False
) -> A | Complaint:
    """The arguments of a call, given as a mapping or as JSON text.

    `bounded`: days and sections beyond the window are refused here; else the plan's own checks
    do it in their turn.
    """
    given = _object(raw)
    if given is None:
        allowed = f"一个 JSON 对象，{_names(model)}"
        sentence = f"参数须为{allowed}，收到的内容无法这样解析"
        return Complaint(Code.MALFORMED_ARGUMENTS, BadArgument("arguments", allowed), sentence)
    for name in model.model_fields:
        if name in given and given[name] is None:
            return wrong(model, name, None, state)
    # Names are looked at here: not every text that can be a name is one to the validator.
    strays = [name for name in given if name not in model.model_fields]
    known = {name: given[name] for name in model.model_fields if name in given}
    try:
        arguments = model.model_validate(known)
    except ValidationError as error:
        return _problems(model, strays, error, state)
    if strays:
        return _complaint([_unknown(model, (name,)) for name in strays])
    return _range_problem(arguments, state, bounded=bounded) or arguments


def wrong(model: type[Arguments], name: str, value: object, state: PlanningState) -> Complaint:
    """That a top-level argument has a value that it may not have."""
    problem = _wrong((name,), allowed_of(model, name), value, state)
    return _complaint([(Code.INVALID_ARGUMENT, problem)])


def values_of(allowed: Allowed, state: PlanningState) -> str:
    """The values that an argument may have in this window."""
    return allowed.values.format(
        days=state.window.total_days,
        sections=state.window.sections,
        categories=_categories(state) if "{categories}" in allowed.values else "",
    )


def _object(raw: object) -> Mapping[str, Any] | None:
    if isinstance(raw, str):
        try:
            raw = json.loads(raw, object_pairs_hook=_once, parse_constant=_no_constant)
        except (ValueError, RecursionError):
            return None
    return dict(raw) if isinstance(raw, Mapping) else None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice")
    return found


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON")


def _problems(
    model: type[Arguments], strays: Sequence[Any], error: ValidationError, state: PlanningState
) -> Complaint:
    """Unknown and missing names first, as they explain each other; at most three are told."""
    found = error.errors(include_url=False, include_context=False)
    unknown = [(name,) for name in strays] + [
        one["loc"] for one in found if one["type"] in _UNKNOWN
    ]
    return _complaint(
        [
            *(_unknown(model, path) for path in unknown),
            *(_missing(model, one["loc"], state) for one in found if one["type"] == "missing"),
            *(
                (
                    Code.INVALID_ARGUMENT,
                    _wrong(one["loc"], _allowed_at(model, one["loc"]), one["input"], state),
                )
                for one in found
                if one["type"] not in (*_UNKNOWN, "missing")
            ),
        ]
    )


def _complaint(problems: Sequence[tuple[Code, "_Problem"]]) -> Complaint:
    code, (argument, _) = problems[0]
    sentences = list(dict.fromkeys(sentence for _, (_, sentence) in problems))
    return Complaint(code, argument, "；".join(sentences[:MOST_TOLD]))


_Problem = tuple[BadArgument, str]


def _unknown(model: type[Arguments], path: Path) -> tuple[Code, _Problem]:
    allowed = _names(_model_at(model, path))
    name = words.cut(str(path[-1]), _LONGEST_VALUE)
    return Code.UNKNOWN_ARGUMENT, (
        BadArgument(name, allowed),
        f"未知参数 {_within(path)}{name}，{allowed}",
    )


def _missing(model: type[Arguments], path: Path, state: PlanningState) -> tuple[Code, _Problem]:
    allowed = values_of(_allowed_at(model, path), state)
    return Code.MISSING_ARGUMENT, (
        BadArgument(_name_of(path), allowed),
        f"缺少参数 {_name_of(path)}，{_must_be(allowed)}",
    )


def _wrong(path: Path, allowed: Allowed, value: object, state: PlanningState) -> _Problem:
    values = values_of(allowed, state)
    return (
        BadArgument(_name_of(path), values),
        f"参数 {_name_of(path)} {_must_be(values)}，收到 {_received(value)}",
    )


def _must_be(values: str) -> str:
    return f"须为 {values}" if values[:1].isascii() and values[:1].isalpha() else f"须为{values}"


def _range_problem(
    arguments: Arguments, state: PlanningState, *, bounded: bool
) -> Complaint | None:
    """Both ends of a range or neither, the end not before the start, all inside the window."""
    model = type(arguments)
    if bounded:
        for name in model.model_fields:
            value, bound = getattr(arguments, name), allowed_of(model, name).bound
            if bound and value is not None and value > _limit(bound, state):
                return wrong(model, name, value, state)
    if model.range_of is None:
        return None
    first, last = model.range_of
    start, end = getattr(arguments, first), getattr(arguments, last)
    if (start is None) != (end is None):
        given, absent = (first, last) if end is None else (last, first)
        values = values_of(allowed_of(model, absent), state)
        sentence = f"参数 {absent} 与 {given} 须同时给出或同时省略，{absent} 须为{values}"
        return Complaint(Code.MISSING_ARGUMENT, BadArgument(absent, values), sentence)
    if start is not None and end < start:
        values = f"不小于 {first}（{start}）的整数"
        sentence = f"参数 {last} 须为{values}，收到 {end}"
        return Complaint(Code.INVALID_ARGUMENT, BadArgument(last, values), sentence)
    return None


def _limit(bound: str, state: PlanningState) -> int:
    return state.window.total_days if bound == "days" else state.window.sections


def _model_at(model: type[Arguments], path: Path) -> type[Arguments]:
    """The model that the last part of a path is a field of."""
    return Move if model is BatchMove and len(path) > 1 else model


def _allowed_at(model: type[Arguments], path: Path) -> Allowed:
    """What is said of the place of a problem: of a part of a list, what is said of the list."""
    inner = _model_at(model, path)
    name = path[-1] if inner is not model and len(path) > 2 else path[0]
    owner = inner if inner is not model and len(path) > 2 else model
    return allowed_of(owner, str(name))


def _within(path: Path) -> str:
    return f"{path[0]} 第{int(path[1]) + 1}项的 " if len(path) > 2 else ""


def _name_of(path: Path) -> str:
    """moves 第2项的 new_day; task_ids 第1项."""
    if len(path) == 2:
        return f"{path[0]} 第{int(path[1]) + 1}项"
    return f"{_within(path)}{path[-1]}"


def _names(model: type[Arguments]) -> str:
    names = "、".join(model.model_fields)
    return f"可用参数为 {names}" if names else "此工具不接受参数"


def _categories(state: PlanningState) -> str:
    found = categories_of(state)
    more = "等" if len(found) > _MOST_CATEGORIES else ""
    return "、".join(words.cut(one) for one in found[:_MOST_CATEGORIES]) + more or words.NOTHING


def categories_of(state: PlanningState) -> Sequence[str]:
    """The names of all categories that have a task, by the first task of each."""
    return list(dict.fromkeys(task.category for task in state.tasks.values()))


def _received(value: object) -> str:
    """A value as it was sent, short; of a list or object only what it is."""
    if isinstance(value, str):
        return f'"{words.cut(value, _LONGEST_VALUE)}"'
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int):
        return str(value) if abs(value) < 10**_LONGEST_VALUE else "过大的整数"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, Mapping):
        return "一个对象"
    if isinstance(value, Sequence):
        return f"{len(value)}项的列表"
    return "无法识别的值"
