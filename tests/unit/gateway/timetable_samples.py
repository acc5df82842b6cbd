"""An answer of a timetable import that has something of everything."""

from typing import Any

from smartmate.schedule.v1 import calendar_pb2, schedule_service_pb2, timetable_pb2
from smartmate.text.v1 import localized_text_pb2

Answer = schedule_service_pb2.ImportTimetableResponse
HOSTILE = '</code><script>alert("课")</script>'


def row(name: str = "工程伦理", **fields: Any) -> timetable_pb2.CourseRow:
    values: dict[str, Any] = {
        "line": 4,
        "name": name,
        "teacher": "教师甲",
        "location": "教三 110",
        "day_of_week": 3,
        "first_section": 7,
        "last_section": 8,
        "weeks": range(1, 17),
    }
    return timetable_pb2.CourseRow(**(values | fields))


def change(before: dict[str, Any], after: dict[str, Any], *fields: str) -> Any:
    return timetable_pb2.CourseChange(
        before=row("概率论", **before),
        after=row("概率论", **after),
        fields=[f"COURSE_FIELD_{name.upper()}" for name in fields],
    )


def unread(**fields: Any) -> timetable_pb2.UnreadRow:
    values: dict[str, Any] = {
        "line": 17,
        "raw": '{"kcmc": "形势与政策", "jcs": "5-"}',
        "field": "jcs",
        "reason": "open_range",
        "message": localized_text_pb2.LocalizedText(
            zh_cn="节次写成“5-”，范围缺少结尾。", en_us="The range has no end."
        ),
        "expected": "1-2节",
        "value": "1-2,5-",
        "position": 5,
        "name": "形势与政策",
        "fields": [
            timetable_pb2.RawField(field="kcmc", value="形势与政策"),
            timetable_pb2.RawField(field="jcs", value="1-2,5-"),
            timetable_pb2.RawField(field="cdmc", value=""),
        ],
    }
    return timetable_pb2.UnreadRow(**(values | fields))


def conflict(**fields: Any) -> timetable_pb2.TimetableConflict:
    values: dict[str, Any] = {
        "line": 5,
        "name": "电子工艺",
        "event_id": 70,
        "other_name": "拓扑排序",
        "week": 13,
        "weeks": [13],
        "day_of_week": 4,
        "section": 7,
        "last_section": 8,
        "can_give_way": True,
    }
    return timetable_pb2.TimetableConflict(**(values | fields))


def lost(event_id: int, name: str, **place: int) -> timetable_pb2.LostBlock:
    at = {"week": 13, "day_of_week": 4, "first_section": 7, "last_section": 8} | place
    return timetable_pb2.LostBlock(event_id=event_id, name=name, place=calendar_pb2.Place(**at))


def warning(zh: str = "文件写的是 18 周，这个学期有 20 周。") -> timetable_pb2.TimetableWarning:
    text = localized_text_pb2.LocalizedText(zh_cn=zh, en_us="Another number of weeks.")
    return timetable_pb2.TimetableWarning(code="week_count_differs", message=text)


def answer(**fields: Any) -> Answer:
    """The answer to a dry run; `fields` are of its difference."""
    stated: dict[str, Any] = {
        "added": [row(), row("电子工艺", day_of_week=4, skipped_weeks=[13])],
        "changed": [
            change({"location": "教二 105"}, {"location": "教二 210"}, "location"),
            change({"day_of_week": 1}, {"day_of_week": 2}, "day_of_week"),
        ],
        "removed": [row("军事理论", day_of_week=5, weeks=range(1, 9), line=0)],
        "unchanged_count": 31,
        "conflicts": [
            conflict(),
            conflict(
                line=9,
                name="撞车",
                event_id=0,
                other_line=2,
                other_name="高等数学",
                weeks=range(1, 17),
                can_give_way=False,
            ),
            conflict(event_id=71, other_name="背单词", week=2, weeks=[2], can_give_way=False),
        ],
        "unread": [unread()],
        "row_count": 40,
        "kept": [row("形势与政策", line=0)],
        "refused": [row("撞车", line=9)],
        "unhosted": [lost(72, "写周记")],
        "untimed_names": ["金工实习"],
        "duplicate_count": 1,
        "warnings": [warning()],
    }
    return Answer(
        diff=timetable_pb2.TimetableDiff(**(stated | fields)),
        base_version="i1:00ff",
        meeting_count=86,
    )


def nothing() -> Answer:
    """The same file again."""
    diff = timetable_pb2.TimetableDiff(unchanged_count=8, row_count=8, changes_nothing=True)
    return Answer(diff=diff, base_version="i1:00ff", meeting_count=86)
