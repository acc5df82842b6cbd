"""Questions and their answers: the first one counts, and leads to a new look."""

import asyncio
from datetime import UTC, datetime, timedelta

import grpc
import pytest

from libs.rpc.errors import RemoteError
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as pb
from smartmate.active_scheduler.v1 import preview_pb2, question_pb2, trigger_pb2
from tests import telling
from tests.holding import held
from tests.student import Student, new_key
from tests.telling import EVENT, ITEM, target
from tests.world import World

SERVICE = "active_scheduler"
SUPERSEDED = preview_pb2.PREVIEW_STATE_SUPERSEDED
NO_ROOM = range(10)


async def asked_about_delay(
    world: World, student: Student, *, next_task: bool = False
) -> preview_pb2.Preview:
    """An item of a class that ends tomorrow, with no room before that and room on the day after."""
    free = {0: range(9, 11), 3: range(5, 9)} if next_task else {3: range(5, 9)}
    await telling.fill(student, NO_ROOM, free=free)
    if next_task:
        other = await student.create_task("英语听力", sections=2, due_in=None)
        await student.add(other.task_id, student.place(9, 10))
    plan = await telling.study_plan(student, "第一章", "第二章", ends_in=1)
    missed = await telling.had_item(world, student, plan.items[0].task_item_id)
    _, preview = await telling.told(student, target(EVENT, missed))
    return preview


async def test_where_there_is_room_only_later_it_asks_and_a_yes_finds_it(
    two_services: World, student: Student
) -> None:
    asked = await asked_about_delay(two_services, student)
    question = asked.question
    assert asked.action == preview_pb2.DECISION_ACTION_ASK_USER
    assert asked.reason_code == "room_after_deadline"
    assert not asked.candidates
    assert question.kind == question_pb2.QUESTION_KIND_DELAY_END
    assert [one.choice_id for one in question.choices] == ["yes", "no"]
    assert question.sections == 2
    assert question.HasField("room_from_time")
    assert not question.HasField("answer_time")

    answered = await telling.answer(student, asked, "yes")

    assert not answered.already_answered
    assert answered.trigger.source == trigger_pb2.TRIGGER_SOURCE_ANSWER
    assert answered.trigger.linked_trigger_id == asked.trigger_id
    shown = answered.preview.question
    assert (shown.answered_choice_id, shown.answer_trigger_id) == (
        "yes",
        answered.trigger.trigger_id,
    )
    _, new = await telling.led_to(student, answered.trigger.trigger_id)
    places = [one.changes[0].to for one in new.candidates]
    assert {(place.week, place.day_of_week) for place in places} == {
        (there.week, there.day_of_week) for there in [student.place(5, 8, day_offset=3)]
    }
    old = await student.preview(asked.preview_id)
    assert old.state == SUPERSEDED
    assert old.question.answered_choice_id == "yes"
    confirmed = await student.confirm(new)
    assert confirmed.preview.state == preview_pb2.PREVIEW_STATE_APPLIED


async def test_a_no_shows_the_last_resort_with_its_risk(
    two_services: World, student: Student
) -> None:
    asked = await asked_about_delay(two_services, student, next_task=True)
    assert asked.question.kind == question_pb2.QUESTION_KIND_DELAY_END

    answered = await telling.answer(student, asked, "no")
    _, new = await telling.led_to(student, answered.trigger.trigger_id)

    (candidate,) = new.candidates
    assert new.reason_code == "compress_only"
    assert candidate.type == preview_pb2.CANDIDATE_TYPE_COMPRESS_WITH_NEXT_DYNAMIC_TASK
    assert "两项都会被压缩" in candidate.risk.zh_cn
    confirmed = (await student.confirm(new)).preview
    assert confirmed.state == preview_pb2.PREVIEW_STATE_APPLIED
    blocks = {
        event.name: event.place
        for event in await student.task_blocks()
        if event.place.day_of_week == student.today[1] and event.place.week == student.today[0]
    }
    assert (blocks["第一章"].first_section, blocks["第一章"].last_section) == (9, 9)
    assert (blocks["英语听力"].first_section, blocks["英语听力"].last_section) == (10, 10)
    # A declined question is not asked again along that line.
    again = pb.RegeneratePreviewRequest(request_id="again", preview_id=asked.preview_id)
    with pytest.raises(RemoteError) as refused:
        await student.call(student.line.active.RegeneratePreview, again)
    assert refused.value.reason == "preview_superseded"


async def test_the_first_answer_wins_and_the_others_get_it_back(
    two_services: World, student: Student
) -> None:
    asked = await asked_about_delay(two_services, student)

    answers = await asyncio.gather(
        *(telling.answer(student, asked, choice) for choice in ("yes", "no") * 5)
    )
    late = await telling.answer(student, asked, "no")

    first = {one.trigger.trigger_id for one in (*answers, late)}
    assert len(first) == 1
    assert sorted(one.already_answered for one in answers) == [False] + [True] * 9
    assert late.already_answered
    (winner,) = [one for one in answers if not one.already_answered]
    told = {one.preview.question.answered_choice_id for one in (*answers, late)}
    assert told == {winner.preview.question.answered_choice_id}
    rows = await two_services.fetch(
        SERVICE,
        "SELECT id FROM active_schedule_triggers WHERE user_id = $1 AND source = 'answer'",
        student.id,
    )
    assert [row["id"] for row in rows] == list(first)


async def test_the_same_request_gets_the_same_answer(two_services: World, student: Student) -> None:
    asked = await asked_about_delay(two_services, student)
    one = await telling.answer(student, asked, "yes", key="k")
    two = await telling.answer(student, asked, "yes", key="k")
    assert one == two
    with pytest.raises(RemoteError) as refused:
        await telling.answer(student, asked, "no", key="k")
    assert refused.value.reason == "idempotency_conflict"


async def test_an_answered_question_is_not_open_any_more(
    two_services: World, student: Student
) -> None:
    asked = await asked_about_delay(two_services, student)
    line = student.line.active
    listed = await student.call(line.ListPreviews, pb.ListPreviewsRequest(open_only=True))
    (summary,) = listed.previews
    assert summary.action == preview_pb2.DECISION_ACTION_ASK_USER
    assert (summary.trigger_type, summary.is_answered) == (telling.UNFINISHED, False)

    answered = await telling.answer(student, asked, "yes")
    await student.trigger_ended(answered.trigger.trigger_id)

    listed = await student.call(line.ListPreviews, pb.ListPreviewsRequest(open_only=True))
    assert asked.preview_id not in [one.preview_id for one in listed.previews]
    listed = await student.call(line.ListPreviews, pb.ListPreviewsRequest())
    shown = {one.preview_id: one for one in listed.previews}
    assert shown[asked.preview_id].is_answered


async def test_words_that_name_no_block_are_asked_about_and_the_choice_is_looked_at(
    two_services: World, student: Student
) -> None:
    one = await telling.had_block(two_services, student, "高数作业", sections="5-6")
    other = await telling.had_block(two_services, student, "英语听力", sections="9-10")

    trigger, asked = await telling.told(student, text="刚才那个没做完")

    assert not trigger.HasField("target")
    assert not asked.HasField("target")
    assert asked.question.kind == question_pb2.QUESTION_KIND_WHICH_BLOCK
    assert [choice.event_id for choice in asked.question.choices] == [one, other]
    assert "高数作业" in asked.question.choices[0].text.zh_cn
    steps = await telling.trace(student, trigger.trigger_id)
    assert ("feedback.told", "user_feedback") in steps
    assert ("question.asked", "which_block") in steps
    assert "feedback.asked" in [name for name, _ in steps]

    answered = await telling.answer(student, asked, f"block:{other}")
    linked, new = await telling.led_to(student, answered.trigger.trigger_id)

    assert (new.target, new.target_title) == (target(EVENT, other), "英语听力")
    assert linked.words == "刚才那个没做完"
    assert (await student.preview(asked.preview_id)).state == SUPERSEDED
    steps = await telling.trace(student, trigger.trigger_id)
    assert ("question.answered", f"block:{other}") in steps
    assert ("trigger.followed", "answer") in steps


async def test_words_without_anything_around_are_answered_in_words(
    two_services: World, student: Student
) -> None:
    _, asked = await telling.told(student, text="今天撑不住了")
    assert list(asked.question.choices) == []
    for choice, text in (("yes", ""), ("", "")):
        with pytest.raises(RemoteError) as refused:
            await telling.answer(student, asked, choice, text=text)
        assert refused.value.reason == "answer_not_offered"

    missed = await telling.had_block(two_services, student)
    answered = await telling.answer(student, asked, text="概率论那一块")
    assert answered.preview.question.answer_words == "概率论那一块"
    _, new = await telling.led_to(student, answered.trigger.trigger_id)

    # Nobody is here who understands words: what is around now is there to choose from.
    assert [choice.event_id for choice in new.question.choices] == [missed]
    assert new.words == "概率论那一块"
    assert (await student.preview(asked.preview_id)).state == SUPERSEDED


async def test_words_of_a_line_with_a_mock_clock_are_about_what_is_around_that_clock(
    two_services: World, student: Student
) -> None:
    plan = await telling.study_plan(student, "第一章")
    request = pb.TriggerRequest(
        request_id=new_key(),
        type=telling.UNFINISHED,
        target=target(ITEM, plan.items[0].task_item_id),
        mock_now_time=datetime.now(UTC) + timedelta(days=5),
    )
    trigger = (await student.call(student.line.active.Trigger, request)).trigger
    _, asked = await telling.led_to(student, trigger.trigger_id)
    assert list(asked.question.choices) == []
    near = await student.create_task("高数作业", due_in=None)
    verdict = await student.add(near.task_id, student.place(5, 6, day_offset=5))
    await telling.had_block(two_services, student, "英语听力")

    answered = await telling.answer(student, asked, text="高数那个")
    linked, new = await telling.led_to(student, answered.trigger.trigger_id)

    assert linked.is_mock_time
    assert [choice.event_id for choice in new.question.choices] == list(verdict.event_ids)


async def test_a_full_window_of_an_urgent_task_is_asked_about_too(student: Student) -> None:
    await telling.fill(student, range(2))
    task = await student.create_task(due_in=timedelta(days=5))
    asked = await student.proposed(task.task_id)
    assert asked.question.kind == question_pb2.QUESTION_KIND_OTHER_DAY

    answered = await telling.answer(student, asked, "yes")
    linked, new = await telling.led_to(student, answered.trigger.trigger_id)

    # Within 30 minutes of the first look at this task: a linked trigger needs no window.
    assert linked.target == student.target(task.task_id)
    assert new.candidates
    assert (await student.preview(asked.preview_id)).state == SUPERSEDED


async def regenerated(student: Student, preview: preview_pb2.Preview) -> preview_pb2.Preview:
    """What a new look in the place of a preview led to."""
    request = pb.RegeneratePreviewRequest(request_id=new_key(), preview_id=preview.preview_id)
    linked = (await student.call(student.line.active.RegeneratePreview, request)).trigger
    _, new = await telling.led_to(student, linked.trigger_id)
    return new


async def test_a_new_look_in_the_place_of_an_answered_question_does_not_ask_again(
    two_services: World, student: Student
) -> None:
    """The look that the answer led to has not come to an end yet, or came to none."""
    asked = await asked_about_delay(two_services, student, next_task=True)
    dsn = two_services.suite.dsn(SERVICE)
    following = f"NEW.user_id = {student.id} AND NEW.state = 'processing' AND NEW.source = 'answer'"
    async with held(dsn, "active_schedule_triggers", event="UPDATE", when=following) as hold:
        answered = await telling.answer(student, asked, "no")
        await hold.met()
        new = await regenerated(student, asked)
        await hold.release()
    ended = await student.trigger_ended(answered.trigger.trigger_id)

    assert new.reason_code == "compress_only"
    assert (ended.state, ended.reason) == (trigger_pb2.TRIGGER_STATE_CLOSED, "superseded")
    assert (await student.preview(new.preview_id)).state == preview_pb2.PREVIEW_STATE_READY
    # Along that line it stays declined.
    again = await regenerated(student, new)
    assert again.reason_code == "compress_only"


async def test_where_the_block_of_an_answer_is_gone_a_new_look_asks_again(
    two_services: World, student: Student
) -> None:
    one = await telling.had_block(two_services, student, "高数作业", sections="5-6")
    other = await telling.had_block(two_services, student, "英语听力", sections="9-10")
    _, asked = await telling.told(student, text="刚才那个没做完")
    await two_services.fetch(
        "schedule",
        "UPDATE schedule_events SET live = false, removed_at = now() WHERE id = $1",
        one,
    )

    answered = await telling.answer(student, asked, f"block:{one}")
    ended = await student.trigger_ended(answered.trigger.trigger_id)
    new = await regenerated(student, asked)

    assert (ended.state, ended.reason) == (
        trigger_pb2.TRIGGER_STATE_REJECTED,
        "target_not_found",
    )
    assert [choice.event_id for choice in new.question.choices] == [other]
    assert new.words == "刚才那个没做完"


@pytest.mark.parametrize(
    ("how", "reason"), [("expired", "preview_expired"), ("ignored", "preview_ignored")]
)
async def test_what_is_over_cannot_be_answered(
    two_services: World, student: Student, how: str, reason: str
) -> None:
    asked = await asked_about_delay(two_services, student)
    if how == "expired":
        await two_services.fetch(
            SERVICE,
            "UPDATE active_schedule_previews SET expires_at = clock_timestamp() WHERE id = $1",
            asked.preview_id,
        )
    else:
        request = pb.IgnorePreviewRequest(request_id="i", preview_id=asked.preview_id)
        await student.call(student.line.active.IgnorePreview, request)
    with pytest.raises(RemoteError) as refused:
        await telling.answer(student, asked, "yes")
    assert refused.value.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.value.reason == reason


async def test_only_a_question_is_answered_and_only_by_its_own_person(
    two_services: World, student: Student
) -> None:
    task = await student.create_task()
    plain = await student.proposed(task.task_id)
    with pytest.raises(RemoteError) as refused:
        await telling.answer(student, plain, "yes")
    assert refused.value.reason == "no_question"
    stranger = await two_services.student()
    with pytest.raises(RemoteError) as refused:
        await telling.answer(stranger, plain, "yes")
    assert refused.value.reason == "preview_not_found"
