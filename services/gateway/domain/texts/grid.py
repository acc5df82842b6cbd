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
