"""Marks, kinds and the legend of the section grid."""

from collections.abc import Mapping

TEXTS: Mapping[str, tuple[str, str]] = {
    # Marks
    "mark.add": ("新增", "Added"),
    "mark.makeup": ("补做", "Make-up"),
    "mark.moved": ("移动", "Moved"),
    "mark.was_at": ("原在{place}", "Was at {place}"),
    "mark.leaving": ("将移到{place}", "Moves to {place}"),
    "mark.removed": ("将撤下", "Will be taken off"),
    "mark.squeeze": ("{n} 节 · 原有 {m} 节", "{n} of {m} sections"),
    "mark.squeeze_new": ("{n} 节 · 原需 {m} 节", "{n} of {m} sections"),
    "mark.applied": ("已排入", "Scheduled"),
    "mark.clash": ("刚加入", "Just added"),
    "mark.edited": ("{mark} · 你改过", "{mark} · edited by you"),
    "mark.host": ("可嵌入", "Can host a task"),
    # Kinds, as a screen reader says them
    "kind.course": ("课程，不可占用", "class, fixed"),
    "kind.host": ("课程，可嵌入", "class, can host a task"),
    "kind.task": ("任务", "task"),
    "kind.guest": ("嵌入课内的任务", "task inside a class"),
    "kind.add": ("新增", "added"),
    "kind.moved": ("移动后", "moved here"),
    "kind.leaving": ("从这里移走", "leaves here"),
    "kind.squeeze": ("压缩", "shortened"),
    "kind.clash": ("刚刚加入", "just added"),
    # The block that may be put elsewhere, as a screen reader says it
    "move.block": ("{place}，{time}，{kind}：", "{place}, {time}, {kind}: "),
    # Why a place is shut, and what to know of one that is not
    "shut.started": ("这节已经开始", "Already started"),
    "shut.course": ("有课：{name}", "Class: {name}"),
    "shut.task": ("已有任务：{name}", "Task: {name}"),
    "shut.host_partial": ("要整段放进「{name}」", "Must lie wholly inside “{name}”"),
    "shut.deadline": (
        "{time} 结束，晚于截止 {due}",
        "Ends {time}, after the deadline {due}",
    ),
    "shut.must_follow": ("要在「{name}」之后", "Must come after “{name}”"),
    "shut.must_precede": ("要在「{name}」之前", "Must come before “{name}”"),
    "shut.too_long": ("到这天结束不够 {n} 节", "Fewer than {n} sections are left that day"),
    "shut.out_of_semester": ("不在这个学期里", "Outside this semester"),
    "shut.other_change": ("这条建议的另一步要用这里", "Another step of this suggestion goes here"),
    "shut.base_changed": (
        "这件事或日程刚改过，要重新想一个",
        "This or your schedule has just changed; a new suggestion is needed",
    ),
    "shut.target_completed": ("这件事已经完成了", "This is done already"),
    "shut.target_already_scheduled": (
        "这件事已经在日程里了",
        "This is on your schedule already",
    ),
    "shut.target_not_found": ("这件事已经不在了", "This is gone"),
    "shut.other": ("现在不能放在这里", "It cannot go here now"),
    "shut.crosses_lunch": ("跨过午休", "across lunch"),
    "shut.crosses_dinner": ("跨过晚饭", "across dinner"),
    # Legend
    "legend.title": ("图例", "Legend"),
    "legend.course": ("课程（不可占用）", "Class (fixed)"),
    "legend.host": ("可嵌入的课", "Class that can host a task"),
    "legend.task": ("任务", "Task"),
    "legend.add": ("新增", "Added"),
    "legend.moved": ("移动到这里", "Moved here"),
    "legend.leaving": ("从这里移走", "Leaves here"),
    "legend.squeeze": ("压缩", "Shortened"),
    "legend.clash": ("刚加入", "Just added"),
}
