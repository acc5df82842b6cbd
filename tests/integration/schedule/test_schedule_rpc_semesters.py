"""Semesters: what may be put, what it does to blocks, which one a date belongs to."""

from datetime import UTC, date, datetime, timedelta

import grpc
import pytest

from smartmate.events.v1 import events_pb2
from smartmate.schedule.v1 import calendar_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as pb
from tests.integration.schedule.people import Person, applied, course, fresh, refused


async def _put(person: Person, **fields: object) -> calendar_pb2.Semester:
    asked = calendar_pb2.Semester(**fields)  # type: ignore[arg-type]
    request = pb.PutSemesterRequest(request_id=fresh(), semester=asked)
    found: calendar_pb2.Semester = (await person.call("PutSemester", request)).semester
    return found


async def test_defaults_are_shanghai_and_twelve_sections(person: Person) -> None:
    semester = await _put(person, first_date="2026-09-07", week_count=20)
    assert semester.time_zone == "Asia/Shanghai"
    assert len(semester.clock.sections) == 12
    assert (semester.clock.lunch_after_section, semester.clock.dinner_after_section) == (4, 8)
    assert semester.clock.sections[4].start_minute_of_day == 14 * 60


async def test_putting_the_same_again_changes_nothing(person: Person) -> None:
    semester = await _put(person, first_date="2026-09-07", week_count=20)
    request = pb.PutSemesterRequest(request_id=fresh(), semester=semester)
    assert (await person.call("PutSemester", request)).semester == semester
    assert await person.told() == []


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"first_date": "2026-09-08", "week_count": 20}, "semester.first_date"),
        ({"first_date": "20260907", "week_count": 20}, "semester.first_date"),
        ({"first_date": "2026-02-30", "week_count": 20}, "semester.first_date"),
        ({"first_date": "1900-01-01", "week_count": 20}, "semester.first_date"),
        ({"first_date": "2026-09-07", "week_count": 31}, "semester.week_count"),
        ({"first_date": "2026-09-07"}, "semester.week_count"),
        (
            {"first_date": "2026-09-07", "week_count": 20, "time_zone": "Mars/Base"},
            "semester.time_zone",
        ),
        (
            {"first_date": "2026-09-07", "week_count": 20, "time_zone": "../../etc/passwd"},
            "semester.time_zone",
        ),
        (
            {"first_date": "2026-09-07", "week_count": 9, "clock": calendar_pb2.SectionClock()},
            "semester.clock.sections",
        ),
        ({"semester_id": -1, "first_date": "2026-09-07"}, "semester.semester_id"),
    ],
)
async def test_a_misshapen_semester_is_refused_with_its_field(
    person: Person, fields: dict[str, object], field: str
) -> None:
    error = await refused(_put(person, **fields))
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    assert [violation.field for violation in error.violations] == [field]


@pytest.mark.parametrize(
    ("first_date", "weeks"),
    [("2026-09-07", 1), ("2026-08-03", 6), ("2027-01-18", 2), ("2026-07-06", 30)],
)
async def test_semesters_never_overlap(person: Person, first_date: str, weeks: int) -> None:
    kept = await _put(person, first_date="2026-09-07", week_count=20)
    error = await refused(_put(person, first_date=first_date, week_count=weeks))
    assert (error.code, error.reason) == (
        grpc.StatusCode.FAILED_PRECONDITION,
        "semester_overlap",
    )
    assert error.metadata["semester_id"] == str(kept.semester_id)


async def test_neighbouring_semesters_are_no_overlap(person: Person) -> None:
    await _put(person, first_date="2026-09-07", week_count=20)
    await _put(person, first_date="2027-01-25", week_count=5)
    await _put(person, first_date="2026-08-31", week_count=1)


async def test_another_users_semester_is_not_found(student: Person) -> None:
    person = student.backend.someone()
    semester = calendar_pb2.Semester()
    semester.CopyFrom(student.semester)
    error = await refused(
        person.call("PutSemester", pb.PutSemesterRequest(request_id=fresh(), semester=semester))
    )
    assert (error.code, error.reason) == (grpc.StatusCode.NOT_FOUND, "semester_not_found")


async def test_a_new_clock_rewrites_the_instants_of_every_block(student: Person) -> None:
    await student.import_rows(course("高等数学", 1, "1-2", "1-16周"))
    task = await student.add_task()
    assert applied(await student.apply(student.add(task, student.place(9))))
    before = await student.week_of(student.week)
    asked = calendar_pb2.Semester()
    asked.CopyFrom(student.semester)
    for section in asked.clock.sections:
        section.start_minute_of_day += 5
        section.end_minute_of_day += 5
    semester = (
        await student.call("PutSemester", pb.PutSemesterRequest(request_id=fresh(), semester=asked))
    ).semester
    after = await student.week_of(student.week)
    assert semester.version > student.semester.version
    for old, new in zip(before.events, after.events, strict=True):
        assert new.start_time.seconds - old.start_time.seconds == 300
        assert new.end_time.seconds - old.end_time.seconds == 300
        assert (new.event_id, new.place) == (old.event_id, old.place)
        assert new.placement_version == old.placement_version
    told = (await student.told_of(events_pb2.ScheduleChanged))[-1]
    assert told.cause == events_pb2.SCHEDULE_CHANGE_CAUSE_SEMESTER
    assert len(told.events) == 17


async def test_a_later_first_day_moves_every_date(student: Person) -> None:
    await student.import_rows(course("高等数学", 1, "1-2", "1-16周"))
    before = await student.week_of(5)
    asked = calendar_pb2.Semester()
    asked.CopyFrom(student.semester)
    first = date.fromisoformat(asked.first_date) + timedelta(days=7)
    asked.first_date = first.isoformat()
    await student.call("PutSemester", pb.PutSemesterRequest(request_id=fresh(), semester=asked))
    after = await student.week_of(5)
    shift = after.events[0].start_time.seconds - before.events[0].start_time.seconds
    assert shift == 7 * 24 * 3600
    assert after.dates[0] == (first + timedelta(weeks=4)).isoformat()


@pytest.mark.parametrize("change", ["weeks", "sections"])
async def test_blocks_never_fall_outside(student: Person, change: str) -> None:
    await student.import_rows(course("高等数学", 1, "11-12", "1-16周"))
    asked = calendar_pb2.Semester()
    asked.CopyFrom(student.semester)
    if change == "weeks":
        asked.week_count = 15
    else:
        del asked.clock.sections[11]
    error = await refused(
        student.call("PutSemester", pb.PutSemesterRequest(request_id=fresh(), semester=asked))
    )
    assert (error.code, error.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "semester_in_use")
    assert (await student.call("GetSemester", pb.GetSemesterRequest())).semester == student.semester


async def test_a_date_finds_its_semester_else_the_next_else_the_last(person: Person) -> None:
    error = await refused(person.call("GetSemester", pb.GetSemesterRequest()))
    assert (error.code, error.reason) == (grpc.StatusCode.NOT_FOUND, "semester_not_found")
    autumn = await _put(person, first_date="2026-09-07", week_count=20)
    spring = await _put(person, first_date="2027-03-01", week_count=18)
    for on, expected in (
        ("2026-09-06", autumn),
        ("2026-09-07", autumn),
        ("2027-01-24", autumn),
        ("2027-01-25", spring),
        ("2027-07-04", spring),
        ("2030-01-01", spring),
        ("1970-01-01", autumn),
        ("9999-12-31", spring),
    ):
        found = await person.call("GetSemester", pb.GetSemesterRequest(date=on))
        assert found.semester == expected, on


async def test_weeks_are_counted_from_the_first_monday_and_never_wrap(person: Person) -> None:
    semester = await _put(person, first_date="2026-09-07", week_count=20)
    for on, week in (
        ("2026-09-07", 1),
        ("2026-09-13", 1),
        ("2026-12-28", 17),
        ("2027-01-01", 17),
        ("2027-01-03", 17),
        ("2027-01-04", 18),
        ("2027-01-24", 20),
    ):
        found = await person.call("GetWeek", pb.GetWeekRequest(date=on))
        assert (found.week, on in found.dates) == (week, True), on
    for on, reason in (("2026-09-06", "not_started"), ("2027-01-25", "ended")):
        error = await refused(person.call("GetWeek", pb.GetWeekRequest(date=on)))
        assert (error.code, error.reason) == (grpc.StatusCode.FAILED_PRECONDITION, reason)
        assert error.metadata["semester_id"] == str(semester.semester_id)
        assert error.metadata["first_date"] == "2026-09-07"
        assert error.metadata["last_date"] == "2027-01-24"


async def test_the_current_week_and_day_are_those_of_the_semesters_zone(student: Person) -> None:
    week = await student.call("GetWeek", pb.GetWeekRequest())
    today = await student.call("GetToday", pb.GetTodayRequest())
    assert week.week == today.week == 3
    assert week.today == today.date == student.today.isoformat()
    assert today.day_of_week == student.today.isoweekday()
    assert abs(week.now_time.ToDatetime(UTC) - datetime.now(UTC)) < timedelta(minutes=1)


async def test_a_week_by_number_is_one_of_the_semester(student: Person) -> None:
    person = student.backend.someone()
    current = pb.GetWeekRequest(week_of_semester=pb.WeekOfSemester(week=3))
    assert (await student.call("GetWeek", current)).week == 3
    for week in (0, 21, -1, 2**31 - 1):
        error = await refused(student.week_of(week))
        assert (error.code, error.reason) == (
            grpc.StatusCode.INVALID_ARGUMENT,
            "out_of_semester",
        )
    theirs = pb.WeekOfSemester(semester_id=student.semester.semester_id, week=3)
    error = await refused(person.call("GetWeek", pb.GetWeekRequest(week_of_semester=theirs)))
    assert error.reason == "semester_not_found"


async def test_daylight_saving_never_moves_a_class(person: Person) -> None:
    """In Auckland the clocks go forward on 2026-09-27."""
    person.semester = await _put(
        person, first_date="2026-09-21", week_count=4, time_zone="Pacific/Auckland"
    )
    await person.import_rows(course("高等数学", 1, "1-2", "1-2周"))
    first, second = [(await person.week_of(week)).events[0] for week in (1, 2)]
    assert first.start_time.ToDatetime(UTC) == datetime(2026, 9, 20, 20, tzinfo=UTC)
    assert second.start_time.ToDatetime(UTC) == datetime(2026, 9, 27, 19, tzinfo=UTC)
