"""The contract with the model: what is read, and what each malformed answer is told."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.agent.domain.errors import ModelAnswerInvalid
from services.agent.llm.decisions import Action, DecisionShape
from services.agent.llm.ways import PlanShape, Route, RouteShape

SHAPE = DecisionShape(tools=("move", "place"))


def said(**fields: Any) -> str:
    return json.dumps(fields, ensure_ascii=False)


def test_a_decision_is_read_and_speak_falls_back_to_reason() -> None:
    call = {"name": "move", "arguments": {"task_id": 1}}
    found = SHAPE.read(said(action="continue", reason="试试", tool_call=call))
    assert (found.action, found.speak, found.reason) == (Action.CONTINUE, "试试", "试试")
    assert found.tool is not None
    assert (found.tool.name, found.tool.arguments) == ("move", {"task_id": 1})
    confirm = SHAPE.read(said(action=" CONFIRM ", speak="看", reason="x", tool_call=[call]))
    assert (confirm.action, confirm.speak) == (Action.CONFIRM, "看")


@pytest.mark.parametrize("arguments", [None, "", {}, "{}", '{"a": 1}'])
def test_arguments_may_come_in_any_dress(arguments: object) -> None:
    call = {"name": "move", "arguments": arguments}
    assert SHAPE.read(said(action="continue", tool_call=call)).tool is not None


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({}, "action 须为 continue、ask_user、confirm、next_plan、done、abort 之一"),
        ({"action": "fly"}, "action 须为"),
        ({"action": 1}, "action 须为"),
        ({"action": "continue"}, "须有 tool_call"),
        ({"action": "confirm", "tool_call": {}}, "须有 tool_call"),
        ({"action": "done", "tool_call": {"name": "move"}}, "不能有 tool_call"),
        ({"action": "continue", "tool_call": {"arguments": {}}}, "含 name 与 arguments"),
        ({"action": "continue", "tool_call": "move"}, "含 name 与 arguments"),
        ({"action": "continue", "tool_call": [{"name": "a"}, {"name": "b"}]}, "只能有一个工具"),
        ({"action": "ask_user"}, "须在 speak 写出问题"),
        ({"action": "abort"}, "须有 abort.user_message"),
        ({"action": "abort", "abort": []}, "abort 须为"),
        ({"action": "abort", "abort": {"code": "x"}}, "须有 abort.user_message"),
        ({"action": "done", "reason": 3}, "reason 须为字符串"),
        (
            {"action": "continue", "tool_call": {"name": "m", "arguments": {"x": "长" * 9000}}},
            "太长",
        ),
    ],
)
def test_each_malformed_decision_is_told_by_field(fields: dict[str, Any], problem: str) -> None:
    with pytest.raises(ModelAnswerInvalid) as refused:
        SHAPE.read(said(**fields))
    assert problem in refused.value.problem


@pytest.mark.parametrize("action", ["done", "next_plan"])
def test_a_plan_that_was_agreed_on_asks_for_a_goal_check(action: str) -> None:
    with pytest.raises(ModelAnswerInvalid, match="goal_check"):
        DecisionShape(with_goal_check=True).read(said(action=action, reason="x"))
    found = DecisionShape(with_goal_check=True).read(said(action=action, goal_check="好了"))
    assert found.goal_check == "好了"
    assert SHAPE.read(said(action=action)).goal_check == ""


def test_the_schema_names_the_tools_that_there_are() -> None:
    schema = SHAPE.schema()
    assert schema["properties"]["tool_call"]["properties"]["name"]["enum"] == ["move", "place"]
    assert schema["properties"]["action"]["enum"] == [one.value for one in Action]
    assert not SHAPE.strict


def test_a_route_is_read() -> None:
    shape = RouteShape()
    assert shape.read(said(route="plan")).route is Route.PLAN
    assert shape.read(said(route="direct_reply", reason="好")).speak == "好"
    for fields in ({"route": "x"}, {}, {"route": "direct_reply"}):
        with pytest.raises(ModelAnswerInvalid):
            shape.read(said(**fields))


PLAN = PlanShape(3)


def test_a_plan_is_read_with_dates_days_and_steps() -> None:
    step = {"text": "排完", "done_criterion": "没有待安排", "task_classes": [2]}
    found = PLAN.read(
        said(
            action="confirm",
            speak="可以吗",
            task_classes=[3, 1, 1],
            first_date="2026-12-01",
            last_date="2026-12-20",
            excluded_days_of_week=[7],
            steps=[step],
        )
    )
    assert (found.classes, found.excluded_days) == ((1, 3), (7,))
    assert found.first is not None
    assert found.steps[0].classes == (2,)


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"action": "done"}, "action 须为"),
        ({"action": "continue"}, "task_classes 须列出"),
        ({"action": "continue", "task_classes": [4]}, "1 到 3"),
        ({"action": "continue", "task_classes": [True]}, "1 到 3"),
        ({"action": "continue", "task_classes": "1"}, "1 到 3"),
        ({"action": "confirm", "task_classes": [1]}, "须有 steps"),
        ({"action": "continue", "task_classes": [1], "first_date": "2026-12-01"}, "同时"),
        (
            {
                "action": "continue",
                "task_classes": [1],
                "first_date": "2026-12-02",
                "last_date": "2026-12-01",
            },
            "不能早于",
        ),
        (
            {
                "action": "continue",
                "task_classes": [1],
                "first_date": "明天",
                "last_date": "后天",
            },
            "YYYY-MM-DD",
        ),
        (
            {
                "action": "continue",
                "task_classes": [1],
                "excluded_days_of_week": [1, 2, 3, 4, 5, 6, 7],
            },
            "全部七天",
        ),
        ({"action": "continue", "task_classes": [1], "steps": [{}]}, "steps 的每一项"),
        ({"action": "continue", "task_classes": [1], "steps": ["x"] * 9}, "最多8项"),
        ({"action": "ask_user"}, "speak"),
        ({"action": "abort"}, "user_message"),
    ],
)
def test_each_malformed_plan_is_told_by_field(fields: dict[str, Any], problem: str) -> None:
    with pytest.raises(ModelAnswerInvalid) as refused:
        PLAN.read(said(**fields))
    assert problem in refused.value.problem


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
names = st.sampled_from(
    ("action", "speak", "reason", "goal_check", "tool_call", "abort", "route", "task_classes")
)


def is_answered(shape: Any, text: str) -> bool:
    """Whether a shape can read it; what it cannot is told by field."""
    try:
        shape.read(text)
    except ModelAnswerInvalid as refused:
        return not refused.problem
    return True


@given(st.dictionaries(names, anything))
def test_whatever_an_object_holds_it_is_read_or_refused(fields: dict[str, Any]) -> None:
    for shape in (SHAPE, RouteShape(), PLAN):
        assert is_answered(shape, said(**fields)) in (True, False)
