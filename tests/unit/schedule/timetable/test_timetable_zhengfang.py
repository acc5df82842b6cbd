"""Reading a 正方 reply: what students really have to import, and what they paste by mistake."""

import json
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.schedule.domain.timetable import wording, zhengfang
from services.schedule.domain.timetable.problems import (
    FileReason,
    NotUnderstood,
    RawField,
    Reason,
    RowProblem,
    UnreadableFile,
    WarningCode,
)
from services.schedule.domain.timetable.rows import CourseRow, Form, ParsedTimetable

FIXTURE = {
    "kbList": [
        {
            "kcmc": "高等数学★",
            "xm": "教师甲",
            "xqj": "1",
            "jcs": "1-2",
            "jc": "1-2节",
            "zcd": "1-16周(单)",
            "cdmc": "3201",
            "xqmc": "主校区",
            "oldzc": 21845,
            "oldjc": 3,
        },
        {
            "kcmc": "数据结构",
            "xm": "",
            "xqj": "7",
            "jcs": "9-11",
            "zcd": "4-6周,8-13周",
            "cdmc": "",
            "oldzc": 8120,
            "oldjc": 1792,
        },
    ]
}
PLAIN = {"kcmc": "线性代数", "xqj": "2", "jcs": "3-4", "zcd": "1-16周"}
ROW = CourseRow(
    line=1,
    name="线性代数",
    teacher="",
    room="",
    campus="",
    day_of_week=2,
    first=3,
    last=4,
    weeks=tuple(range(1, 17)),
)


def parse(document: bytes | str, *, week_starts_on: int = 1) -> ParsedTimetable:
    return zhengfang.parse(document, week_count=20, section_count=12, week_starts_on=week_starts_on)


def parse_rows(*records: object, week_starts_on: int = 1) -> ParsedTimetable:
    return parse(json.dumps({"kbList": records}), week_starts_on=week_starts_on)


def only_row(**fields: object) -> CourseRow:
    parsed = parse_rows({**PLAIN, **fields})
    assert parsed.not_understood == ()
    (row,) = parsed.rows
    return row


def only_problem(record: object) -> RowProblem:
    parsed = parse_rows(record)
    assert parsed.rows == ()
    (problem,) = parsed.not_understood
    return problem


def test_reads_the_fixture_of_the_reference() -> None:
    parsed = parse(json.dumps(FIXTURE, ensure_ascii=False))
    assert parsed == ParsedTimetable(
        form=Form.ZHENGFANG_JSON,
        rows=(
            CourseRow(
                line=1,
                name="高等数学",
                teacher="教师甲",
                room="3201",
                campus="主校区",
                day_of_week=1,
                first=1,
                last=2,
                weeks=(1, 3, 5, 7, 9, 11, 13, 15),
            ),
            CourseRow(
                line=2,
                name="数据结构",
                teacher="",
                room="",
                campus="",
                day_of_week=7,
                first=9,
                last=11,
                weeks=(4, 5, 6, 8, 9, 10, 11, 12, 13),
            ),
        ),
        not_understood=(),
        duplicates=0,
        without_time=(),
    )


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "gb18030", "gbk", "utf-16"], ids=lambda name: name
)
def test_reads_the_same_in_every_encoding(encoding: str) -> None:
    text = json.dumps(FIXTURE, ensure_ascii=False)
    assert parse(text.encode(encoding)) == parse(text)


def test_reads_gb18030_behind_its_own_mark_and_text_behind_a_mark() -> None:
    text = json.dumps(FIXTURE, ensure_ascii=False)
    assert parse(b"\x84\x31\x95\x33" + text.encode("gb18030")) == parse(text)
    assert parse("\ufeff" + text) == parse(text)


@pytest.mark.parametrize("name", ["📌期末复习🧑‍💻", "𠮷野家", "ｱ", "مقدمة", "C++ (双语)", "★导论"])
def test_keeps_names_as_they_are(name: str) -> None:
    document = json.dumps({"kbList": [{**PLAIN, "kcmc": name}]}, ensure_ascii=False)
    for encoding in ("utf-8", "gb18030"):
        (row,) = parse(document.encode(encoding)).rows
        assert row.name == name


@pytest.mark.parametrize("mark", ["★", "●", "○", "☆", "◆", "★●", " ★ "])
def test_takes_marks_off_the_end_of_a_name_alone(mark: str) -> None:
    assert only_row(kcmc=f"大学★物理(上){mark}").name == "大学★物理(上)"


def test_an_empty_or_absent_teacher_or_room_drops_nothing() -> None:
    assert only_row() == ROW
    assert only_row(xm=None, cdmc="", xqmc=None) == ROW


def test_takes_a_closing_comma_off_teacher_and_room() -> None:
    row = only_row(xm="董石,", cdmc="二教\u3000101，", xqmc=" 南湖 ")
    assert (row.teacher, row.room, row.campus) == ("董石", "二教 101", "南湖")


@pytest.mark.parametrize(
    "fields",
    [
        {"xqj": 2, "oldzc": "65535", "oldjc": "12"},
        {"xqj": "2", "oldzc": 65535, "oldjc": 12},
        {"xqj": 2.0, "oldzc": 65535.0, "oldjc": 12.0},
        {"xqj": "星期二", "jcs": None, "jc": "3-4节"},
        {"jcs": "", "jc": "第3,4节"},
        {"jcs": "3-4", "jc": "上午3-4"},
        {"oldzc": "", "oldjc": None},
        {"oldzc": 0, "oldjc": "0"},
        {"queryModel": {"limit": 15}, "pageable": True},
    ],
)
def test_reads_numbers_and_strings_alike(fields: dict[str, object]) -> None:
    assert only_row(**fields) == ROW


def test_a_number_may_stand_for_one_week_and_one_section() -> None:
    row = only_row(zcd=8, jcs=5)
    assert (row.weeks, row.first, row.last) == ((8,), 5, 5)


@pytest.mark.parametrize(
    ("fields", "field", "reason", "expected"),
    [
        ({"oldzc": 21845}, "zcd", "disagrees", "oldzc 21845 = 1-15周(单)"),
        ({"oldzc": 2**40}, "zcd", "disagrees", f"oldzc {2**40} = 41周"),
        ({"oldjc": 3}, "jcs", "disagrees", "oldjc 3 = 1,2节"),
        ({"oldjc": 5}, "jcs", "disagrees", "oldjc 5 = 1,3节"),
        ({"jc": "5-6节"}, "jcs", "disagrees", "jc 5-6节"),
    ],
)
def test_two_readings_of_one_row_are_named_and_never_chosen_from(
    fields: dict[str, object], field: str, reason: str, expected: str
) -> None:
    problem = only_problem({**PLAIN, **fields})
    assert (problem.field, problem.reason, problem.expected) == (field, reason, expected)
    assert problem.value == PLAIN[field]
    assert expected in problem.message_zh
    assert PLAIN[field] in problem.message_zh
    assert expected in problem.message_en


@pytest.mark.parametrize(
    ("fields", "field", "reason"),
    [
        ({"kcmc": None}, "kcmc", "missing"),
        ({"kcmc": " ★"}, "kcmc", "missing"),
        ({"kcmc": ["高数"]}, "kcmc", "wrong_type"),
        ({"kcmc": True}, "kcmc", "wrong_type"),
        ({"kcmc": "高\x00数"}, "kcmc", "unsafe_text"),
        ({"kcmc": "高\ud800数"}, "kcmc", "unsafe_text"),
        ({"kcmc": "高" * 201}, "kcmc", "too_long"),
        ({"kcmc": "字" * 10_000}, "kcmc", "too_long"),
        ({"xm": "甲\udfff"}, "xm", "unsafe_text"),
        ({"xm": {"name": "甲"}}, "xm", "wrong_type"),
        ({"cdmc": "A" * 201}, "cdmc", "too_long"),
        ({"xqmc": "\x1b[31m"}, "xqmc", "unsafe_text"),
        ({"xqj": None}, "xqj", "missing"),
        ({"xqj": 0}, "xqj", "out_of_range"),
        ({"xqj": "8"}, "xqj", "out_of_range"),
        ({"xqj": -1}, "xqj", "unreadable"),
        ({"xqj": 1.5}, "xqj", "wrong_type"),
        ({"jcs": "13-14"}, "jcs", "out_of_range"),
        ({"jcs": "5-"}, "jcs", "open_range"),
        ({"jcs": "1-2,5-6"}, "jcs", "not_contiguous"),
        ({"jcs": None}, "jcs", "missing"),
        ({"jcs": None, "jc": "13节"}, "jc", "out_of_range"),
        ({"zcd": ""}, "zcd", "missing"),
        ({"zcd": "16-1周"}, "zcd", "reversed_range"),
        ({"zcd": "1-25周"}, "zcd", "out_of_range"),
        ({"zcd": "4(单)"}, "zcd", "parity_excludes_all"),
        ({"zcd": "1-16\x00周"}, "zcd", "unreadable"),
        ({"zcd": 2**31}, "zcd", "out_of_range"),
        ({"oldzc": "abc"}, "oldzc", "unreadable"),
        ({"oldzc": -1}, "oldzc", "unreadable"),
        ({"oldjc": [3]}, "oldjc", "wrong_type"),
        ({"oldzc": "9" * 4000}, "oldzc", "unreadable"),
    ],
)
def test_a_row_that_is_uncertain_is_reported_with_its_reason(
    fields: dict[str, object], field: str, reason: str
) -> None:
    problem = only_problem({**PLAIN, **fields})
    assert (problem.line, problem.field, problem.reason) == (1, field, reason)
    assert problem.message_zh
    assert problem.message_en
    assert problem.expected
    assert len(problem.raw) <= 300
    problem.raw.encode()
    problem.value.encode()


def test_a_problem_marks_the_wrong_bit_of_the_row() -> None:
    problem = only_problem({**PLAIN, "kcmc": "形势与政策★", "jcs": "5-", "cdmc": "教一 101"})
    assert problem == RowProblem(
        line=1,
        raw='{"kcmc": "形势与政策★", "xqj": "2", "jcs": "5-", "zcd": "1-16周", "cdmc": "教一 101"}',
        name="形势与政策",
        field="jcs",
        value="5-",
        position=1,
        reason="open_range",
        message_zh="节次写成“5-”，范围缺少结尾。",
        message_en="The section range reads “5-”: the range has no end.",
        expected="1-2节",
        fields=(
            RawField("kcmc", "形势与政策★"),
            RawField("xqj", "2"),
            RawField("jcs", "5-"),
            RawField("zcd", "1-16周"),
            RawField("cdmc", "教一 101"),
        ),
    )


def test_the_limit_of_a_name_is_told_with_its_reason() -> None:
    assert only_row(kcmc="字" * 200).name == "字" * 200
    problem = only_problem({**PLAIN, "kcmc": "字" * 10_000})
    assert problem.message_zh == "课程名有 10000 个字符，最多 200 个。"
    assert problem.name is None
    assert len(problem.raw) == 300


@pytest.mark.parametrize("record", [None, 5, "高等数学", [PLAIN], True])
def test_a_row_that_is_no_record_is_reported(record: object) -> None:
    problem = only_problem(record)
    assert (problem.field, problem.reason, problem.name) == ("", "unreadable", None)


def test_a_number_beyond_all_bounds_is_reported() -> None:
    parsed = parse('{"kbList": [{"kcmc": "线性代数", "xqj": 1e999}]}')
    assert [problem.reason for problem in parsed.not_understood] == ["wrong_type"]


def test_one_bad_row_does_not_spoil_the_others() -> None:
    parsed = parse_rows({**PLAIN, "xqj": "9"}, PLAIN, {}, {**PLAIN, "xqj": "5"})
    assert [row.line for row in parsed.rows] == [2, 4]
    assert [(problem.line, problem.field) for problem in parsed.not_understood] == [
        (1, "xqj"),
        (3, "kcmc"),
    ]


def test_exact_duplicates_are_folded_and_counted() -> None:
    parsed = parse_rows(PLAIN, {**PLAIN, "kcmc": "线性代数★"}, PLAIN, {**PLAIN, "xqj": "x"})
    assert parsed.rows == (ROW,)
    assert parsed.duplicates == 2


def test_one_course_in_two_rooms_stays_two_rows() -> None:
    parsed = parse_rows(
        {**PLAIN, "zcd": "1-8周", "cdmc": "A101"}, {**PLAIN, "zcd": "9-16周", "cdmc": "B202"}
    )
    assert [(row.room, row.weeks[0]) for row in parsed.rows] == [("A101", 1), ("B202", 9)]
    assert parsed.duplicates == 0


def test_the_sunday_of_a_sunday_first_school_belongs_to_the_week_before() -> None:
    records = {**PLAIN, "xqj": "7", "zcd": "5周"}, {**PLAIN, "xqj": "1", "zcd": "5周"}
    assert [row.weeks for row in parse_rows(*records).rows] == [(5,), (5,)]
    assert [row.weeks for row in parse_rows(*records, week_starts_on=7).rows] == [(4,), (5,)]


def test_the_sunday_before_the_first_week_is_reported() -> None:
    record = {**PLAIN, "xqj": "日", "zcd": "1-16周", "oldzc": 65535}
    (problem,) = parse_rows(record, week_starts_on=7).not_understood
    assert (problem.field, problem.reason) == ("zcd", "before_semester")


def test_practical_courses_without_a_time_are_named() -> None:
    practical = [{"kcmc": "金工实习○", "qsjsz": "19-20周"}, {"sjkcgs": "x"}, None, {"kcmc": "军训"}]
    reply = {"kbList": [PLAIN], "sjkList": practical}
    assert parse(json.dumps(reply)).without_time == ("金工实习", "军训")
    assert parse(json.dumps({"kbList": [PLAIN], "sjkList": "x"})).without_time == ()


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (b"", "empty_file"),
        ("\ufeff \n", "empty_file"),
        (b"\xef\xbb\xbf", "empty_file"),
        (b"\xff\xff\xff", "unknown_encoding"),
        (b"\xef\xbb\xbf\xff", "unknown_encoding"),
        (b"\xff\xfe\x00\xd8", "unknown_encoding"),
        ("<!DOCTYPE html><html><title>登录</title></html>", "html_page"),
        ("\n  <html>", "html_page"),
        (
            "这是来自「WakeUp课程表」的课表分享，……分享口令为「0f9e8d7c6b5a49382716051423324150」",
            "share_code",
        ),
        ("0f9e8d7c6b5a49382716051423324150", "share_code"),
        ("12345678901234567890123456789012", "share_code"),
        ("PaJ_8Kj_zeelspJs2HBL1", "share_code"),
        ("{", "not_json"),
        ('{"kbList": [', "not_json"),
        ('{"kbList": [NaN]}', "not_json"),
        ('{"kbList": [' + "1" * 5000 + "]}", "not_json"),
        ("[" * 100_000, "not_json"),
        ('{"a": ' * 50_000, "not_json"),
        ('{"courseLen":45}\n[{"node":1}]\n{"tableName":"x"}\n[]\n[]', "not_json"),
        ("课程名称,星期,开始节数\n大学物理,4,1", "not_json"),
        ("null", "no_kblist"),
        ("[]", "no_kblist"),
        ("3", "no_kblist"),
        ("{}", "no_kblist"),
        ('{"data": {"kbList": []}}', "no_kblist"),
        ('{"kbList": null}', "kblist_not_a_list"),
        ('{"kbList": {"0": {}}}', "kblist_not_a_list"),
        ('{"kbList": "[]"}', "kblist_not_a_list"),
        ('{"kbList": []}', "no_courses"),
        (json.dumps({"kbList": [{}] * 201}), "too_many_rows"),
        (b" " * (2 * 1024 * 1024 + 1), "too_large"),
        (" " * (2 * 1024 * 1024 + 1), "too_large"),
    ],
    ids=lambda value: value[:20] if isinstance(value, str) else None,
)
def test_a_file_that_is_no_timetable_is_refused_as_a_whole(
    document: bytes | str, reason: str
) -> None:
    with pytest.raises(UnreadableFile) as refusal:
        parse(document)
    assert refusal.value.reason == reason
    assert refusal.value.message_zh
    assert refusal.value.message_en


def test_every_reason_has_words_in_both_languages() -> None:
    for file_reason in get_args(FileReason):
        error = wording.unreadable_file(file_reason, count=999, limit=200)
        assert "{" not in error.message_zh + error.message_en
    for reason in get_args(Reason):
        zh, en = wording.describe("zcd", NotUnderstood(reason, "{x}", expected="{y}"))
        assert zh.endswith("。")
        assert en.endswith(".")
    for code in get_args(WarningCode):
        facts = dict.fromkeys(("said", "stored", "sections", "number"), "{z}")
        warning = wording.file_warning(code, **facts)
        assert warning.message_zh.endswith("。")
        assert warning.message_en.endswith(".")


finite = st.floats(allow_nan=False, allow_infinity=False)
scalars = st.none() | st.booleans() | st.integers() | finite | st.text()
field_values = (
    scalars
    | st.lists(scalars, max_size=2)
    | st.dictionaries(st.text(), scalars, max_size=2)
    | st.sampled_from(["1-16周(单)", "1-2", "1-2节", "3", 3, "周一", "高数", 21845, 3.0])
)
fields = st.sampled_from(
    ["kcmc", "xm", "xqj", "jcs", "jc", "zcd", "cdmc", "xqmc", "oldzc", "oldjc"]
)
records = st.dictionaries(fields, field_values) | st.builds(
    lambda changes: {**PLAIN, **changes}, st.dictionaries(fields, field_values, max_size=2)
)


@given(st.binary() | st.text() | st.text().map(lambda text: '{"kbList": ' + text))
def test_any_document_is_read_or_refused_as_a_whole(document: bytes | str) -> None:
    with pytest.raises(UnreadableFile):
        parse(document)


@given(st.lists(records | scalars, min_size=1, max_size=4))
def test_any_rows_are_each_read_or_reported_or_folded(found: list[object]) -> None:
    parsed = parse(json.dumps({"kbList": found}))
    assert len(parsed.rows) + len(parsed.not_understood) + parsed.duplicates == len(found)
    assert len({replace(row, line=0) for row in parsed.rows}) == len(parsed.rows)
    for row in parsed.rows:
        assert 1 <= row.day_of_week <= 7
        assert 1 <= row.first <= row.last <= 12
        assert 1 <= row.weeks[0] <= row.weeks[-1] <= 20
        f"{row.name}{row.teacher}{row.room}{row.campus}".encode()
        assert "\x00" not in row.name
    for problem in parsed.not_understood:
        texts = (problem.raw, problem.value, problem.message_zh, problem.message_en)
        "".join((*texts, problem.expected, problem.name or "")).encode()
        assert "\x00" not in "".join(texts)
        assert len(problem.raw) <= 300
        assert len(problem.value) <= 100
        assert problem.position is None or 0 <= problem.position <= len(problem.value)
