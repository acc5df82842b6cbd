"""Room far ahead: a look reads until a week behind the last day of a class, where it has to."""

from smartmate.active_scheduler.v1 import preview_pb2, question_pb2
from tests import telling
from tests.student import Student
from tests.telling import ITEM, target
from tests.world import World

FORTNIGHT = range(14)


async def missed_item(world: World, student: Student, *, ends_in: int) -> preview_pb2.Preview:
    """An item of a class was not finished, and a fortnight from today is full."""
    plan = await telling.study_plan(student, "第一章", "第二章", ends_in=ends_in)
    item = plan.items[0].task_item_id
    await telling.had_item(world, student, item)
    await telling.fill(student, FORTNIGHT)
    _, preview = await telling.told(student, target(ITEM, item))
    return preview


async def test_an_item_is_made_up_for_weeks_ahead_as_long_as_its_class_lasts(
    two_services: World, student: Student
) -> None:
    preview = await missed_item(two_services, student, ends_in=20)

    (candidate,) = preview.candidates
    assert candidate.type == preview_pb2.CANDIDATE_TYPE_LOCAL_REORDER_MAKEUP
    first_free = student.place(1, 1, day_offset=14)
    place = candidate.changes[0].to
    assert (place.week, place.day_of_week) >= (first_free.week, first_free.day_of_week)
    confirmed = (await student.confirm(preview)).preview
    assert confirmed.state == preview_pb2.PREVIEW_STATE_APPLIED


async def test_room_within_a_week_behind_a_far_last_day_is_asked_about(
    two_services: World, student: Student
) -> None:
    preview = await missed_item(two_services, student, ends_in=11)

    assert preview.question.kind == question_pb2.QUESTION_KIND_DELAY_END
    assert not preview.candidates
