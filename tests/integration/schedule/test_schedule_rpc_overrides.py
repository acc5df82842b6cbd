"""调休 over gRPC: dates without classes, and dates that run the classes of another day."""

from datetime import date, timedelta

import grpc
import pytest

from smartmate.events.v1 import events_pb2
from smartmate.schedule.v1 import calendar_pb2, schedule_event_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as pb
from tests.integration.schedule.people import Person, applied, codes, course, fresh, refused

CALENDAR = events_pb2.SCHEDULE_CHANGE_CAUSE_CALENDAR
TIMETABLE = (course("高等数学", 2, "1-2节", "4-6周"), course("体育", 6, "1-2节", "5周"))


def date_of(student: Person, week: int, day: int) -> str:
    """The date of a day of the student's semester."""
    first = date.fromisoformat(student.semester.first_date)
    return (first + timedelta(days=7 * (week - 1) + day - 1)).isoformat()


async def put(
    student: Person, week: int, day: int, runs: tuple[int, int] | None
) -> pb.PutCalendarOverrideResponse:
    """Says what happens on a day of the semester."""
    override = calendar_pb2.CalendarOverride(date=date_of(student, week, day))
    if runs:
        override.runs.week, override.runs.day_of_week = runs
    answer: pb.PutCalendarOverrideResponse = await student.call(
        "PutCalendarOverride", pb.PutCalendarOverrideRequest(request_id=fresh(), override=override)
    )
    return answer


async def delete(student: Person, week: int, day: int) -> pb.DeleteCalendarOverrideResponse:
    """Gives a day of the semester its own classes back."""
    answer: pb.DeleteCalendarOverrideResponse = await student.call(
        "DeleteCalendarOverride",
        pb.DeleteCalendarOverrideRequest(request_id=fresh(), date=date_of(student, week, day)),
    )
    return answer


async def standing(student: Person, week: int) -> list[tuple[int, str]]:
    """(day, name) of everything in a week."""
    found = (await student.week_of(week)).events
    return [(one.place.day_of_week, one.name) for one in found]


async def test_a_date_without_classes_is_empty_and_told_of(student: Person) -> None:
    await student.import_rows(*TIMETABLE)
    answer = await put(student, 4, 2, None)
    assert list(answer.events) == []
    assert await standing(student, 4) == []
    assert await standing(student, 5) == [(2, "高等数学"), (6, "体育")]
    told = (await student.told_of(events_pb2.ScheduleChanged))[-1]
    assert told.cause == CALENDAR
    assert [one.removed for one in told.events] == [True]
    week = await student.week_of(4)
    assert list(week.overrides) == [answer.override]
    assert list((await student.week_of(5)).overrides) == []


async def test_a_saturday_runs_the_tuesday_of_another_week(student: Person) -> None:
    await student.import_rows(*TIMETABLE)
    answer = await put(student, 5, 6, (4, 2))
    (event,) = answer.events
    assert (event.name, event.place.week, event.place.day_of_week) == ("高等数学", 5, 6)
    assert await standing(student, 5) == [(2, "高等数学"), (6, "高等数学")]
    assert await standing(student, 4) == [(2, "高等数学")]
    monday = date.fromisoformat(date_of(student, 5, 6))
    assert event.start_time.ToDatetime().date() in (monday, monday - timedelta(days=1))


async def test_saying_the_same_again_changes_nothing(student: Person) -> None:
    await student.import_rows(*TIMETABLE)
    first = await put(student, 5, 6, (4, 2))
    told = len(await student.told())
    assert await put(student, 5, 6, (4, 2)) == first
    assert len(await student.told()) == told
    changed = await put(student, 5, 6, (6, 2))
    assert changed.override.version > first.override.version


async def test_a_deleted_override_gives_the_classes_back(student: Person) -> None:
    await student.import_rows(*TIMETABLE)
    await put(student, 4, 2, None)
    await put(student, 5, 6, (4, 2))
    assert len((await delete(student, 4, 2)).events) == 1
    assert [one.name for one in (await delete(student, 5, 6)).events] == ["体育"]
    assert await standing(student, 5) == [(2, "高等数学"), (6, "体育")]
    error = await refused(delete(student, 5, 6))
    assert (error.code, error.reason) == (grpc.StatusCode.NOT_FOUND, "override_not_found")


async def test_overrides_survive_imports(student: Person) -> None:
    await student.import_rows(*TIMETABLE)
    await put(student, 4, 2, None)
    await put(student, 5, 6, (4, 2))
    for rows in (
        TIMETABLE,
        (course("高等数学", 2, "1-2节", "4-6周", room="B202"), TIMETABLE[1]),
        (course("高等数学", 2, "3-4节", "4-6周", room="B202"), TIMETABLE[1]),
    ):
        await student.import_rows(*rows)
        assert await standing(student, 4) == []
        assert await standing(student, 5) == [(2, "高等数学"), (6, "高等数学")]
    saturday = (await student.week_of(5)).events[1]
    assert (saturday.place.first_section, saturday.location) == (3, "主校区 B202")


async def test_a_deleted_meeting_stays_away_over_imports_and_overrides(student: Person) -> None:
    await student.import_rows(*TIMETABLE)
    meeting = (await student.week_of(5)).events[0]
    await student.call(
        "DeleteEvent", pb.DeleteEventRequest(request_id=fresh(), event_id=meeting.event_id)
    )
    await put(student, 5, 6, (4, 2))
    run = next(one for one in (await student.week_of(5)).events if one.place.day_of_week == 6)
    await student.call(
        "DeleteEvent", pb.DeleteEventRequest(request_id=fresh(), event_id=run.event_id)
    )
    await student.import_rows(course("高等数学", 2, "1-2节", "4-6周", room="B202"), TIMETABLE[1])
    assert await standing(student, 5) == []
    await put(student, 5, 6, (6, 2))
    assert await standing(student, 5) == [(6, "高等数学")]
    await put(student, 5, 6, None)
    await delete(student, 5, 6)
    assert await standing(student, 5) == [(6, "体育")]


async def test_work_in_the_way_refuses_and_nothing_is_written(student: Person) -> None:
    await student.import_rows(*TIMETABLE)
    await put(student, 5, 6, None)
    task = await student.add_task()
    place = student.place(2, 3, week=5, day_of_week=6)
    verdict = await student.apply(student.add(task, place))
    assert applied(verdict)
    for change in (put(student, 5, 6, (4, 2)), delete(student, 5, 6)):
        error = await refused(change)
        assert error.code is grpc.StatusCode.FAILED_PRECONDITION
        assert error.reason == "calendar_collision"
        assert error.metadata["event_ids"] == str(verdict.event_ids[0])
    assert await standing(student, 5) == [(2, "高等数学"), (6, "高数作业")]
    (stored,) = (
        await student.call("ListCalendarOverrides", pb.ListCalendarOverridesRequest())
    ).overrides
    assert not stored.HasField("runs")


async def test_a_class_of_an_overridden_date_is_in_the_way_of_work(student: Person) -> None:
    await student.import_rows(*TIMETABLE)
    await put(student, 4, 2, None)
    await put(student, 5, 6, (4, 2))
    task = await student.add_task()
    change = student.add(task, student.place(2, week=5, day_of_week=6))
    assert codes(await student.apply(change)) == ["slot_conflict"]
    answer = await student.call("CheckChanges", pb.CheckChangesRequest(changes=[change]))
    assert len(answer.refusals) == 1
    freed = student.add(task, student.place(2, week=4, day_of_week=2))
    assert applied(await student.apply(freed))


async def test_the_base_of_a_change_names_the_override_of_its_date(student: Person) -> None:
    task = await student.add_task()
    change = student.add(task, student.place(5, week=5, day_of_week=6))
    base = await student.base_of(change)
    key = f"override:{date_of(student, 5, 6)}"
    assert base[key] == "none"
    stored = (await put(student, 5, 6, (4, 2))).override
    assert (await student.base_of(change))[key] == str(stored.version)
    verdict = await student.apply(change, base=base)
    assert codes(verdict) == ["base_version_changed"]
    (entry,) = verdict.refusals[0].base_entries
    assert (entry.key, entry.expected, entry.actual) == (key, "none", str(stored.version))


async def test_the_base_of_another_date_does_not_mind(student: Person) -> None:
    task = await student.add_task()
    change = student.add(task, student.place(5, week=5, day_of_week=5))
    base = await student.base_of(change)
    await put(student, 5, 6, None)
    assert applied(await student.apply(change, base=base))


async def test_facts_hold_the_overrides_of_their_semesters(student: Person) -> None:
    task = await student.add_task()
    week, day = student.week, student.today.isoweekday()
    stored = [(await put(student, week + ahead, day, None)).override for ahead in (0, 3)]
    facts = await student.call(
        "GetSchedulingFacts",
        pb.GetSchedulingFactsRequest(target={"kind": "TARGET_KIND_TASK_POOL", "id": task.task_id}),
    )
    assert list(facts.overrides) == stored


async def test_overrides_are_listed_by_date(student: Person) -> None:
    for week, day in ((6, 1), (4, 2), (5, 6)):
        await put(student, week, day, None)
    everything = await student.call("ListCalendarOverrides", pb.ListCalendarOverridesRequest())
    dates = [one.date for one in everything.overrides]
    assert dates == [date_of(student, 4, 2), date_of(student, 5, 6), date_of(student, 6, 1)]
    some = await student.call(
        "ListCalendarOverrides",
        pb.ListCalendarOverridesRequest(
            first_date=date_of(student, 5, 1), last_date=date_of(student, 5, 7)
        ),
    )
    assert [one.date for one in some.overrides] == [date_of(student, 5, 6)]
    request = pb.ListCalendarOverridesRequest(page_size=2)
    first = await student.call("ListCalendarOverrides", request)
    request.page_token = first.next_page_token
    second = await student.call("ListCalendarOverrides", request)
    assert [*first.overrides, *second.overrides] == list(everything.overrides)
    assert (len(first.overrides), second.next_page_token) == (2, "")
    error = await refused(
        student.call(
            "ListCalendarOverrides",
            pb.ListCalendarOverridesRequest(first_date="2026-01-01", last_date="2025-01-01"),
        )
    )
    assert error.reason == "range_unusable"


async def test_what_no_semester_holds_is_refused(student: Person) -> None:
    override = calendar_pb2.CalendarOverride(date="1999-01-01")
    request = pb.PutCalendarOverrideRequest(request_id=fresh(), override=override)
    error = await refused(student.call("PutCalendarOverride", request))
    assert (error.code, error.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "not_started")
    error = await refused(put(student, 4, 2, (21, 1)))
    assert (error.code, error.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "out_of_semester")


@pytest.mark.parametrize("runs", [(0, 1), (31, 1), (1, 0), (1, 8)])
async def test_a_day_that_cannot_be_is_refused(student: Person, runs: tuple[int, int]) -> None:
    error = await refused(put(student, 4, 2, runs))
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT


async def test_another_users_calendar_stays_its_own(student: Person) -> None:
    other = student.backend.someone()
    await other.begin_semester()
    await other.import_rows(*TIMETABLE)
    await put(student, 4, 2, None)
    assert await standing(other, 4) == [(2, "高等数学")]
    assert not (
        await other.call("ListCalendarOverrides", pb.ListCalendarOverridesRequest())
    ).overrides


async def test_a_semester_that_starts_a_week_later_keeps_the_date_of_an_override(
    student: Person,
) -> None:
    await student.import_rows(course("高等数学", 2, "1-2节", "4-7周"))
    await put(student, 5, 2, None)
    later = calendar_pb2.Semester()
    later.CopyFrom(student.semester)
    first = date.fromisoformat(student.semester.first_date) + timedelta(days=7)
    later.first_date = first.isoformat()
    await student.call("PutSemester", pb.PutSemesterRequest(request_id=fresh(), semester=later))
    found: list[schedule_event_pb2.ScheduleEvent] = []
    for week in range(4, 8):
        found += (await student.week_of(week)).events
    assert [one.place.week for one in found] == [5, 6, 7]
