"""The week, and one block of it."""

from collections.abc import Mapping

TEXTS: Mapping[str, tuple[str, str]] = {
    "week.title": ("第 {week} 周", "Week {week}"),
    "week.range": ("{first} – {last}", "{first} – {last}"),
    "week.this": ("本周", "This week"),
    "week.previous": ("上一周", "Previous week"),
    "week.next": ("下一周", "Next week"),
    "week.goto": ("跳到", "Go to"),
    "week.goto_week": ("第几周", "Week"),
    "week.goto_date": ("日期", "Date"),
    "week.go": ("去看", "Go"),
    "week.export": ("导出日历文件", "Export as a calendar file"),
    "week.suggestions": ("{n} 条建议", "{n} suggestions"),
    "week.suggestions_1": ("1 条建议", "1 suggestion"),
    "week.days": ("选择日期", "Choose a day"),
    "week.load": ("{n} 节", "{n} sections"),
    "week.grid": ("一周的安排", "The week"),
    "week.empty": ("这一周还没有安排。", "Nothing is planned in this week."),
    "week.none": ("还没有学期", "There is no semester yet"),
    "week.none_more": (
        "定好学期、导入课表之后，这里就是你的一周。",
        "Once the semester is set and your timetable is imported, your week stands here.",
    ),
    "week.set_semester": ("设置学期", "Set up the semester"),
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
    # One block
    "event.back": ("回到第 {week} 周", "Back to week {week}"),
    "event.close": ("关闭", "Close"),
    "event.gone": ("这一项已经不在这一周了", "This is not in this week any more"),
    "event.place": ("地点", "Where"),
    "event.teacher": ("老师", "Teacher"),
    "event.hosted": ("嵌在「{name}」里", "Inside “{name}”"),
    "event.hosts": ("里面嵌着「{names}」", "Hosts “{names}”"),
    "event.makeup": ("补做", "Make-up"),
    "event.from_pool": ("来自任务", "From the tasks"),
    "event.from_class": ("来自学习计划", "From a study plan"),
    "event.task": ("打开任务", "Open the task"),
    "event.begun": (
        "它已经开始或已经过去，留作记录，不能再撤下。",
        "It has begun or is over: it stays as a record and cannot be taken off.",
    ),
    "event.done": ("标记完成", "Mark done"),
    "event.is_done": ("任务已完成", "The task is done"),
    "event.reopen": ("重新打开", "Reopen"),
    "event.revoke": ("从日程撤下", "Take off the schedule"),
    "event.revoke_more": (
        "任务回到任务列表，重新等安排。",
        "The task goes back to the list and waits for a place.",
    ),
    "event.delete": ("删除这一块", "Delete this block"),
    "event.delete_more": (
        "任务留着，助手不会因此再提起它。",
        "The task stays; the assistant does not bring it up because of this.",
    ),
    "event.delete_meeting": ("删除这一次课", "Delete this meeting"),
    "event.delete_meeting_more": (
        "只删这一次，再导入课表也不会回来。",
        "This one alone; it does not come back with the next import.",
    ),
    "event.delete_host_more": (
        "只删这一次，再导入课表也不会回来。嵌在里面的任务会回到待安排。",
        "This one alone; it does not come back with the next import. What it hosts waits for a "
        "place again.",
    ),
    "event.embedding": ("可嵌入任务", "May host tasks"),
    "event.embedding_more": (
        "打开后，助手可以把小任务放进这门课的时间里，对每一次课都算。",
        "When on, the assistant may put small tasks into this course, every meeting of it.",
    ),
    "event.open": ("打开", "Turn on"),
    "event.shut": ("关闭嵌入", "Turn off"),
    "event.is_open": ("现在可以嵌入", "It may host tasks now"),
    "event.is_shut": ("现在不可占用", "Nothing may be put into it now"),
    # After a form
    "week.told_done": ("任务已完成", "The task is done"),
    "week.told_reopened": ("任务已重新打开", "The task is open again"),
    "week.told_revoked": (
        "已从日程撤下，任务回到待安排",
        "Taken off the schedule; the task waits for a place",
    ),
    "week.told_deleted": ("已从日程删除", "Deleted from the schedule"),
    "week.told_deleted_host": (
        "这一次课已删除，嵌在里面的任务回到待安排",
        "The meeting is deleted; what it hosted waits for a place again",
    ),
    "week.told_opened": ("这门课现在可以嵌入任务", "This course may host tasks now"),
    "week.told_closed": ("这门课不再嵌入任务", "This course hosts no tasks any more"),
    "week.told_event_not_found": (
        "这一项已经不在了，可能刚被删除",
        "This is gone; it may have just been deleted",
    ),
    "week.told_event_has_begun": (
        "它已经开始，留作记录，日程没有变动",
        "It has begun and stays as a record; nothing changed",
    ),
    "week.told_version_mismatch": (
        "它刚刚换了位置，日程没有变动；看过再决定",
        "It has just been moved, so nothing changed; look again first",
    ),
    "week.told_course_hosts_work": (
        "里面还嵌着任务，先把它们撤下再关闭",
        "It hosts tasks still; take them off before you turn it off",
    ),
}
