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


async def test_a_row_in_the_way_of_a_block_of_work_is_reported_and_not_written(
    student: Person,
) -> None:
    task = await student.add_task("复习")
    verdict = await student.apply(student.add(task, student.place(9)))
    assert applied(verdict)
    day = student.today.isoweekday()
    report = await student.import_rows(course("晚课", day, "9-10", "1-16周"), MATHS)
    (conflict,) = report.diff.conflicts
    assert (conflict.line, conflict.name, conflict.other_name) == (1, "晚课", "复习")
    assert (conflict.event_id, conflict.other_line) == (verdict.event_ids[0], 0)
    assert (conflict.week, conflict.day_of_week, conflict.section) == (student.week, day, 9)
    assert [row.name for row in report.diff.added] == ["高等数学"]
    assert await _courses(student) == ["高等数学"]


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
        ({"format": 0}, grpc.StatusCode.INVALID_ARGUMENT),
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
