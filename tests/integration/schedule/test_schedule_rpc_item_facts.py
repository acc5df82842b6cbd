"""GetSchedulingFacts for items of a class and for blocks: what feedback starts from."""

from datetime import UTC, date, datetime, timedelta

import grpc

from smartmate.schedule.v1 import change_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as pb
from tests.integration.schedule.people import Person, applied, course, refused
from tests.integration.schedule.plans import (
    EVENT,
    ITEM,
    POOL,
    add_class,
    change,
    make_past,
    put_class,
    standing,
    stated,
)


async def _facts(
    student: Person, kind: change_pb2.TargetKind, id_: int
) -> pb.GetSchedulingFactsResponse:
    answer: pb.GetSchedulingFactsResponse = await student.call(
        "GetSchedulingFacts",
        pb.GetSchedulingFactsRequest(target=change_pb2.Target(kind=kind, id=id_)),
    )
    return answer


async def test_an_item_comes_with_its_class_and_all_that_is_placed_of_it(student: Person) -> None:
    end = student.today + timedelta(days=30)
    found = await add_class(
        student,
        "第一章",
        "第二章",
        "第三章",
        start_date=student.today.isoformat(),
        end_date=end.isoformat(),
        total_sections=7,
    )
    for n, days in ((0, 1), (2, 20)):
        item = found.items[n].task_item_id
        placed = await student.apply(change("place", ITEM, item, student.place(5, 6, days=days)))
        assert applied(placed)
    item = found.items[1].task_item_id
    facts = await _facts(student, ITEM, item)
    target = facts.target
    assert (target.target.kind, target.target.id, target.title) == (ITEM, item, "第二章")
    assert (target.task_class_id, target.task_order) == (found.task_class_id, 2)
    assert (target.estimated_sections, target.done, target.quadrant) == (2, False, 0)
    assert [one.name for one in facts.class_events] == ["第一章", "第三章"]
    assert [one.task_item_id for one in facts.task_class.items] == [
        one.task_item_id for one in found.items
    ]
    assert facts.task_class.placement_version == found.placement_version
    assert list(facts.target_events) == []
    assert not facts.HasField("asked_event")
    due = target.deadline_time.ToDatetime(UTC)
    ends = datetime.combine(end + timedelta(days=1), datetime.min.time(), tzinfo=UTC)
    assert abs(due - ends) <= timedelta(hours=14)


async def test_a_class_without_an_end_has_no_deadline(student: Person) -> None:
    found = await add_class(student, "一")
    facts = await _facts(student, ITEM, found.items[0].task_item_id)
    assert not facts.target.HasField("deadline_time")
    assert facts.target.estimated_sections == 2


async def test_a_block_is_asked_about_as_what_it_was_placed_for(student: Person) -> None:
    task = await student.add_task("高数作业")
    verdict = await student.apply(student.add(task, student.place(5, 6, days=1)))
    event_id = verdict.event_ids[0]
    await make_past(student, event_id)
    facts = await _facts(student, EVENT, event_id)
    assert (facts.target.target.kind, facts.target.target.id) == (POOL, task.task_id)
    assert facts.asked_event.event_id == event_id
    assert [one.event_id for one in facts.target_events] == [event_id]
    assert not facts.HasField("task_class")
    found = await add_class(student, "一")
    verdict = await student.apply(
        change("place", ITEM, found.items[0].task_item_id, student.place(5, 6, days=1))
    )
    facts = await _facts(student, EVENT, verdict.event_ids[0])
    assert facts.target.target.id == found.items[0].task_item_id
    assert facts.task_class.task_class_id == found.task_class_id


async def test_the_next_work_comes_with_all_that_a_shared_block_is_judged_by(
    student: Person,
) -> None:
    found = await add_class(student, "一", "二", name="复习线代")
    item, mate = (one.task_item_id for one in found.items)
    own = await student.apply(change("place", ITEM, item, student.place(1, 2)))
    task = await student.add_task("英语听力")
    verdict = await student.apply(student.add(task, student.place(5, 6)))
    await student.apply(change("place", ITEM, mate, student.place(9, 10)))

    beside = (await _facts(student, EVENT, own.event_ids[0])).next_dynamic_task
    assert beside.event.event_id == verdict.event_ids[0]
    assert (beside.target.target.kind, beside.target.target.id) == (POOL, task.task_id)
    assert beside.target.placement_version == task.placement_version
    assert [one.event_id for one in beside.events] == list(verdict.event_ids)
    assert not beside.HasField("task_class")

    # Behind the block that is asked about comes an item of its own class.
    await student.call(
        "RevokeEvent", pb.RevokeEventRequest(request_id="r", event_id=verdict.event_ids[0])
    )
    beside = (await _facts(student, EVENT, own.event_ids[0])).next_dynamic_task
    assert (beside.target.target.kind, beside.target.target.id) == (ITEM, mate)
    assert beside.task_class.task_class_id == found.task_class_id
    assert {one.name for one in beside.events} == {"一", "二"}

    # What is next is the item itself, and a task of the pool shares with nobody.
    assert not (await _facts(student, ITEM, item)).HasField("next_dynamic_task")
    assert not (await _facts(student, POOL, task.task_id)).HasField("next_dynamic_task")


async def test_what_is_done_is_not_the_next_work(student: Person) -> None:
    found = await add_class(student, "一", "二", name="复习线代")
    item, mate = (one.task_item_id for one in found.items)
    own = await student.apply(change("place", ITEM, item, student.place(1, 2)))
    done = await student.add_task("英语听力")
    await student.apply(student.add(done, student.place(5, 6)))
    await student.apply(change("place", ITEM, mate, student.place(7, 8)))
    open_ = await student.add_task("高数作业")
    last = await student.apply(student.add(open_, student.place(9, 10)))
    ask = (student, EVENT, own.event_ids[0])

    await student.call("CompleteTask", pb.CompleteTaskRequest(request_id="c", task_id=done.task_id))
    beside = (await _facts(*ask)).next_dynamic_task
    assert (beside.target.target.kind, beside.target.target.id) == (ITEM, mate)

    finished = stated(
        pb.TaskItemInput(task_item_id=item, content="一"),
        pb.TaskItemInput(task_item_id=mate, content="二", done=True),
    )
    await put_class(student, finished, class_id=found.task_class_id)
    beside = (await _facts(*ask)).next_dynamic_task
    assert beside.event.event_id == last.event_ids[0]


async def test_the_facts_give_the_base_that_an_apply_compares_with(student: Person) -> None:
    found = await add_class(student, "一", "二")
    verdict = await student.apply(
        change("place", ITEM, found.items[0].task_item_id, student.place(5, 6, days=1))
    )
    facts = await _facts(student, EVENT, verdict.event_ids[0])
    move = change("move", EVENT, verdict.event_ids[0], student.place(9, 10, days=1))
    base = await student.base_of(move)
    item = f"task_item:{found.items[0].task_item_id}"
    assert base[item] == str(facts.target.placement_version)
    assert base[f"target_events:{item}"] == str(verdict.event_ids[0])
    assert base[f"task_class:{found.task_class_id}"] == str(facts.task_class.placement_version)
    assert base[f"schedule_event:{verdict.event_ids[0]}"] == str(
        facts.asked_event.placement_version
    )


async def test_meetings_of_courses_and_what_is_a_strangers_are_not_found(student: Person) -> None:
    await student.import_rows(course("高等数学", 2, "1-2节", "1-20周"))
    meeting = (await standing(student))[0]
    found = await add_class(student, "一")
    task = await student.add_task()
    verdict = await student.apply(student.add(task, student.place(5, 6, days=1)))
    stranger = student.backend.someone()
    for person, kind, id_ in (
        (student, EVENT, meeting.event_id),
        (student, EVENT, 2**62),
        (student, ITEM, 2**62),
        (stranger, ITEM, found.items[0].task_item_id),
        (stranger, EVENT, verdict.event_ids[0]),
    ):
        error = await refused(_facts(person, kind, id_))
        assert (error.code, error.reason) == (grpc.StatusCode.NOT_FOUND, "target_not_found")


async def test_overrides_of_every_semester_that_a_block_touches_are_there(
    student: Person,
) -> None:
    far = student.today + timedelta(days=70)
    await student.call(
        "PutCalendarOverride",
        pb.PutCalendarOverrideRequest(request_id="far", override={"date": far.isoformat()}),
    )
    task = await student.add_task()
    facts = await _facts(student, POOL, task.task_id)
    assert [date.fromisoformat(one.date) for one in facts.overrides] == [far]
