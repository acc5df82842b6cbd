"""From a sentence to the week: planned, shown, accepted once."""

import pytest

from smartmate.agent.v1 import chat_pb2
from tests.integration.agent.conftest import Open
from tests.integration.agent.talking import Student, calls, contents, decided, planned
from tests.integration.llm_standin import StandIn
from tests.student import course

SENTENCE = "期末前把这三门课的复习排进去，别排周日"


async def newcomer(student: Student) -> None:
    """A semester, a course, and three classes of four items each."""
    await student.begin_semester()
    await student.import_courses(course("高等数学", day=1, sections="1-2"))
    for name in ("线代复习", "概率论复习", "英语复习"):
        await student.add_class(name, 4)


async def test_without_a_model_rules_plan_and_say_so_plainly(open_town: Open) -> None:
    async with open_town() as town:
        student = town.student()
        await newcomer(student)

        heard = await student.says(SENTENCE)

        assert heard.kinds[0] == "status:reading"
        assert "status:no_model" in heard.kinds
        assert heard.confirm.text.startswith("没有用模型，按规则排出：")
        assert "status:built" in heard.kinds
        assert heard.confirm.kind == chat_pb2.CONFIRM_KIND_CHANGES
        assert len(heard.confirm.diff.lines) == 12
        assert heard.confirm.diff.counts.pending == 0
        assert "周日没有排" in heard.confirm.text
        sundays = [line for line in heard.confirm.diff.lines if line.change.to.day_of_week == 7]
        assert sundays == []
        assert await student.blocks() == []

        ended = await student.replies(heard, accepted=True)

        assert ended.outcome.kind == chat_pb2.OUTCOME_KIND_COMPLETED
        assert ended.outcome.code == "written"
        assert ended.outcome.apply_id == f"{heard.run_id}-1"
        assert len(await student.blocks()) == 12


async def test_with_a_model_the_plan_is_bettered_round_by_round(
    open_town: Open, standin: StandIn
) -> None:
    await standin.script(
        planned(1, 2, 3, excluded_days_of_week=[7], speak="先按三门课排，周日空着。"),
        calls("evaluate_balance"),
        calls("analyze_health"),
        decided("done", reason="可以结束"),
    )
    async with open_town(standin=standin) as town:
        student = town.student()
        await newcomer(student)

        heard = await student.says(SENTENCE)

        assert heard.confirm.number == 1
        assert [one.tool for one in heard.of("tool_call")] == ["evaluate_balance", "analyze_health"]
        assert all(one.ok for one in heard.of("tool_result"))
        assert "先按三门课排，周日空着。" in heard.spoken
        asked = contents(await standin.requests())
        assert all(len(messages) == 4 for messages in asked)
        state = await student.run(heard.run_id)
        assert [one.name for one in state.context] == ["rules", "history", "loop", "state"]
        assert state.model == "m1"
        assert state.counts.suggested == 12

        ended = await student.replies(heard, accepted=True)
        assert ended.outcome.code == "written"
        assert len(await student.blocks()) == 12


@pytest.mark.parametrize("how", ["reply", "words"])
async def test_declined_writes_nothing(how: str, open_town: Open) -> None:
    async with open_town() as town:
        student = town.student()
        await newcomer(student)
        heard = await student.says("把线代复习排进去")

        if how == "reply":
            ended = await student.replies(heard)
        else:
            ended = await student.says("算了", heard.conversation_id)

        assert (ended.outcome.kind, ended.outcome.code) == (
            chat_pb2.OUTCOME_KIND_ABORTED,
            "declined",
        )
        assert await student.blocks() == []


async def test_the_stream_is_resumed_from_any_of_its_events(open_town: Open) -> None:
    async with open_town() as town:
        student = town.student()
        await newcomer(student)
        heard = await student.says(SENTENCE)
        ended = await student.replies(heard, accepted=True)

        every = [*heard.events, *ended.events]
        assert [one.sequence for one in every] == list(range(1, len(every) + 1))
        assert await student.resumes(heard.run_id) == every
        middle = len(every) // 2
        assert await student.resumes(heard.run_id, middle) == every[middle:]
