"""What plans start from, and the rough build, over gRPC."""

from datetime import timedelta

import grpc
import pytest

from smartmate.schedule.v1 import rough_build_pb2, task_class_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as pb
from tests.integration.schedule.people import Person, applied, course, fresh, refused
from tests.integration.schedule.plans import (
    EVENT,
    ITEM,
    add_class,
    change,
    open_course,
    places,
    standing,
)

SKIP = task_class_pb2.TaskClassSkipReason


def _dates(student: Person, first: int, last: int) -> dict[str, str]:
    return {
        "start_date": (student.today + timedelta(days=first)).isoformat(),
        "end_date": (student.today + timedelta(days=last)).isoformat(),
    }


def _range(student: Person, first: int, last: int) -> pb.DateRange:
    dates = _dates(student, first, last)
    return pb.DateRange(first_date=dates["start_date"], last_date=dates["end_date"])


async def _load(
    student: Person, *ids: int, period: pb.DateRange | None = None
) -> pb.LoadPlanningStateResponse:
    answer: pb.LoadPlanningStateResponse = await student.call(
        "LoadPlanningState", pb.LoadPlanningStateRequest(task_class_ids=ids, period=period)
    )
    return answer


async def _build(
    student: Person, *ids: int, period: pb.DateRange | None = None
) -> pb.RoughBuildResponse:
    answer: pb.RoughBuildResponse = await student.call(
        "RoughBuild", pb.RoughBuildRequest(task_class_ids=ids, period=period)
    )
    return answer


def _skipped(found: pb.LoadPlanningStateResponse | pb.RoughBuildResponse) -> dict[int, str]:
    return {
        one.task_class_id: SKIP.Name(one.reason).removeprefix("TASK_CLASS_SKIP_REASON_").lower()
        for one in found.skipped
    }


async def test_the_state_holds_window_classes_and_everything_that_stands_there(
    student: Person,
) -> None:
    await student.import_rows(course("高等数学", student.today.isoweekday(), "1-2节", "1-20周"))
    task = await student.add_task()
    await student.apply(student.add(task, student.place(5, 6, days=3)))
    await student.apply(student.add(await student.add_task(), student.place(5, 6, days=30)))
    one = await add_class(student, "一", "二", **_dates(student, 0, 5))
    other = await add_class(student, "甲", **_dates(student, 3, 9))
    placed = await student.apply(
        change("place", ITEM, one.items[1].task_item_id, student.place(5, 6, days=25))
    )
    found = await _load(student, other.task_class_id, one.task_class_id)
    assert found.window == _range(student, 0, 9)
    assert found.problem == task_class_pb2.WINDOW_PROBLEM_UNSPECIFIED
    assert [one.name for one in found.events] == ["高等数学", "高数作业", "高等数学"]
    assert [one.event_id for one in found.events_elsewhere] == list(placed.event_ids)
    ids = [one.task_class_id for one in found.task_classes]
    assert ids == sorted(ids)
    assert set(ids) == {one.task_class_id, other.task_class_id}
    assert found.semester == student.semester


async def test_a_period_narrows_the_window(student: Person) -> None:
    one = await add_class(student, "一", **_dates(student, 0, 20))
    found = await _load(student, one.task_class_id, period=_range(student, 2, 4))
    assert found.window == _range(student, 2, 4)
    beyond = await _load(student, one.task_class_id, period=_range(student, 40, 50))
    assert not beyond.HasField("window")
    assert beyond.problem == task_class_pb2.WINDOW_PROBLEM_NO_WINDOW


async def test_classes_with_bad_dates_are_left_out_and_poison_nothing(student: Person) -> None:
    good = await add_class(student, "一", name="好", **_dates(student, 1, 3))
    bare = await add_class(student, "一", name="没有日期")
    far = await add_class(student, "一", name="学期外", **_dates(student, 900, 950))
    found = await _load(student, good.task_class_id, bare.task_class_id, far.task_class_id)
    assert found.window == _range(student, 1, 3)
    assert _skipped(found) == {
        bare.task_class_id: "dates_missing",
        far.task_class_id: "outside_semester",
    }
    alone = await _load(student, bare.task_class_id)
    assert alone.problem == task_class_pb2.WINDOW_PROBLEM_ASK_DATES
    outside = await _load(student, far.task_class_id)
    assert outside.problem == task_class_pb2.WINDOW_PROBLEM_NO_WINDOW


async def test_a_plan_for_the_next_semester_finds_it(person: Person) -> None:
    await person.begin_semester(weeks=4)
    later = pb.PutSemesterRequest(request_id=fresh())
    later.semester.CopyFrom(person.semester)
    later.semester.semester_id = 0
    first = person.today - timedelta(days=person.today.weekday()) + timedelta(days=70)
    later.semester.first_date = first.isoformat()
    stored = (await person.call("PutSemester", later)).semester
    one = await add_class(person, "一", **_dates(person, 75, 90))
    found = await _load(person, one.task_class_id)
    assert found.semester == stored


@pytest.mark.parametrize("method", ["LoadPlanningState", "RoughBuild"])
async def test_what_is_not_the_persons_or_makes_no_sense_is_refused(
    student: Person, method: str
) -> None:
    one = await add_class(student, "一", **_dates(student, 1, 3))
    make = getattr(pb, f"{method}Request")
    stranger = student.backend.someone()
    await stranger.begin_semester()
    for person, ids in ((stranger, [one.task_class_id]), (student, [one.task_class_id, 2**62])):
        error = await refused(person.call(method, make(task_class_ids=ids)))
        assert (error.code, error.reason) == (grpc.StatusCode.NOT_FOUND, "task_class_not_found")
    for request in (
        make(),
        make(task_class_ids=[0]),
        make(task_class_ids=range(1, 52)),
        make(task_class_ids=[1], period=_range(student, 3, 2)),
        make(task_class_ids=[1], period=pb.DateRange()),
    ):
        error = await refused(student.call(method, request))
        assert error.code is grpc.StatusCode.INVALID_ARGUMENT


async def test_a_rough_build_places_all_and_its_changes_are_applied(student: Person) -> None:
    await student.import_rows(
        course("高等数学", student.today.isoweekday(), "1-8节", "1-20周"),
        course("形势与政策", student.today.isoweekday() % 7 + 1, "7-8节", "1-20周"),
    )
    one = await add_class(
        student, "一", "二", "三", "四", total_sections=8, **_dates(student, 0, 9)
    )
    other = await add_class(
        student, "甲", "乙", strategy="PLANNING_STRATEGY_RAPID", **_dates(student, 0, 9)
    )
    before = await standing(student)
    found = await _build(student, one.task_class_id, other.task_class_id)
    assert found.explanation == ""
    assert [list(found.unplaced), list(found.skipped)] == [[], []]
    assert len(found.placements) == len(found.changes) == 6
    assert await standing(student) == before
    lengths = {one.task_class_id: one.item_sections for one in found.classes}
    assert lengths == {one.task_class_id: 2, other.task_class_id: 2}
    verdict = await student.apply(*found.changes, base=found.base)
    assert applied(verdict), verdict
    stored = {one.source.id: one for one in await standing(student) if one.task_class_id}
    assert {id_: one.place for id_, one in stored.items()} == {
        one.task_item_id: one.place for one in found.placements
    }
    for made in (one, other):
        starts = [stored[item.task_item_id].start_time.ToDatetime() for item in made.items]
        assert starts == sorted(starts)
    again = await _build(student, one.task_class_id, other.task_class_id)
    assert list(again.placements) == []


async def test_equal_questions_get_equal_plans(student: Person) -> None:
    made = [await add_class(student, *"一二三四五", **_dates(student, 0, 12)) for _ in range(3)]
    ids = [one.task_class_id for one in made]
    one, other = await _build(student, *ids), await _build(student, *ids[::-1])
    assert list(one.placements) == list(other.placements)


async def test_items_go_into_open_courses_where_the_class_allows_it(student: Person) -> None:
    day = student.today.isoweekday() % 7 + 1
    await student.import_rows(course("形势与政策", day, "1-12节", "1-20周"))
    meeting = (await standing(student))[0]
    await open_course(student, meeting.course_id)
    dates = _dates(student, 1, 1)
    closed = await add_class(student, "一", **dates)
    assert (await _build(student, closed.task_class_id)).explanation != ""
    one = await add_class(student, "一", allow_filler_course=True, **dates)
    found = await _build(student, one.task_class_id)
    (placement,) = found.placements
    assert placement.host_event_id
    assert applied(await student.apply(*found.changes, base=found.base))
    guest = next(one for one in await standing(student) if one.host_event_id)
    assert guest.host_event_id == placement.host_event_id


async def test_what_does_not_fit_is_explained_and_gives_no_changes(student: Person) -> None:
    await student.import_rows(*(course("实验", day, "1-12节", "1-20周") for day in range(1, 8)))
    one = await add_class(student, "一", "二", **_dates(student, 1, 5))
    found = await _build(student, one.task_class_id)
    assert (list(found.placements), list(found.changes), dict(found.base)) == ([], [], {})
    assert [item.content for item in found.unplaced] == ["一", "二"]
    reason = found.unplaced[0]
    assert reason.code == rough_build_pb2.SHORTAGE_CODE_TOO_LONG
    assert (reason.needed_sections, reason.waiting_items) == (2, 2)
    assert [(one.name, one.sections) for one in reason.takers] == [("实验", 60)]
    assert "「一」" in found.explanation


async def test_classes_of_the_person_and_outside_the_period_are_left_out(student: Person) -> None:
    manual = await add_class(student, "一", mode="TASK_CLASS_MODE_MANUAL", **_dates(student, 1, 5))
    late = await add_class(student, "一", **_dates(student, 20, 25))
    bare = await add_class(student, "一")
    good = await add_class(student, "一", **_dates(student, 1, 30))
    ids = [one.task_class_id for one in (manual, late, bare, good)]
    found = await _build(student, *ids, period=_range(student, 4, 6))
    assert _skipped(found) == {
        manual.task_class_id: "manual",
        late.task_class_id: "outside_period",
        bare.task_class_id: "dates_missing",
    }
    (placement,) = found.placements
    allowed = [student.place(1, days=days) for days in (4, 5, 6)]
    assert (placement.place.week, placement.place.day_of_week) in {
        (one.week, one.day_of_week) for one in allowed
    }


async def test_a_rough_build_heeds_overrides_and_its_base_names_them(student: Person) -> None:
    holidays = [student.today + timedelta(days=days) for days in (1, 2)]
    day = holidays[0].isoweekday()
    await student.import_rows(course("实验", day, "1-12节", "1-20周"))
    one = await add_class(student, "一", **_dates(student, 1, 1))
    assert (await _build(student, one.task_class_id)).explanation != ""
    for holiday in holidays:
        await student.call(
            "PutCalendarOverride",
            pb.PutCalendarOverrideRequest(
                request_id=fresh(), override={"date": holiday.isoformat()}
            ),
        )
    found = await _build(student, one.task_class_id)
    assert len(found.changes) == 1
    assert found.base[f"override:{holidays[0].isoformat()}"] != "none"
    assert applied(await student.apply(*found.changes, base=found.base))


async def test_three_hundred_items_are_built_and_applied_in_one_go(student: Person) -> None:
    made = [
        await add_class(
            student,
            *(f"第{n}项" for n in range(100)),
            name=f"第{k}门",
            total_sections=100,
            **_dates(student, 1, 110),
        )
        for k in range(3)
    ]
    found = await _build(student, *(one.task_class_id for one in made))
    assert found.explanation == ""
    verdict = await student.apply(*found.changes, base=found.base)
    assert applied(verdict), verdict.refusals[:3]
    assert len(places(await standing(student))) == 300
    gone = await student.apply(
        *(change("remove", EVENT, id_, change_id=str(id_)) for id_ in verdict.event_ids)
    )
    assert applied(gone)
    assert await standing(student) == []
