"""The task pool."""

from collections.abc import Mapping

TEXTS: Mapping[str, tuple[str, str]] = {
    "tasks.title": ("任务", "Tasks"),
    "tasks.count": ("{n} 件在手上，其中 {m} 件还没有时间", "{n} open, {m} of them without a time"),
    "tasks.count_placed": ("{n} 件在手上，都有时间了", "{n} open, each with a time"),
    "tasks.count_none": ("手上没有任务", "Nothing is open"),
    "tasks.count_more": (
        "手上超过 {n} 件，先列出最近的",
        "More than {n} open; the newest are shown",
    ),
    "tasks.axis_important": ("重要", "Important"),
    "tasks.axis_urgent": ("紧急", "Urgent"),
    "tasks.quadrant_1": ("重要且紧急", "Important and urgent"),
    "tasks.quadrant_2": ("重要，不急", "Important, not urgent"),
    "tasks.quadrant_3": ("紧急，不重要", "Urgent, not important"),
    "tasks.quadrant_4": ("不重要，不急", "Neither"),
    "tasks.note_1": ("先安排这些", "Plan these first"),
    "tasks.note_2": ("留出整块时间", "Keep whole stretches for these"),
    "tasks.note_3": ("顺手做掉", "Do these in passing"),
    "tasks.note_4": ("有空再说", "When there is time"),
    "tasks.empty": ("没有", "Nothing here"),
    # One line
    "task.due": ("截止 {time}", "due {time}"),
    "task.due_passed": ("截止已过，{time}", "was due {time}"),
    "task.no_deadline": ("没有截止", "no deadline"),
    "task.becomes_urgent": ("{time} 起变紧急", "becomes urgent {time}"),
    "task.became_urgent": ("{time} 起紧急", "urgent since {time}"),
    "task.estimate": ("预计 {n} 节", "about {n} sections"),
    "task.estimate_1": ("预计 1 节", "about 1 section"),
    "task.completed_at": ("{time} 完成", "done {time}"),
    "task.was_at": ("排过 {place}", "was at {place}"),
    "task.find_time": ("找个时间", "Find a time"),
    "task.find_time_for": ("找个时间：{title}", "Find a time: {title}"),
    "task.done": ("标记完成", "Mark done"),
    "task.done_for": ("标记完成：{title}", "Mark done: {title}"),
    "task.reopen": ("重新打开", "Reopen"),
    "task.reopen_for": ("重新打开：{title}", "Reopen: {title}"),
    "tasks.completed": ("最近完成 {n} 件", "Done lately: {n}"),
    "tasks.completed_more": ("更早完成的", "Done earlier"),
    # Forms
    "tasks.add": ("记下", "Add"),
    "tasks.add_title": ("记一件事", "A new task"),
    "tasks.add_hint": ("比如：交实验报告", "For example: hand in the lab report"),
    "tasks.add_more": ("截止和时长", "Deadline and length"),
    "task.title": ("要做的事", "What is to be done"),
    "task.quadrant": ("放在哪一格", "Where it belongs"),
    "task.deadline": ("截止", "Deadline"),
    "task.threshold": ("什么时候变紧急", "When it becomes urgent"),
    "task.threshold_hint": (
        "重要的事到了这个时刻，助手会主动来看。不填就不主动提。",
        "From then on the assistant looks at an important task by itself. Empty: it does not.",
    ),
    "task.estimated": ("预计要几节", "Sections of work"),
    "task.estimated_none": ("还没想好", "Not estimated"),
    "task.estimated_n": ("{n} 节", "{n} sections"),
    "task.estimated_1": ("1 节", "1 section"),
    "task.zone": ("时间按 {zone}", "Times are in {zone}"),
    "task.save": ("保存", "Save"),
    "task.back": ("回到任务", "Back to the tasks"),
    "task.edit": ("修改任务", "Edit the task"),
    "task.delete": ("删除任务", "Delete the task"),
    "task.delete_more": (
        "删除之后不能恢复。还没开始的安排会从日程里撤下，已经开始的留作记录。",
        "This cannot be undone. What is planned and has not begun leaves the schedule; what has "
        "begun stays as a record.",
    ),
    "task.where": ("日程里", "On the schedule"),
    "task.nowhere": ("还没有排进日程", "Not on the schedule yet"),
    "task.is_done": ("已完成", "Done"),
    # What is wrong at a field
    "problem.task_title": (
        "写一行字，1 到 200 个，不含换行。",
        "One line of 1 to 200 characters is needed.",
    ),
    "problem.task_quadrant": ("选四格中的一格。", "Choose one of the four."),
    "problem.moment": (
        "写成日期和时刻，比如 2026-12-01 22:00。",
        "A date and a time are needed, e.g. 2026-12-01 22:00.",
    ),
    "problem.moment_skipped": (
        "那一天拨快了时钟，没有这个时刻。",
        "The clocks went forward that day; there is no such time.",
    ),
    "problem.task_deadline": ("这个时刻用不了。", "This time cannot be used."),
    "problem.task_threshold": (
        "要早于截止，或和截止相同。",
        "It has to be no later than the deadline.",
    ),
    "problem.task_estimate": ("选 1 到 4 节，或先不填。", "Choose 1 to 4, or leave it open."),
    # After a form
    "tasks.told_created": ("已记下", "Added"),
    "tasks.told_saved": ("已保存", "Saved"),
    "tasks.told_done": ("已完成", "Done"),
    "tasks.told_reopened": ("已重新打开", "Open again"),
    "tasks.told_deleted": ("任务已删除", "The task is deleted"),
    "tasks.told_gone": (
        "这件任务已经不在了，可能刚被删除",
        "This task is gone; it may have just been deleted",
    ),
    "tasks.told_looking": (
        "助手正在看，通常几秒就好",
        "The assistant is looking; it usually takes a few seconds",
    ),
    "tasks.told_looking_more": (
        "有了建议，会出现在「建议」里。",
        "A suggestion, if there is one, will stand under Suggestions.",
    ),
    "tasks.told_not_urgent": ("它还不急，助手先不动它", "It is not urgent yet, so it stays"),
    "tasks.told_not_urgent_more": (
        "想现在就排，把它放进「重要且紧急」，或把变紧急的时刻提前。",
        "To plan it now, move it to “Important and urgent”, or let it become urgent earlier.",
    ),
    "tasks.told_already_scheduled": ("它已经排在日程里了", "It is on the schedule already"),
    "tasks.told_target_completed": ("它已经完成，不用再安排", "It is done already"),
    "tasks.told_assumed_completed": (
        "它排过的时间已经过去，按做完算",
        "Its time has passed, so it counts as done",
    ),
    "tasks.told_assumed_completed_more": (
        "确实做完了，就标记完成。",
        "If it is done indeed, mark it done.",
    ),
    "tasks.told_looked_lately": (
        "半小时里已经看过一次，晚一点再试",
        "It was looked at within the last half hour; try again later",
    ),
    "tasks.told_look_failed": (
        "这次没能看成，稍后再试",
        "The look did not work out; try again later",
    ),
    "tasks.told_nothing": ("看过了，暂时没有需要动的", "Looked: nothing needs to be done for now"),
    "task.changed": ("这件任务刚刚在别处改过", "This task has just been changed elsewhere"),
    "task.changed_more": (
        "下面是你填的，还没有保存；再按一次「保存」就以它为准。现在存的是：{title}，{facts}。",
        "Below is what you entered; it is not saved yet. Save again to let it stand. Stored now: "
        "{title}, {facts}.",
    ),
    "task.check_fields": ("有几处要改一下", "Something has to be put right"),
}
