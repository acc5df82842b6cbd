"""Importing a timetable."""

from collections.abc import Mapping

TEXTS: Mapping[str, tuple[str, str]] = {
    "timetable.title": ("导入课表", "Import a timetable"),
    "timetable.lead": (
        "先试读，看清会改动什么，再写入。",
        "It is read first: you see what would change before anything is written.",
    ),
    # The form
    "timetable.semester": (
        "导入到 {first} 开始的学期，共 {n} 周",
        "Into the semester from {first}, {n} weeks",
    ),
    "timetable.change_semester": ("改学期", "Change the semester"),
    "timetable.file": ("课表文件", "Timetable file"),
    "timetable.file_hint": (
        "正方教务系统返回的 JSON（里面有 kbList），或 WakeUp 课程表导出的文件。最多 2 MiB。",
        "The JSON reply of a Zhengfang system (it has a kbList), or a file exported by WakeUp. "
        "At most 2 MiB.",
    ),
    "timetable.paste": ("或者把内容贴在这里", "Or paste its content here"),
    "timetable.format": ("格式", "Format"),
    "timetable.format_auto": ("自动识别", "Recognise it"),
    "timetable.format_zhengfang": ("正方教务系统 JSON", "Zhengfang JSON"),
    "timetable.format_wakeup": ("WakeUp 课程表", "WakeUp"),
    "timetable.read": ("试读", "Read it"),
    "timetable.nothing_given": (
        "请选一个文件，或把内容贴进来。",
        "Choose a file, or paste its content.",
    ),
    "timetable.unreadable": ("没能读这份课表", "This timetable could not be read"),
    "timetable.nothing_written": ("日程没有变动。", " Nothing changed."),
    "timetable.too_large": (
        "这个文件超过 2 MiB，课表不会这么大。请检查是不是选错了文件。",
        "This file has more than 2 MiB, which no timetable has. Check that it is the right one.",
    ),
    # No semester yet
    "timetable.no_semester": ("先定下学期", "The semester comes first"),
    "timetable.no_semester_more": (
        "课表里只有第几周、周几，要知道第一周从哪天开始。",
        "A timetable says week and weekday alone, so it has to be known when week 1 begins.",
    ),
    "timetable.first_monday": ("第一周的周一", "Monday of week 1"),
    "timetable.week_count": ("一共几周", "Number of weeks"),
    "timetable.save_semester": ("保存，接着导入", "Save and go on"),
    "timetable.semester_more": (
        "作息时间先用默认的 12 节，可以在设置里改。",
        "The times of the sections are the usual 12; they can be changed in the settings.",
    ),
    "timetable.problem_first_date": (
        "要是一个周一，比如 2026-09-07。",
        "A Monday is needed, e.g. 2026-09-07.",
    ),
    "timetable.problem_week_count": ("1 到 30 周。", "1 to 30 weeks."),
    "timetable.problem_semester": (
        "和另一个学期的日期重叠。",
        "Its dates overlap those of another semester.",
    ),
    "timetable.told_semester": ("学期已保存", "The semester is saved"),
    "timetable.told_semester_more": ("现在可以导入课表。", "Now the timetable can be imported."),
    # The dry run
    "timetable.pasted": ("贴进来的内容", "Pasted content"),
    "timetable.rows": ("{n} 行", "{n} rows"),
    "timetable.rows_1": ("1 行", "1 row"),
    "timetable.tried_at": ("{time} 试读，还没有写入", "read at {time}, nothing is written yet"),
    "timetable.another": ("换一个文件", "Another file"),
    "timetable.counts": ("这份课表", "This timetable"),
    "timetable.count_unchanged": ("没有变化", "Unchanged"),
    "timetable.count_added": ("新增", "New"),
    "timetable.count_changed": ("修改", "Changed"),
    "timetable.count_removed": ("不再出现", "No longer there"),
    "timetable.count_conflicts": ("重叠", "Overlapping"),
    "timetable.count_unread": ("没读懂", "Not understood"),
    "timetable.warnings": ("和这个学期不一样的地方", "Where it differs from the semester"),
    "timetable.unread": ("没读懂的行", "Rows not understood"),
    "timetable.unread_more": (
        "修好文件再传，或者跳过它们继续",
        "Mend the file and upload it again, or go on without them",
    ),
    "timetable.line": ("第 {n} 行", "Row {n}"),
    "timetable.expected": ("应为 {expected}", "Wanted: {expected}"),
    "timetable.empty_value": ("（空）", "(empty)"),
    "timetable.kept": (
        "{names}：文件里没有说清楚，先保持原样。",
        "{names}: the file is not clear about it, so it stays as it is.",
    ),
    "timetable.conflicts": ("时间重叠", "Overlaps"),
    "timetable.conflicts_more": ("选一个，一起写入", "Choose one; it is written with the rest"),
    "timetable.conflict": (
        "文件里是{courses}，日程里已有任务「{task}」。",
        "The file has {courses}; your schedule has the task “{task}”.",
    ),
    "timetable.take_course": ("写入课程，任务待重排", "Write the class; the task waits again"),
    "timetable.take_course_more": (
        "「{task}」回到待安排，之后再给它找时间",
        "“{task}” goes back to what has no time yet",
    ),
    "timetable.keep_task": ("保留任务，跳过这次课", "Keep the task; skip this class"),
    "timetable.keep_task_more": (
        "只跳过{week}这一次，其余照常写入",
        "Only the class of {week} is skipped",
    ),
    "timetable.was_skipped": ("上次选了保留任务", "You kept the task last time"),
    "timetable.begun": (
        "「{task}」已经开始或过去，保持不动；{week}的这次课不写入。",
        "“{task}” has begun or is over and stays; the class of {week} is not written.",
    ),
    "timetable.more_conflicts": (
        "还有 {n} 处重叠没有列出，那里的任务都保持不动。",
        "{n} more overlaps are not listed; the tasks there stay.",
    ),
    "timetable.refused": (
        "第 {line} 行「{name}」没有写入：{place}和{other}重叠。",
        "Row {line}, “{name}”, is not written: {place} overlaps {other}.",
    ),
    "timetable.other_row": ("第 {line} 行「{name}」", "row {line}, “{name}”"),
    "timetable.other_course": ("日程里的「{name}」", "“{name}” of your schedule"),
    "timetable.unhosted": (
        "嵌在课里的任务会回到待安排：{names}",
        "Tasks inside classes that go away wait again: {names}",
    ),
    "timetable.changes": ("变动", "Changes"),
    "timetable.changes_n": ("{n} 项", "{n}"),
    "timetable.column_kind": ("类型", "Kind"),
    "timetable.column_course": ("课程", "Course"),
    "timetable.column_before": ("现在", "Now"),
    "timetable.column_after": ("写入后", "Then"),
    "timetable.kind_added": ("新增", "New"),
    "timetable.kind_changed": ("修改", "Changed"),
    "timetable.kind_removed": ("移除", "Removed"),
    "timetable.absent": ("没有", "Not there"),
    "timetable.gone": ("文件里不再出现", "No longer in the file"),
    "timetable.unfold": ("展开其余 {n} 项", "Show the other {n}"),
    "timetable.embeddable": ("可嵌入", "Can host a task"),
    "timetable.skips": ("跳过 {weeks}", "not in {weeks}"),
    "timetable.teacher": ("教师 {name}", "Teacher {name}"),
    "timetable.no_location": ("没有地点", "no place"),
    "timetable.no_teacher": ("没有教师", "no teacher"),
    "timetable.timeless": (
        "没有上课时间，不写入：{names}",
        "Without a time, so not written: {names}",
    ),
    "timetable.duplicates": (
        "{n} 行只是重复，合在了一起。",
        "{n} rows only repeated others and were joined.",
    ),
    "timetable.duplicates_1": (
        "1 行只是重复，合在了一起。",
        "1 row only repeated another and was joined.",
    ),
    "timetable.nothing": ("没有要写入的变化", "There is nothing to write"),
    "timetable.nothing_more": (
        "这份课表和日程里的一样。",
        "Your schedule says the same as this timetable.",
    ),
    "timetable.own_overrides": (
        "调休设置是你自己的，不会被覆盖",
        "Your own changes of teaching days stay as they are",
    ),
    "timetable.discard": ("放弃", "Discard"),
    "timetable.write": ("写入 {n} 项，跳过 {k} 行", "Write {n}, skip {k} rows"),
    "timetable.write_1": ("写入 {n} 项，跳过 1 行", "Write {n}, skip 1 row"),
    "timetable.write_all": ("写入 {n} 项", "Write {n}"),
    "timetable.write_choice": ("按上面的选择写入", "Write it as chosen above"),
    # The write
    "timetable.base_changed": (
        "日程刚刚有了变动，这次没有写入",
        "Your schedule has just changed, so nothing was written",
    ),
    "timetable.base_changed_more": (
        "下面是按现在的日程重新比较的结果，看过再写入。",
        "Below it is compared with your schedule as it is now. Have a look and write it then.",
    ),
    "timetable.written": ("课表已写入", "The timetable is written"),
    "timetable.written_more": (
        "新增 {added} 门，修改 {changed} 门，移除 {removed} 门；日程里现在有 {meetings} 次课。",
        "New: {added}, changed: {changed}, removed: {removed}; {meetings} classes are on your "
        "schedule now.",
    ),
    "timetable.unchanged": ("没有变化", "Nothing changed"),
    "timetable.unchanged_more": (
        "这份课表和日程里的一样，什么也没有改。",
        "Your schedule says the same as this timetable; nothing was touched.",
    ),
    "timetable.pending": ("回到待安排的任务", "Tasks that wait to be placed again"),
    "timetable.pending_more": ("还没有新的时间", "they have no time yet"),
    "timetable.skipped": ("没有写入的课次", "Classes that were not written"),
    "timetable.skipped_more": ("那时的任务保持不动", "the tasks at that time stay"),
    "timetable.left_out": ("没有写入的行", "Rows that were not written"),
    "timetable.see_tasks": ("去看任务", "See the tasks"),
    "timetable.import_more": ("再导入一份", "Import another one"),
    # Weeks
    "timetable.week": ("第 {n} 周", "week {n}"),
    "timetable.weeks_1": ("{n} 周", "week {n}"),
    "timetable.weeks_run": ("{first}–{last} 周", "weeks {first}–{last}"),
    "timetable.weeks_run_odd": ("{first}–{last} 周（单）", "weeks {first}–{last} (odd)"),
    "timetable.weeks_run_even": ("{first}–{last} 周（双）", "weeks {first}–{last} (even)"),
}
