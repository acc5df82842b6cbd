"""Importing timetables: the difference is written once, in one transaction."""

import json
from typing import Any

import grpc
import pytest

from services.schedule.domain import errors
from services.schedule.handlers import timetables
from smartmate.events.v1 import events_pb2
from smartmate.schedule.v1 import calendar_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as pb
from smartmate.schedule.v1 import timetable_pb2 as timetable
from tests.integration.schedule.people import Person, applied, course, fresh, refused
from tests.integration.schedule.test_schedule_rpc_overrides import put, standing
from tests.unit.schedule.timetable.wakeup_samples import TABLE, detail, wakeup

MATHS = course("高等数学", 1, "1-2", "1-16周")
POLICY = course("形势与政策", 3, "7-8", "9-16周")


def _request(person: Person, document: bytes, **others: Any) -> pb.ImportTimetableRequest:
    values: dict[str, Any] = {
        "request_id": fresh(),
        "semester_id": person.semester.semester_id,
        "format": timetable.TIMETABLE_FORMAT_ZHENGFANG_JSON,
        "document": document,
    }
    return pb.ImportTimetableRequest(**(values | others))


async def _meetings(person: Person) -> dict[tuple[str, int], dict[str, Any]]:
    rows = await person.backend.rows(
        """
        SELECT e.*, (SELECT array_agg(section ORDER BY section) FROM schedules s
            WHERE s.user_id = e.user_id AND s.event_id = e.id) AS sections
        FROM schedule_events e WHERE user_id = :id AND type = 'course' AND live
        """,
        id=person.id,
    )
    return {(row["name"], row["week"]): row for row in rows}


async def _courses(person: Person) -> list[str]:
    rows = await person.backend.rows(
        "SELECT name FROM courses WHERE user_id = :id ORDER BY id", id=person.id
    )
    return [row["name"] for row in rows]


async def test_every_course_becomes_a_meeting_a_week(student: Person) -> None:
    report = await student.import_rows(MATHS, POLICY)
    assert report.written
    assert report.meeting_count == 24
    assert [row.name for row in report.diff.added] == ["高等数学", "形势与政策"]
    assert report.diff.row_count == 2
    meetings = await _meetings(student)
    assert len(meetings) == 24
    assert all(row["sections"] in ([1, 2], [7, 8]) for row in meetings.values())
    (event,) = await student.told()
    assert event.cause == events_pb2.SCHEDULE_CHANGE_CAUSE_IMPORT
    assert {one.event_id for one in event.events} == {row["id"] for row in meetings.values()}
    assert {one.version for one in event.events} == {row["version"] for row in meetings.values()}
    week = await student.week_of(9)
    assert [(one.name, one.location, one.teacher) for one in week.events] == [
        ("高等数学", "主校区 A101", "王老师"),
        ("形势与政策", "主校区 A101", "王老师"),
    ]


async def test_a_dry_run_writes_nothing_and_needs_no_request_id(student: Person) -> None:
    document = json.dumps({"kbList": [MATHS]}).encode()
    report = await student.call(
        "ImportTimetable", _request(student, document, request_id="", dry_run=True)
    )
    assert (report.written, report.meeting_count, len(report.diff.added)) == (False, 0, 1)
    assert await _meetings(student) == {}
    assert await student.told() == []
    error = await refused(
        student.call("ImportTimetable", _request(student, document, request_id=""))
    )
    assert error.violations[0].field == "request_id"


async def test_the_same_file_again_changes_nothing_and_says_nothing(student: Person) -> None:
    await student.import_rows(MATHS, POLICY)
    before = await _meetings(student)
    report = await student.import_rows(POLICY, MATHS)
    assert report.diff.unchanged_count == 2
    diff = report.diff
    assert [list(diff.added), list(diff.changed), list(diff.removed)] == [[], [], []]
    assert await _meetings(student) == before
    assert len(await student.told()) == 1


async def test_a_renamed_course_keeps_its_events_and_placement_versions(student: Person) -> None:
    await student.import_rows(MATHS, POLICY)
    before = await _meetings(student)
    report = await student.import_rows(MATHS | {"kcmc": "高等数学A", "xm": "李老师"}, POLICY)
    assert [(one.before.name, one.after.name) for one in report.diff.changed] == [
        ("高等数学", "高等数学A")
    ]
    after = await _meetings(student)
    for week in range(1, 17):
        old, new = before["高等数学", week], after["高等数学A", week]
        assert (new["id"], new["placement_version"]) == (old["id"], old["placement_version"])
        assert new["version"] > old["version"]
        assert new["teacher"] == "李老师"
    assert after["形势与政策", 9] == before["形势与政策", 9]
    told = await student.told()
    assert len(told[-1].events) == 16


async def test_a_moved_course_keeps_its_events_and_frees_what_it_left(student: Person) -> None:
    await student.import_rows(MATHS)
    before = await _meetings(student)
    await student.import_rows(MATHS | {"xqj": "2", "jcs": "3-4", "zcd": "2-17周"})
    after = await _meetings(student)
    assert sorted(week for _, week in after) == list(range(2, 18))
    for week in range(2, 17):
        old, new = before["高等数学", week], after["高等数学", week]
        assert new["id"] == old["id"]
        assert new["placement_version"] > old["placement_version"]
        assert (new["day_of_week"], new["sections"]) == (2, [3, 4])
    told = (await student.told())[-1].events
    assert [one.place.week for one in told if one.removed] == [1]
    assert len(told) == 17


async def test_two_courses_may_change_places(student: Person) -> None:
    one, other = course("甲", 2, "1-2", "1-16周"), course("乙", 2, "3-4", "1-16周")
    await student.import_rows(one, other)
    report = await student.import_rows(one | {"jcs": "3-4"}, other | {"jcs": "1-2"})
    assert not report.diff.conflicts
    week = await student.week_of(3)
    assert [event.name for event in week.events] == ["乙", "甲"]


async def test_a_course_that_the_file_lacks_leaves_in_all_its_weeks(student: Person) -> None:
    await student.import_rows(MATHS, POLICY)
    report = await student.import_rows(POLICY)
    assert [row.name for row in report.diff.removed] == ["高等数学"]
    assert report.meeting_count == 8
    assert await _courses(student) == ["形势与政策"]
    assert {name for name, _ in await _meetings(student)} == {"形势与政策"}
    told = (await student.told())[-1].events
    assert len(told) == 16
    assert all(one.removed for one in told)


async def test_odd_and_even_weeks_share_a_cell(student: Person) -> None:
    report = await student.import_rows(
        course("单", 4, "1-2", "1-16周(单)"), course("双", 4, "1-2", "1-16周(双)")
    )
    assert not report.diff.conflicts
    assert [event.name for event in (await student.week_of(13)).events] == ["单"]
    assert [event.name for event in (await student.week_of(14)).events] == ["双"]


async def _task_at(student: Person, title: str, section: int) -> tuple[int, int]:
    """A task with a block of today: (task, block)."""
    task = await student.add_task(title)
    verdict = await student.apply(student.add(task, student.place(section)))
    assert applied(verdict)
    return task.task_id, verdict.event_ids[0]


async def _names(student: Person, week: int) -> list[str]:
    return [event.name for event in (await student.week_of(week)).events]


async def test_a_meeting_gives_way_to_a_block_of_work_and_the_others_are_written(
    student: Person,
) -> None:
    _, block = await _task_at(student, "复习", 9)
    day = student.today.isoweekday()
    report = await student.import_rows(course("晚课", day, "9-10", "1-16周"))
    (conflict,) = report.diff.conflicts
    assert (conflict.line, conflict.name, conflict.other_name) == (1, "晚课", "复习")
    assert (conflict.event_id, conflict.other_line, conflict.course_id) == (block, 0, 0)
    assert (list(conflict.weeks), conflict.day_of_week) == ([student.week], day)
    assert (conflict.section, conflict.last_section) == (9, 9)
    assert conflict.can_give_way
    assert not conflict.was_skipped
    (added,) = report.diff.added
    assert list(added.skipped_weeks) == [student.week]
    assert list(report.diff.displaced) == []
    assert report.meeting_count == 15
    assert await _names(student, student.week) == ["复习"]
    assert await _names(student, student.week + 1) == ["晚课"]


async def test_a_skipped_meeting_stays_away_as_long_as_the_work_stays(student: Person) -> None:
    _, block = await _task_at(student, "复习", 9)
    rows = course("晚课", student.today.isoweekday(), "9-10", "1-16周")
    await student.import_rows(rows)
    again = await student.import_rows(rows)
    assert again.diff.changes_nothing
    assert [one.was_skipped for one in again.diff.conflicts] == [True]
    assert len(await student.told_of(events_pb2.ScheduleChanged)) == 2
    await student.call("DeleteEvent", pb.DeleteEventRequest(request_id=fresh(), event_id=block))
    report = await student.import_rows(rows)
    (change,) = report.diff.changed
    assert list(change.fields) == [timetable.COURSE_FIELD_WEEKS]
    assert (list(change.before.skipped_weeks), list(change.after.skipped_weeks)) == (
        [student.week],
        [],
    )
    assert await _names(student, student.week) == ["晚课"]
    assert (await student.import_rows(rows)).diff.changes_nothing


async def test_work_gives_way_where_the_person_chose_it_and_waits_to_be_placed_again(
    student: Person,
) -> None:
    task_id, block = await _task_at(student, "复习", 9)
    document = json.dumps(
        {"kbList": [course("晚课", student.today.isoweekday(), "9-10", "1-16周")]}
    ).encode()
    seen = await student.call("ImportTimetable", _request(student, document, dry_run=True))
    chosen = _request(
        student, document, displaced_event_ids=[block], base_version=seen.base_version
    )
    dry = pb.ImportTimetableRequest()
    dry.CopyFrom(chosen)
    dry.dry_run = True
    told = await student.call("ImportTimetable", dry)
    assert told.base_version == seen.base_version
    assert await _names(student, student.week) == ["复习"]

    report = await student.call("ImportTimetable", chosen)
    (lost,) = report.diff.displaced
    assert (lost.event_id, lost.name) == (block, "复习")
    assert (lost.place.week, lost.place.first_section, lost.place.last_section) == (
        student.week,
        9,
        9,
    )
    assert report.diff.displaced == told.diff.displaced
    assert report.meeting_count == 16
    assert await _names(student, student.week) == ["晚课"]
    changed = (await student.told_of(events_pb2.ScheduleChanged))[-1]
    assert [one.event_id for one in changed.events if one.removed] == [block]
    assert (await student.told_of(events_pb2.TaskChanged))[-1].task_id == task_id
    verdict = await student.apply(student.add(task_id, student.place(11)))
    assert applied(verdict)


async def test_work_that_has_begun_stays_whatever_was_chosen(student: Person) -> None:
    _, block = await _task_at(student, "复习", 9)
    await student.backend.execute(
        "UPDATE schedule_events SET start_time = clock_timestamp() - interval '1 minute' "
        "WHERE user_id = :user AND id = :id",
        user=student.id,
        id=block,
    )
    document = json.dumps(
        {"kbList": [course("晚课", student.today.isoweekday(), "9-10", "1-16周")]}
    ).encode()
    report = await student.call(
        "ImportTimetable", _request(student, document, displaced_event_ids=[block, 2**40])
    )
    assert [one.can_give_way for one in report.diff.conflicts] == [False]
    assert list(report.diff.displaced) == []
    assert await _names(student, student.week) == ["复习"]


async def test_a_guest_that_loses_its_host_is_told_and_waits_to_be_placed_again(
    student: Person,
) -> None:
    day = student.today.isoweekday()
    await student.import_rows(course("形势与政策", day, "7-8", "1-16周"), MATHS | {"xqj": "7"})
    host = next(
        one for one in (await student.week_of(student.week)).events if one.name == "形势与政策"
    )
    await student.call(
        "SetCourseEmbedding",
        pb.SetCourseEmbeddingRequest(
            request_id=fresh(), course_id=host.course_id, can_be_embedded=True
        ),
    )
    task_id, block = await _task_at(student, "背单词", 10)
    inside = {"user": student.id, "block": block, "host": host.event_id}
    for statement in (
        "UPDATE schedule_events SET first_section = 7, last_section = 7, host_event_id = :host "
        "WHERE user_id = :user AND id = :block",
        "UPDATE schedules SET section = 7, host_event_id = :host "
        "WHERE user_id = :user AND event_id = :block",
    ):
        await student.backend.execute(statement, **inside)
    report = await student.import_rows(MATHS | {"xqj": "7"})
    (lost,) = report.diff.unhosted
    assert (lost.event_id, lost.name, lost.place.first_section) == (block, "背单词", 7)
    assert [row.can_be_embedded for row in report.diff.removed] == [True]
    assert (await student.told_of(events_pb2.TaskChanged))[-1].task_id == task_id
    assert "背单词" not in await _names(student, student.week)


async def test_an_open_course_stays_open_in_every_week_it_gains(student: Person) -> None:
    await student.import_rows(POLICY)
    meeting = (await student.week_of(9)).events[0]
    await student.call(
        "SetCourseEmbedding",
        pb.SetCourseEmbeddingRequest(
            request_id=fresh(), course_id=meeting.course_id, can_be_embedded=True
        ),
    )
    report = await student.import_rows(POLICY | {"zcd": "8-16周", "cdmc": "B202"})
    (change,) = report.diff.changed
    assert (change.before.can_be_embedded, change.after.can_be_embedded) == (True, True)
    assert list(change.fields) == [timetable.COURSE_FIELD_LOCATION, timetable.COURSE_FIELD_WEEKS]
    for week in (8, 9):
        assert [one.can_be_embedded for one in (await student.week_of(week)).events] == [True]


async def test_a_deleted_meeting_stays_away_over_imports(student: Person) -> None:
    await student.import_rows(MATHS)
    meeting = (await student.week_of(9)).events[0]
    await student.call(
        "DeleteEvent", pb.DeleteEventRequest(request_id=fresh(), event_id=meeting.event_id)
    )
    assert (await student.import_rows(MATHS)).diff.changes_nothing
    report = await student.import_rows(MATHS | {"xqj": "2", "cdmc": "B202"})
    assert list(report.diff.changed[0].after.skipped_weeks) == [9]
    assert report.meeting_count == 15
    assert await _names(student, 9) == []


@pytest.mark.parametrize("gives_way", [False, True])
async def test_work_on_a_day_that_runs_another_one_stops_that_meeting_or_gives_way(
    student: Person, gives_way: bool
) -> None:
    await put(student, 5, 6, (4, 2))
    await put(student, 4, 2, None)
    task = await student.add_task("复习")
    verdict = await student.apply(student.add(task, student.place(1, week=5, day_of_week=6)))
    assert applied(verdict)
    (block,) = verdict.event_ids
    document = json.dumps({"kbList": [course("英语", 2, "1-2", "3-5周")]}).encode()
    chosen = [block] if gives_way else []
    report = await student.call(
        "ImportTimetable", _request(student, document, displaced_event_ids=chosen)
    )
    (conflict,) = report.diff.conflicts
    assert (list(conflict.weeks), conflict.day_of_week, conflict.event_id) == ([5], 6, block)
    assert [one.event_id for one in report.diff.displaced] == chosen
    assert await standing(student, 3) == [(2, "英语")]
    assert await standing(student, 4) == []
    assert await standing(student, 5) == [(2, "英语"), (6, "英语" if gives_way else "复习")]
    again = await student.call("ImportTimetable", _request(student, document))
    assert again.diff.changes_nothing


async def test_what_came_in_since_the_dry_run_stops_the_write(student: Person) -> None:
    day = student.today.isoweekday()
    document = json.dumps({"kbList": [course("晚课", day, "9-10", "1-16周")]}).encode()
    seen = await student.call("ImportTimetable", _request(student, document, dry_run=True))
    await _task_at(student, "别处", 11)
    same = await student.call("ImportTimetable", _request(student, document, dry_run=True))
    assert same.base_version == seen.base_version
    await _task_at(student, "复习", 9)
    request = _request(student, document, base_version=seen.base_version)
    error = await refused(student.call("ImportTimetable", request))
    assert (error.code, error.reason) == (grpc.StatusCode.ABORTED, "base_version_changed")
    assert await _courses(student) == []
    now = await student.call("ImportTimetable", _request(student, document, dry_run=True))
    assert error.metadata["actual_version"] == now.base_version != seen.base_version
    request = _request(student, document, base_version=now.base_version)
    assert (await student.call("ImportTimetable", request)).written


async def test_another_file_is_not_what_the_person_saw(student: Person) -> None:
    documents = [json.dumps({"kbList": [row]}).encode() for row in (MATHS, POLICY)]
    seen = await student.call("ImportTimetable", _request(student, documents[0], dry_run=True))
    request = _request(student, documents[1], base_version=seen.base_version)
    assert (await refused(student.call("ImportTimetable", request))).reason == (
        "base_version_changed"
    )


async def test_a_file_of_wakeup_says_the_same_as_the_schools_own(student: Person) -> None:
    text = wakeup(
        detail(id=1, day=1, startNode=1, step=2, teacher="王老师", room="主校区 A101"),
        detail(id=9),
        table={**TABLE, "startDate": student.semester.first_date, "maxWeek": 18},
        courses=[{"id": 1, "courseName": "高等数学"}, {"id": 2, "courseName": "军训"}],
    )
    report = await student.call("ImportTimetable", _request(student, text.encode(), format=0))
    assert report.format == timetable.TIMETABLE_FORMAT_WAKEUP
    assert [warning.code for warning in report.diff.warnings] == ["week_count_differs"]
    assert report.diff.warnings[0].message.zh_cn
    assert list(report.diff.untimed_names) == ["军训"]
    (unread,) = report.diff.unread
    assert (unread.line, unread.field, unread.reason) == (2, "id", "unknown_course")
    assert (unread.value, [one.value for one in unread.fields][:2]) == ("9", ["9", "2"])
    moved = await student.import_rows(MATHS)
    assert moved.format == timetable.TIMETABLE_FORMAT_ZHENGFANG_JSON
    assert moved.diff.changes_nothing or [list(one.fields) for one in moved.diff.changed] == [
        [timetable.COURSE_FIELD_LOCATION]
    ]


@pytest.mark.parametrize("name", ["📌期末复习🧑‍💻", "𠮷野家", "مقدمة", "ｱ", "长" * 200])
@pytest.mark.parametrize("form", ["kbList", "wakeup"])
async def test_any_name_survives_the_way_through(student: Person, name: str, form: str) -> None:
    document = json.dumps({"kbList": [MATHS | {"kcmc": name}]}, ensure_ascii=False)
    if form == "wakeup":
        document = wakeup(detail(id=0), courses=[{"id": 0, "courseName": name}])
    request = _request(student, document.encode(), format=0)
    report = await student.call("ImportTimetable", request)
    assert [row.name for row in report.diff.added] == [name]
    assert await _names(student, 9) == [name]
    request.request_id = fresh()
    assert (await student.call("ImportTimetable", request)).diff.changes_nothing


async def test_two_rows_for_one_cell_name_each_other(student: Person) -> None:
    report = await student.import_rows(
        course("先", 5, "1-2", "1-8周"), course("后", 5, "2-3", "8-16周")
    )
    (conflict,) = report.diff.conflicts
    assert (conflict.line, conflict.other_line, conflict.other_name) == (2, 1, "先")
    assert (conflict.week, conflict.section) == (8, 2)
    assert await _courses(student) == ["先"]


async def test_rows_that_are_not_understood_are_reported(student: Person) -> None:
    report = await student.import_rows(MATHS, course("太晚", 2, "13-14", "1-16周"))
    (problem,) = report.diff.unread
    assert (problem.line, problem.field, problem.reason) == (2, "jcs", "out_of_range")
    assert problem.message.zh_cn
    assert problem.message.en_us
    assert await _courses(student) == ["高等数学"]


async def test_a_file_that_is_no_timetable_is_refused_with_words(student: Person) -> None:
    for document, reason in (
        (b"", "empty_file"),
        (b"<html></html>", "html_page"),
        (b"0f9e8d7c6b5a49382716051423324150", "share_code"),
        (b"{}", "no_kblist"),
        (b'{"kbList": []}', "no_courses"),
        (b"\xff\xfe\x00", "unknown_encoding"),
        (b'{"kbList": [' + b" " * 70_000, "not_json"),
    ):
        error = await refused(student.call("ImportTimetable", _request(student, document)))
        assert (error.code, error.reason) == (grpc.StatusCode.INVALID_ARGUMENT, reason)
        assert error.metadata["message_zh_cn"]
        assert error.metadata["message_en_us"]


async def test_gb18030_reads_like_utf8(student: Person) -> None:
    text = json.dumps({"kbList": [MATHS]}, ensure_ascii=False)
    await student.call("ImportTimetable", _request(student, text.encode("gb18030")))
    again = await student.call(
        "ImportTimetable", _request(student, b"\xef\xbb\xbf" + text.encode())
    )
    assert again.diff.unchanged_count == 1


async def test_what_an_import_needs_is_asked_for(student: Person) -> None:
    document = json.dumps({"kbList": [MATHS]}).encode()
    for others, code in (
        ({"format": 99}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"displaced_event_ids": [0]}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"displaced_event_ids": range(1, 502)}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"base_version": "x" * 65}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"base_version": "x"}, grpc.StatusCode.ABORTED),
        ({"semester_id": 0}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"semester_id": 2**62}, grpc.StatusCode.NOT_FOUND),
        ({"document": b" " * (2 * 1024 * 1024 + 1)}, grpc.StatusCode.INVALID_ARGUMENT),
    ):
        request = _request(student, **({"document": document} | others))
        assert (await refused(student.call("ImportTimetable", request))).code is code


async def test_a_semester_that_changed_since_the_file_was_read_is_not_written(
    student: Person,
) -> None:
    backend = student.backend
    async with backend.db.snapshot() as tx:
        semester = await timetables.semester_for(tx, student.id, student.semester.semester_id)
    prepared = await timetables.prepare(semester, json.dumps({"kbList": [MATHS]}).encode())
    asked = calendar_pb2.Semester()
    asked.CopyFrom(student.semester)
    asked.week_count = 12
    await student.call("PutSemester", pb.PutSemesterRequest(request_id=fresh(), semester=asked))
    async with backend.db.transaction() as tx:
        with pytest.raises(errors.SemesterChanged):
            await timetables.write(tx, student.id, prepared, backend.outlet)
    assert await _courses(student) == []


async def test_a_replayed_import_gets_the_first_answer(student: Person) -> None:
    request = _request(student, json.dumps({"kbList": [MATHS]}).encode())
    first = await student.call("ImportTimetable", request)
    assert await student.call("ImportTimetable", request) == first
    assert len(first.diff.added) == 1
    assert len(await student.told()) == 1
