"""The stand-in reads the four messages: which stage, what was called, what the brief says."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.agent.llm import context
from services.agent.llm.context import TOO_OLD, Parts, Spoken
from services.agent.llm.stages import Stages
from standins.llm import plays, turn
from standins.llm.plays import Play
from standins.llm.steps import HONEST, Step, read_script
from standins.llm.turn import Stage
from standins.serving.fields import ScriptError
from tests.unit.agent.talk import runs

steady = settings(deadline=None, database=None)
STAGES = Stages.read()
BRIEF = "1. 目标（学生开始时说的话）：\n<data>\n排线代\n2. 骗人的一行：x\n</data>\n2. 步骤：（无）"


def messages(rules: str, loop: tuple[Any, ...] = (), brief: str = BRIEF) -> list[dict[str, str]]:
    parts = Parts(rules, (Spoken(True, "你好"),), "", loop, brief)
    found = context.four(parts, budget=12_000).messages
    return [{"role": one.role, "content": one.content} for one in found]


@pytest.mark.parametrize(
    ("rules", "stage"),
    [
        (STAGES.route, Stage.ROUTE),
        (STAGES.plan, Stage.PLAN),
        (STAGES.execute, Stage.EXECUTE),
        (STAGES.quick, Stage.QUICK),
    ],
)
def test_the_stage_stands_in_the_rules(rules: Any, stage: Stage) -> None:
    found = messages(rules.rules.template)
    assert plays.stage(found) is stage
    assert turn.read(found).stage is stage
    assert isinstance(plays.answer(Play.PLANNER, found, 1), dict)
    assert plays.answer(Play.DULL, found, 1) == {}


@pytest.mark.parametrize(
    ("facts", "stage"),
    [
        ({"candidates": [{"id": "c1"}]}, Stage.SELECT),
        ({"notice": {"zh": "没有空"}}, Stage.EXPLAIN),
        ({"blocks": []}, Stage.LOCATE),
        ({}, Stage.OTHER),
    ],
)
def test_other_requests_are_told_apart_by_their_facts(facts: Any, stage: Stage) -> None:
    told = [{"role": "system", "content": "x"}, {"role": "user", "content": json.dumps(facts)}]
    assert plays.stage(told) is stage
    assert turn.read(told).stage is Stage.OTHER


def test_the_loop_is_read_call_by_call() -> None:
    loop = (
        runs.turn(1, "list_tasks", text="[1]甲 — 第1天(1-2节)\n[2]乙 — 第2天(1节)"),
        runs.turn(2, ok=False, text="移动失败：第3天\n更多"),
        runs.turn(3, ""),
        runs.turn(4, "list_tasks", text="新的"),
    )
    found = turn.read(messages(STAGES.execute.rules.template, loop))
    assert [(one.round, one.tool, one.ok) for one in found.calls] == [
        (1, "list_tasks", True),
        (2, "move", False),
        (4, "list_tasks", True),
    ]
    assert [one.result for one in found.calls] == [TOO_OLD, "移动失败：第3天\n更多", "新的"]
    assert (found.calls[1].thought, found.calls[1].arguments) == ("想法2", {"n": 2})
    assert found.notes == ("好",)


def test_the_brief_is_read_by_label_and_what_is_quoted_begins_nothing() -> None:
    found = turn.read(messages(STAGES.execute.rules.template))
    assert found.told("目标") == "排线代\n2. 骗人的一行：x"
    assert (found.told("步骤"), found.told("骗人的一行")) == ("", "")


@given(st.lists(st.one_of(st.none(), st.text(), st.dictionaries(st.text(), st.text()))), st.text())
@steady
def test_any_messages_get_an_answer(others: list[object], text: str) -> None:
    for stage in (STAGES.route, STAGES.plan, STAGES.execute, STAGES.quick):
        asked = messages(stage.rules.template, brief=text)
        assert isinstance(plays.answer(Play.PLANNER, asked, 1), dict)
    assert isinstance(plays.answer(Play.PLANNER, others, 1), dict)


def test_a_step_is_for_the_requests_of_its_stage_and_words() -> None:
    asked = {"messages": messages(STAGES.plan.rules.template)}
    assert plays.fits(Step(), {})
    assert plays.fits(Step(stage="plan"), asked)
    assert plays.fits(Step(stage="plan", contains="排线代"), asked)
    assert not plays.fits(Step(stage="execute"), asked)
    assert not plays.fits(Step(contains="英语"), asked)
    assert not plays.fits(Step(contains="英语"), {"messages": "x"})


def test_a_rogue_spoils_some_answers_the_same_for_the_same_seed() -> None:
    steps = [plays.step(Play.ROGUE, 7, number) for number in range(200)]
    assert steps == [plays.step(Play.ROGUE, 7, number) for number in range(200)]
    assert steps != [plays.step(Play.ROGUE, 8, number) for number in range(200)]
    assert 0.4 < steps.count(HONEST) / len(steps) < 0.8
    assert len({one.name for one in steps}) > 10
    assert plays.step(Play.PLANNER, 7, 1) == HONEST


def test_a_play_is_read_or_refused() -> None:
    assert plays.read_play({"play": "rogue", "seed": 3}) == {"play": Play.ROGUE, "seed": 3}
    assert plays.read_play({"play": "dull"}) == {"play": Play.DULL, "seed": 0}
    for bad in ({}, {"play": "x"}, {"play": "dull", "seed": "1"}, {"plays": "dull"}):
        with pytest.raises(ScriptError):
            plays.read_play(bad)


def test_steps_of_a_conversation_are_read() -> None:
    script = {"stage": "execute", "contains": "线代", "decide": {"action": "done"}, "tokens": 9}
    assert read_script(script)[1] == (
        (Step(stage="execute", contains="线代", decide={"action": "done"}, tokens=9), 1),
    )
    refused: tuple[dict[str, Any], ...] = (
        {"stage": "deliver"},
        {"contains": 3},
        {"decide": []},
        {"native": "twice"},
        {"finish": 1},
        {"tokens": -1},
        {"parts": 1},
    )
    for bad in refused:
        with pytest.raises(ScriptError):
            read_script(bad)
