"""The stand-in plays a decent planner: against the agent's own prompts, tools and rounds."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest

from libs.planning.balance import evaluate_balance
from libs.planning.state import PlanningState, Status
from services.agent.domain.known import ClassBrief
from services.agent.domain.run import Limits, Phase, PlanStep
from services.agent.domain.when import Standpoint
from services.agent.graph import telling
from services.agent.graph.desk import Desk, Tools
from services.agent.graph.executing import execute
from services.agent.graph.step import State
from services.agent.llm.context import Context
from services.agent.llm.conversation import Message, Said, Shape
from services.agent.llm.decisions import Action
from services.agent.llm.stages import Stages
from services.agent.llm.ways import PlanShape, PlanWish, RouteShape
from services.agent.tools import elsewhere
from services.agent.tools.complaints import Complaint
from standins.llm import turn as turns
from standins.llm.planner import deciding
from standins.llm.turn import Stage
from tests.unit.agent.talk import runs
from tests.unit.agent.tools.plans import SUGGESTED, plan, task
from tests.unit.agent.tools.seeded import seeded

NOW = datetime(2026, 11, 30, 1, tzinfo=UTC)
AT = Standpoint(NOW, ZoneInfo("Asia/Shanghai"), None)
NOTHING: Any = None


def sent(context: Context | Sequence[Message]) -> list[dict[str, str]]:
    """Messages as an endpoint gets them."""
    messages = context.messages if isinstance(context, Context) else context
    return [{"role": one.role, "content": one.content} for one in messages]


@dataclass(slots=True)
class Planner:
    """The stand-in's planner, asked without a network."""

    name: str = "planner"
    asked: list[Stage] = field(default_factory=list)
    said: list[dict[str, Any]] = field(default_factory=list)

    async def answer(self, messages: Sequence[Message], shape: Shape, *, seconds: float) -> Said:
        del shape, seconds
        self.asked.append(turns.read(sent(messages)).stage)
        decided = deciding.decide(sent(messages))
        assert decided is not None
        self.said.append(decided)
        return Said(json.dumps(decided, ensure_ascii=False))


def desk(model: Planner | None = None, limits: Limits | None = None) -> Desk:
    """What a round needs; nothing of it is reached for but the model."""
    tools = Tools(
        schedule=NOTHING,
        scheduler=NOTHING,
        locating=NOTHING,
        memory=NOTHING,
        model=cast("Any", model),
        stages=Stages.read(),
        now=lambda: NOW,
        limits=limits or Limits(),
    )
    return Desk(tools, NOTHING)


async def played(state: State, model: Planner, limits: Limits | None = None) -> State:
    """All rounds, up to where the loop leads on."""
    for _ in range(40):
        step = await execute(state, desk(model, limits))
        state = step.state
        if state.run.phase is not Phase.EXECUTE or not state.run.works:
            return state
    raise AssertionError("no end in sight")


def begun(current: PlanningState, **fields: Any) -> State:
    return runs.state(runs.planned(current), phase=Phase.EXECUTE, rough_built=True, **fields)


def decided(context: Context) -> dict[str, Any]:
    found = deciding.decide(sent(context))
    assert found is not None
    return found


def settled(text: str, *classes: ClassBrief, newest: str = "") -> PlanWish:
    """What is planned for some words, read as the agent reads it."""
    answers = (("哪几个？", newest),) if newest else ()
    state = runs.state(goal=text, text=text, answers=answers)
    found = decided(telling.plan(state, desk(), classes, AT))
    return PlanShape(len(classes)).read(json.dumps(found, ensure_ascii=False))


def brief(name: str, waiting: int = 4, *, by_hand: bool = False) -> ClassBrief:
    return ClassBrief(1, name, date(2026, 12, 1), date(2026, 12, 28), 4, waiting, by_hand)


THREE = (brief("线代复习"), brief("概率论复习"), brief("英语复习"))


# Execute


@pytest.mark.parametrize("seed", range(20))
async def test_every_plan_is_bettered_to_an_end_without_a_correction(seed: int) -> None:
    before = seeded(seed, days=28, items=8, wait=False)
    model = Planner()
    state = await played(begun(before), model)

    assert (state.run.phase, state.run.ending) == (Phase.DELIVER, None)
    assert (state.run.by_rules, state.run.corrections) == ("", 0)
    assert set(model.asked) == {Stage.EXECUTE}
    assert state.plan is not None
    now, then = evaluate_balance(state.plan.current), evaluate_balance(before)
    assert now.load_variance <= then.load_variance
    assert now.order_violation_count <= then.order_violation_count
    assert model.said[-1]["action"] == "done"


async def test_the_same_plan_is_played_the_same_way() -> None:
    one, other = Planner(), Planner()
    for model in (one, other):
        await played(begun(seeded(3, days=28, wait=False)), model)
    assert one.said == other.said


async def test_what_waits_ends_the_run_with_an_explanation() -> None:
    placed = seeded(5, wait=False)
    first = next(one for one in placed.tasks.values() if one.status is Status.SUGGESTED)
    waiting = placed.replacing([replace(first, status=Status.PENDING, slots=(), embed_host=None)])
    state = await played(begun(waiting), Planner())
    assert state.run.ending is not None
    assert (state.run.ending.code, state.run.phase) == ("pending_left", Phase.DELIVER)
    assert "1项没有位置" in state.run.ending.user_message


async def test_it_ends_in_time_for_the_last_round() -> None:
    crowded = plan(
        *[task(n, f"第{n}讲", "线代", SUGGESTED, (1, n, n), of=(1, n)) for n in range(1, 9)]
    )
    model = Planner()
    state = await played(begun(crowded), model, Limits(rounds=6))
    assert (state.run.phase, state.run.ending) == (Phase.DELIVER, None)
    assert state.run.round <= 6


async def test_steps_are_gone_through_one_by_one() -> None:
    steps = tuple(PlanStep(text, "evaluate_balance 可结束") for text in ("排完", "调匀"))
    model = Planner()
    state = await played(begun(seeded(2, days=28, wait=False), steps=steps), model)
    ends = [one["action"] for one in model.said if one["action"] != "continue"]
    assert (ends, state.run.phase) == (["next_plan", "done"], Phase.DELIVER)


@pytest.mark.parametrize(
    ("words", "moved"), [("第二项换到另一天", 2), ("线代第三讲挪一下", 3), ("第九项换一天", None)]
)
async def test_an_item_is_moved_to_another_day_as_the_person_wishes(
    words: str, moved: int | None
) -> None:
    names = ("线代第一讲", "线代第二讲", "线代第三讲")
    before = plan(
        *[
            task(number, name, "线代", SUGGESTED, (4 * number - 3, 1, 2), of=(1, number))
            for number, name in enumerate(names, start=1)
        ]
    )
    state = await played(begun(before, text=words), Planner())
    assert state.plan is not None
    after = state.plan.current.tasks
    changed = [n for n, one in before.tasks.items() if after[n].slots != one.slots]
    assert changed == ([moved] if moved else changed)
    if moved:
        (was,), (now,) = before.tasks[moved].slots, after[moved].slots
        assert was.day != now.day
        assert evaluate_balance(state.plan.current).order_violation_count == 0


# Plan, route, quick


def test_the_classes_that_are_named_are_planned_and_days_stay_free() -> None:
    found = settled("期末前把这三门课的复习排进去，别排周日", *THREE)
    assert (found.action, found.classes, found.excluded_days) == (Action.CONTINUE, (1, 2, 3), (7,))
    found = settled("把线代和英语排进去，不要周六和周日", *THREE)
    assert (found.classes, found.excluded_days) == ((1, 3), (6, 7))
    found = settled("从 2026-12-01 到 2026-12-20 排概率论", *THREE)
    assert (found.first, found.last) == (date(2026, 12, 1), date(2026, 12, 20))


def test_what_is_not_clear_is_asked_once() -> None:
    assert settled("把这两门课排进去", *THREE).action is Action.ASK_USER
    again = settled("把这两门课排进去", *THREE, newest="线代和英语")
    assert (again.action, again.classes) == (Action.CONTINUE, (1, 3))
    vague = settled("最近找时间复习一下", *THREE)
    assert (vague.action, vague.speak) == (Action.ASK_USER, "这次排到哪一天为止？")
    after = settled("最近找时间复习一下", *THREE, newest="按任务类的日期")
    assert after.action is Action.CONTINUE


def test_steps_are_offered_where_the_person_wants_to_agree_on_them() -> None:
    found = settled("分几步来，把三门课排进去", *THREE)
    assert (found.action, len(found.steps)) == (Action.CONFIRM, 2)


def test_nothing_that_waits_is_nothing_to_plan() -> None:
    done = (brief("线代复习", 0), brief("英语复习", by_hand=True))
    found = settled("都排进去", *done)
    assert found.abort is not None
    assert found.abort.code == "nothing_waits"


@pytest.mark.parametrize(
    ("words", "way"),
    [
        ("帮我弄一下线代", "plan"),
        ("那个报告没来得及", "feedback"),
        ("还有什么要交的", "quick_task"),
        ("你是谁", "direct_reply"),
    ],
)
def test_words_go_their_way(words: str, way: str) -> None:
    found = decided(telling.route(runs.state(text=words), desk(), AT))
    assert RouteShape().read(json.dumps(found)).route == way


def test_with_a_plan_on_the_table_a_change_goes_there() -> None:
    state = runs.state(runs.planned(seeded(1)), text="第一项换一天")
    assert decided(telling.route(state, desk(), AT))["route"] == "execute"


@pytest.mark.parametrize(
    ("words", "tool", "arguments"),
    [
        (
            "提醒我下周日前交概率论作业",
            "create_task",
            {"title": "交概率论作业", "deadline": "下周日前"},
        ),
        ("记一下写实验报告", "create_task", {"title": "写实验报告"}),
        ("概率论作业做完了", "complete_task", {"title": "概率论作业"}),
        ("查一下任务", "query_tasks", {}),
        ("记住我周三晚上要练琴", "remember", {"text": "记住我周三晚上要练琴"}),
    ],
)
def test_a_small_thing_is_done_by_its_tool(
    words: str, tool: str, arguments: dict[str, Any]
) -> None:
    found = decided(telling.quick(runs.state(text=words), desk(), AT))
    assert found["tool_call"] == {"name": tool, "arguments": arguments}
    offered = elsewhere.find(tool)
    assert offered is not None
    assert not isinstance(elsewhere.read(offered, arguments), Complaint)


def test_a_small_thing_asks_for_what_it_lacks_and_takes_the_answer() -> None:
    failed = replace(
        runs.turn(1, "create_task", ok=False, text="没看懂截止时间"),
        arguments='{"deadline": "哪天来着", "title": "报告"}',
    )
    state = runs.state(text="报告哪天来着", loop=(failed,))
    assert decided(telling.quick(state, desk(), AT))["action"] == "ask_user"
    asked = (("什么时候截止？", "明天"),)
    state = runs.state(text="报告哪天来着", loop=(failed,), answers=asked)
    call = decided(telling.quick(state, desk(), AT))["tool_call"]
    assert call["arguments"] == {"title": "报告", "deadline": "明天"}
    done = runs.turn(2, "query_tasks", text="未完成的有一条")
    state = runs.state(text="查一下任务", loop=(done,))
    assert decided(telling.quick(state, desk(), AT))["speak"] == "未完成的有一条"
