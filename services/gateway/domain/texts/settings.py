"""Semester and personal settings."""

from collections.abc import Mapping

TEXTS: Mapping[str, tuple[str, str]] = {
    "settings.title": ("设置", "Settings"),
    "settings.save": ("保存", "Save"),
    "settings.told_semester": ("学期已保存", "The semester is saved"),
    "settings.told_personal": ("设置已保存", "The settings are saved"),
    # Semester
    "semester.title": ("学期", "Semester"),
    "semester.none": (
        "先定下学期：周次、节次和截止时间都按它算。",
        "Set up the semester first: weeks, sections and times all follow from it.",
    ),
    "semester.now": ("今天是第 {week} 周{day}", "Today is {day} of week {week}"),
    "semester.to_come": ("{date} 开学", "It begins on {date}"),
    "semester.over": ("这个学期已经结束", "This semester is over"),
    "semester.range": ("{first} 至 {last}", "{first} to {last}"),
    "semester.left": ("还有 {n} 周", "{n} weeks left"),
    "semester.left_1": ("还有 1 周", "1 week left"),
    "semester.left_0": ("最后一周", "the last week"),
    "semester.sections": (
        "每天 {n} 节，{first} 到 {last}",
        "{n} sections a day, {first} to {last}",
    ),
    "semester.first_monday": ("第一周的周一", "Monday of week 1"),
    "semester.weeks": ("一共几周", "Number of weeks"),
    "semester.zone": ("时区", "Time zone"),
    "semester.zone_hint": ("比如 Asia/Shanghai", "For example Asia/Shanghai"),
    "semester.clock": ("作息时间", "Times of the sections"),
    "semester.clock_hint": (
        "10 到 14 节，按顺序填；用不到的行留空。",
        "10 to 14 sections in order; leave the rows that are not needed empty.",
    ),
    "semester.section_n": ("第 {n} 节", "Section {n}"),
    "semester.starts": ("开始", "Begins"),
    "semester.ends": ("结束", "Ends"),
    "semester.section_starts": ("第 {n} 节开始", "Section {n} begins"),
    "semester.section_ends": ("第 {n} 节结束", "Section {n} ends"),
    "semester.lunch": ("第几节之后午休", "Lunch after section"),
    "semester.dinner": ("第几节之后晚饭", "Dinner after section"),
    "semester.new": ("新的学期", "A new semester"),
    "semester.back": ("回到这个学期", "Back to the present one"),
    "problem.first_date": (
        "要是一个周一，比如 2026-09-07。",
        "A Monday is needed, e.g. 2026-09-07.",
    ),
    "problem.week_count": ("1 到 30 周。", "1 to 30 weeks."),
    "problem.time_zone": (
        "没有这个时区，写成 Asia/Shanghai 这样。",
        "No such zone; write it like Asia/Shanghai.",
    ),
    "problem.sections": (
        "10 到 14 节，每节的结束晚于开始，一节接一节不重叠。",
        "10 to 14 sections are needed, each ending after it begins, none over another.",
    ),
    "problem.section_time": (
        "开始和结束都要填，写成 08:00 这样。",
        "Both times are needed, written like 08:00.",
    ),
    "problem.lunch": (
        "在第一节和最后一节之间选。",
        "It lies between the first and the last section.",
    ),
    "problem.dinner": (
        "要在午休之后、最后一节之前。",
        "It lies after lunch and before the last one.",
    ),
    "semester.overlap": ("和另一个学期的日期重叠", "Its dates overlap those of another semester"),
    "semester.overlap_more": (
        "学期之间不能重叠，请改第一周的周一或周数。",
        "Semesters must not overlap: change the first Monday or the number of weeks.",
    ),
    "semester.in_use": ("有课或任务会落到学期之外", "Something would fall outside the semester"),
    "semester.in_use_more": (
        "先把那些课或任务移走，再把学期改短。",
        "Move those classes or tasks first, then make the semester shorter.",
    ),
    # Personal
    "personal.title": ("助手", "The assistant"),
    "personal.quiet": ("安静时段", "Quiet hours"),
    "personal.quiet_hint": (
        "这段时间里助手不主动提起，除非截止更早。两格都留空就是不设。",
        "The assistant brings nothing up in them, unless a deadline comes first. Both empty: none.",
    ),
    "personal.quiet_from": ("从", "From"),
    "personal.quiet_to": ("到", "To"),
    "personal.zone": ("安静时段按哪个时区", "Time zone of quiet hours"),
    "personal.estimate": ("没填时长的任务按几节算", "A task without an estimate counts as"),
    "problem.quiet": (
        "两格都填，写成 22:30 这样，而且不能相同；或者都留空。",
        "Both are needed, written like 22:30 and not the same, or neither.",
    ),
    "language.title": ("语言", "Language"),
    "language.hint": (
        "网页的语言。消息的语言在每个通知方式里设。",
        "Of these pages. Each channel has a language of its own for messages.",
    ),
}
