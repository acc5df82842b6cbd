"""Study plans over gRPC: classes with ordered items, and what becomes of their blocks."""

import grpc
import pytest

from smartmate.events.v1 import events_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as pb
from smartmate.schedule.v1 import task_class_pb2
from tests.integration.schedule.people import Person, applied, fresh, refused
from tests.integration.schedule.plans import (
    ITEM,
    add_class,
    change,
    get_class,
    make_past,
    put_class,
    standing,
    stated,
)

TASK_CLASS = events_pb2.SCHEDULE_CHANGE_CAUSE_TASK_CLASS


def _again(found: task_class_pb2.TaskClass, **others: object) -> pb.TaskClassInput:
    """A class as it would be stated to leave it as it is."""
    values = {
        "name": found.name,
        "mode": found.mode,
        "strategy": found.strategy,
        "start_date": found.start_date,
        "end_date": found.end_date,
        "total_sections": found.total_sections,
        "allow_filler_course": found.allow_filler_course,
        "excluded_pairs": found.excluded_pairs,
        "excluded_days_of_week": found.excluded_days_of_week,
        "subject_type": found.subject_type,
        "difficulty": found.difficulty,
        "cognitive_intensity": found.cognitive_intensity,
        "items": [
            pb.TaskItemInput(
                task_item_id=one.task_item_id, content=one.content, order=one.order, done=one.done
            )
            for one in found.items
        ],
    } | others
    return pb.TaskClassInput(**values)  # type: ignore[arg-type]


async def _place(student: Person, item_id: int, days: int) -> int:
    verdict = await student.apply(change("place", ITEM, item_id, student.place(5, 6, days=days)))
    assert applied(verdict)
    event_id: int = verdict.event_ids[0]
    return event_id


async def test_a_class_reads_back_with_everything_that_was_stated(person: Person) -> None:
    found = await add_class(
        person,
        "第一章📌",
        "第二章",
        name="线性代数",
        mode="TASK_CLASS_MODE_MANUAL",
        strategy="PLANNING_STRATEGY_RAPID",
        start_date="2026-09-07",
        end_date="2026-12-31",
        total_sections=7,
        allow_filler_course=True,
        excluded_pairs=[6, 1, 6],
        excluded_days_of_week=[7, 6],
        subject_type="SUBJECT_TYPE_QUANTITATIVE",
        difficulty="DIFFICULTY_HIGH",
        cognitive_intensity="COGNITIVE_INTENSITY_MEDIUM",
    )
    assert await get_class(person, found.task_class_id) == found
    assert (found.name, found.total_sections, found.allow_filler_course) == ("线性代数", 7, True)
    assert list(found.excluded_pairs) == [1, 6]
    assert list(found.excluded_days_of_week) == [6, 7]
    assert [(one.content, one.order) for one in found.items] == [("第一章📌", 1), ("第二章", 2)]
    assert found.version == found.placement_version
    assert found.mode == task_class_pb2.TASK_CLASS_MODE_MANUAL


async def test_what_is_left_open_has_its_default(person: Person) -> None:
    found = await add_class(person, "一")
    assert found.mode == task_class_pb2.TASK_CLASS_MODE_AUTO
    assert found.strategy == task_class_pb2.PLANNING_STRATEGY_STEADY
    assert (found.start_date, found.end_date, found.total_sections) == ("", "", 0)
    assert found.subject_type == task_class_pb2.SUBJECT_TYPE_UNSPECIFIED


async def test_orders_that_are_missing_or_doubled_are_repaired_and_reported(
    person: Person,
) -> None:
    items = [
        pb.TaskItemInput(content="甲", order=1),
        pb.TaskItemInput(content="乙", order=1),
        pb.TaskItemInput(content="丙"),
    ]
    answer = await put_class(person, stated(*items))
    found = answer.task_class
    assert [(one.content, one.order) for one in found.items] == [("甲", 1), ("乙", 2), ("丙", 3)]
    repairs = {one.task_item_id: one for one in answer.order_repairs}
    first, second, third = (one.task_item_id for one in found.items)
    assert set(repairs) == {first, second, third}
    assert (repairs[second].given_order, repairs[second].order) == (1, 2)
    assert not repairs[third].HasField("given_order")


async def test_no_order_at_all_is_the_order_of_the_list(person: Person) -> None:
    answer = await put_class(person, stated("丙", "甲", "乙"))
    assert [one.content for one in answer.task_class.items] == ["丙", "甲", "乙"]
    assert list(answer.order_repairs) == []


async def test_orders_that_are_all_there_stay_as_they_are(person: Person) -> None:
    items = [pb.TaskItemInput(content=str(n), order=n) for n in (30, 10, 20)]
    answer = await put_class(person, stated(*items))
    assert [one.order for one in answer.task_class.items] == [10, 20, 30]
    assert list(answer.order_repairs) == []


async def test_putting_the_same_again_changes_nothing(person: Person) -> None:
    found = await add_class(person, "一", "二", total_sections=4)
    answer = await put_class(person, _again(found), class_id=found.task_class_id)
    assert answer.task_class == found
    assert await person.told() == []


async def test_a_name_raises_the_version_alone_and_a_date_the_plan_as_well(
    person: Person,
) -> None:
    found = await add_class(person, "一", "二")
    class_id = found.task_class_id
    renamed = (await put_class(person, _again(found, name="别的"), class_id=class_id)).task_class
    assert renamed.version > found.version
    assert renamed.placement_version == found.placement_version
    dated = _again(renamed, start_date="2026-09-07", end_date="2026-12-31")
    moved = (await put_class(person, dated, class_id=class_id)).task_class
    assert moved.placement_version > renamed.placement_version
    more = _again(moved)
    more.items.add(content="三")
    grown = (await put_class(person, more, class_id=class_id)).task_class
    assert grown.placement_version > moved.placement_version
    assert [one.order for one in grown.items] == [1, 2, 3]


async def test_an_old_version_is_refused(person: Person) -> None:
    found = await add_class(person, "一")
    class_id = found.task_class_id
    await put_class(person, _again(found, name="二"), class_id=class_id, if_version=found.version)
    error = await refused(
        put_class(person, _again(found, name="三"), class_id=class_id, if_version=found.version)
    )
    assert (error.code, error.reason) == (grpc.StatusCode.ABORTED, "version_mismatch")


async def test_items_of_other_classes_are_not_found(person: Person) -> None:
    found, other = await add_class(person, "一"), await add_class(person, "二")
    foreign = pb.TaskItemInput(task_item_id=other.items[0].task_item_id, content="偷来的")
    for class_id in (found.task_class_id, 0):
        error = await refused(put_class(person, stated("一", foreign), class_id=class_id))
        assert (error.code, error.reason) == (grpc.StatusCode.NOT_FOUND, "task_item_not_found")
    stranger = person.backend.someone()
    for call in (
        put_class(stranger, stated("一"), class_id=found.task_class_id),
        get_class(stranger, found.task_class_id),
        stranger.call(
            "DeleteTaskClass",
            pb.DeleteTaskClassRequest(request_id=fresh(), task_class_id=found.task_class_id),
        ),
    ):
        error = await refused(call)
        assert (error.code, error.reason) == (grpc.StatusCode.NOT_FOUND, "task_class_not_found")


@pytest.mark.parametrize(
    ("others", "field"),
    [
        ({"name": ""}, "task_class.name"),
        ({"items": []}, "task_class.items"),
        ({"start_date": "2026-12-31", "end_date": "2026-09-07"}, "task_class.end_date"),
        ({"start_date": "morgen"}, "task_class.start_date"),
        ({"total_sections": -1}, "task_class.total_sections"),
        ({"excluded_pairs": [9]}, "task_class.excluded_pairs"),
        ({"excluded_days_of_week": list(range(1, 8))}, "task_class.excluded_days_of_week"),
        ({"mode": 9}, "task_class.mode"),
        ({"items": [pb.TaskItemInput(content="一", order=0)]}, "task_class.items.order"),
        ({"items": [pb.TaskItemInput(content=" ")]}, "task_class.items.content"),
        (
            {"items": [pb.TaskItemInput(content="一", task_item_id=5)] * 2},
            "task_class.items.task_item_id",
        ),
        ({"items": [pb.TaskItemInput(content="一")] * 301}, "task_class.items"),
    ],
)
async def test_what_makes_no_sense_is_refused(
    person: Person, others: dict[str, object], field: str
) -> None:
    values = {"name": "复习", "items": [pb.TaskItemInput(content="一")]} | others
    error = await refused(put_class(person, pb.TaskClassInput(**values)))  # type: ignore[arg-type]
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    assert [one.field for one in error.violations] == [field]


async def test_blocks_carry_class_and_order_and_are_named_by_their_item(student: Person) -> None:
    found = await add_class(student, "第一章", "第二章")
    event_id = await _place(student, found.items[1].task_item_id, 1)
    (event,) = await standing(student)
    assert (event.task_class_id, event.task_order) == (found.task_class_id, 2)
    assert (event.name, event.source.kind) == ("第二章", ITEM)
    read = await get_class(student, found.task_class_id)
    assert [list(one.event_ids) for one in read.items] == [[], [event_id]]


async def test_a_new_content_renames_blocks_and_no_plan_minds(student: Person) -> None:
    found = await add_class(student, "第一章", "第二章")
    await _place(student, found.items[0].task_item_id, 1)
    (before,) = await standing(student)
    renamed = _again(found)
    renamed.items[0].content = "第一章（新）"
    await put_class(student, renamed, class_id=found.task_class_id)
    (event,) = await standing(student)
    assert event.name == "第一章（新）"
    assert event.placement_version == before.placement_version
    told = (await student.told_of(events_pb2.ScheduleChanged))[-1]
    assert (told.cause, len(told.events)) == (TASK_CLASS, 1)


async def test_a_new_order_goes_onto_the_blocks(student: Person) -> None:
    found = await add_class(student, "一", "二", "三")
    await _place(student, found.items[0].task_item_id, 1)
    await _place(student, found.items[2].task_item_id, 2)
    swapped = _again(found)
    swapped.items[1].order, swapped.items[2].order = 3, 2
    answer = await put_class(student, swapped, class_id=found.task_class_id)
    assert [one.content for one in answer.task_class.items] == ["一", "三", "二"]
    assert [one.task_order for one in await standing(student)] == [1, 2]
    told = (await student.told_of(events_pb2.ScheduleChanged))[-1]
    assert len(told.events) == 1


async def test_an_order_that_blocks_stand_against_is_refused(student: Person) -> None:
    found = await add_class(student, "一", "二", "三")
    await _place(student, found.items[0].task_item_id, 1)
    event_id = await _place(student, found.items[2].task_item_id, 2)
    against = _again(found)
    against.items[0].order, against.items[2].order = 3, 1
    error = await refused(put_class(student, against, class_id=found.task_class_id))
    assert (error.code, error.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "order_violation")
    named = {error.metadata["task_item_id"], error.metadata["other_task_item_id"]}
    assert named == {str(found.items[n].task_item_id) for n in (0, 2)}
    assert int(error.metadata["event_id"]) <= event_id
    assert (await get_class(student, found.task_class_id)).version == found.version
    assert [one.task_order for one in await standing(student)] == [1, 3]


async def test_history_may_be_reordered(student: Person) -> None:
    found = await add_class(student, "一", "二")
    for number, item in enumerate(found.items):
        await make_past(student, await _place(student, item.task_item_id, 1 + number))
    swapped = _again(found)
    swapped.items[0].order, swapped.items[1].order = 2, 1
    answer = await put_class(student, swapped, class_id=found.task_class_id)
    assert [one.content for one in answer.task_class.items] == ["二", "一"]


async def test_items_that_leave_take_their_blocks_ahead_with_them(student: Person) -> None:
    found = await add_class(student, "一", "二", "三")
    past = await _place(student, found.items[0].task_item_id, 1)
    await make_past(student, past)
    ahead = await _place(student, found.items[1].task_item_id, 2)
    fewer = _again(found)
    del fewer.items[:2]
    answer = await put_class(student, fewer, class_id=found.task_class_id)
    assert list(answer.removed_event_ids) == [ahead]
    assert [one.content for one in answer.task_class.items] == ["三"]
    (event,) = await standing(student)
    assert (event.event_id, event.task_class_id, event.task_order) == (past, 0, 0)


async def test_a_deleted_class_is_gone_with_its_blocks_ahead(student: Person) -> None:
    found = await add_class(student, "一", "二")
    ahead = await _place(student, found.items[0].task_item_id, 1)
    request = pb.DeleteTaskClassRequest(request_id=fresh(), task_class_id=found.task_class_id)
    answers = [await student.call("DeleteTaskClass", request) for _ in range(2)]
    assert [list(one.removed_event_ids) for one in answers] == [[ahead], [ahead]]
    error = await refused(get_class(student, found.task_class_id))
    assert error.reason == "task_class_not_found"
    assert await standing(student) == []
    verdict = await student.apply(
        change("place", ITEM, found.items[1].task_item_id, student.place(5, 6, days=1))
    )
    assert not applied(verdict)


async def test_classes_are_listed_newest_first_page_by_page(person: Person) -> None:
    made = [(await add_class(person, "一", name=f"第{n}门")) for n in range(5)]
    request = pb.ListTaskClassesRequest(page_size=2)
    seen: list[task_class_pb2.TaskClass] = []
    while True:
        page = await person.call("ListTaskClasses", request)
        seen += page.task_classes
        if not page.next_page_token:
            break
        request.page_token = page.next_page_token
    assert seen == made[::-1]


async def test_there_are_only_so_many_classes(person: Person) -> None:
    await person.backend.execute(
        "INSERT INTO users (id) VALUES (:user) ON CONFLICT DO NOTHING", user=person.id
    )
    await person.backend.execute(
        "INSERT INTO task_classes (user_id, name, mode, strategy, allow_filler_course, "
        "excluded_pairs, excluded_days, version, placement_version) "
        "SELECT :user, 'x', 'auto', 'steady', false, '{}', '{}', 1, 1 "
        "FROM generate_series(1, 200)",
        user=person.id,
    )
    error = await refused(add_class(person, "一"))
    assert (error.code, error.reason) == (
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        "too_many_task_classes",
    )
