"""The four messages as the model got them: how they grow, where each fact stands, what is cut."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from services.agent.llm import stages
from services.agent.llm.context import TOO_OLD
from smartmate.agent.v1 import agent_service_pb2 as pb
from tests.integration.agent.conftest import Open
from tests.integration.agent.talking import Heard, Student, Town, calls, contents, decided, planned
from tests.integration.llm_standin import StandIn
from tests.student import course

PLAN = "把全部任务类都排进去，别排周日"
MEMORY = "任务类不要都堆在一天"
EARLIER = "顺便问一句食堂几点开门"
THOUGHT = "先看看总览再说"
DONE = {"stage": "execute", **decided("done", reason="可以结束")}
SMALLEST = 1
RULES, HISTORY, LOOP, STATE = range(4)


async def newcomer(town: Town, *, count: int = 14) -> Student:
    """Somebody with two courses and three classes, some forty items, and one thing to remember."""
    student = town.student()
    await student.begin_semester()
    await student.import_courses(
        course("高等数学", day=1, sections="1-2"), course("大学物理", day=3, sections="5-6")
    )
    for name in ("线代复习", "概率论复习", "英语复习"):
        await student.add_class(name, count, days=60)
    request = pb.PutMemoryRequest(
        request_id=f"{student.id}", text=MEMORY, type="MEMORY_TYPE_CONSTRAINT"
    )
    await student.ask(town.agent, "PutMemory", request)
    return student


def weight(messages: Sequence[str]) -> int:
    """Tokens, counted by the tests' own rule: wide letters one, others one for three."""
    wide = sum(letter > "\u2e7f" for text in messages for letter in text)
    return wide + (sum(map(len, messages)) - wide) // 3


async def sent(standin: StandIn, stage: str = "execute") -> list[list[str]]:
    """The messages of each request of a stage."""
    return contents([one for one in await standin.requests() if one["stage"] == stage])


def rounds_of(kind: str, count: int) -> list[Mapping[str, Any]]:
    """So many calls, none of them twice, each of which gives an observation."""
    looked: Sequence[Mapping[str, Any]] = {
        "days": [calls("query_range", day=number) for number in range(2, 40)],
        "tasks": [calls("get_task_info", task_id=number) for number in range(1, 40)],
        "places": [calls("find_first_free", duration=2, day=number) for number in range(2, 40)],
    }[kind]
    return [{"stage": "execute", **one} for one in looked[:count]]


HEAVY = [
    {"stage": "execute", **calls(tool)}
    for tool in ("get_overview", "list_tasks", "evaluate_balance", "analyze_health")
]


@pytest.mark.parametrize("kind", ["days", "tasks", "places"])
async def test_the_context_of_round_20_is_hardly_longer_than_that_of_round_3(
    kind: str, open_town: Open, standin: StandIn
) -> None:
    await standin.script(*HEAVY[:2], *rounds_of(kind, 18), *HEAVY[2:], DONE)
    async with open_town(standin=standin) as town:
        student = await newcomer(town)
        heard = await student.says(PLAN)
        assert heard.confirm.diff.counts.pending == 0

        weights = [weight(messages) for messages in await sent(standin)]
        assert len(weights) == 23
        assert max(weights[3:]) <= 1.3 * weights[2]


async def test_a_planner_that_works_on_does_not_make_it_longer(
    open_town: Open, standin: StandIn
) -> None:
    there_and_back = [
        {"stage": "execute", **calls("swap", task_a=a, task_b=b)}
        for a, b in ((3, 17), (4, 18), (5, 19), (6, 20), (7, 21), (8, 22), (9, 23))
    ]
    steps: list[Mapping[str, Any]] = []
    for write in there_and_back:
        steps += [write, HEAVY[2], HEAVY[3]]
    await standin.script(*steps, DONE)
    async with open_town(standin=standin) as town:
        student = await newcomer(town)
        heard = await student.says(PLAN)
        assert heard.confirm.diff.counts.pending == 0
        weights = [weight(messages) for messages in await sent(standin)]
        assert len(weights) == 22
        # Round 4 is the first that has seen one of each.
        assert weights[19] <= 1.3 * weights[3]


async def test_each_fact_stands_in_one_of_the_four_messages(
    open_town: Open, standin: StandIn
) -> None:
    refused = {"stage": "execute", **calls("move", task_id=1, new_day=2, new_slot_start=1)}
    looked = decided(
        "continue", reason=THOUGHT, tool_call={"name": "get_overview", "arguments": {}}
    )
    await standin.script({"stage": "execute", **looked}, refused, HEAVY[2], DONE)
    async with open_town(standin=standin) as town:
        student = await newcomer(town, count=4)
        first = await student.says(EARLIER)
        heard = await student.says(PLAN, first.conversation_id)

        last = (await sent(standin))[-1]
        overview = _observed(heard, "get_overview")
        balance = _observed(heard, "evaluate_balance")
        assert {
            "an old word": _where(EARLIER, last),
            "the goal": _where(PLAN, last),
            "memory": _where(MEMORY, last),
            "a thought": _where(THOUGHT, last),
            "an observation": _where(overview, last),
            "the newest": _where(balance, last),
            "a refusal": _where("是固定课程", last),
            "free days": _where("不排周日", last),
            "a tool": _where("get_task_info(task_id)", last),
            "the protocol": _where("逐轮决策的助手", last),
            "the order rule": _where("同一任务类内的顺序必须保持", last),
        } == {
            "an old word": [HISTORY],
            "the goal": [STATE],
            "memory": [STATE],
            "a thought": [LOOP],
            "an observation": [LOOP],
            "the newest": [LOOP],
            "a refusal": [LOOP],
            "free days": [STATE],
            "a tool": [RULES],
            "the protocol": [RULES],
            "the order rule": [RULES],
        }


async def test_what_was_answered_and_what_was_turned_down_stand_once(
    open_town: Open, standin: StandIn
) -> None:
    ask = decided("ask_user", speak="早上第一节可以排吗？")
    await standin.script({"stage": "execute", **ask}, DONE)
    async with open_town(standin=standin) as town:
        student = await newcomer(town, count=4)
        heard = await student.says(PLAN)
        second = await student.answers(heard, "早八起不来呀")
        await standin.script(DONE)
        await student.replies(second, words="周三那天太满啦")

        answered, turned_down = (await sent(standin))[-2:]
        assert len(_where("早八起不来呀", answered)) == 1
        assert _where("周三那天太满啦", turned_down) == [STATE]
        assert len(_where("早八起不来呀", turned_down)) == 1


async def test_the_newest_observation_of_each_tool_is_never_cut(
    open_town: Open, standin: StandIn
) -> None:
    """Not at the smallest budget, not after ten more rounds."""
    await standin.script(*HEAVY, *rounds_of("days", 10), DONE)
    async with open_town(standin=standin, context_tokens=SMALLEST) as town:
        student = await newcomer(town)
        heard = await student.says(PLAN)
        results = heard.of("tool_result")
        for number, messages in enumerate(await sent(standin)):
            newest = {one.tool: one.text for one in results[:number]}
            for text in newest.values():
                assert text in messages[LOOP]
            older = [one.text for one in results[:number] if newest[one.tool] != one.text]
            assert not any(text in messages[LOOP] for text in older)
            assert messages[LOOP].count(TOO_OLD) <= min(len(older), 8)


async def test_the_rules_stand_verbatim_at_the_smallest_budget(
    open_town: Open, standin: StandIn
) -> None:
    async with open_town(standin=standin, context_tokens=SMALLEST) as town:
        student = await newcomer(town, count=4)
        first = await student.says(EARLIER)
        heard = await student.says(PLAN, first.conversation_id)
        await student.replies(heard, words="第二项换一天")

        kernel = (stages.FOLDER / "kernel.md").read_text(encoding="utf-8").strip()
        domain = (stages.FOLDER / "domain_schedule.md").read_text(encoding="utf-8").strip()
        every = contents(await standin.requests())
        assert every
        for messages in every:
            assert messages[RULES].startswith(kernel)
            assert EARLIER not in messages[HISTORY]
            assert PLAN in messages[STATE] or EARLIER in messages[STATE]
        for messages in await sent(standin):
            assert _filled(domain, messages[RULES])
        assert re.search(r"更早的\d+句已省略", every[-1][HISTORY])


async def test_a_run_that_has_ended_is_history_to_the_next(
    open_town: Open, standin: StandIn
) -> None:
    await standin.script(*HEAVY, DONE)
    async with open_town(standin=standin) as town:
        student = await newcomer(town, count=4)
        heard = await student.says(PLAN)
        await student.replies(heard)
        await standin.script({"stage": "plan", **planned(1)}, DONE)
        await student.says("那就只排线代复习", heard.conversation_id)

        last = (await sent(standin))[-1]
        assert last[LOOP] == "（无）"
        assert _where(f"学生：{PLAN}", last) == [HISTORY]
        assert "get_overview×1" in last[HISTORY]


async def test_what_each_message_weighs_is_told(open_town: Open, standin: StandIn) -> None:
    async with open_town(standin=standin) as town:
        student = await newcomer(town, count=4)
        heard = await student.says(PLAN)
        state = await student.run(heard.run_id)
        last = (await sent(standin))[-1]
        told = [one.tokens for one in state.context]
        assert [one.name for one in state.context] == ["rules", "history", "loop", "state"]
        for text, tokens in zip(last, told, strict=True):
            assert 0.4 * weight([text]) <= tokens <= 2.5 * weight([text]) + 8


def _where(text: str, messages: Sequence[str]) -> list[int]:
    return [at for at, message in enumerate(messages) if text in message]


def _observed(heard: Heard, tool: str) -> str:
    return next(str(one.text) for one in heard.of("tool_result") if one.tool == tool)


def _filled(template: str, text: str) -> bool:
    """Whether a file stands in a text, apart from what is filled in."""
    return all(part.strip() in text for part in re.split(r"\$\w+", template))
