"""Words that somebody says about unfinished work, through all services."""

from datetime import timedelta

import pytest

from smartmate.active_scheduler.v1 import preview_pb2, question_pb2
from tests import telling
from tests.student import Student
from tests.telling import EVENT, target
from tests.world import World


async def test_words_that_name_a_block_are_looked_at_as_that_block(
    student: Student, world: World
) -> None:
    await student.put_bot(world.hook(student), world.suite.feishu_secret)
    missed = await telling.had_block(world, student, "高数作业", sections="5-6")
    await telling.had_block(world, student, "英语听力", sections="9-10")

    trigger, preview = await telling.told(student, text="高数作业没做完")

    assert trigger.target == preview.target == target(EVENT, missed)
    assert preview.words == "高数作业没做完"
    assert ("feedback.located", "located") in await telling.trace(student, trigger.trigger_id)
    assert preview.candidates
    (message,) = await world.messages(student, count=1)
    assert preview.preview_id in str(message)
    assert (await student.confirm(preview)).preview.state == preview_pb2.PREVIEW_STATE_APPLIED


async def test_words_that_name_the_class_of_an_item_mean_its_block(
    student: Student, world: World
) -> None:
    plan = await telling.study_plan(student, "第一章", "第二章", name="复习线代")
    missed = await telling.had_item(world, student, plan.items[0].task_item_id)
    await telling.had_block(world, student, "英语听力", sections="9-10")

    trigger, preview = await telling.told(student, text="线代没做完")

    assert trigger.target == preview.target == target(EVENT, missed)
    assert preview.target_title == "第一章"


@pytest.mark.parametrize("text", ["今天撑不住了", "有一块没做完"])
async def test_words_that_name_none_of_several_ask_and_the_answer_leads_on(
    student: Student, world: World, text: str
) -> None:
    one = await telling.had_block(world, student, "高数作业", sections="5-6")
    other = await telling.had_block(world, student, "英语听力", sections="9-10")

    _, asked = await telling.told(student, text=text)

    assert asked.question.kind == question_pb2.QUESTION_KIND_WHICH_BLOCK
    assert {choice.event_id for choice in asked.question.choices} == {one, other}
    answered = await telling.answer(student, asked, f"block:{one}")
    _, preview = await telling.led_to(student, answered.trigger.trigger_id)
    assert preview.target == target(EVENT, one)
    old = await student.preview(asked.preview_id)
    assert old.state == preview_pb2.PREVIEW_STATE_SUPERSEDED


async def test_without_the_agent_service_the_blocks_around_are_the_choices(
    student: Student, world: World
) -> None:
    missed = await telling.had_block(world, student, "高数作业", sections="5-6")
    await world.suite.stop("agent")
    try:
        trigger, asked = await telling.told(student, text="高数作业没做完")
    finally:
        await world.suite.start("agent")
    assert [choice.event_id for choice in asked.question.choices] == [missed]
    steps = dict(await telling.trace(student, trigger.trigger_id))
    assert steps["feedback.asked"] == "assistant_unavailable"


async def test_a_question_is_told_and_its_answer_is_looked_at_within_seconds(
    student: Student, world: World
) -> None:
    await student.put_bot(world.hook(student), world.suite.feishu_secret)
    await telling.fill(student, range(2))
    task = await student.create_task(due_in=timedelta(days=5), urgent_in=timedelta(seconds=1))
    asked = await student.first_preview()
    assert asked.question.kind == question_pb2.QUESTION_KIND_OTHER_DAY
    await world.messages(student, count=1)

    answered = await telling.answer(student, asked, "yes")
    _, preview = await telling.led_to(student, answered.trigger.trigger_id)

    assert preview.target == student.target(task.task_id)
    assert len(await world.messages(student, count=2)) == 2
