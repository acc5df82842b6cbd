"""SubmitFeedback: somebody tells that a block, an item, or something in words was not finished."""

import asyncio
from datetime import timedelta

import grpc
import pytest

from libs.rpc.errors import RemoteError
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as pb
from smartmate.active_scheduler.v1 import preview_pb2, question_pb2, trigger_pb2
from smartmate.schedule.v1 import change_pb2
from tests import telling
from tests.holding import held
from tests.student import Student, new_key
from tests.telling import EVENT, ITEM, POOL, target
from tests.world import World

SERVICE = "active_scheduler"
SELECT = preview_pb2.DECISION_ACTION_SELECT_CANDIDATE


async def test_a_block_that_was_not_finished_leads_to_a_makeup_and_stays_as_it_was(
    two_services: World, student: Student
) -> None:
    missed = await telling.had_block(two_services, student, "高数作业")
    before = await student.task_blocks()

    trigger, preview = await telling.told(student, target(EVENT, missed), text="刚才那个没做完")

    assert trigger.source == trigger_pb2.TRIGGER_SOURCE_USER_FEEDBACK
    assert (trigger.type, trigger.words) == (telling.UNFINISHED, "刚才那个没做完")
    assert trigger.feedback_id
    assert preview.target == target(EVENT, missed)
    assert (preview.action, preview.target_title) == (SELECT, "高数作业")
    assert (preview.words, preview.trigger_type) == ("刚才那个没做完", telling.UNFINISHED)
    assert {one.type for one in preview.candidates} == {preview_pb2.CANDIDATE_TYPE_MAKEUP_BLOCK}
    assert {one.changes[0].type for one in preview.candidates} == {
        change_pb2.CHANGE_TYPE_CREATE_MAKEUP
    }
    confirmed = (await student.confirm(preview)).preview
    assert confirmed.state == preview_pb2.PREVIEW_STATE_APPLIED
    after = {event.event_id: event for event in await student.task_blocks()}
    (makeup_id,) = confirmed.applied_event_ids
    assert after[makeup_id].makeup_for_event_id == missed
    assert all(after[event.event_id] == event for event in before)


async def test_an_item_means_its_last_block_and_carries_the_wishes_of_its_class(
    two_services: World, student: Student
) -> None:
    week, day = student.today
    plan = await telling.study_plan(
        student, "第一章", "第二章", excluded_days_of_week=[day % 7 + 1], excluded_pairs=[1]
    )
    item = plan.items[0].task_item_id
    missed = await telling.had_item(two_services, student, item)

    trigger, preview = await telling.told(student, target(ITEM, item))

    assert trigger.target == target(ITEM, item)
    assert preview.target == target(EVENT, missed)
    for candidate in preview.candidates:
        place = candidate.changes[0].to
        assert (place.week, place.day_of_week) == (week, day)
        assert place.first_section > 2
        assert len(candidate.preferences_met) == 2
        assert not candidate.preferences_unmet


async def test_an_item_that_was_never_placed_is_asked_about(student: Student) -> None:
    plan = await telling.study_plan(student, "第一章")
    _, preview = await telling.told(student, target(ITEM, plan.items[0].task_item_id))
    assert preview.question.kind == question_pb2.QUESTION_KIND_WHICH_BLOCK
    assert preview.target_title == "第一章"
    assert not preview.HasField("target")


async def test_the_same_act_of_telling_is_the_same_trigger_whenever_it_comes(
    two_services: World, student: Student
) -> None:
    missed = await telling.had_block(two_services, student, "高数作业")
    other = await telling.had_block(two_services, student, "英语听力", sections="9-10")
    first = await telling.submit(student, target(EVENT, missed), feedback_id="fb-1")
    await student.trigger_ended(first.trigger.trigger_id)
    await two_services.fetch(
        SERVICE,
        "UPDATE active_schedule_triggers SET created_at = created_at - interval '90 days' "
        "WHERE user_id = $1",
        student.id,
    )

    again = await telling.submit(student, target(EVENT, missed), feedback_id="fb-1")
    otherwise = await telling.submit(student, target(EVENT, other), feedback_id="fb-1")

    assert not first.deduplicated
    assert again.deduplicated
    assert otherwise.deduplicated
    assert again.trigger.trigger_id == otherwise.trigger.trigger_id == first.trigger.trigger_id


async def test_without_an_id_of_its_own_the_attempt_names_the_act_of_telling(
    two_services: World, student: Student
) -> None:
    """B107: an answer that was lost is asked for again under the same key."""
    missed = await telling.had_block(two_services, student)
    first = await telling.submit(student, target(EVENT, missed), key="k")
    await student.trigger_ended(first.trigger.trigger_id)
    assert await telling.submit(student, target(EVENT, missed), key="k") == first
    with pytest.raises(RemoteError) as refused:
        await telling.submit(student, target(EVENT, missed), key="k", text="没做完")
    assert refused.value.reason == "idempotency_conflict"
    # The stored answer is gone after some days; the act is known for ever.
    await two_services.fetch(SERVICE, "DELETE FROM requests WHERE user_id = $1", student.id)
    late = await telling.submit(student, target(EVENT, missed), key="k")
    assert (late.deduplicated, late.trigger.trigger_id) == (True, first.trigger.trigger_id)


async def test_ten_times_the_same_at_once_are_one_trigger(
    two_services: World, student: Student
) -> None:
    missed = await telling.had_block(two_services, student)
    answers = await asyncio.gather(
        *(telling.submit(student, target(EVENT, missed), feedback_id="fb-1") for _ in range(10))
    )
    assert len({one.trigger.trigger_id for one in answers}) == 1
    assert sorted(one.deduplicated for one in answers) == [False] + [True] * 9


async def test_five_feedbacks_with_five_ids_are_five_within_a_moment(
    two_services: World, student: Student
) -> None:
    missed = await telling.had_block(two_services, student)
    answers = await asyncio.gather(
        *(
            telling.submit(student, target(EVENT, missed), feedback_id=f"fb-{number}")
            for number in range(5)
        )
    )
    ids = {one.trigger.trigger_id for one in answers}
    ended = [await student.trigger_ended(trigger_id) for trigger_id in ids]

    assert len(ids) == 5
    assert not any(one.deduplicated for one in answers)
    # One of their previews is open; whoever came later than the newest ended without one.
    assert {one.state for one in ended} <= {
        trigger_pb2.TRIGGER_STATE_PREVIEW_GENERATED,
        trigger_pb2.TRIGGER_STATE_CLOSED,
    }
    assert all(one.preview_id or one.reason == "superseded" for one in ended)
    listed = await student.call(
        student.line.active.ListPreviews, pb.ListPreviewsRequest(open_only=True)
    )
    (newest,) = listed.previews
    by_id = {one.preview_id: one.trigger_id for one in ended if one.preview_id}
    rows = await two_services.fetch(
        SERVICE,
        "SELECT id FROM active_schedule_triggers WHERE user_id = $1 ORDER BY sequence DESC LIMIT 1",
        student.id,
    )
    assert by_id[newest.preview_id] == rows[0]["id"]


async def test_of_two_feedbacks_that_end_in_reverse_the_newer_preview_stays(
    two_services: World, student: Student
) -> None:
    missed = await telling.had_block(two_services, student)
    first_alone = f"""
        NEW.user_id = {student.id} AND NEW.state = 'processing' AND NOT EXISTS (
            SELECT 1 FROM active_schedule_triggers t
            WHERE t.user_id = NEW.user_id AND t.id <> NEW.id)
    """
    dsn = two_services.suite.dsn(SERVICE)
    async with held(dsn, "active_schedule_triggers", event="UPDATE", when=first_alone) as hold:
        earlier = await telling.submit(student, target(EVENT, missed))
        await hold.met()
        _, later = await telling.told(student, target(EVENT, missed))
        await hold.release()
    ended = await student.trigger_ended(earlier.trigger.trigger_id)

    assert (ended.state, ended.reason) == (trigger_pb2.TRIGGER_STATE_CLOSED, "superseded")
    assert (await student.preview(later.preview_id)).state == preview_pb2.PREVIEW_STATE_READY


async def test_telling_again_supersedes_the_proposal_before(
    two_services: World, student: Student
) -> None:
    missed = await telling.had_block(two_services, student)
    _, old = await telling.told(student, target(EVENT, missed))
    _, new = await telling.told(student, target(EVENT, missed))
    assert (await student.preview(old.preview_id)).state == preview_pb2.PREVIEW_STATE_SUPERSEDED
    assert (await student.preview(new.preview_id)).state == preview_pb2.PREVIEW_STATE_READY
    # B015: the old link refuses, and nothing is written.
    before = await student.task_blocks()
    with pytest.raises(RemoteError) as refused:
        await student.confirm(old)
    assert refused.value.reason == "preview_superseded"
    assert await student.task_blocks() == before


async def test_after_the_makeup_is_written_there_is_nothing_more_to_do(
    two_services: World, student: Student
) -> None:
    missed = await telling.had_block(two_services, student)
    _, preview = await telling.told(student, target(EVENT, missed))
    await student.confirm(preview)
    answer = await telling.submit(student, target(EVENT, missed))
    ended = await student.trigger_ended(answer.trigger.trigger_id)
    assert (ended.state, ended.reason) == (trigger_pb2.TRIGGER_STATE_CLOSED, "makeup_scheduled")


async def test_a_regenerated_proposal_keeps_the_block_and_the_words(
    two_services: World, student: Student
) -> None:
    missed = await telling.had_block(two_services, student)
    _, old = await telling.told(student, target(EVENT, missed), text="没做完")
    request = pb.RegeneratePreviewRequest(request_id=new_key(), preview_id=old.preview_id)
    linked = (await student.call(student.line.active.RegeneratePreview, request)).trigger
    ended, new = await telling.led_to(student, linked.trigger_id)

    assert ended.linked_trigger_id == old.trigger_id
    assert ended.source == trigger_pb2.TRIGGER_SOURCE_REGENERATE
    assert (new.target, new.words) == (old.target, "没做完")
    assert [one.candidate_id for one in new.candidates] == [
        one.candidate_id for one in old.candidates
    ]
    assert (await student.preview(old.preview_id)).state == preview_pb2.PREVIEW_STATE_SUPERSEDED


async def test_the_third_miss_in_14_days_changes_what_is_proposed(
    two_services: World, student: Student
) -> None:
    plan = await telling.study_plan(student, "第一章", "第二章")
    item = plan.items[0].task_item_id
    reasons = []
    for ago in (3, 2, 1):
        missed = await telling.had_item(two_services, student, item, ago=ago)
        _, preview = await telling.told(student, target(EVENT, missed))
        reasons.append(preview.reason_code)
        again = await telling.told(student, target(EVENT, missed))
        # The same block told twice is one miss.
        assert again[1].reason_code == preview.reason_code

    assert reasons == ["candidates_found", "candidates_found", "repeated_misses"]
    seen = await telling.dry_run(student, target(EVENT, missed))
    assert seen.reason_code == "repeated_misses"
    assert "repeated_misses" in {issue.code for issue in seen.issues}
    await two_services.fetch(
        SERVICE,
        "UPDATE missed_blocks SET told_at = told_at - interval '15 days' "
        "WHERE user_id = $1 AND event_id <> $2",
        student.id,
        missed,
    )
    later = await telling.dry_run(student, target(EVENT, missed))
    assert later.reason_code == "candidates_found"


@pytest.mark.parametrize(
    ("altered", "code"),
    [
        ({}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"text": "   "}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"text": "长" * 501}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"text": "没做完", "feedback_id": "f" * 65}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"text": "没做完", "request_id": ""}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"target": target(EVENT, -1)}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"target": target(POOL, 1)}, grpc.StatusCode.FAILED_PRECONDITION),
    ],
)
async def test_what_cannot_be_told_is_refused(
    student: Student, altered: dict[str, object], code: grpc.StatusCode
) -> None:
    request = pb.SubmitFeedbackRequest(**{"request_id": new_key(), **altered})  # type: ignore[arg-type]
    with pytest.raises(RemoteError) as refused:
        await student.call(student.line.active.SubmitFeedback, request)
    assert refused.value.code is code


async def test_another_students_block_is_not_found(two_services: World, student: Student) -> None:
    missed = await telling.had_block(two_services, student)
    stranger = await two_services.student()
    answer = await telling.submit(stranger, target(EVENT, missed))
    ended = await stranger.trigger_ended(answer.trigger.trigger_id)
    assert (ended.state, ended.reason) == (
        trigger_pb2.TRIGGER_STATE_REJECTED,
        "target_not_found",
    )


async def test_a_test_trigger_of_feedback_counts_no_miss_and_supersedes_nothing(
    two_services: World, student: Student
) -> None:
    missed = await telling.had_block(two_services, student)
    _, real = await telling.told(student, target(EVENT, missed))
    mock = preview_pb2.Preview().generate_time
    mock.GetCurrentTime()
    mock.FromSeconds(mock.seconds + int(timedelta(hours=5).total_seconds()))
    request = pb.TriggerRequest(
        request_id=new_key(),
        type=telling.UNFINISHED,
        target=target(EVENT, missed),
        mock_now_time=mock,
    )
    answer = await student.call(student.line.active.Trigger, request)
    ended, preview = await telling.led_to(student, answer.trigger.trigger_id)

    assert ended.source == trigger_pb2.TRIGGER_SOURCE_API_TRIGGER
    assert (ended.is_mock_time, preview.is_mock_time) == (True, True)
    assert (await student.preview(real.preview_id)).state == preview_pb2.PREVIEW_STATE_READY
