"""Golden conversations: a scripted model, looked at from all sides: the state of runs, what the
model was sent, what followers heard, what the database holds."""

import asyncio
import uuid
from datetime import timedelta
from typing import Any

import grpc
import pytest
from sqlalchemy import text as sql

from libs.rpc.errors import RemoteError
from services.agent.domain.run import Limits
from smartmate.agent.v1 import agent_service_pb2 as pb
from smartmate.agent.v1 import chat_pb2, conversation_pb2
from tests.integration.agent.conftest import Open
from tests.integration.agent.talking import (
    Heard,
    Student,
    Town,
    calls,
    contents,
    decided,
    planned,
)
from tests.integration.llm_standin import StandIn
from tests.student import course

PLAN = "把线代复习排进去"
DONE = decided("done", reason="可以结束")


async def newcomer(town: Town, *classes: tuple[str, int], **more: Any) -> Student:
    """A student with a course and some classes."""
    student = town.student()
    await student.begin_semester()
    await student.import_courses(course("高等数学", day=1, sections="1-2"))
    for name, count in classes or (("线代复习", 4),):
        await student.add_class(name, count, **more)
    return student


async def stored(town: Town, student: Student, what: str) -> list[dict[str, Any]]:
    """Rows of a table of this student."""
    async with town.db.transaction() as tx:
        rows = await tx.all(sql(f"SELECT * FROM {what} WHERE user_id = :user"), user=student.id)
    return [dict(row._mapping.items()) for row in rows]


async def test_turned_down_with_words_and_accepted_the_second_time(
    open_town: Open, standin: StandIn
) -> None:
    await standin.script(planned(1), DONE)
    async with open_town(standin=standin) as town:
        student = await newcomer(town)
        first = await student.says(PLAN)
        number = first.confirm.diff.lines[0].change.to.day_of_week

        await standin.script(
            calls("get_overview"),
            calls("evaluate_balance"),
            decided("done", reason="已经照学生的话看过"),
        )
        second = await student.replies(first, words="第一项换一天")

        assert second.kinds[0] == "status:rejected"
        assert second.run_id == first.run_id
        assert second.confirm.number == 2
        assert number
        newest = contents(await standin.requests())[-1][3]
        assert "第一项换一天" in newest
        assert PLAN in newest

        ended = await student.replies(second, accepted=True)

        assert ended.outcome.apply_id == f"{first.run_id}-2"
        requests = await stored(town, student, "confirm_requests")
        told = {one["number"]: (one["accepted"], one["words"]) for one in requests}
        assert told == {1: (False, "第一项换一天"), 2: (True, "")}
        assert len(await student.blocks()) == 4


async def test_questions_of_plan_and_execute_are_asked_and_heeded(
    open_town: Open, standin: StandIn
) -> None:
    await standin.script(decided("ask_user", speak="排到哪天为止？"))
    async with open_town(standin=standin) as town:
        student = await newcomer(town)
        heard = await student.says(PLAN)
        assert heard.question.text == "排到哪天为止？"
        state = await student.run(heard.run_id)
        assert state.waits_for == conversation_pb2.RUN_WAIT_QUESTION

        await standin.script(planned(1), decided("ask_user", speak="早上可以吗？"))
        second = await student.answers(heard, "按任务类的日期")
        assert second.kinds[0] == "status:answered"
        assert (second.question.number, second.question.text) == (2, "早上可以吗？")

        await standin.script(DONE)
        third = await student.says("可以", second.conversation_id)
        assert third.confirm.number == 1
        asked = contents(await standin.requests())
        assert "按任务类的日期" in asked[1][3]
        assert "问：早上可以吗？ 答：可以" in asked[-1][3]

        opened = await student.conversation(third.conversation_id)
        assert opened.confirm_request == third.confirm
        said = [one.text for one in opened.messages]
        asked_and_answered = [PLAN, "排到哪天为止？", "按任务类的日期", "早上可以吗？", "可以"]
        assert [one for one in said if one in asked_and_answered] == asked_and_answered


@pytest.mark.parametrize("where", ["plan", "execute"])
async def test_a_model_that_gives_up_ends_the_run_with_its_words(
    where: str, open_town: Open, standin: StandIn
) -> None:
    why = {"code": "contradiction", "user_message": "这两个要求不能同时满足。"}
    abort = decided("abort", abort={**why, "internal_reason": "内部原因"})
    await standin.script(*([abort] if where == "plan" else [planned(1), abort]))
    async with open_town(standin=standin) as town:
        student = await newcomer(town)
        heard = await student.says(PLAN)

        assert heard.outcome.kind == chat_pb2.OUTCOME_KIND_ABORTED
        assert heard.outcome.code == "contradiction"
        assert heard.outcome.user_message == "这两个要求不能同时满足。"
        assert "内部原因" not in str(heard.events)
        assert await stored(town, student, "confirm_requests") == []
        assert await student.blocks() == []


async def test_what_does_not_fit_ends_the_run_with_the_explanation(
    open_town: Open, standin: StandIn
) -> None:
    await standin.script(planned(1))
    async with open_town(standin=standin) as town:
        student = await newcomer(town, ("线代复习", 30), days=2)
        heard = await student.says(PLAN)

        assert heard.outcome.kind == chat_pb2.OUTCOME_KIND_ABORTED
        assert heard.outcome.code == "pending_left"
        assert "排不下" in heard.outcome.user_message
        # The model never sees what is left over.
        assert len(await standin.requests()) == 1
        assert await student.blocks() == []


async def test_used_up_rounds_write_nothing_and_the_next_words_go_on_from_there(
    open_town: Open, standin: StandIn
) -> None:
    reads = [calls("get_overview"), calls("evaluate_balance"), calls("analyze_health")]
    await standin.script(planned(1), *reads)
    async with open_town(standin=standin, limits=Limits(rounds=3)) as town:
        student = await newcomer(town)
        heard = await student.says(PLAN)

        assert heard.outcome.kind == chat_pb2.OUTCOME_KIND_EXHAUSTED
        assert heard.outcome.code == "rounds"
        assert (await student.run(heard.run_id)).round == 3
        assert await stored(town, student, "confirm_requests") == []

        await standin.script(DONE)
        again = await student.says("继续", heard.conversation_id)

        assert again.run_id != heard.run_id
        assert again.confirm.number == 1
        assert len(again.confirm.diff.lines) == 4
        state = await student.run(again.run_id)
        assert (state.round, state.corrections) == (1, 0)
        (first, *_), last = (
            contents(await standin.requests())[0],
            contents(await standin.requests())[-1],
        )
        assert first
        assert "上一次较早的轮次" in last[1]
        assert last[2] == "（无）"


async def test_a_new_run_begins_clean_in_another_process_too(
    open_town: Open, standin: StandIn
) -> None:
    await standin.script(planned(1), calls("get_overview"), DONE)
    async with open_town(standin=standin) as town:
        student = await newcomer(town)
        heard = await student.says(PLAN)
        await student.replies(heard, accepted=True)

    async with open_town(standin=standin) as other:
        student.town = other
        await student.add_class("英语复习", 3)
        await standin.script(planned(2), DONE)
        again = await student.says("再把英语复习排进去", heard.conversation_id)

        assert again.run_id != heard.run_id
        assert (again.confirm.number, len(again.confirm.diff.lines)) == (1, 3)
        state = await student.run(again.run_id)
        assert state.round == 1
        messages = contents(await standin.requests())[-1]
        assert f"学生：{PLAN}" in messages[1]
        assert PLAN not in messages[3]
        ended = await student.replies(again, accepted=True)
        assert ended.outcome.apply_id == f"{again.run_id}-1"
        assert len(await student.blocks()) == 7


async def test_accepting_twice_writes_once(open_town: Open) -> None:
    async with open_town() as town:
        student = await newcomer(town)
        heard = await student.says(PLAN)

        both = await asyncio.gather(
            student.replies(heard, accepted=True), student.replies(heard, accepted=True)
        )
        late = await student.replies(heard)

        assert [one.outcome.apply_id for one in (*both, late)] == [f"{heard.run_id}-1"] * 3
        assert both[0].events == both[1].events == late.events
        assert len(await student.blocks()) == 4


async def test_two_tabs_follow_one_run_and_the_first_answer_wins(
    open_town: Open, standin: StandIn
) -> None:
    await standin.script(planned(1), DONE)
    async with open_town(standin=standin) as town:
        student = await newcomer(town)
        key = uuid.uuid4().hex
        one, other = await asyncio.gather(student.says(PLAN, key=key), student.says(PLAN, key=key))
        assert one == other

        await standin.script(calls("get_overview"), DONE)
        no, yes = await asyncio.gather(
            student.replies(one, words="再看看"), student.replies(other, accepted=True)
        )
        assert no.events == yes.events

        stale = pb.ConfirmReply(run_id=one.run_id, number=9, accepted=True)
        with pytest.raises(RemoteError) as refused:
            await student.says("", one.conversation_id, confirm_reply=stale)
        assert refused.value.reason == "confirm_not_found"


async def test_words_while_a_run_works_are_refused(open_town: Open, standin: StandIn) -> None:
    await standin.script({"hold": True, **planned(1)}, DONE)
    async with open_town(standin=standin) as town:
        student = await newcomer(town)
        async with asyncio.TaskGroup() as group:
            working = group.create_task(student.says(PLAN))
            await standin.arrived(1)
            listed = await student.ask(
                town.agent, "ListConversations", pb.ListConversationsRequest()
            )
            conversation_id = listed.conversations[0].conversation_id
            with pytest.raises(RemoteError) as refused:
                await student.says("还有一件事", conversation_id)
            assert refused.value.code is grpc.StatusCode.FAILED_PRECONDITION
            assert refused.value.reason == "conversation_busy"
            await standin.release()
        assert (await working).confirm.number == 1


async def test_a_schedule_that_moved_on_gets_a_new_proposal_with_its_own_apply(
    open_town: Open, standin: StandIn
) -> None:
    await standin.script(planned(1), DONE)
    async with open_town(standin=standin) as town:
        student = await newcomer(town)
        heard = await student.says(PLAN)
        place = heard.confirm.diff.lines[0].change.to
        taken = course("加课", day=place.day_of_week, sections=f"{place.first_section}")
        await student.import_courses(course("高等数学", day=1, sections="1-2"), taken)

        again = await student.replies(heard, accepted=True)

        assert "status:refused" in again.kinds
        assert again.confirm.number == 2
        ended = await student.replies(again, accepted=True)
        assert ended.outcome.apply_id == f"{heard.run_id}-2"
        assert len(await student.blocks()) == 4


async def test_a_stream_that_is_left_goes_on_and_is_taken_up_again(
    open_town: Open, standin: StandIn
) -> None:
    await standin.script(planned(1), calls("get_overview"), DONE)
    async with open_town(standin=standin) as town:
        student = await newcomer(town)
        left = await student.says(PLAN, until=lambda one: one.HasField("diff"))

        rest = await student.resumes(left.run_id, left.last.sequence)

        assert rest[0].sequence == left.last.sequence + 1
        assert rest[-1].HasField("confirm_request")
        opened = await student.conversation(left.conversation_id)
        assert opened.last_sequence == rest[-1].sequence


async def test_steps_are_agreed_on_first_and_bind_what_is_done(
    open_town: Open, standin: StandIn
) -> None:
    steps = [
        {"text": "排完线代", "done_criterion": "没有待安排", "task_classes": [1]},
        {"text": "把每天调匀", "done_criterion": "evaluate_balance 可结束"},
    ]
    await standin.script(
        decided("confirm", speak="分两步，可以吗？", task_classes=[1, 2], steps=steps)
    )
    async with open_town(standin=standin) as town:
        student = await newcomer(town, ("线代复习", 3), ("英语复习", 3))
        heard = await student.says("把复习排进去")
        assert heard.confirm.kind == chat_pb2.CONFIRM_KIND_PLAN
        assert [one.text for one in heard.confirm.steps] == ["排完线代", "把每天调匀"]

        await standin.script(
            calls("list_tasks"),
            decided("next_plan"),
            decided("next_plan", goal_check="线代都有位置"),
            decided("done", goal_check="可结束"),
        )
        second = await student.replies(heard, accepted=True)

        assert (second.confirm.number, second.confirm.kind) == (2, chat_pb2.CONFIRM_KIND_CHANGES)
        asked = contents(await standin.requests())
        assert "1(当前) 排完线代" in asked[1][3]
        assert "须有 goal_check" in asked[3][2]
        assert "2(当前) 把每天调匀" in asked[-1][3]


async def test_a_write_outside_the_free_days_is_refused_with_the_reason(
    open_town: Open, standin: StandIn
) -> None:
    await standin.script(planned(1, excluded_days_of_week=[6, 7]))
    async with open_town(standin=standin) as town:
        student = await newcomer(town)
        # Day 1 is tomorrow.
        saturday = (5 - student.today.weekday() - 1) % 7 + 1
        await standin.script(calls("list_tasks"))
        await standin.script(
            *[
                calls("move", task_id=number, new_day=saturday, new_slot_start=1)
                for number in (2, 3)
            ],
            DONE,
        )
        heard = await student.says("把线代复习排进去，别排周末")

        refused = [one for one in heard.of("tool_result") if not one.ok]
        assert refused
        assert any("不排周六" in one.text for one in refused)
        assert {line.change.to.day_of_week for line in heard.confirm.diff.lines}.isdisjoint({6, 7})


async def test_a_quick_note_is_read_back_and_written_on_a_yes(open_town: Open) -> None:
    async with open_town() as town:
        student = await newcomer(town)
        heard = await student.says("提醒我下周日前交概率论作业")

        assert heard.confirm.kind == chat_pb2.CONFIRM_KIND_TOOL
        assert heard.confirm.tool_call.tool == "create_task"
        assert "交概率论作业" in heard.confirm.text
        assert "周日" in heard.confirm.text
        ended = await student.says("好的", heard.conversation_id)
        assert ended.outcome.code == "noted"

        asked = await student.says("我还有什么没做完的任务", heard.conversation_id)
        assert asked.outcome.code == "answered"
        assert "交概率论作业" in asked.spoken[-1]
        assert "周日 23:59" in asked.spoken[-1]

        done = await student.says("概率论作业做完了", heard.conversation_id)
        assert done.confirm.tool_call.tool == "complete_task"
        await student.replies(done, accepted=True)
        left = await student.says("我还有什么没做完的任务", heard.conversation_id)
        assert left.spoken[-1] == "没有找到要做的任务。"


async def test_quick_notes_are_written_at_once_where_that_was_set(open_town: Open) -> None:
    async with open_town(always_execute=True) as town:
        student = await newcomer(town)
        heard = await student.says("记住我周三晚上要练琴")
        assert heard.outcome.code == "noted"
        items = (await student.ask(town.agent, "ListMemory", pb.ListMemoryRequest())).items
        assert [(one.text, list(one.days_of_week)) for one in items] == [("我周三晚上要练琴", [3])]


async def test_tools_of_quick_tasks_are_the_models_too(open_town: Open, standin: StandIn) -> None:
    await standin.script(
        decided("x", route="quick_task"),
        calls("create_task", title="交实验报告", deadline="哪天来着"),
        calls("create_task", title="交实验报告", deadline="明天", quadrant=1),
    )
    async with open_town(standin=standin) as town:
        student = await newcomer(town)
        heard = await student.says("实验报告那件事帮我弄一下")

        assert [one.ok for one in heard.of("tool_result")] == [False]
        assert heard.confirm.tool_call.tool == "create_task"
        ended = await student.replies(heard, accepted=True)
        assert ended.outcome.code == "noted"
        answer: Heard = await student.says("查一下任务", heard.conversation_id)
        assert "交实验报告" in answer.spoken[-1]


async def test_dates_that_are_missing_are_asked_for_and_put_on_a_yes(open_town: Open) -> None:
    async with open_town() as town:
        student = await newcomer(town, start_date="", end_date="")
        heard = await student.says(PLAN)
        assert "起止日期" in heard.question.text

        first = student.today + timedelta(days=1)
        last = first + timedelta(days=20)
        said = f"{first.month}月{first.day}日到{last.month}月{last.day}日"
        second = await student.answers(heard, said)
        assert second.confirm.tool_call.tool == "put_task_class"
        assert "线代复习" in second.confirm.text

        third = await student.replies(second, accepted=True)
        assert (third.confirm.kind, len(third.confirm.diff.lines)) == (
            chat_pb2.CONFIRM_KIND_CHANGES,
            4,
        )
        ended = await student.replies(third, accepted=True)
        assert ended.outcome.apply_id == f"{heard.run_id}-2"


async def test_a_class_that_the_model_puts_is_planned_once_the_person_agrees(
    open_town: Open, standin: StandIn
) -> None:
    put = calls(
        "put_task_class", name="英语复习", items=["词汇", "听力"], start="明天", end="三周后"
    )
    await standin.script(planned(1), put)
    async with open_town(standin=standin) as town:
        student = await newcomer(town)
        heard = await student.says("把线代复习排进去，再加一个英语复习")
        assert heard.confirm.kind == chat_pb2.CONFIRM_KIND_TOOL

        await standin.script(DONE)
        second = await student.replies(heard, accepted=True)

        assert [one.name for one in second.confirm.diff.lines if one.category == "英语复习"] == [
            "词汇",
            "听力",
        ]
        assert len(second.confirm.diff.lines) == 6


async def test_without_a_model_words_of_no_are_planned_by_too(open_town: Open) -> None:
    async with open_town() as town:
        student = await newcomer(town, ("线代复习", 8))
        heard = await student.says("把线代复习排进去，别排周日")

        second = await student.says("可以，但是周三也别排，晚上也空着", heard.conversation_id)

        assert (second.run_id, second.confirm.number) == (heard.run_id, 2)
        places = [one.change.to for one in second.confirm.diff.lines]
        assert len(places) == 8
        assert {3, 7}.isdisjoint(one.day_of_week for one in places)
        assert max(one.last_section for one in places) <= 8


async def test_without_a_model_it_is_asked_which_classes_are_meant(open_town: Open) -> None:
    async with open_town() as town:
        student = await newcomer(town, ("线代复习", 2), ("英语复习", 3), ("概率论复习", 4))
        heard = await student.says("把这两门课的复习排进去")
        named = [one.text for one in heard.question.choices]
        assert named == ["线代复习", "英语复习", "概率论复习"]

        second = await student.says("英语", heard.conversation_id)
        assert len(second.confirm.diff.lines) == 3


async def test_words_that_decide_nothing_are_asked_about_again(open_town: Open) -> None:
    async with open_town() as town:
        student = await newcomer(town)
        heard = await student.says(PLAN)

        again = await student.says("也许", heard.conversation_id)

        assert again.kinds == ["speak", "confirm_request"]
        assert again.confirm == heard.confirm
        opened = await student.conversation(heard.conversation_id)
        assert opened.confirm_request == heard.confirm
        assert [one.text for one in opened.messages][-2] == "也许"
        ended = await student.replies(heard, accepted=True)
        assert ended.outcome.code == "written"


async def test_what_is_remembered_to_stay_free_does_where_there_is_room(open_town: Open) -> None:
    async with open_town(always_execute=True) as town:
        student = await newcomer(town, ("线代复习", 10))
        await student.says("记住我周三周四都有训练，别排")
        heard = await student.says(PLAN)

        days = {one.change.to.day_of_week for one in heard.confirm.diff.lines}
        assert days.isdisjoint({3, 4})
        assert "记住的时段没有排" in heard.confirm.text
