"""Reading a file of WakeUp 课程表: five JSON documents, and what is odd about them."""

import json
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.planning.calendar import DEFAULT_CLOCK, Semester
from services.schedule.domain.timetable import wakeup
from services.schedule.domain.timetable.problems import RawField, RowProblem, UnreadableFile
from services.schedule.domain.timetable.rows import CourseRow, Form, ParsedTimetable
from tests.unit.schedule.timetable.wakeup_samples import (
    BASE,
    COURSES,
    DETAIL,
    SLOTS,
    TABLE,
    detail,
)
from tests.unit.schedule.timetable.wakeup_samples import (
    wakeup as written,
)

SEMESTER = Semester(7, date(2026, 9, 7), 20, "Asia/Shanghai", clock=DEFAULT_CLOCK, version=1)
ROW = CourseRow(
    line=1,
    name="线性代数",
    teacher="教师甲",
    room="A101",
    campus="",
    day_of_week=2,
    first=3,
    last=4,
    weeks=tuple(range(1, 17)),
)


def parse(document: bytes | str, semester: Semester = SEMESTER) -> ParsedTimetable:
    return wakeup.parse(document, semester=semester)


def only_row(**fields: object) -> CourseRow:
    parsed = parse(written(detail(**fields)))
    assert parsed.not_understood == ()
    (row,) = parsed.rows
    return row


def only_problem(record: object) -> RowProblem:
    parsed = parse(written(record))
    assert parsed.rows == ()
    (problem,) = parsed.not_understood
    return problem


def codes(parsed: ParsedTimetable) -> list[str]:
    return [warning.code for warning in parsed.warnings]


def test_reads_a_plain_file() -> None:
    parsed = parse(written(DETAIL, detail(id=1, day=3, startNode=1, startWeek=2, type=2)))
    assert parsed == ParsedTimetable(
        form=Form.WAKEUP,
        rows=(
            ROW,
            replace(
                ROW,
                line=2,
                name="📐画法几何",
                day_of_week=3,
                first=1,
                last=2,
                weeks=tuple(range(2, 17, 2)),
            ),
        ),
        not_understood=(),
        duplicates=0,
        without_time=("金工实习",),
        warnings=(),
    )


TRAPS_READ = {
    "the last section is first plus length less one": ({"startNode": 9, "step": 3}, (9, 11)),
    "one section": ({"startNode": 12, "step": 1}, (12, 12)),
    "numbers written as text": ({"startNode": "3", "step": "2", "day": "2", "id": "0"}, (3, 4)),
    "own times that are those of sections": (
        {"ownTime": True, "startTime": "14:00", "endTime": "15:40", "startNode": 1, "step": 1},
        (5, 6),
    ),
    "own times without their mark": ({"startTime": "06:00", "endTime": "07:00"}, (3, 4)),
}


@pytest.mark.parametrize(("fields", "sections"), TRAPS_READ.values(), ids=TRAPS_READ)
def test_sections_are_read(fields: dict[str, object], sections: tuple[int, int]) -> None:
    row = only_row(**fields)
    assert (row.first, row.last, row.day_of_week) == (*sections, 2)


WEEKS_READ = {
    "all weeks": ({"type": 0}, tuple(range(1, 17))),
    "no kind means all weeks": ({"type": None}, tuple(range(1, 17))),
    "odd weeks": ({"type": 1}, tuple(range(1, 17, 2))),
    "even weeks": ({"type": 2}, tuple(range(2, 17, 2))),
    "even weeks that begin in an odd one": ({"type": 2, "startWeek": 3, "endWeek": 7}, (4, 6)),
    "odd weeks that end in an even one": ({"type": "1", "startWeek": 2, "endWeek": 6}, (3, 5)),
    "one week": ({"startWeek": 8, "endWeek": 8}, (8,)),
}


@pytest.mark.parametrize(("fields", "weeks"), WEEKS_READ.values(), ids=WEEKS_READ)
def test_weeks_are_read(fields: dict[str, object], weeks: tuple[int, ...]) -> None:
    assert only_row(**fields).weeks == weeks


def test_a_detail_without_teacher_or_room_is_no_less_a_class() -> None:
    assert only_row(teacher=None, room=None) == replace(ROW, teacher="", room="")


@pytest.mark.parametrize("name", ["📐画法几何", "𠮷野家", "ｱ", "مقدمة", "字" * 200])
def test_names_are_kept_as_they_are(name: str) -> None:
    text = written(DETAIL, courses=[{"id": 0, "courseName": name}])
    for encoding in ("utf-8", "utf-8-sig", "gb18030", "utf-16"):
        (row,) = parse(text.encode(encoding)).rows
        assert row.name == name


FORMS_READ = {
    "lines of Windows": written(DETAIL, newline="\r\n"),
    "empty lines between": written(DETAIL, newline="\n\n"),
    "no line ends at all": written(DETAIL, newline=""),
    "a mark and space around": f"\ufeff \n{written(DETAIL)}\n\n",
    "written over many lines": "\n".join(
        json.dumps(part, ensure_ascii=False, indent=2)
        for part in (BASE, SLOTS, TABLE, COURSES, [DETAIL])
    ),
    "a reply of the share service": json.dumps(
        {"status": 1, "message": "success", "data": written(DETAIL)}, ensure_ascii=False
    ),
    "escaped letters": "\n".join(
        json.dumps(part) for part in (BASE, SLOTS, TABLE, COURSES, [DETAIL])
    ),
    "a list of sections": written(DETAIL, table={**TABLE, "nodes": list(range(1, 13))}),
}


@pytest.mark.parametrize("text", FORMS_READ.values(), ids=FORMS_READ)
def test_the_same_is_read_however_it_is_laid_out(text: str) -> None:
    parsed = parse(text)
    assert parsed.rows == (ROW,)
    assert parsed.warnings == ()


TRAPS_TOLD = {
    "a detail of no course": ({"id": 9}, "id", "unknown_course"),
    "a detail without a course": ({"id": None}, "id", "missing"),
    "a day of no week": ({"day": 8}, "day", "out_of_range"),
    "days counted from 0": ({"day": 0}, "day", "out_of_range"),
    "no day": ({"day": None}, "day", "missing"),
    "a class of no length": ({"step": 0}, "step", "out_of_range"),
    "sections before the first": ({"startNode": 0}, "startNode", "out_of_range"),
    "sections beyond the grid": ({"startNode": 13}, "startNode", "out_of_range"),
    "a class that runs beyond the grid": ({"startNode": 11, "step": 3}, "step", "out_of_range"),
    "a length that is no number": ({"step": "two"}, "step", "unreadable"),
    "a negative number": ({"startNode": -1}, "startNode", "unreadable"),
    "weeks beyond the semester": ({"endWeek": 25}, "endWeek", "out_of_range"),
    "week 0": ({"startWeek": 0}, "startWeek", "out_of_range"),
    "weeks that run backwards": ({"startWeek": 16, "endWeek": 1}, "startWeek", "reversed_range"),
    "even weeks of one odd week": (
        {"type": 2, "startWeek": 3, "endWeek": 3},
        "startWeek",
        "parity_excludes_all",
    ),
    "a kind of weeks that is not known": ({"type": 3}, "type", "unreadable"),
    "own times between sections": (
        {"ownTime": True, "startTime": "18:30", "endTime": "20:05"},
        "startTime",
        "own_time",
    ),
    "own times that are missing": ({"ownTime": True}, "startTime", "own_time"),
    "own times that run backwards": (
        {"ownTime": True, "startTime": "09:40", "endTime": "08:00"},
        "startTime",
        "own_time",
    ),
    "a mark for own times that is none": ({"ownTime": "maybe"}, "ownTime", "unreadable"),
    "a truth where a number is wanted": ({"startWeek": True}, "startWeek", "wrong_type"),
    "a list where a number is wanted": ({"step": [2]}, "step", "wrong_type"),
    "a number of 4,000 digits": ({"endWeek": int("9" * 4000)}, "endWeek", "unreadable"),
    "a teacher that cannot be stored": ({"teacher": "甲\x00"}, "teacher", "unsafe_text"),
    "a room of 10,000 characters": ({"room": "长" * 10_000}, "room", "too_long"),
}


@pytest.mark.parametrize(("fields", "field", "reason"), TRAPS_TOLD.values(), ids=TRAPS_TOLD)
def test_a_detail_that_is_uncertain_is_told_with_its_reason(
    fields: dict[str, object], field: str, reason: str
) -> None:
    problem = only_problem(detail(**fields))
    assert (problem.line, problem.field, problem.reason) == (1, field, reason)
    assert problem.message_zh
    assert problem.message_en
    assert problem.expected
    assert len(problem.raw) <= 300
    "".join((problem.raw, problem.value, *(one.value for one in problem.fields))).encode()


@pytest.mark.parametrize("record", [None, 5, "线性代数", [dict(DETAIL)], True])
def test_a_detail_that_is_no_record_is_told(record: object) -> None:
    problem = only_problem(record)
    assert (problem.field, problem.reason, problem.name) == ("", "unreadable", None)


def test_a_problem_names_the_course_and_shows_the_detail_as_it_came() -> None:
    problem = only_problem(detail(step=0, ownTime=None, startTime=None, endTime=None))
    assert (problem.name, problem.value, problem.expected) == ("线性代数", "0", "1-10")
    assert problem.fields == (
        RawField("courseName", "线性代数"),
        *(RawField("id", "0"), RawField("day", "2"), RawField("startNode", "3")),
        *(RawField("step", "0"), RawField("startWeek", "1"), RawField("endWeek", "16")),
        *(RawField("type", "0"), RawField("teacher", "教师甲"), RawField("room", "A101")),
    )
    assert problem.message_zh == "节数“0”超出了 1-10。"


def test_own_times_are_told_with_the_sections_that_are_nearest() -> None:
    problem = only_problem(detail(ownTime=True, startTime="18:30", endTime="20:05"))
    assert problem.expected == "9-10节 19:00-20:40"
    assert problem.message_zh == "自定义时间“18:30-20:05”对不上这个学期的节次。"


def test_a_course_without_a_readable_name_spoils_its_own_details_alone() -> None:
    courses = [{"id": 0, "courseName": " ★"}, {"id": 1, "courseName": "概率论"}, {"id": 3}]
    parsed = parse(written(DETAIL, detail(id=1), detail(id=3), courses=courses))
    assert [row.name for row in parsed.rows] == ["概率论"]
    assert [(one.line, one.field, one.reason) for one in parsed.not_understood] == [
        (1, "courseName", "missing"),
        (3, "courseName", "missing"),
    ]


def test_an_id_of_two_courses_is_no_course() -> None:
    courses = [{"id": 0, "courseName": "概率论"}, {"id": "0", "courseName": "线性代数"}]
    (problem,) = parse(written(DETAIL, courses=courses)).not_understood
    assert (problem.field, problem.reason, problem.name) == ("id", "disagrees", None)
    assert problem.expected == "概率论 / 线性代数"
    twice = [COURSES[0], dict(COURSES[0])]
    assert parse(written(DETAIL, courses=twice)).rows == (ROW,)


def test_repeated_details_are_folded_and_counted() -> None:
    parsed = parse(written(DETAIL, detail(color="x"), detail(day=9)))
    assert (parsed.rows, parsed.duplicates, len(parsed.not_understood)) == ((ROW,), 1, 1)


def test_marks_are_taken_off_as_in_the_schools_own_file() -> None:
    courses = [{"id": 0, "courseName": "线性代数★"}]
    assert parse(written(DETAIL, courses=courses)).rows == (ROW,)


WARNINGS = {
    "the same calendar": ({}, []),
    "another first day": ({"startDate": "2026-9-14"}, ["first_day_differs"]),
    "a first day in the middle of week 1": ({"startDate": "2026-09-09"}, []),
    "a first day with slashes": ({"startDate": "2026/9/7"}, []),
    "no first day": ({"startDate": ""}, []),
    "a first day that is none": ({"startDate": "2026-13-40"}, ["first_day_unreadable"]),
    "a first day that is no text": ({"startDate": 20260907}, ["first_day_unreadable"]),
    "the end of time": ({"startDate": "9999-12-31"}, ["first_day_differs"]),
    "the beginning of time": ({"startDate": "0001-01-01"}, ["first_day_differs"]),
    "fewer weeks": ({"maxWeek": 16}, ["week_count_differs"]),
    "weeks that are no number": ({"maxWeek": "many"}, []),
    "fewer sections": ({"nodes": 11}, ["section_count_differs"]),
    "a list of sections": ({"nodes": [1, 2, 3, True, "x"]}, ["section_count_differs"]),
    "sections that are no number": ({"nodes": -1}, []),
    "times of another bell": ({"timeTable": 2}, []),
}


@pytest.mark.parametrize(("fields", "told"), WARNINGS.values(), ids=WARNINGS)
def test_another_calendar_is_told_and_shifts_nothing(
    fields: dict[str, object], told: list[str]
) -> None:
    parsed = parse(written(DETAIL, table={**TABLE, **fields}))
    assert codes(parsed) == told
    assert parsed.rows == (ROW,)


def test_other_times_of_sections_are_told_with_an_example() -> None:
    slots = [{**SLOTS[0], "startTime": "8:10", "endTime": "8:55"}, *SLOTS[1:], {"node": 99}, None]
    parsed = parse(written(DETAIL, slots=slots))
    (warning,) = parsed.warnings
    assert warning.code == "section_times_differ"
    assert "第 1 节的钟点和这个学期不同，例如第 1 节：文件里 08:10-08:55，这里 08:00-08:45" in (
        warning.message_zh
    )
    assert parsed.rows == (ROW,)


def test_sections_that_only_fill_up_the_list_are_no_times() -> None:
    assert SLOTS[12]["startTime"] == "00:00"
    assert codes(parse(written(DETAIL, table={**TABLE, "nodes": 14}))) == ["section_count_differs"]
    padded = [*SLOTS[:11], {**SLOTS[11], "startTime": "00:00", "endTime": "00:00"}]
    assert codes(parse(written(DETAIL, slots=padded))) == []


def test_a_sunday_that_begins_the_week_keeps_its_date_and_is_told() -> None:
    table = {**TABLE, "sundayFirst": True}
    sunday, monday = detail(day=7, startWeek=2, endWeek=3), detail(day=1, startWeek=2, endWeek=3)
    parsed = parse(written(sunday, monday, table=table))
    assert codes(parsed) == ["sunday_first"]
    assert [row.weeks for row in parsed.rows] == [(1, 2), (2, 3)]
    begun_on_sunday = {**table, "startDate": "2026-9-6"}
    assert codes(parse(written(sunday, table=begun_on_sunday))) == ["sunday_first"]


def test_the_sunday_before_the_semester_is_told() -> None:
    table = {**TABLE, "sundayFirst": True, "startDate": "2026-9-6"}
    (problem,) = parse(written(detail(day=7), table=table)).not_understood
    assert (problem.field, problem.reason) == ("startWeek", "before_semester")


@pytest.mark.parametrize("more", ["legacy-extension", "{}", '["x"]\n{', "[" * 10_000])
def test_what_follows_the_five_documents_is_told_and_not_read(more: str) -> None:
    parsed = parse(f"{written(DETAIL)}\n{more}")
    assert (parsed.rows, codes(parsed)) == ((ROW,), ["more_documents"])


FILES_REFUSED = {
    "nothing": ("", "empty_file"),
    "a share code": ("0f9e8d7c6b5a49382716051423324150", "share_code"),
    "the message around a share code": (
        "这是来自「WakeUp课程表」的课表分享，口令为「0f9e」",
        "share_code",
    ),
    "a page": ("<html></html>", "html_page"),
    "one part of five": (json.dumps(BASE), "not_whole"),
    "four parts of five": (written(DETAIL).rsplit("\n", 1)[0], "not_whole"),
    "cut in the middle": (written(DETAIL)[:-20], "not_whole"),
    "a reply without data": ('{"status": 1, "data": ""}', "share_expired"),
    "a reply about a fault": ('{"status": 0, "message": "x", "data": " "}', "share_expired"),
    "a reply that holds something else": ('{"status": 1, "data": "x"}', "not_json"),
    "another reply": ('{"kbList": []}', "not_wakeup"),
    "parts in another order": ("\n".join(reversed(written(DETAIL).split("\n"))), "not_wakeup"),
    "a table that is a list": (
        "\n".join(json.dumps(part) for part in (BASE, [], [], [], [DETAIL])),
        "not_wakeup",
    ),
    "no details": (written(), "no_courses"),
    "201 details": (written(*[DETAIL] * 201), "too_many_rows"),
    "no JSON": ("课程名称,星期\n大学物理,4", "not_json"),
    "NaN": ('{"courseLen": NaN}', "not_json"),
}


@pytest.mark.parametrize(("text", "reason"), FILES_REFUSED.values(), ids=FILES_REFUSED)
def test_a_file_that_is_no_timetable_of_wakeup_is_refused_as_a_whole(
    text: str, reason: str
) -> None:
    with pytest.raises(UnreadableFile) as refusal:
        parse(text)
    assert refusal.value.reason == reason
    assert refusal.value.message_zh
    assert refusal.value.message_en


scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | st.sampled_from(["1", "08:00", "08:45", "2026-9-7", "线性代数", 0, 1, 2, 3])
)
values = scalars | st.lists(scalars, max_size=2) | st.dictionaries(st.text(max_size=3), scalars)


def records(of: dict[str, object]) -> st.SearchStrategy[dict[str, object]]:
    keys = st.sampled_from(sorted(of))
    return st.dictionaries(keys, values, max_size=3).map(lambda changes: {**of, **changes})


@given(
    details=st.lists(records(dict(DETAIL)) | values, min_size=1, max_size=4),
    courses=st.lists(records(dict(COURSES[0])) | values, max_size=3),
    slots=st.lists(records(dict(SLOTS[0])) | values, max_size=3),
    table=records(TABLE),
)
def test_any_details_are_each_read_or_told_or_folded(
    details: list[object],
    courses: list[object],
    slots: list[object],
    table: dict[str, object],
) -> None:
    parsed = parse(written(*details, courses=courses, slots=slots, table=table))
    assert len(parsed.rows) + len(parsed.not_understood) + parsed.duplicates == len(details)
    for row in parsed.rows:
        assert 1 <= row.day_of_week <= 7
        assert 1 <= row.first <= row.last <= 12
        assert 1 <= row.weeks[0] <= row.weeks[-1] <= 20
        f"{row.name}{row.teacher}{row.room}".encode()
    for problem in parsed.not_understood:
        texts = (problem.raw, problem.value, problem.message_zh, problem.message_en)
        "".join((*texts, problem.expected, problem.name or "")).encode()
        assert problem.position is None or 0 <= problem.position <= len(problem.value)
    for warning in parsed.warnings:
        f"{warning.message_zh}{warning.message_en}".encode()


@given(st.lists(values, max_size=7).map(lambda parts: "\n".join(map(json.dumps, parts))))
def test_any_documents_are_a_timetable_or_refused_as_a_whole(text: str) -> None:
    with pytest.raises(UnreadableFile):
        parse(text)
