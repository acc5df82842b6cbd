"""调休: days that do not run their own classes."""

from collections.abc import Mapping

TEXTS: Mapping[str, tuple[str, str]] = {
    "nav.calendar": ("调休", "Changed days"),
    "overrides.title": ("调休", "Changed days"),
    "overrides.lead": (
        "放假的日子没有课，补课的日子上另一天的课。这里说了算，再导入课表也不会丢。",
        "A holiday has no classes; a make-up day runs those of another day. What is said here "
        "stays over the next import of a timetable.",
    ),
    "overrides.none": ("这个学期还没有调休。", "Nothing is changed in this semester yet."),
    "overrides.no_semester": ("还没有学期", "There is no semester yet"),
    "overrides.no_semester_more": (
        "先定好学期，才知道哪天是第几周周几。",
        "Set up the semester first: it says which week and day a date is.",
    ),
    "overrides.listed": ("已经定下的", "What is changed"),
    "overrides.which": ("第 {week} 周{day}", "{day} of week {week}"),
    "overrides.off": ("没有课", "no classes"),
    "overrides.runs": (
        "上第 {week} 周{day}（{date}）的课",
        "runs the classes of {day}, week {week} ({date})",
    ),
    "overrides.see": ("看这一周", "See the week"),
    "overrides.delete": ("取消调休", "Take it back"),
    "overrides.delete_for": ("取消调休：{date}", "Take it back: {date}"),
    "overrides.more": ("更晚的", "Later ones"),
    # The form
    "overrides.add": ("加一天", "Change a day"),
    "override.date": ("哪一天", "Date"),
    "override.kind": ("这一天", "On that day"),
    "override.kind_off": ("没有课", "No classes"),
    "override.kind_runs": ("上另一天的课", "The classes of another day"),
    "override.week": ("上第几周", "Of week"),
    "override.day": ("周几的课", "Day"),
    "override.save": ("定下", "Set"),
    # What is wrong at a field
    "problem.override_date": (
        "写成学期里的一天，比如 2026-10-01。",
        "A date of the semester is needed, e.g. 2026-10-01.",
    ),
    "problem.override_outside": ("这一天不在学期里。", "This day is outside the semester."),
    "problem.override_kind": ("选其中一个。", "Choose one of these."),
    "problem.override_week": ("学期里没有这一周。", "The semester has no such week."),
    "problem.override_day": ("选周一到周日。", "Choose Monday to Sunday."),
    # After a form
    "overrides.told_saved": ("调休已定下，课表跟着变了", "It is set; the classes follow"),
    "overrides.told_deleted": ("这一天恢复原来的课", "The day has its own classes back"),
    "overrides.told_gone": (
        "这一天没有调休，可能刚被取消",
        "Nothing is changed on that day; it may have just been taken back",
    ),
    "overrides.pending": (
        "{n} 块嵌在课里的任务没了地方，回到待安排。",
        "{n} blocks inside classes lost their place and wait for a new one.",
    ),
    "overrides.pending_1": (
        "1 块嵌在课里的任务没了地方，回到待安排。",
        "1 block inside a class lost its place and waits for a new one.",
    ),
    "overrides.collision": (
        "{date}有安排挡着要上的课，没有变动",
        "Something stands where classes would be held on {date}; nothing changed",
    ),
    "overrides.collision_more": (
        "先把下面的安排移走或撤下，再定一次：",
        "Move these or take them off the schedule, then set it again:",
    ),
    "overrides.collision_unnamed": ("另有 {n} 块", "{n} more"),
}
