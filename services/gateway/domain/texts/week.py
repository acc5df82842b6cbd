"""The week."""

from collections.abc import Mapping

TEXTS: Mapping[str, tuple[str, str]] = {
    "week.title": ("第 {week} 周", "Week {week}"),
    "week.range": ("{first} – {last}", "{first} – {last}"),
    "week.this": ("本周", "This week"),
    "week.previous": ("上一周", "Previous week"),
    "week.next": ("下一周", "Next week"),
    "week.suggestions": ("{n} 条建议", "{n} suggestions"),
    "week.suggestions_1": ("1 条建议", "1 suggestion"),
    "week.days": ("选择日期", "Choose a day"),
    "week.load": ("{n} 节", "{n} sections"),
    "week.grid": ("一周的安排", "The week"),
    "week.day_grid": ("{day}的安排", "{day}"),
    "week.none": ("还没有学期", "There is no semester yet"),
    "week.none_more": (
        "导入课表之后，这里就是你的一周。",
        "Once your timetable is imported, your week stands here.",
    ),
    "week.outside": ("这一天不在学期里", "This day is outside the semester"),
    "week.outside_more": (
        "最近的学期：{first} 至 {last}。",
        "The nearest semester: {first} to {last}.",
    ),
    "week.no_such_week": ("这个学期没有这一周", "The semester has no such week"),
    "week.first_week": ("看第 1 周", "See week 1"),
    "grid.lunch": ("午", "noon"),
    "grid.dinner": ("晚", "eve"),
    "grid.now": ("现在 {time}", "Now {time}"),
    "grid.section": ("第 {n} 节", "section {n}"),
}
